"""The public interface: its names, where they come from, and that each says what it is."""

from __future__ import annotations

import ast
import importlib
import inspect
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import ragstone
from sources import modules, parse

NAMES = [
    "Aggregate",
    "Calibration",
    "Citation",
    "Column",
    "Comparison",
    "Context",
    "EndpointError",
    "Evaluation",
    "FormatError",
    "InputError",
    "InvalidReportError",
    "Latency",
    "Leakage",
    "Matches",
    "Measure",
    "NotComparableError",
    "Nugget",
    "PipelineError",
    "PipelineRun",
    "Qrels",
    "RagstoneError",
    "Report",
    "RetrieverError",
    "RetrieverRun",
    "Run",
    "Sample",
    "Scores",
    "Status",
    "Usage",
    "__version__",
    "check_floors",
    "check_measured",
    "compare",
    "evaluate",
    "leakage",
    "match_texts",
    "open_encoder",
    "open_run",
    "operations",
    "parse_aggregate",
    "parse_measure",
    "qrels_of",
    "read_prices",
    "read_qrels",
    "read_report",
    "read_run",
    "read_samples",
    "run_of",
    "run_pipeline",
    "run_retriever",
    "score",
    "summary",
]
SIGNATURES = {
    "check_floors": "(scores, floors, *, calibrations, min_kappa)",
    "check_measured": "(scores, *, max_failed, max_not_applicable, measures, asked)",
    "compare": "(baseline, candidate, *, budgets, floors, max_item_drops, "
    "max_recall_regression_pct, max_regression_pct, alpha, test, permutations, resamples, seed, "
    "primary_measure, top, max_failed, max_not_applicable, aggregates, calibrations, min_kappa)",
    "evaluate": "(samples, measures, *, qrels, judged, options, progress)",
    "leakage": "(corpus, items, *, fields, threshold, unit, shingle, char_shingle, documents, "
    "min_words, ignore_common, workers, progress)",
    "match_texts": "(gold, retrieved, method, options, *, threshold, assignment, gain, facts)",
    "open_encoder": "(encoder, config, *, cache, offline, progress, name)",
    "open_run": "(path, format)",
    "operations": "(samples, measures, *, prices, count_warm_up)",
    "parse_aggregate": "(text, *, k)",
    "parse_measure": "(text, *, k)",
    "qrels_of": "(samples)",
    "read_prices": "(path, *, listed)",
    "read_qrels": "(path, format)",
    "read_report": "(path)",
    "read_run": "(path, format)",
    "read_samples": "(path, format)",
    "run_of": "(samples)",
    "run_pipeline": "(pipeline, questions, *, framework, id_key, fold_to_parent, concurrency, "
    "timeout, retries, repeat, on_error, model, kept, progress)",
    "run_retriever": "(retriever, queries, *, k, framework, id_key, fold_to_parent, concurrency, "
    "timeout, retries, repeat, on_error, keep_text, kept, progress)",
    "score": "(qrels, run, measures, *, k, relevance_level, trec_eval, workers)",
    "summary": "(scores, aggregates)",
}
# Loaded before pytest imports the modules of src for their doctests, by its own ways.
LOADED = {name: getattr(ragstone, name) for name in ragstone.__all__}
CODES = {
    "RagstoneError": 3,
    "InputError": 2,
    "FormatError": 2,
    "EndpointError": 2,
    "PipelineError": 2,
    "RetrieverError": 2,
    "NotComparableError": 4,
    "InvalidReportError": 4,
}


def test_the_names() -> None:
    """A name that is added or taken away is a decision: it is made here too."""
    assert ragstone.__all__ == NAMES
    assert ragstone.__all__ == sorted(NAMES)


def test_each_name_is_there_and_is_the_same_each_time() -> None:
    assert list(LOADED) == NAMES
    for name, found in LOADED.items():
        assert getattr(ragstone, name) is found


def test_a_star_imports_them() -> None:
    namespace: dict[str, Any] = {}
    exec("from ragstone import *", namespace)
    assert set(NAMES) <= set(namespace)


def test_dir_lists_them_before_they_are_used() -> None:
    code = f"import ragstone; print(sorted(set({NAMES!r}) - set(dir(ragstone))))"
    assert child(code) == "[]"


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'ragstone' has no attribute 'scor'"):
        ragstone.scor  # noqa: B018


