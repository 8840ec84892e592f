"""Results of promptfoo: what `promptfoo eval --output results.json` (or .jsonl) writes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ragstone.formats.samples.documents import documents_in
from ragstone.formats.samples.fields import Fields
from ragstone.formats.samples.providers import model_in
from ragstone.formats.samples.reading import Place, Reading
from ragstone.formats.samples.tokens import usage_of
from ragstone.model.samples import Context, Latency, Sample, Usage

MARKS = ("vars", "response")
QUERY = ("query", "question", "input", "user_input", "prompt")
CONTEXTS = ("context", "contexts", "documents")
ANSWER = ("answer", "output", "response", "result", "text")  # in an output that is an object
REFERENCE = ("reference", "expected", "expected_answer", "ground_truth", "expected_output")
REFERENCE_ASSERTS = ("factuality", "similar", "context-recall", "model-graded-factuality", "equals")
CALL_FAILED = 2  # its code for a call without an answer; 1 is an assertion that failed
# Its verdicts, and the prompt that the answer was made with.
IGNORED = (
    "success", "score", "namedScores", "gradingResult", "failureReason", "promptId", "testCase",
    "tokenUsage", "description", "sharing", "evalId",
)  # fmt: skip


def recognises(row: dict[str, Any]) -> bool:
    """Tell a result: the variables of a test and the response to it."""
    return "vars" in row and ("response" in row or "promptIdx" in row or "testCase" in row)


def read(reading: Reading) -> Iterator[Sample]:
    """Read the results. The id is a variable `id`, else the number of the test.

    Where several prompts or providers answered each test, their numbers and names go into the
    id and the tags, since ids are unique in a file.
    """
    rows = list(reading.objects(("results", "results"), ("results",)))
    several = len({_column(values) for _, values in rows}) > 1
    for place, values in rows:
        yield _sample(reading, place, values, several)


def _column(values: Mapping[str, Any]) -> str:
    return f"{values.get('promptIdx')} {_provider(values)}"


def _provider(values: Mapping[str, Any], *names: str) -> str:
    """Return the provider: the text itself, or what is under the first of some names."""
    provider = values.get("provider")
    if isinstance(provider, Mapping):
        provider = next(filter(None, map(provider.get, names or ("label", "id"))), None)
    return provider if isinstance(provider, str) else ""


def _sample(reading: Reading, place: Place, values: dict[str, Any], several: bool) -> Sample:
    fields = Fields(reading, place, values)
    given = fields.object("vars") or fields.inner("vars", {})
    provider, model = _provider(fields.left), model_in(_provider(fields.left, "id", "label"))
    fields.take("provider"), fields.take("id")
    test, prompt = fields.count("testIdx"), fields.count("promptIdx")
    item = given.identifier("id") or (reading.position() if test is None else str(test))
    fields.claim(f"{item}/{prompt or 0}/{provider}" if several else item)
    response = fields.object("response")
    cached = bool(response and response.flag("cached"))
    reference = given.text_or_texts(*REFERENCE) or _asserted(fields)
    answer, found = _output(response)
    contexts = _contexts(given)
    query = given.text(*QUERY) or _prompt(fields)
    fields.take("prompt")
    usage, cost = _usage(response), fields.number("cost")
    return Sample(
        fields.item,
        query=query,
        answer=answer,
        contexts=contexts if found is None else found,
        reference=reference,
        model=model or None,
        usage=None if cached else usage,
        cost_usd=None if cached else cost,
        latency_ms=_latency(fields, cached),
        error=_error(fields, response),
        tags=tuple(filter(None, [provider, f"prompt-{prompt}"])) if several else (),
        extra={**given.rest(), **fields.rest(IGNORED), **(response.rest() if response else {})},
    )


def _prompt(fields: Fields) -> str | None:
    prompt = fields.left.get("prompt")
    raw = prompt.get("raw") if isinstance(prompt, Mapping) else None
    return raw if isinstance(raw, str) else None


def _output(response: Fields | None) -> tuple[str | None, tuple[Context, ...] | None]:
    """Take the answer, and the contexts that a structured output has beside it.

    An output without an answer under a usual name is written as JSON again, and counted.
    """
    _, output = response.take("output") if response else ("", None)
    if response is None or output is None or isinstance(output, str):
        return output, None
    found = output if isinstance(output, Mapping) else {}
    name = next((name for name in ANSWER if isinstance(found.get(name), str)), None)
    if name is None:
        response.reading.facts["answers_written_as_json"] += 1
        return json.dumps(output, ensure_ascii=False, sort_keys=True), documents_in(output)
    contexts = documents_in(found)
    read = (name, *(CONTEXTS if contexts is not None else ()))
    response.left.update({f"output.{key}": each for key, each in found.items() if key not in read})
    return found[name], contexts


def _contexts(given: Fields) -> tuple[Context, ...] | None:
    texts = given.text_or_texts(*CONTEXTS)
    if texts is None:
        return None
    return tuple(map(Context, (texts,) if isinstance(texts, str) else texts))


def _asserted(fields: Fields) -> str | None:
    """Return the text that a model-graded or equality assertion compares with."""
    test = fields.left.get("testCase")
    asserts = test.get("assert") if isinstance(test, Mapping) else None
    for each in asserts if isinstance(asserts, list) else ():
        if isinstance(each, Mapping) and each.get("type") in REFERENCE_ASSERTS:
            value = each.get("value")
            if isinstance(value, str):
                return value
    return None


def _usage(response: Fields | None) -> Usage | None:
    """Take prompt and completion; its `cached` counts answers from its own cache, not tokens."""
    found = response.take("tokenUsage")[1] if response else None
    if response is None or not isinstance(found, Mapping):
        return None
    details = found.get("completionDetails")
    reasoning = details.get("reasoning") if isinstance(details, Mapping) else None
    return usage_of(
        {
            "input_tokens": found.get("prompt"),
            "output_tokens": found.get("completion"),
            "reasoning_tokens": reasoning,
        },
        response.reading.facts,
    )


def _latency(fields: Fields, cached: bool) -> Latency | None:
    """Take the latency; that of an answer from promptfoo's cache says nothing of the system."""
    total = fields.number("latencyMs")
    if cached:
        fields.reading.facts["answers_from_a_cache"] += 1
        return None
    return None if total is None else Latency(total)


def _error(fields: Fields, response: Fields | None) -> str | None:
    """Take the error of a call; a failed assertion stands in the same field and is none."""
    own, said = response.text("error") if response else None, fields.text("error")
    failed = fields.left.get("failureReason")
    is_call = failed == CALL_FAILED if failed is not None else response is None
    return own or (said if is_call else None) or None
