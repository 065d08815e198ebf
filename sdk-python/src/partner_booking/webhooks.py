"""Checks what arrives at a receiver of webhooks (contract, section 6), and signs what a test sends to one."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, Literal, NamedTuple, Union, cast

from .contract import WebhookEvent

Reason = Literal[
    "HEADER_MISSING",
    "HEADER_MALFORMED",
    "SIGNATURE_MISMATCH",
    "TIMESTAMP_OUTSIDE_TOLERANCE",
    "BODY_MALFORMED",
]
Headers = Union[Mapping[str, str], Iterable["tuple[str, str]"]]


class WebhookVerificationError(Exception):
    """The message must not be acted upon. Answer 400, and say no more."""

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
    """The event that the message brings, when it is the service's and fresh; raises WebhookVerificationError otherwise.

    `body` is the raw body. While a rotation overlaps either secret fits; when it does not, give both: one of them must
    fit. The same delivery may come more than once: its `deliveryId` tells. Ignore events that you do not know.
    """
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or any(not isinstance(one, str) or not one for one in secrets):
        raise ValueError("secret must be the secret of the subscription")
    if not tolerance_seconds >= 0:
        raise ValueError("tolerance_seconds must not be less than 0")
    if not isinstance(body, (bytes, str)):
        raise TypeError("body must be the raw body, before any parsing: bytes or str")
    content = body.encode() if isinstance(body, str) else body

    timestamp = _header(headers, "x-service-timestamp")
    given = [_checked("x-service-signature", _header(headers, "x-service-signature"))]
    # While a rotation overlaps: the signature by the new secret.
    upcoming = _value(headers, "x-service-signature-next")
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
    """What the service would send for the event, for tests of a receiver. Nothing is sent."""
    if not isinstance(secret, str) or not secret:
        raise ValueError("secret must be the secret of the subscription")
    at = (now or datetime.now(timezone.utc)).astimezone(timezone.utc)
    timestamp = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    fields = {name: event[name] for name in ("deliveryId", "event", "payload")}  # type: ignore[literal-required]
    body = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    seconds = int(at.timestamp())
    # The Standard Webhooks specification keys with the bytes that the secret encodes.
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


def _value(headers: Headers, wanted: str) -> str | None:
    """Names of headers are the same in any letter case; one that came twice is nobody's."""
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    values = [value for name, value in pairs if name.lower() == wanted]
    if len(values) > 1:
        raise _malformed(wanted)
    return values[0] if values else None


def _header(headers: Headers, wanted: str) -> str:
    value = _value(headers, wanted)
    if not value:
        raise WebhookVerificationError("HEADER_MISSING", f"The header {wanted} is missing")
    return value


def _instant(timestamp: str) -> datetime:
    try:
        at = datetime.fromisoformat(timestamp)
    except ValueError:
        raise _malformed("x-service-timestamp") from None
    if at.tzinfo is None:
        raise _malformed("x-service-timestamp")
    return at


def _event(content: bytes) -> WebhookEvent:
    wrong = WebhookVerificationError("BODY_MALFORMED", "The body is not a delivery")
    try:
        value: Any = json.loads(content.decode("utf-8"))
    except ValueError:
        raise wrong from None
    if not isinstance(value, dict):
        raise wrong
    if not isinstance(value.get("event"), str) or not isinstance(value.get("deliveryId"), str):
        raise wrong
    if not isinstance(value.get("payload"), dict):
        raise wrong
    return cast(WebhookEvent, value)
