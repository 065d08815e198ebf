from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from email.message import Message
from http.client import HTTPMessage
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from partner_booking import WebhookVerificationError, sign_webhook, verify_webhook
from partner_booking.contract import WebhookEvent
from partner_booking.webhooks import _signature

VECTORS = json.loads((Path(__file__).parents[2] / "docs/webhook-vectors.json").read_text())
NOW = datetime(2026, 11, 22, 5, tzinfo=timezone.utc)
SECRET = "whsec_" + "MDEy" * 10 + "MDE"
EVENT = cast(
    WebhookEvent,
    {"event": "booking.created", "deliveryId": "d-1", "payload": {"bookingId": "حجز 🧹 \u2028", "a": None}},
)
SIGNED = sign_webhook(secret=SECRET, event=EVENT, now=NOW)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["name"]))
def test_every_vector_verifies_as_text_and_as_bytes(vector: dict[str, Any]) -> None:
    headers = {"X-Service-Timestamp": vector["timestamp"], "X-Service-Signature": vector["signature"]}
    now = datetime.fromisoformat(vector["timestamp"])
    for body in (vector["body"], bytes.fromhex(vector["bodyHex"])):
        event = verify_webhook(secret=vector["secret"], headers=headers, body=body, now=now)
        assert (event["event"], event["deliveryId"]) == (vector["event"], vector["deliveryId"])
        assert event["payload"] == json.loads(vector["body"])["payload"]
        with pytest.raises(WebhookVerificationError) as wrong:
            verify_webhook(secret=vector["secret"] + "x", headers=headers, body=body, now=now)
        assert wrong.value.reason == "SIGNATURE_MISMATCH"
    signed = sign_webhook(secret=vector["secret"], event=cast(WebhookEvent, json.loads(vector["body"])), now=now)
    if signed.body == vector["body"].encode():
        assert signed.headers["x-service-signature"] == vector["signature"]
        assert signed.headers["webhook-signature"] == vector["standardSignature"]
        assert signed.headers["webhook-timestamp"] == vector["webhookTimestamp"]


def test_the_signer_makes_the_bytes_of_the_service() -> None:
    same = 0
    for vector in VECTORS:
        event = cast(WebhookEvent, json.loads(vector["body"]))
        same += sign_webhook(secret=vector["secret"], event=event, now=NOW).body == vector["body"].encode()
    assert same >= len(VECTORS) / 2, "all but those with numbers that are written in several ways"


def reason_of(**changes: Any) -> str:
    given: dict[str, Any] = {"secret": SECRET, "headers": SIGNED.headers, "body": SIGNED.body, "now": NOW}
    with pytest.raises(WebhookVerificationError) as wrong:
        verify_webhook(**{**given, **changes})
    return wrong.value.reason


def test_what_is_not_genuine_is_refused() -> None:
    assert verify_webhook(secret=SECRET, headers=SIGNED.headers, body=SIGNED.body, now=NOW) == EVENT
    assert verify_webhook(secret=["other", SECRET], headers=SIGNED.headers.items(), body=SIGNED.body, now=NOW) == EVENT
    assert reason_of(body=SIGNED.body + b"\n") == "SIGNATURE_MISMATCH"
    assert reason_of(body="") == "SIGNATURE_MISMATCH"
    given = SIGNED.headers["x-service-signature"]
    for name in ("x-service-signature", "x-service-timestamp"):
        assert reason_of(headers={**SIGNED.headers, name: ""}) == "HEADER_MISSING"
        twice = [*SIGNED.headers.items(), (name.upper(), SIGNED.headers[name])]
        assert reason_of(headers=twice) == "HEADER_MALFORMED"
    assert reason_of(headers={}) == "HEADER_MISSING"
    for wrong in ("sha256=", given[7:], given.upper(), given + "00", f"{given}, {given}"):
        assert reason_of(headers={**SIGNED.headers, "x-service-signature": wrong}) == "HEADER_MALFORMED"
    for wrong in ("now", "2026-11-22T05:00:00"):
        assert reason_of(headers={**SIGNED.headers, "x-service-timestamp": wrong}) == "HEADER_MALFORMED"


def test_while_a_rotation_overlaps_either_secret_verifies() -> None:
    new = "whsec_" + "OTg3" * 10 + "OTg"
    upcoming = sign_webhook(secret=new, event=EVENT, now=NOW).headers["x-service-signature"]
    headers = {**SIGNED.headers, "X-Service-Signature-Next": upcoming}
    for secret in (SECRET, new, [SECRET, new], [new, SECRET]):
        assert verify_webhook(secret=secret, headers=headers, body=SIGNED.body, now=NOW) == EVENT
    assert reason_of(secret="whsec_other", headers=headers) == "SIGNATURE_MISMATCH"
    assert reason_of(secret=new, headers=headers, body=SIGNED.body + b" ") == "SIGNATURE_MISMATCH"
    assert reason_of(secret=new, headers={**headers, "X-Service-Signature-Next": "sha256="}) == "HEADER_MALFORMED"