def child(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_a_name_imports_its_home_and_no_more_than_it_needs() -> None:
    """Scoring in Python needs neither NumPy nor the gate; only a comparison does."""
    code = """
import sys, ragstone
before = {name for name in sys.modules if name.startswith("ragstone.")}
ragstone.InputError
errors = {name for name in sys.modules if name.startswith("ragstone.")} - before
ragstone.score({"q": ["a"]}, {"q": ["a"]}, ["RR"])
others = {"numpy", "rich", "click", "ragstone.gate"} & set(sys.modules)
print(sorted(before), sorted(errors), others)
"""
    assert child(code) == "[] ['ragstone.errors'] set()"


def test_measuring_answers_loads_nothing_that_asks_an_endpoint() -> None:
    code = """
import sys
from ragstone import evaluate
print({"asyncio", "ssl", "ragstone.http", "ragstone.judge"} & set(sys.modules))
"""
    assert child(code) == "set()"


def test_type_checkers_see_what_is_imported() -> None:
    """The imports under TYPE_CHECKING and the table of homes say the same."""
    tree = parse(modules()["ragstone"])
    checked = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("ragstone.")
        for alias in node.names
    }
    assert set(checked) == set(NAMES) - {"__version__"}
    for name, home in checked.items():
        assert getattr(importlib.import_module(str(home)), name) is getattr(ragstone, name)


# ---- documented and typed ------------------------------------------------------------------------


def public_callables() -> Iterator[tuple[str, Any]]:
    for name in NAMES:
        found = getattr(ragstone, name)
        if inspect.isclass(found):
            yield name, found
            for member, function in vars(found).items():
                plain = inspect.unwrap(getattr(found, member))
                if (
                    not member.startswith("_")
                    and callable(plain)
                    and inspect.isfunction(getattr(function, "__func__", function))
                ):
                    yield f"{name}.{member}", plain
        elif callable(found):
            yield name, found


@pytest.mark.parametrize("name", SIGNATURES)
def test_the_signature(name: str) -> None:
    """Names and kinds of parameters; defaults and types may become wider."""
    shown: list[str] = []
    for parameter in inspect.signature(getattr(ragstone, name)).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in shown:
            shown.append("*")
        shown.append(parameter.name)
    assert f"({', '.join(shown)})" == SIGNATURES[name]


def test_every_function_has_a_signature_here() -> None:
    functions = {name for name in NAMES if inspect.isfunction(getattr(ragstone, name))}
    assert functions == set(SIGNATURES)


def test_every_public_thing_says_what_it_is() -> None:
    for name, found in public_callables():
        said = inspect.getdoc(found)
        assert said, name
        assert said.split("\n")[0].rstrip().endswith((".", ":")), name


@pytest.mark.parametrize("name", SIGNATURES)
def test_every_parameter_is_explained_and_typed(name: str) -> None:
    function = getattr(ragstone, name)
    said = inspect.getdoc(function) or ""
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty
        if parameter.kind is parameter.KEYWORD_ONLY and name in {"score", "compare"}:
            assert parameter.name in said, (name, parameter.name)


@pytest.mark.parametrize("name", ["compare", "score", "check_floors", "parse_measure"])
def test_the_main_functions_show_an_example(name: str) -> None:
    assert ">>> " in (inspect.getdoc(getattr(ragstone, name)) or "")


@pytest.mark.parametrize("name", CODES)
def test_errors_are_one_tree(name: str) -> None:
    error = getattr(ragstone, name)
    assert issubclass(error, ragstone.RagstoneError)
    assert error.exit_code == CODES[name]


def test_the_package_is_typed() -> None:
    assert modules()["ragstone"].with_name("py.typed").is_file()


def test_what_the_readme_promises() -> None:
    """Files, dicts and parallel lists give the same; unequal lists are an error."""
    names = ["nDCG@5", "RR"]
    from_dicts = ragstone.score({"0": ["a", "b"], "1": ["c"]}, {"0": ["b"], "1": ["x", "c"]}, names)
    from_lists = ragstone.score([["a", "b"], ["c"]], [["b"], ["x", "c"]], names)
    assert from_dicts == from_lists
    with pytest.raises(ragstone.InputError, match="the lists are not parallel: 2 lists of relevan"):
        ragstone.score([["a"], ["b"]], [["a"]])
    table = from_lists.to_dict()
    assert table["id"] == ["0", "1"]
    assert table["RR"] == [1.0, 0.5]
