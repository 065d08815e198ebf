"""The logic of both clients, without I/O: a call is a generator of steps, which a client executes."""

from __future__ import annotations

import json
import random
import re
import uuid
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import Any, Generic, TypeVar, Union
from urllib.parse import quote, urlencode

import httpx

from .contract import (
    DONE_CODES,
    FIRST_PAUSE,
    LASTING_REASONS,
    LONGEST_PAUSE,
    RATE_PAUSE,
    RATE_PAUSE_OF_FOLLOW,
    RATE_WINDOW,
    REPEATABLE,
    ROUTES,
    FeedEvent,
    FeedMeta,
    PageMeta,
)
from .errors import ConnectionFailed, PartnerBookingError, TimedOut, UnexpectedAnswer

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list. `as_of`, passed as `asOf` with later pages, keeps new rows out of them."""

    data: list[Item]
    meta: PageMeta
    as_of: str | None


@dataclass(frozen=True)
class FeedPage:
    """One page of the event feed."""

    data: list[FeedEvent]
    meta: FeedMeta


@dataclass(frozen=True)
class RateLimit:
    """The rate limit: requests in 60 seconds, how many are left, seconds until there is room for one more."""

    limit: int
    remaining: int
    reset_seconds: int


@dataclass(frozen=True)
class ResponseInfo:
    """Metadata of the response. `rate_limit` is None in a response of a proxy. `reason` tells why services or timeslots are
    empty where nothing is offered at the place, such as `PLACE_NOT_COVERED`; None: it is offered."""

    status: int
    headers: httpx.Headers
    request_id: str
    rate_limit: RateLimit | None
    reason: str | None = None


@dataclass(frozen=True)
class CallOptions:
    timeout: float | None = None
    retries: int | None = None
    request_id: str | None = None
    api_key: str | None = None
    headers: Mapping[str, str] | None = None
    on_response: Callable[[ResponseInfo], None] | None = None
    rate_limit_wait: float | None = None
    if_none_match: str | None = None


@dataclass(frozen=True)
class Attempt:
    """One attempt, for logs and metrics. `status` None: no response; `retry_in` None: no other attempt."""

    operation: str
    method: str
    url: str
    request_id: str
    number: int
    status: int | None
    duration: float
    error: Exception | None
    retry_in: float | None


@dataclass(frozen=True)
class Send:
    method: str
    url: str
    headers: dict[str, str]
    content: bytes | None
    timeout: float


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class Received:
    status: int
    headers: httpx.Headers
    body: bytes


# The result of a step: the response, the failure to get one, or None after a pause.
Outcome = Union[Received, httpx.HTTPError, None]
Answer = tuple[Any, ResponseInfo]
Steps = Generator[Union[Send, Pause], Outcome, Answer]


@dataclass
class Settings:
    api_key: str
    base_url: str
    timeout: float
    retries: int
    headers: Mapping[str, str]
    user_agent: str
    on_attempt: Callable[[Attempt], None] | None
    rate_limit_wait: float = RATE_PAUSE
    last_response: ResponseInfo | None = None

    def __post_init__(self) -> None:
        url = httpx.URL(self.base_url)
        if url.scheme not in ("http", "https") or not url.host or url.query or url.fragment or url.userinfo:
            raise ValueError("base_url must be an http or https address without a query")
        self.base_url = str(url).rstrip("/")
        check_limits(self.timeout, self.retries, self.rate_limit_wait)
        check_key(self.api_key)
        check_headers(self.headers)


def check_limits(timeout: float, retries: int, rate_limit_wait: float) -> None:
    if not 0 < timeout < float("inf"):
        raise ValueError("timeout must be above 0 seconds")
    if isinstance(retries, bool) or not isinstance(retries, int) or retries < 0:
        raise ValueError("retries must be 0 or a whole number above")
    if isinstance(rate_limit_wait, bool) or not rate_limit_wait >= 0:
        raise ValueError("rate_limit_wait must be 0 or above")


def check_key(api_key: str) -> None:
    if not isinstance(api_key, str) or not re.fullmatch(r"[!-~]+", api_key):
        raise ValueError("api_key must be the key of your account")


def check_headers(headers: Mapping[str, str]) -> None:
    """Refuses here what httpx would refuse at every attempt, which would look like a lost connection."""
    for name, value in headers.items():
        if not isinstance(name, str) or not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name):
            raise ValueError(f"{name!r} is not the name of a header")
        if not isinstance(value, str) or not re.fullmatch(r"([!-~]([\t -~]*[!-~])?)?", value):
            raise ValueError(f"the header {name} must be printable ASCII without blanks at its ends")


def call_steps(
    settings: Settings, operation: str, ids: Sequence[str], value: Any, options: CallOptions
) -> Steps:
    """The steps of a call, its retries included; returns the envelope."""
    timeout = settings.timeout if options.timeout is None else options.timeout
    retries = settings.retries if options.retries is None else options.retries
    rate_limit_wait = settings.rate_limit_wait if options.rate_limit_wait is None else options.rate_limit_wait
    check_limits(timeout, retries, rate_limit_wait)
    request_id = options.request_id or str(uuid.uuid4())
    request = _request(settings, operation, ids, value, options, request_id, timeout)
    repeatable = is_repeatable(operation, value)
    unclear = False
    creations_failed = 0
    number = 0
    while True:
        number += 1
        began = monotonic()
        outcome = yield request
        response: ResponseInfo | None = None
        error: Exception
        if isinstance(outcome, Received):
            answer = _parse(outcome.body)
            response = info_of(outcome, request_id, answer)
            settings.last_response = response
            read = _read(operation, request, outcome, answer, response)
            if not isinstance(read, Exception):
                _observe(settings, operation, request, request_id, number, began, response, None, None)
                if options.on_response is not None:
                    options.on_response(response)
                return read, response
            error = read
        else:
            error = _failure(operation, outcome, timeout, request_id)
        if _has_code(error, "BOOKING_CREATION_FAILED"):
            creations_failed += 1
        retry_after = None if response is None else retry_after_of(
            response.headers.get("retry-after"), datetime.now(timezone.utc)
        )
        retry_in = pause_after(
            error, retry_after, repeatable, number, creations_failed, retries, random.random(), rate_limit_wait
        )
        _observe(settings, operation, request, request_id, number, began, response, error, retry_in)
        if response is not None:
            again = CallOptions(options.timeout, options.retries, request_id, options.api_key, options.headers)
            found = yield from _result_if_made(settings, operation, error, again)
            if found is None and (unclear or _is_delivered_twice(error)):
                found = yield from _result_if_done(settings, operation, error, ids, again)
            if found is not None:
                if options.on_response is not None:
                    options.on_response(response)
                return found, response
        if retry_in is None:
            _explain_rate_limit(error, retry_after, rate_limit_wait)
            raise error
        unclear = unclear or is_unclear(error)
        yield Pause(retry_in)


def _observe(
    settings: Settings,
    operation: str,
    request: Send,
    request_id: str,
    number: int,
    began: float,
    response: ResponseInfo | None,
    error: Exception | None,
    retry_in: float | None,
) -> None:
    if settings.on_attempt is None:
        return
    status = None if response is None else response.status
    duration = monotonic() - began
    settings.on_attempt(
        Attempt(operation, request.method, request.url, request_id, number, status, duration, error, retry_in)
    )


def _request(
    settings: Settings,
    operation: str,
    ids: Sequence[str],
    value: Any,
    options: CallOptions,
    request_id: str,
    timeout: float,
) -> Send:
    route = ROUTES[operation]
    values = iter(ids)

    def id_of(match: re.Match[str]) -> str:
        one = next(values)
        # These would lead to another route.
        if not isinstance(one, str) or re.fullmatch(r"\.{0,2}", one):
            raise ValueError(f"{match[1]} must be an id")
        return quote(one, safe="")

    url = settings.base_url + re.sub(r"\{(\w+)\}", id_of, route.path)
    if route.takes == "query":
        query = urlencode({name: one for name, one in (value or {}).items() if one is not None})
        url += f"?{query}" if query else ""
    api_key = settings.api_key if options.api_key is None else options.api_key
    check_key(api_key)
    headers = {name.lower(): one for name, one in settings.headers.items()}
    headers.update({name.lower(): one for name, one in (options.headers or {}).items()})
    accept = {"text": "text/csv", "file": "*/*"}.get(route.answers, "application/json")
    headers.update({"accept": accept, "user-agent": settings.user_agent})
    if options.if_none_match is not None:
        headers["if-none-match"] = options.if_none_match
    headers.update({"x-api-key": api_key, "x-request-id": request_id})
    check_headers(headers)
    content = None
    if route.method not in ("GET", "DELETE"):
        content = json.dumps((value if route.takes == "body" else None) or {}).encode()
        headers["content-type"] = "application/json"
    return Send(route.method, url, headers, content, timeout)


def info_of(received: Received, request_id: str, answer: Any) -> ResponseInfo:
    headers = received.headers
    numbers = [headers.get(f"ratelimit-{name}", "") for name in ("limit", "remaining", "reset")]
    known = all(number.isascii() and number.isdigit() for number in numbers)
    limit = RateLimit(*(int(number) for number in numbers)) if known else None
    meta = answer.get("meta") if isinstance(answer, dict) else None
    reason = meta.get("reason") if isinstance(meta, dict) else None
    return ResponseInfo(received.status, headers, headers.get("x-request-id", request_id), limit, reason)


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8", "replace"))
    except ValueError:
        return None  # not the service's response


def _read(operation: str, sent: Send, received: Received, answer: Any, response: ResponseInfo) -> Any:
    """The envelope, or the error of the response. An unchanged response (304) has no data, that of a file its bytes."""
    if received.status == 304 and "if-none-match" in sent.headers:
        return {"data": None}
    if sent.headers["accept"] != "application/json" and 200 <= received.status < 300:
        # A page of a network in between has no name.
        is_csv = received.headers.get("content-type", "").startswith("text/csv")
        if is_csv or "content-disposition" in received.headers:
            return {"data": received.body}
    if isinstance(answer, dict):
        good = 200 <= received.status < 300
        if good and answer.get("success") is True and "data" in answer:
            return answer
        refusal = answer.get("error")
        if not good and answer.get("success") is False and isinstance(refusal, dict):
            if isinstance(refusal.get("code"), str):
                return PartnerBookingError(operation, refusal, response)
    return UnexpectedAnswer(operation, received.body.decode("utf-8", "replace"), response)


def _failure(operation: str, cause: Outcome, timeout: float, request_id: str) -> ConnectionFailed:
    error: ConnectionFailed
    if isinstance(cause, httpx.TimeoutException):
        error = TimedOut(f"{operation} got no complete answer within {timeout:g} s", request_id)
    else:
        error = ConnectionFailed(f"{operation} lost its connection: {cause or type(cause).__name__}", request_id)
    error.__cause__ = cause if isinstance(cause, Exception) else None
    return error


# --- retries (contract, section 7): the same table as that of the TypeScript SDK


def is_repeatable(operation: str, value: Any) -> bool:
    """Whether it may be sent again when its outcome is unclear."""
    _, _, fields = REPEATABLE[operation].partition("with ")
    if fields == "":
        return REPEATABLE[operation] == "yes"
    given = [(value or {}).get(name) for name in fields.split(" or ")]
    return any(isinstance(one, str) and one != "" for one in given)


def is_unclear(error: Exception) -> bool:
    """Whether the service may have processed the request, although the attempt failed."""
    if isinstance(error, (PartnerBookingError, UnexpectedAnswer)):
        return error.status >= 500
    return isinstance(error, ConnectionFailed)


def patient(options: CallOptions) -> CallOptions:
    """The options of following the feed, which nobody waits for."""
    wait = RATE_PAUSE_OF_FOLLOW if options.rate_limit_wait is None else options.rate_limit_wait
    return replace(options, rate_limit_wait=wait)


def _explain_rate_limit(error: Exception, retry_after: float | None, rate_limit_wait: float) -> None:
    """Adds to the error of a used up rate limit why the call does not wait."""
    asked = RATE_WINDOW if retry_after is None else retry_after
    if getattr(error, "status", None) == 429 and asked > rate_limit_wait and error.args:
        said = f"{error.args[0]}; not repeated: it asks for {asked:g} s, and rate_limit_wait allows {rate_limit_wait:g} s"
        error.args = (said, *error.args[1:])


def _has_code(error: Exception, code: str) -> bool:
    return isinstance(error, PartnerBookingError) and error.code == code


def pause_after(
    error: Exception,
    retry_after: float | None,
    repeatable: bool,
    attempts: int,
    creations_failed: int,
    retries: int,
    chance: float,
    rate_limit_wait: float,
) -> float | None:
    """Seconds until the next attempt, or None. `chance` is from 0 up to 1."""
    if attempts > retries:
        return None
    pause = chance * min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempts - 1, 30))
    if isinstance(error, (PartnerBookingError, UnexpectedAnswer)) and error.status == 429:
        asked = RATE_WINDOW if retry_after is None else retry_after
        # Jitter is added: many callers must not retry at the same instant, nor too early.
        return asked + pause if asked <= rate_limit_wait else None
    if isinstance(error, PartnerBookingError) and error.code == "BOOKING_CREATION_FAILED":
        lasting = error.details.get("reason") in LASTING_REASONS
        return None if creations_failed > 1 or lasting else pause
    return pause if is_unclear(error) and repeatable else None


def retry_after_of(value: str | None, now: datetime) -> float | None:
    """The Retry-After of a response in seconds: a whole number, or an HTTP date."""
    if value is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", value):
        return float(value)
    if not value.endswith(" GMT"):
        return None
    try:
        return max(0.0, (parsedate_to_datetime(value) - now).total_seconds())
    except ValueError:
        return None  # not a date


# --- results of unclear attempts that succeeded


# Operations that refuse the body that made something, with its id in the details, and the operation that reads it.
_READS = {"bookings.create": "bookings.get", "series.create": "series.get"}


def _read_if_allowed(
    settings: Settings, operation: str, one: str, again: CallOptions
) -> Generator[Union[Send, Pause], Outcome, Any]:
    """The envelope; None: the key may not read it, so the refusal that names it stays the answer."""
    try:
        envelope, _ = yield from call_steps(settings, operation, [one], None, again)
    except PartnerBookingError as error:
        if error.code == "FORBIDDEN":
            return None
        raise
    return envelope


def _result_if_made(
    settings: Settings, operation: str, error: Exception, again: CallOptions
) -> Generator[Union[Send, Pause], Outcome, Any]:
    """The envelope of what the same body made, in this call or an earlier one, unless it is over; else None."""
    if operation not in _READS or not _is_refused_as_done(operation, error) or not _is_delivered_twice(error):
        return None
    assert isinstance(error, PartnerBookingError)
    details = error.details
    made_id = details["seriesId"] if operation == "series.create" else details["bookingId"]
    envelope = yield from _read_if_allowed(settings, _READS[operation], made_id, again)
    if envelope is None:
        return None
    made = envelope["data"]
    over = made["reason"] == "ENDED" if operation == "series.create" else made["status"] in ("canceled", "failed")
    return None if over else envelope


def _result_if_done(
    settings: Settings,
    operation: str,
    error: Exception,
    ids: Sequence[str],
    again: CallOptions,
) -> Generator[Union[Send, Pause], Outcome, Any]:
    """The envelope of the result, when `error` shows that an unclear earlier attempt had succeeded; else None."""
    if operation in _READS or not _is_refused_as_done(operation, error):
        return None
    if operation == "webhooks.subscriptions.remove":
        return {"data": {"id": ids[0], "removed": True}}
    return (yield from _read_if_allowed(settings, "bookings.get", ids[0], again))


def _is_delivered_twice(error: Exception) -> bool:
    """Whether this very request was accepted before: the network has delivered it twice."""
    return isinstance(error, PartnerBookingError) and error.details.get("sameRequest") is True


def _is_refused_as_done(operation: str, error: Exception) -> bool:
    return any(_has_code(error, code) for code in DONE_CODES.get(operation, ()))
