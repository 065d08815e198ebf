from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import httpx
import pytest

import partner_booking
from partner_booking import (
    AsyncClient,
    Attempt,
    Client,
    ConnectionFailed,
    PartnerBookingError,
    RateLimit,
    ResponseInfo,
    TimedOut,
    UnexpectedAnswer,
    sign_webhook,
)
from partner_booking.contract import (
    ROUTES,
    CreateBookingRequest,
    CreateHoldRequest,
    CreateSeriesRequest,
    FindNextTimeslotsQuery,
)
from partner_booking.core import Received, info_of, pause_after, retry_after_of

from .conftest import Answer, Fault, Proxy, Service

UNKNOWN = "5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10"


def refusal(status: int, code: str, headers: dict[str, str] | None = None, **details: Any) -> Answer:
    error = {"code": code, "message": "Not now", "details": details, "requestId": "r"}
    return Answer(status, json.dumps({"success": False, "error": error}), headers or {})


def bookings_with(client: Client, wanted: CreateBookingRequest) -> int:
    return client.bookings.list({"externalReference": wanted["externalReference"]}).meta["total"]


def test_a_booking_from_beginning_to_end(client: Client, wanted: CreateBookingRequest) -> None:
    made = client.bookings.create(wanted)
    assert (made["status"], made["paymentStatus"]) == ("in progress", "PENDING")
    assert client.bookings.get(made["bookingId"]) == made
    assert client.bookings.confirm_payment(made["bookingId"])["paymentStatus"] == "PAID"
    changed = client.bookings.update(made["bookingId"], {"notes": "The bell is broken"})
    assert changed["bookingId"] == made["bookingId"]
    reason = client.bookings.list_cancellation_reasons()[0]
    canceled = client.bookings.cancel(made["bookingId"], {"reasonId": reason["id"]})
    assert canceled["status"] == "canceled"
    assert client.contacts.get(wanted["contactId"])["phone"] == "+966501234567"
    assert client.services.get(wanted["serviceId"])["isActive"]
    price = client.pricing.calculate({"items": [{"serviceId": wanted["serviceId"]}]})
    assert price["currency"] == "SAR"
    assert isinstance(client.pricing.list_tiers(), list)
    rows = client.bookings.export({"month": made["date"][:7]}).splitlines()
    assert rows[0].startswith("bookingId,") and any(row.startswith(made["bookingId"]) for row in rows[1:])
    file = client.bookings.export_bytes({"month": made["date"][:7]})
    assert file[:3] == b"\xef\xbb\xbf" and file[3:].decode().splitlines() == rows
    with pytest.raises(PartnerBookingError, match="VALIDATION_ERROR"):
        client.bookings.export({"month": "May"})
    told = [e["event"] for e in client.events.iterate({"limit": 2}) if e["bookingId"] == made["bookingId"]]
    assert told[0] == "booking.created" and "booking.cancelled" in told
    assert made["bookingId"] in [booking["bookingId"] for booking in client.bookings.iterate({"limit": 1})]
    assert client.webhooks.subscriptions.list() == []
    assert client.webhooks.deliveries.list().data == []


def test_every_operation_has_its_method_in_both_clients(service: Service) -> None:
    for client in (
        Client(api_key="k", base_url=service.base_url),
        AsyncClient(api_key="k", base_url=service.base_url),
    ):
        for name in ROUTES:
            one: Any = client
            for part in name.split("."):
                one = getattr(one, re.sub(r"([A-Z])", r"_\1", part).lower())
            assert callable(one), name


def page_of(data: list[Any], **meta: Any) -> Answer:
    return Answer(200, json.dumps({"success": True, "data": data, "meta": meta}), {})


LYING_LISTS = [
    ("empty", [page_of([1], totalPages=9), page_of([], totalPages=9)], 2),
    ("repeats", [page_of([1], totalPages=9), page_of([2], totalPages=9), page_of([2], totalPages=9)], 3),
]
# The cursor moves once, and then not any more.
LYING_FEED = [page_of([1], hasMore=True, nextCursor="a"), page_of([2], hasMore=True, nextCursor="a")]


