"""The errors of calls. A message names the method, the problem, and the request."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from .contract import ErrorDetails

if TYPE_CHECKING:
    from .core import ResponseInfo


class PartnerBookingError(Exception):
    """The service responded with an error. Branch on `code`; this version may not know every code."""

    def __init__(self, operation: str, refusal: dict[str, object], response: ResponseInfo) -> None:
        self.code = str(refusal["code"])
        self.status = response.status
        details = refusal.get("details")
        self.details = cast(ErrorDetails, details if isinstance(details, dict) else {})
        # The operator finds the request by it.
        self.request_id = str(refusal.get("requestId") or response.request_id)
        self.response = response
        self.message = str(refusal.get("message") or "")
        faults = self.details.get("message")
        parts = [self.message, *(faults if isinstance(faults, list) else [])]
        text = "; ".join(dict.fromkeys(part for part in parts if part))
        super().__init__(
            f"{operation} was refused with {self.status} {self.code}: {text} (request {self.request_id})"
        )


class ConnectionFailed(Exception):
    """No response, or only a part of one: `__cause__` says why. The request may have been processed."""

    def __init__(self, message: str, request_id: str) -> None:
        self.request_id = request_id
        super().__init__(f"{message} (request {request_id})")


class TimedOut(ConnectionFailed):
    """No complete response in time; as unclear as any other ConnectionFailed."""


class UnexpectedAnswer(Exception):
    """A response that is not the service's: a proxy's page, a redirect, another program at this address, a page of a list
    that leads nowhere. `problem`: instead of the status and the beginning of the body."""

    def __init__(self, operation: str, text: str, response: ResponseInfo, problem: str | None = None) -> None:
        self.status = response.status
        self.text = text[:500]
        self.request_id = response.request_id
        self.response = response
        begins = " ".join(text[:80].split())
        body = f"a body that begins with {begins!r}" if begins else "an empty body"
        problem = problem or f"status {self.status}, {body}"
        super().__init__(
            f"{operation} got an answer that is not the service's: {problem} (request {self.request_id})"
        )
