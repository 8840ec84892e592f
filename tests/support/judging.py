"""A model behind HTTP that does what a script says, and samples for it to judge.

    with Loopback(by_item({"q2": [answer(503), good]})) as server:
        judged = judge_three(server)

Items are told apart by their ids, which stand in their answers.
"""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from fakeclock import FakeClock
from loopback import Connection, Loopback, Request, Step, answer
from ragstone.judge import JudgeConfig, Judged, JudgeLimits, JudgePrices, judge_samples
from ragstone.judge.endpoint import EndpointJudge
from ragstone.judge.plan import AnyMeasure
from ragstone.model.samples import Context, Sample

PRICES = JudgePrices(input=1.0, output=4.0)
IN, OUT = 1000, 200
COST = 0.0018
"""What a good reply costs, by its usage and the prices above."""

USAGE = {"prompt_tokens": IN, "completion_tokens": OUT, "total_tokens": IN + OUT}
GOOD = '{"reason": "It reads well.", "verdict": "mostly"}'
Steps = Sequence[Step]


def completion(
    content: str | None, *, finish: str = "stop", usage: Any = USAGE, **message: Any
) -> dict[str, Any]:
    """Return the body of a chat completion."""
    body: dict[str, Any] = {
        "id": "c1",
        "object": "chat.completion",
        "model": "tested-1",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
    }
    return body if usage is None else {**body, "usage": usage}


def says(content: str | None, **more: Any) -> Step:
    """Answer with a completion."""
    return answer(json=completion(content, **more))


def prompt_of(request: Request) -> str:
    """Return all that a request asks, in one text."""
    return "\n".join(each["content"] for each in request.json["messages"])


def by_item(script: Mapping[str, Steps | Step], usual: Step | None = None) -> Step:
    """Take the next step of the item that a request is about; the last one is repeated."""
    seen: Counter[str] = Counter()
    lock = threading.Lock()
    other = usual or says(GOOD)

    def step(connection: Connection, request: Request) -> None:
        found = re.search(r"item (q\d+)", prompt_of(request))
        item = found[1] if found else ""
        steps = script.get(item, other)
        todo = [steps] if callable(steps) else steps
        with lock:
            place = min(seen[item], len(todo) - 1)
            seen[item] += 1
        todo[place](connection, request)

    return step


def fields(request: Request) -> set[str]:
    """Return the fields of the reply that a request asks for, by its schema."""
    body = request.json
    schema = body["response_format"]["json_schema"]["schema"]
    return set(schema["properties"])


def honest() -> Step:
    """A model that does what it is asked.

    Claims are sentences, quotations the first words, verdicts the first of those allowed.
    """

    def step(connection: Connection, request: Request) -> None:
        says(json.dumps(reply_to(request.json), ensure_ascii=False))(connection, request)

    return step


def reply_to(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return an honest reply to a request, or to one that asks to repair a reply."""
    schema = body["response_format"]["json_schema"]["schema"]["properties"]
    asked = next(each["content"] for each in body["messages"] if each["role"] == "user")
    return honest_reply(asked, schema)


def honest_reply(asked: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return an honest reply to a prompt."""
    if "claims" in schema:
        [text] = re.findall(r"<answer>\n(.*?)\n</answer>", asked, re.DOTALL)
        return {"claims": [f"{part.strip()}." for part in text.split(".") if part.strip()]}
    if "verdicts" in schema:
        numbered = re.findall(r'<(\w+) id="(\d+)">\n(.*?)\n</\1>', asked, re.DOTALL)
        judged = [(int(n), text) for tag, n, text in numbered if tag != "source"]
        sources = [text for tag, _, text in numbered if tag == "source"]
        sources += re.findall(r"<answer>\n(.*?)\n</answer>", asked, re.DOTALL)
        verdict = first_of(schema["verdicts"]["items"]["properties"]["verdict"])
        return {
            "verdicts": [
                {
                    "id": number,
                    "quote": " ".join((sources[0] if sources else text).split()[:3]),
                    "verdict": verdict,
                }
                for number, text in judged
            ]
        }
    return {"reason": "So it is.", "quote": "", "verdict": first_of(schema["verdict"])}


def first_of(verdict: Mapping[str, Any]) -> Any:
    """Return the first verdict that a schema allows."""
    return verdict["enum"][0] if "enum" in verdict else verdict["type"] == "boolean"


def config(server: Loopback, **options: Any) -> JudgeConfig:
    """Return a judge that asks a server of a test."""
    limits = {"timeout": 5.0, "attempts": 3, **options.pop("limits", {})}
    given = {"model": "tested", "prices": PRICES, **options}
    return JudgeConfig(
        endpoint=f"http://127.0.0.1:{server.port}/v1", limits=JudgeLimits(**limits), **given
    )


def sample(item: str, **options: Any) -> Sample:
    """Return a sample whose answer names it."""
    return Sample(
        item,
        **{
            "query": "What is it?",
            "answer": f"This is item {item}. It is blue.",
            "contexts": (Context(f"This is item {item}. It is blue.", f"d-{item}"),),
            **options,
        },
    )


THREE = tuple(sample(item) for item in ("q1", "q2", "q3"))


def judge_three(
    server: Loopback, measures: Sequence[AnyMeasure] = ("coherence",), **options: Any
) -> Judged:
    """Have three samples judged for coherence, without waiting between attempts."""
    limits = options.pop("limits", {})
    judge = EndpointJudge(
        config(server, limits=limits, **options.pop("config", {})),
        clock=options.pop("clock", None) or FakeClock(),
    )
    return judge_samples(options.pop("samples", THREE), measures, judge, **options)