@pytest.mark.parametrize(("what", "pages", "calls"), LYING_LISTS)
def test_a_list_that_never_ends_is_an_error(
    client: Client, proxy: Proxy, what: str, pages: list[Fault], calls: int
) -> None:
    proxy.faults = [*pages]
    with pytest.raises(UnexpectedAnswer, match=f"bookings.list .*page {calls} .*{what}"):
        list(client.bookings.iterate())
    assert len(proxy.calls) == calls
    proxy.faults = [page_of([1], totalPages=2), page_of([1], totalPages=2)]
    assert len(list(client.bookings.iterate())) == 2, "the last page may repeat"


def test_a_cursor_that_does_not_move_is_an_error(client: Client, proxy: Proxy) -> None:
    followers: list[Callable[[], Iterator[Any]]] = [client.events.iterate, client.events.follow]
    for follow in followers:
        proxy.calls.clear()
        proxy.faults = [*LYING_FEED]
        with pytest.raises(UnexpectedAnswer, match="events.list .*cursor did not move"):
            list(follow())
        assert len(proxy.calls) == 2


def test_lists_that_never_end_are_errors_of_the_async_client_too(service: Service, proxy: Proxy) -> None:
    async def go() -> None:
        async with AsyncClient(api_key=service.key, base_url=proxy.base_url) as client:
            assert (await client.bookings.export_bytes({"month": "2026-12"}))[:3] == b"\xef\xbb\xbf"
            assert (await client.bookings.export({"month": "2026-12"}))[:10] == "bookingId,"
            lists: list[tuple[Callable[[], AsyncIterator[Any]], list[Answer]]] = [
                (client.bookings.iterate, LYING_LISTS[0][1]),
                (client.events.iterate, LYING_FEED),
                (client.events.follow, LYING_FEED),
            ]
            for items, pages in lists:
                proxy.faults = [*pages]
                with pytest.raises(UnexpectedAnswer):
                    async for _ in items():
                        pass

    asyncio.run(go())


def test_the_response_of_each_call(client: Client, proxy: Proxy) -> None:
    assert client.last_response is None
    seen: list[ResponseInfo] = []
    client.pricing.list_tiers(request_id="mine", on_response=seen.append)
    assert seen[0].rate_limit is None, "this account has no limit"
    limited = {"ratelimit-limit": "60", "ratelimit-remaining": "59", "ratelimit-reset": "1"}
    proxy.faults = [Answer(200, '{"success":true,"data":[]}', {**limited, "x-request-id": "mine"})]
    seen.clear()
    client.pricing.list_tiers(request_id="mine", on_response=seen.append)
    assert [(one.status, one.request_id) for one in seen] == [(200, "mine")]
    assert seen[0].rate_limit == RateLimit(limit=60, remaining=59, reset_seconds=1)
    assert client.last_response == seen[0]
    assert proxy.calls[0][1]["user-agent"] == f"partner-booking-sdk-python/{partner_booking.__version__}"


def test_why_services_and_timeslots_are_empty(client: Client, wanted: CreateBookingRequest) -> None:
    seen: list[ResponseInfo] = []
    address_id = client.contacts.find_or_create(
        {"name": "Noura", "phone": "+966501234568", "latitude": "0", "longitude": "0"}
    )["addressId"]
    assert address_id is not None
    service_id = wanted["serviceId"]
    client.services.list({"addressId": address_id}, on_response=seen.append)
    client.timeslots.next({"addressId": address_id, "serviceId": service_id}, on_response=seen.append)
    assert [one.reason for one in seen] == ["PLACE_NOT_COVERED", "PLACE_NOT_COVERED"]
    found = client.timeslots.next(
        {"addressId": wanted["addressId"], "serviceId": service_id}, on_response=seen.append
    )
    assert (len(found["slots"]), seen[-1].reason) == (1, None)
    place: FindNextTimeslotsQuery = {"addressId": wanted["addressId"], "serviceId": service_id}
    etag = seen[-1].headers["etag"]
    assert client.timeslots.next(place, if_none_match=etag, on_response=seen.append) is None
    assert seen[-1].status == 304
    assert client.timeslots.next(place, if_none_match='"other"') == found
    coverage = client.coverage.get({"latitude": "24.7136", "longitude": "46.6753"})
    assert coverage["covered"] and any(one["id"] == service_id for one in coverage["services"])


