"""Executes the steps of calls: a blocking class, and an async one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

import httpx

from .contract import RATE_PAUSE
from .core import (
    Attempt,
    CallOptions,
    FeedPage,
    Outcome,
    Page,
    Pause,
    Received,
    ResponseInfo,
    Send,
    Settings,
    Steps,
    call_steps,
    patient,
)
from .errors import UnexpectedAnswer

# The version of this package; a test compares it with pyproject.toml.
VERSION = "0.6.0"

# Rows of a page when all pages are wanted: the service's maximum.
LIMIT = 100

Self = TypeVar("Self", bound="BaseClient")
AsyncSelf = TypeVar("AsyncSelf", bound="AsyncBaseClient")


def _page(envelope: Any, response: ResponseInfo) -> Page[Any]:
    return Page(envelope["data"], envelope["meta"], response.headers.get("x-list-as-of"))


def _next_query(query: dict[str, Any], page: Page[Any]) -> dict[str, Any] | None:
    """The query of the next page; None: it was the last."""
    if query["page"] >= page.meta["totalPages"]:
        return None
    as_of = {} if page.as_of is None else {"asOf": page.as_of}
    return {**as_of, **query, "page": query["page"] + 1}


def _checked(
    operation: str, query: dict[str, Any], answer: tuple[Any, ResponseInfo], before: Page[Any] | None
) -> Page[Any]:
    """The page of the query. Raises UnexpectedAnswer when it is not the last, but leads nowhere."""
    page = _page(*answer)
    repeats = before is not None and page.data == before.data
    if query["page"] < page.meta["totalPages"] and (not page.data or repeats):
        what = "repeats the one before" if page.data else "is empty"
        problem = f"page {query['page']} {what}, and is not the last"
        raise UnexpectedAnswer(operation, str(page.data), answer[1], problem)
    return page


def _checked_feed(operation: str, query: dict[str, Any], answer: tuple[Any, ResponseInfo]) -> FeedPage:
    """The page after the cursor. Raises UnexpectedAnswer when it leads to itself."""
    envelope, response = answer
    meta = envelope["meta"]
    if meta["hasMore"] and meta["nextCursor"] == query.get("after"):
        problem = "there is more, but the cursor did not move"
        raise UnexpectedAnswer(operation, str(envelope), response, problem)
    return FeedPage(envelope["data"], meta)


class Transport:
    def __init__(self, settings: Settings, http: httpx.Client) -> None:
        self.settings = settings
        self.http = http

    def _run(self, operation: str, ids: Sequence[str], value: Any, options: CallOptions) -> tuple[Any, ResponseInfo]:
        steps: Steps = call_steps(self.settings, operation, ids, value, options)
        outcome: Outcome = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as done:
                result: tuple[Any, ResponseInfo] = done.value
                return result
            if isinstance(step, Pause):
                time.sleep(step.seconds)
                outcome = None
            else:
                outcome = self._send(step)

    def _send(self, step: Send) -> Outcome:
        ends = time.monotonic() + step.timeout
        try:
            with self.http.stream(
                step.method,
                step.url,
                headers=step.headers,
                content=step.content,
                timeout=step.timeout,
                # Following a redirect would send the key to its target.
                follow_redirects=False,
            ) as response:
                body = b""
                for chunk in response.iter_bytes():
                    body += chunk
                    if time.monotonic() > ends:
                        return httpx.ReadTimeout("the body took too long")
                return Received(response.status_code, response.headers, body)
        except httpx.HTTPError as error:
            return error

    def call(self, operation: str, ids: Sequence[str], value: Any, options: CallOptions) -> Any:
        envelope, _ = self._run(operation, ids, value, options)
        return envelope["data"]

    def text(self, operation: str, ids: Sequence[str], value: Any, options: CallOptions) -> str:
        data: bytes = self.call(operation, ids, value, options)
        return data.decode("utf-8-sig")

    def page(self, operation: str, ids: Sequence[str], value: Any, options: CallOptions) -> Page[Any]:
        return _page(*self._run(operation, ids, value, options))

    def feed(self, operation: str, ids: Sequence[str], value: Any, options: CallOptions) -> FeedPage:
        envelope, _ = self._run(operation, ids, value, options)
        return FeedPage(envelope["data"], envelope["meta"])

    def iterate_page(
        self, operation: str, ids: Sequence[str], value: Any, options: CallOptions
    ) -> Iterator[Any]:
        query: dict[str, Any] | None = {"limit": LIMIT, "page": 1, **(value or {})}
        page: Page[Any] | None = None
        while query is not None:
            page = _checked(operation, query, self._run(operation, ids, query, options), page)
            yield from page.data
            query = _next_query(query, page)

    def iterate_feed(
        self, operation: str, ids: Sequence[str], value: Any, options: CallOptions
    ) -> Iterator[Any]:
        query: dict[str, Any] = {"limit": LIMIT, **(value or {})}
        while True:
            page = _checked_feed(operation, query, self._run(operation, ids, query, options))
            yield from page.data
            if not page.meta["hasMore"]:
                return
            query["after"] = page.meta["nextCursor"]

    def follow(
        self,
        operation: str,
        value: Any,
        options: CallOptions,
        poll_seconds: float,
        on_cursor: Callable[[str], None] | None,
    ) -> Iterator[Any]:
        query: dict[str, Any] = {"limit": LIMIT, **(value or {})}
        while True:
            page = _checked_feed(operation, query, self._run(operation, [], query, patient(options)))
            yield from page.data
            # The last event of the page was processed: the loop has asked for another one.
            cursor = page.meta["nextCursor"]
            if on_cursor is not None and cursor != query.get("after"):
                on_cursor(cursor)
            query["after"] = cursor
            if not page.meta["hasMore"]:
                time.sleep(poll_seconds)


class AsyncTransport:
    def __init__(self, settings: Settings, http: httpx.AsyncClient) -> None:
        self.settings = settings
        self.http = http

    async def _run(
        self, operation: str, ids: Sequence[str], value: Any, options: CallOptions
    ) -> tuple[Any, ResponseInfo]:
        steps: Steps = call_steps(self.settings, operation, ids, value, options)
        outcome: Outcome = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as done:
                result: tuple[Any, ResponseInfo] = done.value
                return result
            if isinstance(step, Pause):
                await asyncio.sleep(step.seconds)
                outcome = None
            else:
                outcome = await self._send(step)

    async def _send(self, step: Send) -> Outcome:
        try:
            return await asyncio.wait_for(self._exchange(step), step.timeout)
        except httpx.HTTPError as error:
            return error
        except asyncio.TimeoutError:
            return httpx.ReadTimeout("the answer took too long")

    async def _exchange(self, step: Send) -> Received:
        response = await self.http.request(
            step.method,
            step.url,
            headers=step.headers,
            content=step.content,
            timeout=step.timeout,
            follow_redirects=False,
        )
        return Received(response.status_code, response.headers, response.content)

    async def call(self, operation: str, ids: Sequence[str], value: Any, options: CallOptions) -> Any:
        envelope, _ = await self._run(operation, ids, value, options)
        return envelope["data"]

    async def text(self, operation: str, ids: Sequence[str], value: Any, options: CallOptions) -> str:
        data: bytes = await self.call(operation, ids, value, options)
        return data.decode("utf-8-sig")

    async def page(self, operation: str, ids: Sequence[str], value: Any, options: CallOptions) -> Page[Any]:
        return _page(*await self._run(operation, ids, value, options))

    async def feed(self, operation: str, ids: Sequence[str], value: Any, options: CallOptions) -> FeedPage:
        envelope, _ = await self._run(operation, ids, value, options)
        return FeedPage(envelope["data"], envelope["meta"])

    async def iterate_page(
        self, operation: str, ids: Sequence[str], value: Any, options: CallOptions
    ) -> AsyncIterator[Any]:
        query: dict[str, Any] | None = {"limit": LIMIT, "page": 1, **(value or {})}
        page: Page[Any] | None = None
        while query is not None:
            page = _checked(operation, query, await self._run(operation, ids, query, options), page)
            for item in page.data:
                yield item
            query = _next_query(query, page)

    async def iterate_feed(
        self, operation: str, ids: Sequence[str], value: Any, options: CallOptions
    ) -> AsyncIterator[Any]:
        query: dict[str, Any] = {"limit": LIMIT, **(value or {})}
        while True:
            page = _checked_feed(operation, query, await self._run(operation, ids, query, options))
            for item in page.data:
                yield item
            if not page.meta["hasMore"]:
                return
            query["after"] = page.meta["nextCursor"]

    async def follow(
        self,
        operation: str,
        value: Any,
        options: CallOptions,
        poll_seconds: float,
        on_cursor: Callable[[str], Awaitable[None] | None] | None,
    ) -> AsyncIterator[Any]:
        query: dict[str, Any] = {"limit": LIMIT, **(value or {})}
        while True:
            page = _checked_feed(operation, query, await self._run(operation, [], query, patient(options)))
            for item in page.data:
                yield item
            cursor = page.meta["nextCursor"]
            if on_cursor is not None and cursor != query.get("after"):
                told = on_cursor(cursor)
                if told is not None:
                    await told
            query["after"] = cursor
            if not page.meta["hasMore"]:
                await asyncio.sleep(poll_seconds)


class Resource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport


class AsyncResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport


def _settings(
    api_key: str,
    base_url: str,
    timeout: float,
    retries: int,
    headers: Mapping[str, str] | None,
    on_attempt: Callable[[Attempt], None] | None,
    rate_limit_wait: float,
) -> Settings:
    agent = f"partner-booking-sdk-python/{VERSION}"
    return Settings(api_key, base_url, timeout, retries, headers or {}, agent, on_attempt, rate_limit_wait)


class BaseClient:
    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout: float = 30.0,
        retries: int = 3,
        headers: Mapping[str, str] | None = None,
        http: httpx.Client | None = None,
        on_attempt: Callable[[Attempt], None] | None = None,
        rate_limit_wait: float = RATE_PAUSE,
    ) -> None:
        settings = _settings(api_key, base_url, timeout, retries, headers, on_attempt, rate_limit_wait)
        self._transport = Transport(settings, http or httpx.Client())
        self._owns_http = http is None
        self._add_resources()

    def _add_resources(self) -> None:
        raise NotImplementedError

    @property
    def last_response(self) -> ResponseInfo | None:
        """The response that arrived last. With concurrent calls it is any of theirs: `on_response` of a call gets its own.
        """
        return self._transport.settings.last_response

    def close(self) -> None:
        if self._owns_http:
            self._transport.http.close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncBaseClient:
    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout: float = 30.0,
        retries: int = 3,
        headers: Mapping[str, str] | None = None,
        http: httpx.AsyncClient | None = None,
        on_attempt: Callable[[Attempt], None] | None = None,
        rate_limit_wait: float = RATE_PAUSE,
    ) -> None:
        settings = _settings(api_key, base_url, timeout, retries, headers, on_attempt, rate_limit_wait)
        self._transport = AsyncTransport(settings, http or httpx.AsyncClient())
        self._owns_http = http is None
        self._add_resources()

    def _add_resources(self) -> None:
        raise NotImplementedError

    @property
    def last_response(self) -> ResponseInfo | None:
        """The response that arrived last. With concurrent calls it is any of theirs: `on_response` of a call gets its own.
        """
        return self._transport.settings.last_response

    async def aclose(self) -> None:
        if self._owns_http:
            await self._transport.http.aclose()

    async def __aenter__(self: AsyncSelf) -> AsyncSelf:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
