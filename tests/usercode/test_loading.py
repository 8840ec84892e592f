"""From --retriever to an object: what is there, and how it is said that something is not."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragstone.errors import InputError, MissingExtraError, UsageError
from ragstone.usercode import Spec, load
from ragstone.usercode.loading import NO_TELEMETRY


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A current directory of its own, and no module that stays."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("mine"):
            del sys.modules[name]


def write(name: str, *lines: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text("\n".join(lines) + "\n")


def loaded(spec: str) -> Any:
    return load(Spec("--retriever", spec))


def refused(spec: str) -> str:
    with pytest.raises(InputError) as caught:
        loaded(spec)
    assert caught.value.exit_code == 2
    return str(caught.value)


def test_an_attribute_a_factory_and_what_lies_deeper() -> None:
    write("mine.py", "def search(text): return [text]", "def make(): return search",
          "class Store:", "    def find(self, text): return [text]", "store = Store()")  # fmt: skip
    assert loaded("mine:search")("a") == ["a"]
    assert loaded("mine:make()")("a") == ["a"]
    assert loaded("mine:store.find")("a") == ["a"]
    assert loaded("mine:Store.find")(None, "a") == ["a"]
    assert loaded("mine:Store()").find("a") == ["a"]


def test_a_module_in_a_folder_without_init() -> None:
    write("mine_folder/deep.py", "def search(text): return [text]")
    assert loaded("mine_folder.deep:search")("a") == ["a"]


@pytest.mark.parametrize("spec", ["mine", "mine:", ":x", "mine:f(3)", "mine:f[0]", "ftp://x/y", ""])
def test_what_is_no_name(spec: str) -> None:
    with pytest.raises(UsageError, match=r"expected module:attribute or module:factory\(\)"):
        loaded(spec)


def test_a_file_is_answered_with_its_module() -> None:
    assert "that is search.hybrid:make()" in refused("./search/hybrid.py:make()")


def test_a_module_that_is_not_there() -> None:
    write("mine_search.py")
    said = refused("mine_serch:make()")
    assert "there is no module 'mine_serch' in the current directory" in said
    assert "did you mean mine_search?" in said
    write("mine_package/__init__.py")
    write("mine_package/hybrid.py")
    assert "did you mean mine_package.hybrid?" in refused("mine_package.hybird:make()")


@pytest.mark.parametrize("name", ["mine_file.py", "mine_file.sub", "mine_file.sub.deep"])
def test_a_module_below_what_is_no_folder(name: str) -> None:
    write("mine_file.py", "def search(text): return [text]")
    said = refused(f"{name}:search")
    assert "'mine_file' is a file, and no folder of modules" in said
    assert said.endswith("that is mine_file:search") == name.endswith(".py")


def test_an_attribute_that_is_not_there() -> None:
    write("mine.py", "def baseline(): pass", "class Store: pass", "store = Store()")
    assert "module 'mine' has no 'basline'; did you mean baseline?" in refused("mine:basline()")
    assert refused("mine:xyzzy").endswith("; it has Store, baseline, store")
    write("mine_imports.py", "import os", "from json import dumps", "K = 3", "class Rag: pass")
    assert refused("mine_imports:nosuch").endswith("has no 'nosuch'; it has Rag")
    assert refused("mine_imports:dump").endswith("has no 'dump'; it has Rag")
    write("mine_empty.py", "import os")
    assert refused("mine_empty:nosuch").endswith("; it defines nothing that could be run")
    write("mine_listed.py", "from json import dumps", "__all__ = ['dumps']")
    assert "did you mean dumps?" in refused("mine_listed:dump")
    assert "has no 'find'" in refused("mine:store.find")


def test_an_error_in_the_users_module_is_shown_with_its_place() -> None:
    write("mine.py", "import os", "table = {}", "first = table['index']")
    said = refused("mine:search")
    assert "--retriever 'mine:search' cannot be imported: KeyError: 'index'" in said
    assert "(mine.py:3, in <module>)" in said


def test_an_import_of_what_is_not_installed() -> None:
    write("mine.py", "", "import no_such_library")
    said = refused("mine:search")
    assert "ModuleNotFoundError: No module named 'no_such_library' (mine.py:2" in said
    assert "there is no module" not in said


@pytest.mark.parametrize(
    ("module", "extra"),
    [("langchain_core", "langchain"), ("llama_index", "llamaindex"), ("haystack", "haystack")],
)
def test_a_missing_framework_is_answered_with_the_install_line(
    module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)  # as if it were not installed
    write("mine.py", f"import {module}.documents")
    with pytest.raises(MissingExtraError) as caught:
        loaded("mine:search")
    assert f"{module}, which mine.py:1, in <module> imports, is not installed" in str(caught.value)
    assert str(caught.value).endswith(f'pip install "ragstone[{extra}]"')


def test_a_syntax_error_and_an_exit() -> None:
    write("mine.py", "x = 1", "def f(:")
    assert "SyntaxError" in (said := refused("mine:f"))
    assert "(mine.py:2)" in said
    write("mine_exit.py", "import sys", "sys.exit('no licence')")
    assert "SystemExit: no licence (mine_exit.py:2" in refused("mine_exit:f")


def test_a_factory_that_fails() -> None:
    write("mine.py", "def make():", "    return open_index()", "def open_index():",
          "    raise RuntimeError('no index in /data')", "value = 3")  # fmt: skip
    said = refused("mine:make()")
    assert "the factory failed: RuntimeError: no index in /data (mine.py:4, in open_index)" in said
    assert "that is a int, which cannot be called; write mine:value" in refused("mine:value()")


def test_telemetry_is_off_before_the_import_unless_the_user_set_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in NO_TELEMETRY:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DO_NOT_TRACK", "0")
    write("mine.py", "import os", "seen = dict(os.environ)", "def search(text): return []")
    loaded("mine:search")
    seen = sys.modules["mine"].seen
    assert seen["HAYSTACK_TELEMETRY_ENABLED"] == "False"
    assert seen["DO_NOT_TRACK"] == "0"
    for name in NO_TELEMETRY:  # what the test changed is put back
        os.environ.pop(name, None)
