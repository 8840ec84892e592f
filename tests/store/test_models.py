"""Models on this machine: found where Hugging Face keeps them, and known by what they hold."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from ragstone.errors import InputError
from ragstone.store.models import fetched, folder_digest, hub_folder

COMMIT, OTHER = "a" * 40, "b" * 40
VARIABLES = ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME")


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


def test_where_the_hub_keeps_models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert hub_folder() == tmp_path / ".cache" / "huggingface" / "hub"
    for name, value, expected in [
        ("XDG_CACHE_HOME", "/x", "/x/huggingface/hub"),
        ("HF_HOME", "~/hf", f"{tmp_path}/hf/hub"),
        ("HUGGINGFACE_HUB_CACHE", "/old", "/old"),
        ("HF_HUB_CACHE", "/new", "/new"),
    ]:
        monkeypatch.setenv(name, value)
        assert str(hub_folder()) == expected


def test_a_model_that_was_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    assert fetched("org/name") is None
    model = tmp_path / "hub" / "models--org--name"
    for commit in (COMMIT, OTHER):
        (model / "snapshots" / commit).mkdir(parents=True)
    (model / "refs" / "pr").mkdir(parents=True)
    (model / "refs" / "main").write_text(COMMIT)
    (model / "refs" / "v1").write_text(f"{OTHER}\n")
    (model / "refs" / "pr" / "7").write_text(OTHER)
    (model / "refs" / "gone").write_text("c" * 40)
    (model / "refs" / "odd").write_text("../../../..")
    found = {
        revision: each.name if (each := fetched("org/name", revision)) else None
        for revision in ("", "main", "v1", "pr/7", COMMIT, OTHER, "gone", "odd", "other", "c" * 40)
    }
    assert found == {
        "": COMMIT,
        "main": COMMIT,
        "v1": OTHER,
        "pr/7": OTHER,
        COMMIT: COMMIT,
        OTHER: OTHER,
        "gone": None,
        "odd": None,
        "other": None,
        "c" * 40: None,
    }
    assert fetched("org/other") is None


def filled(folder: Path) -> Path:
    (folder / "1_Pooling").mkdir(parents=True)
    (folder / "config.json").write_bytes(b"{}")
    (folder / "model.safetensors").write_bytes(bytes(range(256)))
    (folder / "1_Pooling" / "config.json").write_bytes(b"[]")
    return folder


def test_a_folder_is_what_its_files_are(tmp_path: Path) -> None:
    one, other = filled(tmp_path / "one"), filled(tmp_path / "two")
    digest = folder_digest(one)
    lines = "".join(
        f"{name}\t{hashlib.sha256((one / name).read_bytes()).hexdigest()}\n"
        for name in ("1_Pooling/config.json", "config.json", "model.safetensors")
    )
    assert digest == hashlib.sha256(lines.encode()).hexdigest() == folder_digest(str(other))
    # What no model reads makes no difference.
    (other / "README.md").write_text("read me")
    (other / ".git").mkdir()
    (other / ".git" / "HEAD").write_text("x")
    (other / "onnx").mkdir()
    (other / "onnx" / "model.onnx").write_bytes(b"x")
    assert folder_digest(other) == digest
    # What it may read does; so does a file that is only linked.
    (other / "model.safetensors").write_bytes(b"x")
    assert folder_digest(other) != digest
    (other / "model.safetensors").unlink()
    (other / "model.safetensors").symlink_to(one / "model.safetensors")
    assert folder_digest(other) == digest
    (other / "1_Pooling" / "config.json").rename(other / "1_Pooling" / "pooling.json")
    assert folder_digest(other) != digest


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    (tmp_path / "README.md").touch()
    with pytest.raises(InputError, match="there is no file of a model in this folder"):
        folder_digest(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_a_folder_that_cannot_be_read(tmp_path: Path) -> None:
    filled(tmp_path / "m")
    (tmp_path / "m" / "config.json").chmod(0)
    with pytest.raises(InputError, match=r"config\.json: Permission denied"):
        folder_digest(tmp_path / "m")
