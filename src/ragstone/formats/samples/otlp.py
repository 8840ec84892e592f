"""Traces in OTLP-JSON: GenAI semantic conventions, old and new, and OpenInference.

Lines as OpenTelemetry's collector and SDKs write them to a file, or one document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragstone.formats.samples.attributes import Attributes
from ragstone.formats.samples.conventions import described
from ragstone.formats.samples.fields import Fields
from ragstone.formats.samples.reading import Place, Reading
from ragstone.formats.samples.spans import Span, samples_of
from ragstone.model.samples import Sample

MARKS = ("resourceSpans",)
ERROR = (2, "2", "STATUS_CODE_ERROR")


def recognises(row: dict[str, Any]) -> bool:
    """Tell a request of OTLP: resources, each with its spans."""
    return "resourceSpans" in row


def read(reading: Reading) -> Iterator[Sample]:
    """Put the spans of each trace together; one trace is one sample."""
    return samples_of(_spans(reading), reading)


def _spans(reading: Reading) -> Iterator[tuple[Fields, Span]]:
    for place, values in reading.objects(("resourceSpans",)):
        for fields in _of_resource(reading, place, values):
            yield fields, _span(fields)


def _of_resource(reading: Reading, place: Place, resource: dict[str, Any]) -> Iterator[Fields]:
    """Go through the spans of a resource, whatever the instrumentation that made them."""
    outer = Fields(reading, place, resource)
    name, scopes = outer.take("scopeSpans", "instrumentationLibrarySpans")
    for number, scope in enumerate(scopes if isinstance(scopes, list) else ()):
        inner = outer.inner(f"{name}[{number}]", scope)
        spans = inner.each(inner.inner, "spans", expected="a list of spans") or ()
        for position, span in enumerate(spans):
            path = f"{place.path}.{name}[{number}].spans[{position}]".lstrip(".")
            yield Fields(reading, Place(place.line, path), span.left)


def _span(fields: Fields) -> Span:
    trace, own = fields.identifier("traceId"), fields.identifier("spanId")
    if trace is None or own is None:
        raise fields.error("a span without traceId and spanId")
    attributes = Attributes(fields.take("attributes")[1])
    events = _events(fields)
    span = Span(
        trace=trace,
        id=own,
        parent=fields.identifier("parentSpanId") if fields.left.get("parentSpanId") else None,
        name=fields.text("name") or "",
        start=_time(fields, "startTimeUnixNano"),
        end=_time(fields, "endTimeUnixNano"),
        error=_error(fields, events),
    )
    described(span, attributes, events)
    if unknown := attributes.left():
        span.extra = {"attributes": unknown}
        for name in unknown:
            fields.reading.unknown[attributes.without_numbers(name)] += 1
    return span


def _events(fields: Fields) -> list[tuple[str, int | None, Attributes]]:
    events = []
    _, found = fields.take("events")
    for event in found if isinstance(found, list) else ():
        if isinstance(event, Mapping):
            name, when = str(event.get("name")), _nanoseconds(event.get("timeUnixNano"))
            events.append((name, when, Attributes(event.get("attributes"))))
    return events


def _error(fields: Fields, events: list[tuple[str, int | None, Attributes]]) -> str | None:
    """Return what the status says, else the exception; None where the step did not fail."""
    _, status = fields.take("status")
    if not isinstance(status, Mapping) or status.get("code") not in ERROR:
        return None
    if isinstance(status.get("message"), str) and status["message"]:
        return str(status["message"])
    for name, _, attributes in events:
        if name == "exception":
            said = [attributes.text(f"exception.{part}") for part in ("type", "message")]
            return ": ".join(filter(None, said)) or "failed"
    return "failed"


def _time(fields: Fields, name: str) -> int | None:
    _, value = fields.take(name)
    found = _nanoseconds(value)
    if value is not None and found is None:
        raise fields.wrong(name, value, "nanoseconds since 1970")
    return found or None


def _nanoseconds(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 21:
        return int(value)
    is_time = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**64
    return value if is_time else None
