"""One answer, scored by exact match through each package's `evaluate`: no model, no network.

With `--refuse` after the package's name, every look-up of a name and every connection is refused,
and the hosts that were asked for are printed at the end, one a line.
"""

from __future__ import annotations

import atexit
import sys
from typing import Any

QUESTION, ANSWER = "How long do refunds take?", "Ten days."


def ragstone() -> None:
    from ragstone import Sample, evaluate

    sample = Sample("1", query=QUESTION, answer=ANSWER, reference=ANSWER)
    found = evaluate([sample], ["exact_match"])
    assert found.scores["exact_match"].values[0] == 1


def ragas() -> None:
    from ragas import EvaluationDataset, SingleTurnSample, evaluate
    from ragas.metrics import ExactMatch

    sample = SingleTurnSample(user_input=QUESTION, response=ANSWER, reference=ANSWER)
    found = evaluate(EvaluationDataset([sample]), [ExactMatch()], show_progress=False)
    assert found["exact_match"] == [1]


def deepeval() -> None:
    from deepeval import evaluate
    from deepeval.metrics import ExactMatchMetric
    from deepeval.test_case import LLMTestCase

    case = LLMTestCase(input=QUESTION, actual_output=ANSWER, expected_output=ANSWER)
    found = evaluate([case], [ExactMatchMetric()])
    assert found.test_results[0].success


def refuse() -> None:
    """Refuse what leaves the process, and print whom it was for."""
    asked: set[str] = set()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in {"socket.getaddrinfo", "socket.gethostbyname"}:
            asked.add(str(arguments[0]))
        elif event == "socket.connect" and isinstance(arguments[1], tuple):
            asked.add(str(arguments[1][0]))
        else:
            return
        raise OSError("refused by benchmarks/peers/first_score.py")

    def tell() -> None:
        print("\n".join(["asked for:", *sorted(asked)]), flush=True)

    atexit.register(tell)  # first registered, last called: what others do at exit is seen too
    sys.addaudithook(hook)


if __name__ == "__main__":
    name, *flags = sys.argv[1:]
    if flags == ["--refuse"]:
        refuse()
    {"ragstone": ragstone, "ragas": ragas, "deepeval": deepeval}[name]()
