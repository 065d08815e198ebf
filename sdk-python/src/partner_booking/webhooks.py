"""Verifies webhooks at a receiver (contract, section 6), and signs those of tests."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, Literal, NamedTuple, Protocol, Union, cast

from .contract import WebhookEvent

Reason = Literal[
    "HEADER_MISSING",
    "HEADER_MALFORMED",
    "SIGNATURE_MISMATCH",
    "TIMESTAMP_OUTSIDE_TOLERANCE",
    "BODY_MALFORMED",
]
_Text = Union[str, bytes]
_Value = Union[_Text, Sequence[_Text], None]


class _Items(Protocol):
    def items(self) -> Iterable[tuple[Any, Any]]: ...


# A mapping, or another object with items() (http.client.HTTPMessage), or pairs (ASGI's are of bytes).
Headers = Union[Mapping[str, _Value], _Items, Iterable["tuple[_Text, _Value]"]]


class WebhookVerificationError(Exception):
    """The message must not be processed. Respond with 400, and no details."""

    def __init__(self, reason: Reason, message: str) -> None:
        self.reason = reason
        super().__init__(message)


class SignedWebhook(NamedTuple):
    headers: dict[str, str]
    body: bytes


def verify_webhook(
    *,
    secret: str | Sequence[str],
    headers: Headers,
    body: bytes | str,
    tolerance_seconds: float = 300,
    now: datetime | None = None,
) -> WebhookEvent:
    """The event of a genuine and fresh message; raises WebhookVerificationError otherwise.

    `headers` are those of your framework: a mapping, an HTTPMessage, a WSGI environ, pairs of texts or of bytes. `body`
    is the raw body. No other error is raised for these two; an invalid `secret`, `tolerance_seconds` or `now` is a
    ValueError. During the overlap of a rotation either secret is valid; when one fails, pass both: one of them must be
    valid. The same delivery may arrive more than once, with the same `deliveryId`. Ignore unknown events.
    """
    secrets = [secret] if isinstance(secret, str) else list(secret) if isinstance(secret, Sequence) else []
    if not secrets or any(not isinstance(one, str) or not one for one in secrets):
        raise ValueError("secret must be the secret of the subscription")
    if not tolerance_seconds >= 0:
        raise ValueError("tolerance_seconds must not be less than 0")
    if now is not None and now.tzinfo is None:
        raise ValueError("now must have a time zone")
    content = _content(body)
    values = _values(headers)

    timestamp = _header(values, "x-service-timestamp")
    given = [_checked("x-service-signature", _header(values, "x-service-signature"))]
    # During the overlap of a rotation: the signature by the new secret.
    upcoming = _value(values, "x-service-signature-next")
    if upcoming is not None:
        given.append(_checked("x-service-signature-next", upcoming))
    sent_at = _instant(timestamp)
    expected = [_signature(one, timestamp, content) for one in secrets]
    genuine = [hmac.compare_digest(one, each) for one in expected for each in given]
    if not any(genuine):
        raise WebhookVerificationError("SIGNATURE_MISMATCH", "The signature does not fit the body")
    age = abs(((now or datetime.now(timezone.utc)) - sent_at).total_seconds())
    if not age <= tolerance_seconds:
        raise WebhookVerificationError(
            "TIMESTAMP_OUTSIDE_TOLERANCE", "The message is too old, or from the future"
        )
    return _event(content)


def sign_webhook(*, secret: str, event: WebhookEvent, now: datetime | None = None) -> SignedWebhook:
    """The service's request for the event, for tests of a receiver. Sends nothing."""
    if not isinstance(secret, str) or not secret:
        raise ValueError("secret must be the secret of the subscription")
    at = (now or datetime.now(timezone.utc)).astimezone(timezone.utc)
    timestamp = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    fields = {name: event[name] for name in ("deliveryId", "event", "payload")}  # type: ignore[literal-required]
    body = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    seconds = int(at.timestamp())
    # The key of the Standard Webhooks specification is the bytes that the secret encodes.
    key = base64.urlsafe_b64decode(secret.removeprefix("whsec_").replace("+", "-").replace("/", "_") + "==")
    message = f"{event['deliveryId']}.{seconds}.".encode() + body
    standard = base64.b64encode(hmac.new(key, message, hashlib.sha256).digest()).decode()
    headers = {
        "content-type": "application/json",
        "user-agent": "Service-Partner-Webhooks/1.0",
        "x-service-delivery-id": event["deliveryId"],
        "x-service-event": event["event"],
        "x-service-signature": _signature(secret, timestamp, body),
        "x-service-timestamp": timestamp,
        "webhook-id": event["deliveryId"],
        "webhook-timestamp": str(seconds),
        "webhook-signature": f"v1,{standard}",
    }
    return SignedWebhook(headers, body)


