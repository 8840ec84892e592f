"""No secret gets into an error, a log or a repr, whatever the endpoint answers."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import pickle
import traceback
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asking import ONCE, QUICK, failure
from loopback import Connection, Loopback, Request, Step, answer, cut, echo, later, raw, reset
from ragstone.errors import EndpointError
from ragstone.http import Client, Limits, Response, shown
from ragstone.http.mask import Mask

KEY, PASSWORD, TOKEN, BODY_KEY = "sk-1/23+456", "pa ss/w", "tok-98765432", "in-the-body-77"
BASIC = base64.b64encode(f"ann-user:{PASSWORD}".encode()).decode()
SECRETS = [
    KEY,
    KEY.replace("/", "\\/"),
    PASSWORD,
    TOKEN,
    BODY_KEY,
    BASIC,
    "ann-user",
    "pa%20ss%2Fw",
]
HEADERS = {"Authorization": f"Bearer {KEY}", "X-Api-Key": TOKEN}


def address(server: Loopback) -> str:
    return f"http://ann-user:pa%20ss%2Fw@127.0.0.1:{server.port}/search?token={TOKEN}&k=3"


def tell(status: int) -> Step:
    """Answer with everything that was sent, in several ways of writing it."""

    def step(connection: Connection, request: Request) -> None:
        sent = [*request.headers.values(), request.target, request.body.decode(), *SECRETS]
        text = f"{sent} {json.dumps(sent)} {json.dumps(sent).replace('/', chr(92) + '/')}"
        answer(status, body=text.encode())(connection, request)

    return step


def failed(server: Loopback) -> EndpointError:
    async def main() -> Response:
        client = Client(HEADERS, secrets=[BODY_KEY], retry=ONCE, limits=Limits(timeout=0.5))
        async with client:
            assert_clean(repr(client))
            return await client.post_json(address(server), {"key": BODY_KEY})

    with pytest.raises(EndpointError) as caught:
        asyncio.run(main())
    return caught.value


def assert_clean(text: str) -> None:
    assert [secret for secret in SECRETS if secret in text] == []


STEPS = {
    "status": tell(500),
    "not JSON": tell(200),
    "redirect": tell(307),
    "reset": reset,
    "cut": cut(b"{", 9),
    "slow": later(10, echo),
    "not HTTP": raw(f"{KEY} {TOKEN}\r\n\r\n".encode()),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS.keys())
def test_errors_and_logs_are_clean(step: Step, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with Loopback(step) as server:
        error = failed(server)
        if server.requests:  # what must not be shown was really sent
            assert server.requests[0].headers["x-api-key"] == TOKEN
    assert_clean(str(error))
    assert_clean(error.body)
    assert_clean(repr(error) + repr(error.args) + repr(vars(error)))
    assert_clean("".join(traceback.format_exception(error)))
    assert_clean(repr(pickle.dumps(error)))
    assert_clean(caplog.text)
    assert "?token=***&k=***" in str(error)


def test_a_success_is_logged_without_secrets(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    async def main(url: str) -> Response:
        async with Client(HEADERS, limits=QUICK) as client:
            return await client.post_json(url, {})

    with Loopback(echo) as server:
        found = asyncio.run(main(address(server)))
        assert f"http://127.0.0.1:{server.port}/search?token=***&k=***" in caplog.text
    assert_clean(caplog.text)
    assert_clean(repr(found))


def test_what_others_log_by_httpx_is_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    import httpx

    caplog.set_level(logging.INFO)
    Client()
    with Loopback(echo) as server:
        httpx.get(f"{server.url}?q=theirs", trust_env=False)
    assert "?q=theirs" in caplog.text


def test_a_user_and_a_password_are_sent_as_basic_authentication() -> None:
    with Loopback(echo) as server:
        found = asyncio.run(_answered(f"http://ann:s%20t@127.0.0.1:{server.port}/"))
    assert found["headers"]["authorization"] == "Basic " + base64.b64encode(b"ann:s t").decode()


async def _answered(url: str) -> Any:
    async with Client(limits=QUICK) as client:
        return (await client.post_json(url, {})).json


@pytest.mark.parametrize(
    ("url", "seen"),
    [
        ("http://h.example", "http://h.example"),
        ("HTTP://H.example:80/a%20b", "http://h.example:80/a%20b"),
        ("https://a:b@[::1]:8/x", "https://[::1]:8/x"),
        ("https://@h.example/?a=1&b&c=", "https://h.example/?a=***&***&c=***"),
        ("https://h.example/?a=1=2#token=3", "https://h.example/?a=***"),
    ],
)
def test_an_address_as_it_is_shown(url: str, seen: str) -> None:
    assert shown(url) == seen


def test_a_mask_hides_the_longest_first_and_leaves_short_texts() -> None:
    mask = Mask({"A": "abcdef", "B": "abcdefgh", "C": "xyz"}, ["secret"])
    assert mask("abcdefgh abcdef xyz secret") == "*** *** xyz ***"
    assert repr(mask) == "<Mask of 7 secrets>"


def test_headers_that_are_no_secret_and_schemes_are_left() -> None:
    mask = Mask({"Authorization": "Bearer sk-123456", "Content-Type": "application/json"})
    assert mask("Bearer sk-123456: Bearer application/json") == "***: Bearer application/json"


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), min_size=8, max_size=30))
def test_whatever_the_key_it_is_hidden_as_text_and_in_json(key: str) -> None:
    mask = Mask({}, [key])
    hidden = mask(f"<{key}>")
    assert hidden == "<***>" or key in "<***>"
    assert mask(json.dumps({"": key})) == '{"": "***"}' or key in '{"": "***"}'


def test_a_key_at_the_end_of_the_excerpt_is_not_cut_in_half() -> None:
    with Loopback(answer(500, body=b"x" * 190 + KEY.encode())) as server:
        error = failure(server.url, headers=HEADERS)
    assert f"{'x' * 190}***'" in str(error)
    assert KEY[:4] not in str(error)
