"""What the packages of an environment take on the disk; run in it, it prints that as JSON."""

from __future__ import annotations

import json
import sys
from importlib.metadata import Distribution, distributions, version
from pathlib import Path

INSTALLER = {"pip", "setuptools"}
"""What is in an environment before anything is installed."""


def size(package: Distribution) -> int:
    """Return the bytes of what the installer wrote for a package, its bytecode included."""
    paths = (each.locate() for each in package.files or ())
    return sum(path.stat().st_size for path in map(Path, paths) if path.is_file())


def main() -> None:
    """Print the version of the package that is named, and the number and bytes of all."""
    found = [each for each in distributions() if each.name not in INSTALLER]
    told = {
        "version": version(sys.argv[1]),
        "packages": len(found),
        "bytes": sum(map(size, found)),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
