"""A run scored by several processes gives what one gives: values, facts and errors."""

from __future__ import annotations

import gzip
import json
import pickle
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.errors import FormatError, InputError
from ragstone.formats import Source, open_run, read_qrels, source
from ragstone.measures import parse_aggregate
from ragstone.scoring import score, workers
from ragstone.scoring.plan import Plan, Rules

Write = Callable[..., str]

NAMES = ["AP", "nDCG@3", "R@2:micro", "num_ret"]
QRELS = {f"q{n}": {"a": 1, "b": n % 3, f"d{n}": 2, "줄": 0} for n in range(9)}
DOCS = ["a", "b", "c", "줄", "줄", *QRELS, *(f"d{n}" for n in range(9))]


@st.composite
def rankings(draw: st.DrawFn) -> dict[str, dict[str, float]]:
    """Draw the results of judged queries and of others."""
    queries = draw(st.lists(st.integers(0, 12), min_size=1, max_size=12, unique=True))
    rng = draw(st.randoms(use_true_random=False))
    return {
        f"q{n}": {
            doc: rng.choice([1.0, 2.0, 0.87654321987, 0.87654321985, -3.5])
            for doc in rng.sample(DOCS, rng.randint(1, len(DOCS)))
        }
        for n in queries
    }


def trec_rows(run: dict[str, dict[str, float]], separator: str, end: str) -> list[str]:
    return [
        separator.join([query, "Q0", doc, "1", repr(value), "t"]) + end
        for query, ranking in run.items()
        for doc, value in ranking.items()
    ]


def outcome(path: str, format_name: str, number: int) -> object:
    try:
        return score(QRELS, open_run(path, format_name), NAMES, workers=number)
    except InputError as error:
        return type(error), str(error)


def assert_same(path: str, format_name: str = "auto") -> None:
    one = outcome(path, format_name, 1)
    for number in (2, 3, 7):
        assert outcome(path, format_name, number) == one


def error_of(path: str) -> str:
    with pytest.raises(InputError) as caught:
        score(QRELS, open_run(path), NAMES, workers=3)
    return str(caught.value)


@settings(max_examples=8)
@given(
    run=rankings(),
    inside=st.tuples(
        st.sampled_from([" ", "\t", " \t"]), st.sampled_from(["\n", "\r\n", "\n\n# note\n"])
    ),
    shuffled=st.booleans(),
    seed=st.randoms(use_true_random=False),
)
def test_trec_runs(
    write: Write,
    run: dict[str, dict[str, float]],
    inside: tuple[str, str],
    shuffled: bool,
    seed: random.Random,
) -> None:
    rows = trec_rows(run, *inside)
    if shuffled:
        seed.shuffle(rows)
    assert_same(write("".join(rows)))


@settings(max_examples=8)
@given(
    run=rankings(),
    damage=st.sampled_from(["", '{"id": null}', "{", "# note\n", '{"id": "q1", "results": []}']),
)
def test_json_lines(write: Write, run: dict[str, dict[str, float]], damage: str) -> None:
    lines = [
        json.dumps({"id": query, "retrieved_ids": [*ranking, *list(ranking)[:1]]})
        for query, ranking in run.items()
    ]
    lines.insert(len(lines) // 2, damage)
    assert_same(write("\n".join(lines)), "jsonl")


def test_a_query_in_two_parts_of_a_json_file_is_the_same_error(write: Write) -> None:
    """Each part alone has it once."""
    rows = [{"id": f"q{n}", "retrieved_ids": ["a"]} for n in range(8)]
    path = write("".join(json.dumps(row) + "\n" for row in [*rows, {"_id": "q2", "results": []}]))
    for number in (1, 2, 3, 7):
        with pytest.raises(FormatError) as caught:
            score(QRELS, open_run(path), NAMES, workers=number)
        assert str(caught.value) == (
            f"{path}:9: query 'q2' has two rows, the first at line 3; a query has one row"
        )


def test_an_unjudged_query_in_two_parts_is_counted_once(write: Write) -> None:
    run = {"u": {"a": 2.0}, **{f"q{n}": {"a": 1.0} for n in range(9)}, "u2": {"a": 1.0}}
    rows = trec_rows(run, " ", "\n")
    path = write("".join([*rows, "u Q0 b 2 1.0 t\n"]))
    assert_same(path)
    assert score(QRELS, open_run(path), NAMES, workers=3).facts["unscored_run_queries"] == 2


@pytest.mark.parametrize("line", [2, 50, 99])
@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("q1 Q0 x 1 0,9 t\n", "the score '0,9' is not a finite number"),
        ("q1 Q0 x 1 1\n", "5 columns"),
    ],
)
def test_an_error_in_any_part_is_the_same_error(
    write: Write, line: int, bad: str, said: str
) -> None:
    rows = [f"q{n // 12} Q0 d{n} 1 {n} t\n" for n in range(100)]
    rows[line - 1] = bad
    path = write("".join(rows))
    assert_same(path)
    assert error_of(path).startswith(f"{path}:{line}: {said}")


