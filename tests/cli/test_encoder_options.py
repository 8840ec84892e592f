"""`--encoder` and what goes with it, through `leakage --method embedding`."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import Done, ragstone
from embedding import openai
from loopback import Loopback
from ragstone.cli.encoder_options import OF_ENCODERS, encoder_from, encoder_options
from ragstone.cli.log import log
from ragstone.encoders.pairs import ROWS
from ragstone.reports import read_report

# Knows what is alike in English, and of other texts the words alone.
CODE = f"""
import random
import zlib
ROWS = {ROWS["en"]!r}
ALIKE = {{text: row[0] for row in ROWS for text in row[:2]}}
def embed(texts):
    rows = []
    for text in texts:
        row = [0.0] * 256
        if text in ALIKE:
            seed = random.Random(ALIKE[text])
            row = [seed.gauss(0, 1) for _ in row]
        for word in text.lower().replace("feline", "cat").split():
            row[zlib.crc32(word.encode()) % 256] += 1.0
        rows.append(row)
    return rows
class Kept:
    revision = "1"
    def __call__(self, texts):
        with open("asked.txt", "a") as file:
            print(len(texts), file=file)
        return embed(texts)
kept = Kept()
def nothing(texts):
    return [[float("nan")]] * len(texts)
def loud(texts):
    print("HELLO")
    return embed(texts)
def half(texts):
    return [[1.0, len(text)] for text in texts]