def test_refusals(client: Client, proxy: Proxy) -> None:
    with pytest.raises(PartnerBookingError) as missing:
        client.bookings.get(UNKNOWN, request_id="mine")
    assert (missing.value.code, missing.value.status, missing.value.request_id) == (
        "RESOURCE_NOT_FOUND",
        404,
        "mine",
    )
    assert re.match(r"bookings\.get was refused with 404 RESOURCE_NOT_FOUND: .+ \(request mine\)$", str(missing.value))
    with pytest.raises(PartnerBookingError, match="contactId must be a UUID"):
        client.contacts.get("nobody")
    with pytest.raises(PartnerBookingError, match="UNAUTHORIZED"):
        client.bookings.list(api_key="pbs_test_nobody")
    assert client.last_response is not None and client.last_response.status == 401
    with pytest.raises(PartnerBookingError, match="VALIDATION_ERROR"):
        client.contacts.get("../bookings?x=#")
    assert proxy.calls[-1][0] == "GET /v1/partners/contacts/..%2Fbookings%3Fx%3D%23"
    before = len(proxy.calls)
    for wrong in ("", ".", ".."):
        with pytest.raises(ValueError, match="contactId must be an id"):
            client.contacts.get(wrong)
    assert len(proxy.calls) == before


@pytest.mark.parametrize("fault", ["down", "lost", "half", refusal(500, "INTERNAL_ERROR"), Answer(503, "<html>")])
def test_a_booking_with_a_reference_is_made_once(
    client: Client, proxy: Proxy, wanted: CreateBookingRequest, fault: Fault
) -> None:
    proxy.faults = [fault]
    made = client.bookings.create(wanted)
    assert made["externalReference"] == wanted["externalReference"]
    assert bookings_with(client, wanted) == 1
    creations = [headers["x-request-id"] for name, headers in proxy.calls if name.startswith("POST")]
    assert len(creations) == 2 and len(set(creations)) == 1


@pytest.mark.parametrize("fault", ["down", "lost", refusal(500, "INTERNAL_ERROR")])
def test_without_a_reference_a_booking_is_not_sent_again(
    client: Client, proxy: Proxy, wanted: CreateBookingRequest, fault: Fault
) -> None:
    del wanted["externalReference"]
    proxy.faults = [fault]
    with pytest.raises((ConnectionFailed, PartnerBookingError)):
        client.bookings.create(wanted)
    assert len(proxy.calls) == 1


@pytest.mark.parametrize("fault", ["down", "lost", "half"])
def test_a_series_with_a_reference_is_made_once_until_it_is_ended(
    client: Client, proxy: Proxy, wanted: CreateBookingRequest, fault: Fault
) -> None:
    weekly: CreateSeriesRequest = {
        "contactId": wanted["contactId"], "addressId": wanted["addressId"], "serviceId": wanted["serviceId"],
        "firstDate": "2030-01-06", "startAt": "09:00", "externalReference": f"{wanted['externalReference']}-W",
    }
    preview = weekly.copy()
    preview["preview"] = True
    assert client.series.create(preview)["seriesId"] is None
    proxy.faults = [fault]
    made = client.series.create(weekly)
    assert made["externalReference"] == weekly["externalReference"] and made["seriesId"] is not None
    assert client.series.create(weekly) == made
    proxy.faults = [None, refusal(403, "FORBIDDEN")]
    with pytest.raises(PartnerBookingError, match="DUPLICATE_EXTERNAL_REFERENCE"):
        client.series.create(weekly)
    client.series.end(made["seriesId"], {"fromIndex": 1})
    with pytest.raises(PartnerBookingError, match="DUPLICATE_EXTERNAL_REFERENCE"):
        client.series.create(weekly)


def test_another_bookings_reference_stays_refused(
    client: Client, proxy: Proxy, wanted: CreateBookingRequest
) -> None:
    made = client.bookings.create(wanted)
    # The same body is the same order, also in a later call and after a restart.
    assert client.bookings.create(wanted)["bookingId"] == made["bookingId"]
    proxy.faults = ["down"]
    other = wanted.copy()
    other["timeslot"] = {"startAt": "03:00", "endAt": "05:00"}
    with pytest.raises(PartnerBookingError, match="DUPLICATE_EXTERNAL_REFERENCE"):
        client.bookings.create(other)
    client.bookings.cancel(made["bookingId"], {"reasonId": client.bookings.list_cancellation_reasons()[0]["id"]})
    proxy.faults = ["down"]
    with pytest.raises(PartnerBookingError, match="DUPLICATE_EXTERNAL_REFERENCE"):
        client.bookings.create(wanted)


