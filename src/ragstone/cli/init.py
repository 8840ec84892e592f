"""`ragstone init`."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

import click

from ragstone import __version__
from ragstone.cli.options import global_options, not_empty
from ragstone.cli.output import print_bytes
from ragstone.errors import InputError, UsageError

ACTION = f"ragstone/ragstone@v{__version__}"
STARTER = {
    "README.md": "README.md",
    "evaluate.sh": "evaluate.sh",
    "retriever.py": "retriever.py",
    "ragstone.toml": "ragstone.toml",
    "queries.jsonl": "queries.jsonl",
    "qrels.tsv": "qrels.tsv",
    "corpus.jsonl": "corpus.jsonl",
    ".github/workflows/rag-quality.yml": "rag-quality.yml",
}
_REFERENCE = re.compile(r"\./[\w./-]+|[\w.-]+/[\w./-]+@[\w./-]+", re.ASCII)
EXAMPLES = """\
\b
Examples:
  ragstone init
  ragstone init retrieval-quality
"""


@click.command(epilog=EXAMPLES)
@click.argument("folder", default=".", callback=not_empty)
@click.option(
    "--action",
    default=ACTION,
    show_default=True,
    metavar="REPOSITORY@VERSION",
    help="The action that the workflow uses; a fork or a copy of ragstone has it too.",
)
@global_options()
def init(*, folder: str, action: str) -> int:
    """Write a starter: a retriever, a few judged queries, a script and a CI workflow.

    FOLDER is the current one by default. Either all files are written or none: a file that is
    there already is never replaced. `bash evaluate.sh` in it works at once.
    """
    if not _REFERENCE.fullmatch(action):
        raise UsageError(f"--action {action!r}: owner/repository@version was expected")
    root = Path(folder)
    _refuse_to_replace(root)
    _write_all(root, {name: _content(source, action) for name, source in STARTER.items()})
    lines = [f"{len(STARTER)} files in {folder}:", *(f"  {name}" for name in STARTER)]
    go_there = "" if folder == "." else f"cd {folder} && "
    lines.append(f"Next: {go_there}bash evaluate.sh")
    print_bytes("".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"))
    return 0


def _refuse_to_replace(root: Path) -> None:
    if root.exists() and not root.is_dir():
        raise InputError(f"{root}: is a file; the name of a folder was expected")
    there = [name for name in STARTER if (root / name).is_symlink() or (root / name).exists()]
    if there:
        raise InputError(
            f"{root}: has {', '.join(there)} already; nothing was written: name a new folder"
        )


def _content(source: str, action: str) -> bytes:
    template = files("ragstone.cli").joinpath("starter", source).read_text(encoding="utf-8")
    return template.replace("@VERSION@", __version__).replace("@ACTION@", action).encode()


def _write_all(root: Path, contents: dict[str, bytes]) -> None:
    """Write every file; where one fails, take away those before it and the folders made."""
    from ragstone.store import write_atomic

    paths = [root / name for name in contents]
    made = {folder for path in paths for folder in path.parents if not folder.exists()}
    written: list[Path] = []
    try:
        for path, content in zip(paths, contents.values(), strict=True):
            write_atomic(path, content)
            written.append(path)
    except BaseException:
        for path in written:
            path.unlink(missing_ok=True)
        for folder in sorted(made, reverse=True):
            with suppress(OSError):
                folder.rmdir()
        raise