def test_what_was_recorded_cannot_be_sent_again_later() -> None:
    for seconds in (-300, 300):
        at = NOW + timedelta(seconds=seconds)
        verify_webhook(secret=SECRET, headers=SIGNED.headers, body=SIGNED.body, now=at)
    for seconds in (-301, 301):
        assert reason_of(now=NOW + timedelta(seconds=seconds)) == "TIMESTAMP_OUTSIDE_TOLERANCE"
    fresh = sign_webhook(secret=SECRET, event=EVENT)
    assert verify_webhook(secret=SECRET, headers=fresh.headers, body=fresh.body) == EVENT


@pytest.mark.parametrize("body", ["", "{", "null", "[]", "1", "{}", '{"event":"x","deliveryId":"y","payload":1}'])
def test_what_is_rightly_signed_and_still_no_delivery_is_refused(body: str) -> None:
    timestamp = "2026-11-22T05:00:00.000Z"
    signature = _signature(SECRET, timestamp, body.encode())
    headers = {"x-service-timestamp": timestamp, "x-service-signature": signature}
    assert reason_of(headers=headers, body=body) == "BODY_MALFORMED"


def test_mistakes_of_the_receiver() -> None:
    cases: list[dict[str, Any]] = [
        {"secret": ""},
        {"secret": []},
        {"secret": None},
        {"secret": b"whsec_"},
        {"secret": 1},
        {"tolerance_seconds": -1},
        {"now": datetime(2026, 11, 22)},
    ]
    for changes in cases:
        given: dict[str, Any] = {"secret": SECRET, "headers": {}, "body": b"", **changes}
        with pytest.raises(ValueError):
            verify_webhook(**given)


def environ_of(headers: Mapping[str, str]) -> dict[str, Any]:
    """In the form of WSGI, among other keys."""
    names = {"HTTP_" + name.upper().replace("-", "_"): value for name, value in headers.items()}
    return {"wsgi.version": (1, 0), "wsgi.input": None, "REQUEST_METHOD": "POST", **names}


def message_of(kind: type[Message], headers: Mapping[str, str]) -> Message:
    message = kind()
    for name, value in headers.items():
        message[name.title()] = value
    return message


class Bag:
    """Of a framework whose headers have items() and are no Mapping."""

    def items(self) -> Any:
        return iter(SIGNED.headers.items())


SHAPES: dict[str, Any] = {
    "dict": SIGNED.headers,
    "upper case": {name.upper(): value for name, value in SIGNED.headers.items()},
    "HTTPMessage": message_of(HTTPMessage, SIGNED.headers),
    "email": message_of(Message, SIGNED.headers),
    "httpx": httpx.Headers(SIGNED.headers),
    "pairs": list(SIGNED.headers.items()),
    "pairs, read once": (pair for pair in SIGNED.headers.items()),
    "ASGI": [(name.encode(), value.encode()) for name, value in SIGNED.headers.items()],
    "lists of values": {name: [value] for name, value in SIGNED.headers.items()},
    "environ": environ_of(SIGNED.headers),
    "items() alone": Bag(),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_headers_of_every_framework(shape: str) -> None:
    assert verify_webhook(secret=SECRET, headers=SHAPES[shape], body=SIGNED.body, now=NOW) == EVENT


@pytest.mark.parametrize("body", [bytearray(SIGNED.body), memoryview(SIGNED.body), SIGNED.body.decode()])
def test_bodies_of_every_framework(body: Any) -> None:
    assert verify_webhook(secret=SECRET, headers=SIGNED.headers, body=body, now=NOW) == EVENT


GARBAGE: list[Any] = [
    None,
    0,
    1.5,
    True,
    b"",
    b"\xff\xfe",
    "",
    "text",
    "\ud800",
    object(),
    [],
    [None],
    ["x-service-signature"],
    [("x-service-signature",)],
    [("x-service-signature", 1)],
    [(1, "sha256=")],
    {},
    {"x-service-signature": None},
    {"x-service-signature": 7, "x-service-timestamp": object()},
    {"x-service-signature": [None], "x-service-timestamp": {}},
    {b"x-service-signature": b"\xff", b"x-service-timestamp": b"\x00"},
    {1: 2},
    {"event": "booking.created"},
    type("Broken", (), {"items": lambda self: 1 / 0})(),
]
TIMESTAMPS = ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2026-11-22\ud80005:00:00+00:00", "٢٠٢٦", "\x00"]


@pytest.mark.parametrize("garbage", GARBAGE, ids=repr)
def test_whatever_comes_raises_no_other_error(garbage: Any) -> None:
    reason_of(headers=garbage)
    reason_of(body=garbage)
    reason_of(headers=garbage, body=garbage)
    for name in ("x-service-signature", "x-service-timestamp", "x-service-signature-next"):
        if garbage is not None and garbage != [] and not (isinstance(garbage, dict) and not garbage):
            reason_of(headers={**SIGNED.headers, name: garbage})
    for timestamp in TIMESTAMPS:
        assert reason_of(headers={**SIGNED.headers, "x-service-timestamp": timestamp}) == "HEADER_MALFORMED"
    deep = "[" * 100_000
    signature = _signature(SECRET, "2026-11-22T05:00:00Z", deep.encode())
    headers = {"x-service-timestamp": "2026-11-22T05:00:00Z", "x-service-signature": signature}
    assert reason_of(headers=headers, body=deep) == "BODY_MALFORMED"