def test_a_key_that_may_not_read_bookings_gets_the_refusal_that_names_the_booking(
    client: Client, proxy: Proxy, wanted: CreateBookingRequest
) -> None:
    made = client.bookings.create(wanted)["bookingId"]
    forbidden = refusal(403, "FORBIDDEN")
    proxy.faults = [None, forbidden]
    with pytest.raises(PartnerBookingError) as refused:
        client.bookings.create(wanted)
    assert refused.value.code == "DUPLICATE_EXTERNAL_REFERENCE"
    assert (refused.value.details["bookingId"], refused.value.details["sameRequest"]) == (made, True)
    proxy.faults = ["lost", None, forbidden]
    with pytest.raises(PartnerBookingError, match="PAYMENT_ALREADY_CONFIRMED"):
        client.bookings.confirm_payment(made)
    reason = client.bookings.list_cancellation_reasons()[0]["id"]
    proxy.faults = ["lost", None, forbidden]
    with pytest.raises(PartnerBookingError, match="BOOKING_ALREADY_CANCELLED"):
        client.bookings.cancel(made, {"reasonId": reason})


@pytest.mark.parametrize("fault", ["down", "lost", "half"])
def test_a_lost_answer_to_a_booking_with_a_hold_ends_with_the_booking(
    client: Client, proxy: Proxy, wanted: CreateBookingRequest, fault: Fault
) -> None:
    slot: CreateHoldRequest = {
        "addressId": wanted["addressId"], "serviceId": wanted["serviceId"],
        "date": wanted["date"], "timeslot": wanted["timeslot"],
    }
    hold = client.holds.create(slot)
    proxy.faults = [fault]
    assert client.holds.create(slot)["holdId"] == hold["holdId"]
    wanted["holdId"] = hold["holdId"]
    proxy.faults = [fault]
    made = client.bookings.create(wanted)
    assert made["holdId"] == hold["holdId"]
    assert client.bookings.create(wanted)["bookingId"] == made["bookingId"]
    other = wanted.copy()
    other["externalReference"] = f"{wanted['externalReference']}-B"
    with pytest.raises(PartnerBookingError, match="HOLD_CONSUMED"):
        client.bookings.create(other)


def test_what_was_done_already_is_done(client: Client, proxy: Proxy, wanted: CreateBookingRequest) -> None:
    booking_id = client.bookings.create(wanted)["bookingId"]
    proxy.faults = ["lost"]
    assert client.bookings.confirm_payment(booking_id)["paymentStatus"] == "PAID"
    with pytest.raises(PartnerBookingError, match="PAYMENT_ALREADY_CONFIRMED"):
        client.bookings.confirm_payment(booking_id)
    reason = client.bookings.list_cancellation_reasons()[0]["id"]
    proxy.faults = ["lost"]
    assert client.bookings.cancel(booking_id, {"reasonId": reason})["status"] == "canceled"
    proxy.faults = ["down", refusal(404, "RESOURCE_NOT_FOUND")]
    assert client.webhooks.subscriptions.remove(UNKNOWN) == {"id": UNKNOWN, "removed": True}


def test_what_is_not_repeated(client: Client, proxy: Proxy, attempts: list[Attempt]) -> None:
    for fault, error in (
        (refusal(409, "A_CODE_OF_THE_FUTURE"), PartnerBookingError),
        (Answer(200, "<html>log in</html>"), UnexpectedAnswer),
        (Answer(307, "", {"location": "/elsewhere"}), UnexpectedAnswer),
        (Answer(404, ""), UnexpectedAnswer),
    ):
        proxy.faults = [fault]
        before = len(proxy.calls)
        with pytest.raises(error):
            client.bookings.list()
        assert len(proxy.calls) == before + 1
    attempts.clear()
    proxy.faults = ["down"] * 4
    with pytest.raises(ConnectionFailed, match=r"bookings\.list lost its connection: .+ \(request mine\)") as lost:
        client.bookings.list(request_id="mine")
    assert isinstance(lost.value.__cause__, httpx.HTTPError)
    assert [attempt.retry_in is None for attempt in attempts] == [False, False, False, True]
    proxy.faults = [refusal(429, "RATE_LIMIT_EXCEEDED", {"retry-after": "0"})]
    with pytest.raises(PartnerBookingError, match="VALIDATION_ERROR"):
        client.webhooks.subscriptions.create({"url": "x", "events": []})
    assert [attempt.status for attempt in attempts[-2:]] == [429, 400], "refused before anything was done"
    proxy.faults = [refusal(429, "RATE_LIMIT_EXCEEDED", {"retry-after": "6"})]
    with pytest.raises(PartnerBookingError, match=r"not repeated: it asks for 6 s, and rate_limit_wait allows 5 s"):
        client.bookings.list()
    proxy.faults = [refusal(429, "RATE_LIMIT_EXCEEDED", {"retry-after": "1"})]
    with pytest.raises(PartnerBookingError, match=r"not repeated: it asks for 1 s, and rate_limit_wait allows 0\.5 s"):
        client.bookings.list(rate_limit_wait=0.5)
    with pytest.raises(ValueError, match="rate_limit_wait"):
        client.bookings.list(rate_limit_wait=-1)