def _signature(secret: str, timestamp: str, body: bytes) -> str:
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256)
    return f"sha256={digest.hexdigest()}"


def _malformed(name: str) -> WebhookVerificationError:
    return WebhookVerificationError("HEADER_MALFORMED", f"The header {name} is malformed")


def _checked(name: str, signature: str) -> str:
    if not re.fullmatch(r"sha256=[0-9a-f]{64}", signature):
        raise _malformed(name)
    return signature


_NAMES = ("x-service-timestamp", "x-service-signature", "x-service-signature-next")


def _values(headers: Any) -> dict[str, list[str]]:
    """Our headers. Names are case-insensitive; WSGI writes them HTTP_LIKE_THIS."""
    found: dict[str, list[str]] = {name: [] for name in _NAMES}
    if headers is None:
        return found
    try:
        pairs = list(headers.items() if hasattr(headers, "items") else headers)
        for name, value in pairs:
            name = _text(name)
            if name.startswith("HTTP_"):
                name = name.removeprefix("HTTP_").replace("_", "-")
            name = name.lower()
            if name not in found or value is None:
                continue
            found[name] += [_text(value)] if isinstance(value, (str, bytes)) else [_text(one) for one in value]
    except Exception:  # objects that are no headers may raise anything
        raise WebhookVerificationError(
            "HEADER_MALFORMED", "headers must be a mapping, or pairs of names and values"
        ) from None
    return found


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if not isinstance(value, str):
        raise TypeError("a name or a value of a header must be a text")
    return value


def _value(values: dict[str, list[str]], wanted: str) -> str | None:
    """None for a repeated header."""
    if len(values[wanted]) > 1:
        raise _malformed(wanted)
    return values[wanted][0] if values[wanted] else None


def _header(values: dict[str, list[str]], wanted: str) -> str:
    value = _value(values, wanted)
    if not value:
        raise WebhookVerificationError("HEADER_MISSING", f"The header {wanted} is missing")
    return value


def _instant(timestamp: str) -> datetime:
    try:
        at = datetime.fromisoformat(timestamp)
        if at.tzinfo is None or not timestamp.isascii():
            raise _malformed("x-service-timestamp")
        return at.astimezone(timezone.utc)
    except (ValueError, OverflowError):
        raise _malformed("x-service-timestamp") from None


def _content(body: Any) -> bytes:
    wrong = WebhookVerificationError(
        "BODY_MALFORMED", "body must be the raw body, before any parsing: bytes or str"
    )
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    if not isinstance(body, str):
        raise wrong
    try:
        return body.encode()
    except UnicodeEncodeError:
        raise wrong from None


def _event(content: bytes) -> WebhookEvent:
    wrong = WebhookVerificationError("BODY_MALFORMED", "The body is not a delivery")
    try:
        value: Any = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        raise wrong from None
    if not isinstance(value, dict):
        raise wrong
    if not isinstance(value.get("event"), str) or not isinstance(value.get("deliveryId"), str):
        raise wrong
    if not isinstance(value.get("payload"), dict):
        raise wrong
    return cast(WebhookEvent, value)