def test_a_repeated_document_across_parts_is_the_same_error(write: Write) -> None:
    rows = [f"q{n // 12} Q0 d{n} 1 {n} t\n" for n in range(100)]
    for again in (5, 70, 99):
        path = write("".join([*rows[:again], rows[4], *rows[again:]]))
        assert_same(path)
        twice = f"{path}:{again + 1}: document 'd4' is listed twice for query 'q0'"
        assert error_of(path).startswith(twice)


def test_bad_bytes_in_any_part_are_the_same_error(write: Write) -> None:
    rows = [f"q{n // 12} Q0 d{n} 1 {n} t\n".encode() for n in range(100)]
    for line in (1, 40, 100):
        bad = rows[line - 1].replace(b"d", b"\xff")
        assert_same(write(b"".join([*rows[: line - 1], bad, *rows[line:]])))


@pytest.mark.parametrize("number", [2, 3])
def test_gzip_is_read_as_one_part(write: Write, number: int) -> None:
    rows = [f"q{n // 12} Q0 d{n} 1 {n} t\n" for n in range(100)]
    plain, packed = write("".join(rows)), write(gzip.compress("".join(rows).encode()), "run.gz")
    assert open_run(packed).parts(number) == [(0, None)]
    assert len(open_run(plain).parts(number)) == number
    one = score(QRELS, open_run(plain), NAMES)
    assert score(QRELS, open_run(packed), NAMES, workers=number) == one


def test_one_long_query_and_more_workers_than_queries(write: Write) -> None:
    assert_same(write("".join(f"q1 Q0 d{n} 1 {n} t\n" for n in range(30))))
    assert_same(write("q1 Q0 a 1 1 t\nq2 Q0 a 1 1 t"))
    assert_same(write("q1 Q0 a 1 1 t"))


def test_queries_that_straddle_blocks(write: Write) -> None:
    rows = trec_rows({f"q{n}": {f"d{m}": -m for m in range(n)} for n in range(9)}, " ", "\n")
    path = write("".join(rows))
    one = score(QRELS, open_run(path), NAMES)
    for block in (1, 17, 100):
        with mock.patch.object(source, "BLOCK", block):
            for number in (1, 2, 3):
                assert score(QRELS, open_run(path), NAMES, workers=number) == one


def test_what_a_worker_gets_and_gives_can_be_sent(write: Write) -> None:
    """Where processes are not forked, everything is pickled."""
    run = open_run(Source(write("q1 Q0 a 1 1 t\n")))
    qrels = read_qrels(write("q1 0 a 1\n", "qrels"))
    plan = Plan.of([parse_aggregate(name) for name in NAMES], Rules(), qrels)
    with mock.patch.object(workers, "begin_worker"):  # this process is no worker
        workers._share(*pickle.loads(pickle.dumps((plan, qrels, run))))
    part, facts = pickle.loads(pickle.dumps(workers._score_part((0, None))))
    assert facts == Counter()
    assert part.builder.build().to_dict()["AP"] == [1.0]


SPAWNED = """\
import multiprocessing, sys
from ragstone.formats import open_run
from ragstone.scoring import score

if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    scores = score({f"q{n}": ["a"] for n in range(9)}, open_run("-"), ["RR"], workers=2)
    print(scores.to_dict()["RR"])
"""


@pytest.mark.slow
def test_processes_that_are_not_forked_read_standard_input_too(write: Write) -> None:
    rows = "".join(f"q{n} Q0 b 1 {n % 2} t\nq{n} Q0 a 1 0.5 t\n" for n in range(9))
    done = subprocess.run(
        [sys.executable, "-W", "error", write(SPAWNED, "spawned.py")],
        input=rows,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stderr, done.stdout) == ("", f"{[1.0, 0.5] * 4 + [1.0]}\n")