def test_a_call_waits_longer_than_its_client(service: Service, proxy: Proxy) -> None:
    with Client(api_key=service.key, base_url=proxy.base_url, rate_limit_wait=0) as hasty:
        proxy.faults = [refusal(429, "RATE_LIMIT_EXCEEDED", {"retry-after": "1"})]
        assert hasty.pricing.list_tiers(rate_limit_wait=1)
    assert len(proxy.calls) == 2


def test_settings_that_cannot_work(service: Service) -> None:
    good: dict[str, Any] = {"api_key": "k", "base_url": service.base_url}
    cases: list[dict[str, Any]] = [
        {"api_key": ""},
        {"api_key": "two\nlines"},
        {"base_url": "booking.example"},
        {"base_url": "ftp://booking.example/v1"},
        {"base_url": "https://booking.example/v1?x=1"},
        {"base_url": "https://somebody:secret@booking.example/v1"},
        {"timeout": 0},
        {"retries": -1},
        {"retries": 0.5},
        {"rate_limit_wait": -1},
        {"headers": {"x-partner-domain": "shop.example\r\nx-other: 1"}},
    ]
    for wrong in cases:
        for kind in (Client, AsyncClient):
            with pytest.raises(ValueError):
                kind(**{**good, **wrong})


def test_what_cannot_be_sent_is_not_tried(client: Client, proxy: Proxy, attempts: list[Attempt]) -> None:
    client.pricing.list_tiers(headers={"x-partner-domain": "shop.example", "x-note": "two words", "x-none": ""})
    attempts.clear()
    before = len(proxy.calls)
    wrong: list[dict[str, Any]] = [
        {"request_id": "two\nlines"},
        {"request_id": "\u0637\u0644\u0628"},
        {"headers": {"x-partner-domain": "shop.example\r\nx-other: 1"}},
        {"headers": {"x-partner-domain": " shop.example"}},
        {"headers": {"x partner": "shop.example"}},
    ]
    for options in wrong:
        with pytest.raises(ValueError, match="header"):
            client.pricing.list_tiers(**options)
    assert (len(proxy.calls), attempts) == (before, [])


def test_the_async_client(service: Service, proxy: Proxy, wanted: CreateBookingRequest) -> None:
    async def work() -> None:
        async with AsyncClient(api_key=service.key, base_url=proxy.base_url) as client:
            proxy.faults = ["lost"]
            made = await client.bookings.create(wanted)
            page = await client.bookings.list({"externalReference": wanted["externalReference"]})
            assert [booking["bookingId"] for booking in page.data] == [made["bookingId"]]
            # Concurrent calls: each has its own response.
            seen: dict[str, ResponseInfo] = {}

            async def tiers(request_id: str) -> None:
                await client.pricing.list_tiers(
                    request_id=request_id, on_response=lambda one: seen.update({request_id: one})
                )

            await asyncio.gather(*(tiers(name) for name in "abcde"))
            assert {name: one.request_id for name, one in seen.items()} == {name: name for name in "abcde"}
            assert len([booking async for booking in client.bookings.iterate({"limit": 1})]) >= 1

            cursors: list[str] = []
            events: list[str] = []
            async for event in client.events.follow({"limit": 1}, poll_seconds=0.01, on_cursor=cursors.append):
                events.append(event["id"])
                if event["bookingId"] == made["bookingId"]:
                    break
            assert len(cursors) == len(events) - 1 == len(set(cursors))

            # A response that never comes times out, and is as unclear as any other.
            async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                await reader.read()
                writer.close()

            server = await asyncio.start_server(silent, "127.0.0.1", 0)
            port = server.sockets[0].getsockname()[1]
            stalled = AsyncClient(api_key="k", base_url=f"http://127.0.0.1:{port}/v1", retries=0, timeout=0.2)
            with pytest.raises(TimedOut, match=r"bookings\.list got no complete answer within 0\.2 s"):
                await stalled.bookings.list()
            await stalled.aclose()
            server.close()

    asyncio.run(work())


