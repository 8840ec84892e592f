"""Models that are on this machine: where Hugging Face keeps them, and what a folder holds."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from ragstone.errors import InputError

COMMIT = re.compile(r"[0-9a-f]{40}")
UNREAD = frozenset({"onnx", "openvino"})
"""Folders with the same weights for other programs."""


def hub_folder() -> Path:
    """Return the folder in which huggingface_hub keeps what it has fetched, by its own rules."""
    named = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE")
    if named:
        return Path(named).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    home = os.environ.get("HF_HOME") or f"{cache}/huggingface"
    return Path(home).expanduser() / "hub"


def fetched(name: str, revision: str = "") -> Path | None:
    """Return the folder of a model that was fetched from the Hub; its own name is the commit.

    revision: a commit, branch or tag; by default main. None where it is not here.
    """
    folder = hub_folder() / f"models--{name.replace('/', '--')}"
    revision = revision or "main"
    try:
        commit = (folder / "refs" / revision).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        commit = revision
    snapshot = folder / "snapshots" / commit
    return snapshot if COMMIT.fullmatch(commit) and snapshot.is_dir() else None


def folder_digest(folder: str | Path) -> str:
    """Return the sha256 of the files of a model: of the sorted lines name TAB sha256.

    Names are those below the folder. Hidden files, texts in Markdown, and what is for other
    programs do not count. Raises InputError for a folder that cannot be read, or has no file.
    """
    root = Path(folder)
    try:
        lines = sorted(
            f"{path.relative_to(root).as_posix()}\t{_digest(path)}\n"
            for path in root.rglob("*")
            if path.is_file() and _counts(path.relative_to(root))
        )
    except OSError as error:
        raise InputError(f"{error.filename or folder}: {error.strerror or error}") from None
    if not lines:
        raise InputError(f"{folder}: there is no file of a model in this folder")
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _counts(path: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.parts)
    return not hidden and path.suffix.lower() != ".md" and not UNREAD & set(path.parts)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