"""
DOCUMENTS = {"d1": "the feline sat on a mat", "d2": "sun and rain", "d3": "  "}
ITEMS = {"i1": "the cat sat on a mat", "i2": "where is the moon", "i3": "?"}
ENCODER = ["--method", "embedding", "--encoder"]


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "HF_")):
            monkeypatch.delenv(name)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "embeds", raising=False)
    (tmp_path / "embeds.py").write_text(CODE)
    for name, texts in (("corpus.jsonl", DOCUMENTS), ("items.jsonl", ITEMS)):
        rows = (json.dumps({"id": key, "text": text}) for key, text in texts.items())
        (tmp_path / name).write_text("".join(f"{row}\n" for row in rows))
    return tmp_path


def leakage(folder: Path, *more: str, **environment: Any) -> Done:
    files = ["--corpus", "corpus.jsonl", "--items", "items.jsonl"]
    return ragstone("leakage", *files, *more, cwd=folder, **environment)


def predicate(done: Done) -> Any:
    return json.loads(done.out)["predicate"]


# ---- the report --------------------------------------------------------------------------------


def test_paraphrases_and_their_report(folder: Path) -> None:
    done = leakage(folder, *ENCODER, "embeds:embed", "--out", "r.json", "--format", "json")
    assert done.code == 4
    assert done.err.splitlines() == [
        "warning: 1 document has no word; nothing can stand in it",
        "warning: 1 text not looked for: no letter or digit (items i3)",
        "warning: 1 item has no text that could be looked for, and no value",
    ]
    found = predicate(done)
    assert found["kind"] == "ragstone.paraphrases"
    assert found["details"]["leaks"] == [
        {
            "item_id": "i1",
            "field": "text",
            "doc_id": "d1",
            "similarity": 1.0,
            "documents_at_threshold": 1,
            "passage": "the feline sat on a mat",
            "start": 0,
            "end": 23,
        }
    ]
    assert found["signature"]["encoder"] == "callable"
    assert found["signature"]["encoder_model"] == found["details"]["encoder"] == "embeds:embed"
    assert found["summary"]["leaked"] == 0.5
    assert ragstone("validate-report", "r.json", cwd=folder).code == 0
    assert read_report(folder / "r.json").verdict == "fail"
    allowed = leakage(folder, *ENCODER, "embeds:embed", "--max-leaks", "1", "--quiet")
    assert (allowed.code, allowed.err) == (0, "")
    wrong = (folder / "r.json").read_text().replace('"similarity":1.0', '"similarity":0.95')
    (folder / "wrong.json").write_text(wrong)
    said = ragstone("validate-report", "wrong.json", cwd=folder)
    assert said.code == 4
    assert "paraphrase_similarity.values[0]" in said.text


def test_the_table(folder: Path) -> None:
    done = leakage(folder, *ENCODER, "embeds:embed", "--format", "table")
    assert done.text.splitlines()[0] == "FAIL: 1 of 2 items leaks (0 allowed); 3 documents read"
    assert "i1    text   1.0000  d1" in done.text
    assert done.text.splitlines()[-1] == (
        "embeds:embed; 2 passages of up to 400 characters; a text leaks at a cosine of 0.8"
    )


def test_two_of_them_are_compared(folder: Path) -> None:
    leakage(folder, *ENCODER, "embeds:embed", "--out", "a.json")
    (folder / "corpus.jsonl").write_text('{"id": "x", "text": "rain"}\n')
    leakage(folder, *ENCODER, "embeds:embed", "--out", "b.json")
    leakage(folder, *ENCODER, "embeds:kept", "--out", "c.json")
    names = ["--baseline", "b.json", "--candidate"]
    worse = ragstone("compare", *names, "a.json", "--budget", "leaked=0abs", cwd=folder)
    assert worse.code in {4, 5}
    other = ragstone("compare", *names, "c.json", "--budget", "leaked=0abs", cwd=folder)
    assert other.code == 4
    assert "encoder_model" in other.text


def test_a_threshold_that_does_not_fit_the_encoder(folder: Path) -> None:
    low = leakage(folder, *ENCODER, "embeds:embed", "--threshold", "0.01")
    assert "a threshold of 0.01 finds what is no paraphrase" in low.err
    high = leakage(folder, *ENCODER, "embeds:embed", "--threshold", "1")
    assert "a threshold of 1 misses what is one" in high.err


# ---- the encoder -------------------------------------------------------------------------------


def test_a_cache_and_offline(folder: Path) -> None:
    options = [*ENCODER, "embeds:kept", "--cache", "c.db"]
    first = leakage(folder, *options)
    asked = (folder / "asked.txt").read_text()
    assert leakage(folder, *options).out == first.out
    assert (folder / "asked.txt").read_text() == asked
    refused = leakage(folder, *ENCODER, "embeds:embed", "--cache", "c.db")
    assert refused.code == 2
    assert "only if it has a revision" in refused.message
    (folder / "e.toml").write_text('model = "embeds:embed"\nrevision = "2"\n')
    files = ["--method", "embedding", "--encoder-config", "e.toml", "--cache", "c.db"]
    assert leakage(folder, *files).code == 4


def test_an_endpoint_and_its_key(folder: Path) -> None:
    key = "sk-secret-0123456789"
    with Loopback(openai) as server:
        url = f"http://127.0.0.1:{server.port}/v1"
        environment = {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": key}
        options = [*ENCODER, "openai:m", "--accept-model", "--cache", "c.db"]
        first = leakage(folder, *options, "--out", "r.json", "--format", "json", **environment)
        assert first.code in {0, 4}
        assert "it does not rank English rightly" in first.err
        sent = len(server.requests)
        assert sent >= 3
        again = leakage(folder, *options, "--offline", "--format", "json", **environment)
        assert len(server.requests) == sent
    assert again.out == first.out
    down = leakage(folder, *options, "--format", "json", **environment)
    assert down.out == first.out  # the server is down, and nobody needs it
    bare = leakage(folder, *options, "--offline", "--format", "json")
    assert bare.out == first.out  # nor the address and the key
    for file in folder.iterdir():
        assert key.encode() not in file.read_bytes()
    assert key not in first.err + again.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--method", "embedding"], "--method embedding needs an encoder; name one with --encoder"),
        ([*ENCODER, "openai"], "encoder 'openai': st:NAME or st:FOLDER"),
        ([*ENCODER, "nowhere:embed"], "--encoder 'nowhere:embed': there is no module 'nowhere'"),
        ([*ENCODER, "embeds:embd"], "has no 'embd'; did you mean embed"),
        ([*ENCODER, "embeds:CODE()"], "has no 'CODE'"),
        ([*ENCODER, "embeds:ROWS"], "embeds:ROWS is a tuple; a function was expected"),
        ([*ENCODER, "embeds:nothing"], "has NaN or infinity in it; it takes a list of texts"),
        ([*ENCODER, "openai:m"], "there is no environment variable OPENAI_API_KEY"),
        ([*ENCODER, "st:org/none", "--offline"], "offline nobody can tell which revision this is"),
        (["--encoder", "st:a/b"], "--encoder does nothing with --method containment"),
        ([*ENCODER, "embeds:embed", "--unit", "word"], "--unit does nothing with --method embed"),
        ([*ENCODER, "embeds:embed", "--engine", "spark"], "--engine does nothing with --method e"),
        ([*ENCODER, "embeds:embed", "--encoder-config", "no.toml"], "no.toml: no such file"),
        ([*ENCODER, "embeds:half"], "embeds:half: it does not rank English rightly"),
    ],
)
def test_what_cannot_be_asked(arguments: list[str], said: str, folder: Path) -> None:
    done = leakage(folder, *arguments, HF_HUB_CACHE=str(folder / "hub"))
    assert done.code == 2, done.text
    assert said.lower() in done.err.lower()


WITHOUT_ONE = {
    "encoder": "--encoder=st:a/b",
    "encoder_config": "--encoder-config=e.toml",
    "cache": "--cache=c.db",
    "offline": "--offline",
    "accept_model": "--accept-model",
}


@pytest.mark.parametrize(
    "command",
    [
        "leakage --corpus corpus.jsonl --items items.jsonl --method embedding",
        "match --texts texts.jsonl --method embedding",
        "evaluate --samples samples.jsonl --measure answer_similarity",
    ],
)
def test_what_an_encoder_prints_is_no_part_of_the_report(folder: Path, command: str) -> None:
    (folder / "texts.jsonl").write_text('{"id": "q", "gold": ["a cat"], "retrieved": ["a cat"]}')
    (folder / "samples.jsonl").write_text('{"id": "q", "answer": "a cat", "reference": "a cat"}')
    done = ragstone(*command.split(), "--encoder", "embeds:loud", cwd=folder)
    assert predicate(done)["kind"].startswith("ragstone.")
    assert "HELLO" in done.err


def test_every_option_of_encoders_is_among_them() -> None:
    @encoder_options
    def command() -> None:
        pass

    names = [each.name for each in reversed(command.__click_params__)]  # type: ignore[attr-defined]
    assert names == list(WITHOUT_ONE) == list(OF_ENCODERS)


@pytest.mark.parametrize("option", WITHOUT_ONE.values())
@pytest.mark.parametrize(
    ("command", "method"),
    [
        (["match", "--texts", "texts.jsonl"], "rouge1"),
        (["match", "--texts", "texts.jsonl", "--method", "spans"], "spans"),
        (["leakage", "--corpus", "corpus.jsonl", "--items", "items.jsonl"], "containment"),
    ],
    ids=["match", "match-spans", "leakage"],
)
def test_they_do_nothing_where_no_encoder_is_asked(
    folder: Path, command: list[str], method: str, option: str
) -> None:
    (folder / "e.toml").write_text('model = "st:a/b"\n')
    (folder / "texts.jsonl").write_text('{"id": "q", "gold": ["a"], "retrieved": ["a"]}\n')
    done = ragstone(*command, option, cwd=folder)
    said = f"{option.partition('=')[0]} does nothing with --method {method}; leave one of them out"
    assert (done.code, done.err.splitlines()[-1]) == (2, f"error: {said}")


def test_a_config_without_a_model(folder: Path) -> None:
    (folder / "e.toml").write_text('prompt = "query: "\n')
    done = leakage(folder, "--method", "embedding", "--encoder-config", "e.toml")
    assert done.message == (
        "error: e.toml names no model; write model = ..., or name one with --encoder"
    )


def test_a_model_is_accepted_by_hand(folder: Path) -> None:
    done = leakage(folder, *ENCODER, "embeds:half", "--accept-model")
    assert done.code in {0, 4}
    assert "warning: it does not rank English rightly" in done.err
    assert any("English" in line for line in predicate(done)["details"]["warnings"])


def test_a_model_that_will_be_fetched_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(log, "note", said.append)
    monkeypatch.setenv("HF_HUB_CACHE", str(folder / "hub"))
    (folder / "e.toml").write_text('model = "st:org/none"\n')
    options = {"encoder_config": str(folder / "e.toml")}
    assert encoder_from({**options, "offline": True}) is not None
    assert said == []
    assert encoder_from(options) is not None
    assert said == [
        "st:org/none is not on this machine: when it is needed it is fetched from the Hugging "
        "Face Hub"
    ]
    assert encoder_from({}) is None