def test_the_pauses() -> None:
    def refused(code: str, status: int, reason: str | None = None) -> PartnerBookingError:
        details = {} if reason is None else {"reason": reason}
        info = info_of(Received(status, httpx.Headers(), b""), "r", None)
        return PartnerBookingError("bookings.create", {"code": code, "details": details}, info)

    internal = refused("INTERNAL_ERROR", 500)
    longest = [pause_after(internal, None, True, attempts, 0, 99, 1.0, 60.0) for attempts in range(1, 8)]
    assert longest == [0.5, 1, 2, 4, 8, 10, 10]
    assert pause_after(internal, None, True, 4, 0, 3, 1.0, 60.0) is None
    assert pause_after(internal, None, False, 1, 0, 3, 1.0, 60.0) is None
    limited = refused("RATE_LIMIT_EXCEEDED", 429)
    assert pause_after(limited, 7.0, False, 1, 0, 3, 0.0, 60.0) == 7
    assert pause_after(limited, 7.0, False, 1, 0, 3, 1.0, 60.0) == 7.5
    assert pause_after(limited, None, False, 1, 0, 3, 0.0, 60.0) == 60
    assert pause_after(limited, 60.5, False, 1, 0, 3, 0.0, 60.0) is None
    for reason in (None, "SLOT_UNAVAILABLE", "A_REASON_OF_THE_FUTURE"):
        failed = refused("BOOKING_CREATION_FAILED", 422, reason)
        assert pause_after(failed, None, False, 1, 1, 3, 1.0, 60.0) == 0.5
        assert pause_after(failed, None, False, 2, 2, 3, 1.0, 60.0) is None
    lasting = (
        "SLOT_NOT_OFFERED",
        "SLOT_IN_PAST",
        "SLOT_INSIDE_NOTICE",
        "SLOT_BEYOND_HORIZON",
        "PAYMENT_UNAVAILABLE",
    )
    for reason in lasting:
        assert pause_after(refused("BOOKING_CREATION_FAILED", 422, reason), None, True, 1, 1, 3, 1.0, 60.0) is None
    now = datetime(2026, 11, 22, 5, tzinfo=timezone.utc)
    later = (now + timedelta(seconds=10)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    assert [retry_after_of(value, now) for value in (None, "12", "0", "soon", "-1", later, "nonsense GMT")] == [
        None, 12, 0, None, None, 10, None,
    ]  # fmt: skip


def test_the_version_is_that_of_the_package() -> None:
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text()
    assert f'version = "{partner_booking.__version__}"' in text


def test_the_examples_of_the_readme(
    service: Service, wanted: CreateBookingRequest, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text()
    monkeypatch.setenv("BOOKING_KEY", service.key)
    names: dict[str, Any] = {}
    examples = re.findall(r"```python\n(.*?)```", readme, re.S)
    assert len(examples) == 6
    for example in examples:
        text = example.replace("https://booking.example/v1", service.base_url).replace("pbs_...", service.key)
        exec(text.replace("2026-12-01", wanted["date"]), names)
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].endswith("in progress") and len(printed) >= 2

    weekly = {name: wanted[name] for name in ("contactId", "addressId", "serviceId")}  # type: ignore[literal-required]
    names["book_weekly"](names["client"], {**weekly, "firstDate": "2030-01-06", "startAt": "09:00"})
    assert "PLANNED" in capsys.readouterr().out

    cursors: list[str] = []

    def save(cursor: str) -> None:
        cursors.append(cursor)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        names["follow"](names["client"], None, save)
    assert len(cursors) == 1
    kept: list[str] = []
    names["catch_up"](names["client"], None, kept.append)
    assert capsys.readouterr().out.count("booking.created") >= 1 and len(kept) == len(set(kept)) >= 1
    event: Any = {"event": "booking.payment_failed", "deliveryId": "d", "payload": {"bookingId": "b", "reason": "r"}}
    secret = "whsec_" + "MDEy" * 10 + "MDE"
    signed = sign_webhook(secret=secret, event=event)
    assert names["receive"](secret, signed.headers, signed.body) == 204
    assert names["receive"](secret + "x", signed.headers, signed.body) == 400
