# Printed from openapi/partner.json by `npm run generate`; do not edit.
"""The methods of both clients."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import List, cast, overload

from . import contract as c
from .core import CallOptions, FeedPage, Page, ResponseInfo
from .transport import AsyncBaseClient, AsyncResource, AsyncTransport, BaseClient, Resource, Transport


class Bookings(Resource):
    def cancel(
        self,
        booking_id: str,
        body: c.CancelBookingRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Booking:
        """Cancel a booking.

        A booking in any status but `canceled` can be cancelled; its appointment is cancelled too, and its timeslot becomes free. Under PLATFORM a payment is refunded where applicable, but for the fees of the policy that the booking was made under; under PARTNER you make refunds yourself.

        Needs the permission `partner_bookings_cancel`.
        """
        return cast("c.Booking", self._transport.call("bookings.cancel", [booking_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def confirm_payment(
        self,
        booking_id: str,
        body: c.ConfirmPaymentRequest | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Booking:
        """Confirm that the customer has paid the partner.

        Only for accounts that collect payment themselves (PARTNER). The payment status becomes PAID, the status stays. A repeated call is refused with PAYMENT_ALREADY_CONFIRMED, which you can treat as success. The body is optional.

        Needs the permission `partner_bookings_confirm_payment`.
        """
        return cast("c.Booking", self._transport.call("bookings.confirmPayment", [booking_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def create(
        self,
        body: c.CreateBookingRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Booking:
        """Create a booking.

        Reserves the timeslot and assigns a team atomically. The price is locked. Under PLATFORM with a price above zero the customer gets a payment link, and the status shows the outcome. `appointment` may be null at first: poll the status. An `externalReference` already in use is refused with 409, so a repeated request never books twice.

        Needs the permission `partner_bookings_create`.
        """
        return cast("c.Booking", self._transport.call("bookings.create", [], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def export(
        self,
        query: c.ExportBookingsQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> str:
        """Export the bookings of a month as CSV.

        A list, computed anew each time: what is owed is on the statement of the month. All bookings with a service date in the month, canceled and failed ones too, by date and creation. Amounts are SAR with two decimals: `price` is what was booked, `paidByLink` what came by the payment link, `refundAmount` what goes back of that by `refundStatus`; `cancellationFee` and `rescheduleFees` are the fees of its changes, empty without any. `feeToDecide`: the operator still decides on the fee; `workReached`: how far the work of a canceled booking had come. What changes while the file is read may be left out or come twice.

        Needs the permission `partner_bookings_read`.
        """
        return self._transport.text("bookings.export", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait))

    def export_bytes(
        self,
        query: c.ExportBookingsQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> bytes:
        """The same for a file, with the byte order mark that Excel needs for Arabic."""
        return cast("bytes", self._transport.call("bookings.export", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def get(
        self,
        booking_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Booking:
        """Read a booking.

        The booking as it is now, payment and appointment included.

        Needs the permission `partner_bookings_read`.
        """
        return cast("c.Booking", self._transport.call("bookings.get", [booking_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def list(
        self,
        query: c.ListBookingsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Page[c.Booking]:
        """List bookings.

        Your own bookings, newest creation first unless sorted otherwise. `fromDate` alone means from that date on; `toDate` alone is ignored. Disregard bookings that are `failed`.

        Needs the permission `partner_bookings_read`.
        """
        return cast("Page[c.Booking]", self._transport.page("bookings.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def iterate(
        self,
        query: c.ListBookingsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Iterator[c.Booking]:
        """Every item of `list` from there on, through all pages; 100 on a page unless the query sets a limit."""
        return cast("Iterator[c.Booking]", self._transport.iterate_page("bookings.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def list_cancellation_reasons(
        self,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> List[c.CancellationReason]:
        """List cancellation reasons.

        The active, customer-facing reasons.

        Needs the permission `partner_bookings_cancel`.
        """
        return cast("List[c.CancellationReason]", self._transport.call("bookings.listCancellationReasons", [], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def quote(
        self,
        booking_id: str,
        query: c.GetBookingQuoteQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Quote:
        """Ask what a change of a booking costs now.

        By the policy that the booking was made under; without one changes are free. The fee of rescheduling does not depend on the new time; with `date`, or `startAt` and `endAt`, a time that is not offered is refused. Send the `fee` as `maxFee` with the change: if it is higher by then, nothing is changed. A change that is not possible is refused as the change itself would be.

        Needs the permission `partner_bookings_read`.
        """
        return cast("c.Quote", self._transport.call("bookings.quote", [booking_id], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def update(
        self,
        booking_id: str,
        body: c.UpdateBookingRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Booking:
        """Change a booking.

        Every field is optional; an empty body changes nothing. A date alone keeps the times, a timeslot alone the date. A new time follows the rules of creation, with the length that the booking was made with: when no team is free, the booking keeps its timeslot. At another start an appointment that was `Confirmed` is `Scheduled` again. `maxFee` is the fee of rescheduling that you agree to.

        Needs the permission `partner_bookings_update`.
        """
        return cast("c.Booking", self._transport.call("bookings.update", [booking_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class Contacts(Resource):
    def erase(
        self,
        contact_id: str,
        body: c.EraseContactRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.ErasedContact:
        """Erase what is stored about a contact.

        Name, phone, addresses, notes, instructions and access codes are removed for good. Ids, references, times, amounts and statuses of bookings and their events stay. Not while a booking is open: `details.bookings` names those. A later booking for the number makes a new contact. A repetition answers as the first request. Afterwards it is 404 `RESOURCE_NOT_FOUND`.

        Needs the permission `partner_contacts_erase`.
        """
        return cast("c.ErasedContact", self._transport.call("contacts.erase", [contact_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def export(
        self,
        contact_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.CustomerExport:
        """Copy what is stored about a contact.

        Contact, addresses, bookings with their texts, series, and messages: the copy that a customer may ask for. Instructions and access codes are not in it: only crews read them.

        Needs the permission `partner_contacts_read`.
        """
        return cast("c.CustomerExport", self._transport.call("contacts.export", [contact_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def find_or_create(
        self,
        body: c.FindOrCreateContactRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Contact:
        """Find or create a contact.

        Call it before booking. Contacts are identified by phone; an existing contact keeps its name. With any address field, the address is also matched or created, and `addressId` is set; booking needs an address with coordinates. At one point, another `buildingNumber`, `unit`, `shortAddress`, street, district or city than that of an address makes another address; empty texts are filled in.

        Needs the permission `partner_contacts_read`.
        """
        return cast("c.Contact", self._transport.call("contacts.findOrCreate", [], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def get(
        self,
        contact_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.ContactDetail:
        """Read a contact and its addresses.

        One of your contacts, with all its addresses.

        Needs the permission `partner_contacts_read`.
        """
        return cast("c.ContactDetail", self._transport.call("contacts.get", [contact_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def update(
        self,
        contact_id: str,
        body: c.UpdateContactRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.ContactDetail:
        """Correct name and language of a contact.

        The phone stays: it is what identifies the contact.

        Needs the permission `partner_contacts_read`.
        """
        return cast("c.ContactDetail", self._transport.call("contacts.update", [contact_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def update_address(
        self,
        address_id: str,
        body: c.UpdateAddressRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Address:
        """Correct an address.

        Texts, null removes one; bookings show what it is now. Coordinates, both together, only while nothing was booked there: for another place register another address.

        Needs the permission `partner_contacts_read`.
        """
        return cast("c.Address", self._transport.call("contacts.updateAddress", [address_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class Coverage(Resource):
    def get(
        self,
        query: c.GetCoverageQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Coverage:
        """Read what can be booked at a place.

        Needs no contact and no address, and creates none. The services are those that the list of services at an address there would have; `earliest` is the earliest free timeslot of any of them.

        Needs the permission `partner_services_read`.
        """
        return cast("c.Coverage", self._transport.call("coverage.get", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class Events(Resource):
    def list(
        self,
        query: c.ListEventsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> FeedPage:
        """Read the event feed.

        The events of your bookings, oldest first, without gaps, kept for 90 days. Store `nextCursor` and pass it as `after` to continue from there, even after an empty page. A cursor behind events that the service lost (a restore, a failover) is 400 for ever: begin from a time with `since`, and reconcile.

        Needs the permission `partner_bookings_read`.
        """
        return self._transport.feed("events.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait))

    def iterate(
        self,
        query: c.ListEventsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Iterator[c.FeedEvent]:
        """Every item of `list` from there on, through all pages; 100 on a page unless the query sets a limit."""
        return cast("Iterator[c.FeedEvent]", self._transport.iterate_feed("events.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def follow(
        self,
        query: c.ListEventsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
        poll_seconds: float = 5.0,
        on_cursor: Callable[[str], None] | None = None,
    ) -> Iterator[c.FeedEvent]:
        """Every item of `iterate`, and wait for more at the end.

        `on_cursor` is called with the cursor of a page when all of its events were processed. Store it, and pass it as
        `after` to continue there after a restart.
        """
        return cast(
            "Iterator[c.FeedEvent]",
            self._transport.follow("events.list", query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait), poll_seconds, on_cursor),
        )


class Holds(Resource):
    def create(
        self,
        body: c.CreateHoldRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Hold:
        """Hold a timeslot with its price.

        Nobody else can book the slot until `expiresAt`, and a booking with the `holdId` has this price, whatever the price list says by then. Sent again, it is the same hold with the later end, 30 minutes in all at most and never beyond its start; another slot for the same customer and service replaces it. The customer is the contact of the address. A hold is no booking: it sends no event. Before there is a customer, `latitude` and `longitude` take the place of `addressId`: such a hold replaces no other, is the same one only by its `reference`, and is taken by its `holdId`, for an address in the same zone. A fifth of the holds of an account may be such ones.

        Needs the permission `partner_bookings_create`.
        """
        return cast("c.Hold", self._transport.call("holds.create", [], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def extend(
        self,
        id: str,
        body: c.ExtendHoldRequest | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Hold:
        """Hold a timeslot longer, 30 minutes in all at most.

        By `seconds`, which are added to `expiresAt`, or `until` an instant, which can be repeated. Never beyond the start of the slot. The price stays.

        Needs the permission `partner_bookings_create`.
        """
        return cast("c.Hold", self._transport.call("holds.extend", [id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Hold:
        """Read a hold.

        Known as long as the booking that took it; without one, for 30 days after its end.

        Needs the permission `partner_bookings_create`.
        """
        return cast("c.Hold", self._transport.call("holds.get", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def list(
        self,
        query: c.ListOwnHoldsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Page[c.Hold]:
        """List the holds that keep a slot now, by start.

        Needs the permission `partner_bookings_read`.
        """
        return cast("Page[c.Hold]", self._transport.page("holds.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def iterate(
        self,
        query: c.ListOwnHoldsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Iterator[c.Hold]:
        """Every item of `list` from there on, through all pages; 100 on a page unless the query sets a limit."""
        return cast("Iterator[c.Hold]", self._transport.iterate_page("holds.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def release(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Removed:
        """Release a hold; one that is over stays so.

        Needs the permission `partner_bookings_create`.
        """
        return cast("c.Removed", self._transport.call("holds.release", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class Pricing(Resource):
    def calculate(
        self,
        body: c.CalculatePriceRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.CalculatedPrice:
        """Price services, or estimate other hours.

        Without `hours`, or with the service's own duration: `isBookable` true and your price of the service, which a booking locks. With other `hours`: `isBookable` false and an estimate, your price times the factor of the tier that holds the minutes, rounded half up to 2 decimals. Bookings last as long as their service and are never charged an estimate.

        Needs the permission `partner_pricing_read`.
        """
        return cast("c.CalculatedPrice", self._transport.call("pricing.calculate", [], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def list_tiers(
        self,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> List[c.PricingTier]:
        """List pricing tiers.

        Factors on the base price by length of service; they do not change the price of bookings.

        Needs the permission `partner_pricing_read`.
        """
        return cast("List[c.PricingTier]", self._transport.call("pricing.listTiers", [], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class SandboxBookings(Resource):
    def advance(
        self,
        booking_id: str,
        body: c.AdvanceSandboxBookingRequest | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.AdvancedBooking:
        """Move the appointment of a booking to its next status, as the field would.

        Sandbox only. Without `to` it is the next status on the way to `Completed`; to the status that it has is no change. The event and its webhooks are those of any other change. An appointment may be completed before its start here.

        Needs the permission `partner_bookings_update`.
        """
        return cast("c.AdvancedBooking", self._transport.call("sandbox.bookings.advance", [booking_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def get_run(
        self,
        booking_id: str,
        run_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.SimulatorRun:
        """Read a run with its steps.

        Sandbox only.

        Needs the permission `partner_bookings_read`.
        """
        return cast("c.SimulatorRun", self._transport.call("sandbox.bookings.getRun", [booking_id, run_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def list_runs(
        self,
        booking_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> List[c.SimulatorRun]:
        """List the runs of a booking, newest first.

        Sandbox only. With those that the header X-Sandbox-Run or the phone number of the customer started; 100 at most.

        Needs the permission `partner_bookings_read`.
        """
        return cast("List[c.SimulatorRun]", self._transport.call("sandbox.bookings.listRuns", [booking_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def start_run(
        self,
        booking_id: str,
        body: c.StartSandboxRunRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.SimulatorRun:
        """Play a script on a booking, step by step.

        Sandbox only. A worker makes the steps in the name of the operator, the field and the customer, and each has its events and webhooks. A step that the booking does not allow any more ends the run, with the reason. One run of a booking can be under way. The header X-Sandbox-Run starts one with the creation of the booking.

        Needs the permission `partner_bookings_update`.
        """
        return cast("c.SimulatorRun", self._transport.call("sandbox.bookings.startRun", [booking_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def stop_run(
        self,
        booking_id: str,
        run_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.SimulatorRun:
        """Stop a run; what it has done stays.

        Sandbox only. A run that has ended stays as it is.

        Needs the permission `partner_bookings_update`.
        """
        return cast("c.SimulatorRun", self._transport.call("sandbox.bookings.stopRun", [booking_id, run_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class SandboxCertifications(Resource):
    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Certification:
        """Read a certification, point by point.

        Sandbox only. What the service does for each point, what it waits for, what it has found, and the requests and deliveries that show it. It is finished when every point is decided, or after a day.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.Certification", self._transport.call("sandbox.certifications.get", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def start(
        self,
        body: c.StartCertificationRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Certification:
        """Start a certification of your integration.

        Sandbox only. From now on the service watches your requests and what your receiver responds, and moves and cancels bookings that you make, with every fault that webhooks can have. Read it to see what it waits for. A certification that is under way is finished with what it has.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.Certification", self._transport.call("sandbox.certifications.start", [], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class SandboxWebhooks(Resource):
    def clear_faults(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookFaults:
        """Clear the faults that are left.

        Sandbox only. A delivery that is delayed or held already is sent when its time has come.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookFaults", self._transport.call("sandbox.webhooks.clearFaults", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def list_faults(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookFaults:
        """List the faults that are left, and the deliveries that got one.

        Sandbox only.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookFaults", self._transport.call("sandbox.webhooks.listFaults", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def set_fault(
        self,
        id: str,
        body: c.SetSandboxFaultRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookFaults:
        """Have the next deliveries of a subscription lost, delayed, doubled, reordered or badly signed.

        Sandbox only. It counts deliveries whose first attempt is yet to come; each gets one fault at most, of the kind that was set first. `count` replaces what is left of the same kind, so the request may be repeated.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookFaults", self._transport.call("sandbox.webhooks.setFault", [id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class Series(Resource):
    def create(
        self,
        body: c.CreateSeriesRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Series:
        """Book a customer weekly.

        Visits on one weekday and time, every 1, 2 or 4 weeks. Each is an ordinary booking, made as soon as the horizon reaches its date, one day before that date opens to all others, at the price of then. What cannot be booked is `UNPLACED`, tried again each night, and never moved without you. With `preview` nothing is made.

        Needs the permission `partner_bookings_create`.
        """
        return cast("c.Series", self._transport.call("series.create", [], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def end(
        self,
        series_id: str,
        body: c.EndSeriesRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Series:
        """End a series before one of its visits.

        Visits that are placed from then on are cancelled, all or none, by the rules and fees of cancelling. With `preview` nothing is done, and `changes` say what would become of its visits.

        Needs the permission `partner_bookings_cancel`.
        """
        return cast("c.Series", self._transport.call("series.end", [series_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def get(
        self,
        series_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Series:
        """Read a series with its visits.

        Needs the permission `partner_bookings_read`.
        """
        return cast("c.Series", self._transport.call("series.get", [series_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def list(
        self,
        query: c.ListSeriesQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Page[c.Series]:
        """List series, the newest first.

        Needs the permission `partner_bookings_read`.
        """
        return cast("Page[c.Series]", self._transport.page("series.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def iterate(
        self,
        query: c.ListSeriesQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Iterator[c.Series]:
        """Every item of `list` from there on, through all pages; 100 on a page unless the query sets a limit."""
        return cast("Iterator[c.Series]", self._transport.iterate_page("series.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def pause(
        self,
        series_id: str,
        body: c.PauseSeriesRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Series:
        """Pause a series between two dates.

        Visits that are placed are cancelled, all or none, by the rules and fees of cancelling. With `preview` nothing is done, and `changes` say what would become of its visits.

        Needs the permission `partner_bookings_cancel`.
        """
        return cast("c.Series", self._transport.call("series.pause", [series_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def place(
        self,
        series_id: str,
        index: str,
        body: c.PlaceSeriesVisitRequest | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Series:
        """Book a visit of a series that could not be placed, or was skipped.

        At its own time, or at another one, such as one of its `alternatives`.

        Needs the permission `partner_bookings_create`.
        """
        return cast("c.Series", self._transport.call("series.place", [series_id, index], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def skip(
        self,
        series_id: str,
        index: str,
        body: c.SkipSeriesVisitRequest | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Series:
        """Skip a visit of a series.

        If it is placed, its booking is cancelled, by the rules and fees of cancelling. With `preview` nothing is done, and `changes` say what would become of its visits.

        Needs the permission `partner_bookings_cancel`.
        """
        return cast("c.Series", self._transport.call("series.skip", [series_id, index], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def update(
        self,
        series_id: str,
        body: c.UpdateSeriesRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Series:
        """Change a series from one visit on.

        Earlier visits stay. Placed ones are moved one by one, by the rules and fees of moving a booking; what cannot be moved, or was moved by itself, stays, and `changes` say so. With `preview` nothing is done, and `changes` say what would become of its visits.

        Needs the permission `partner_bookings_update`.
        """
        return cast("c.Series", self._transport.call("series.update", [series_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class Services(Resource):
    def get(
        self,
        service_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Service:
        """Read a service.

        A service that is enabled for you.

        Needs the permission `partner_services_read`.
        """
        return cast("c.Service", self._transport.call("services.get", [service_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def list(
        self,
        query: c.ListServicesQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Page[c.OfferedCategory]:
        """List the services that can be booked at an address.

        Categories with the services that you may book and that are available at the address, at your prices. Pages count categories. Where nothing is offered the list is empty, and `meta.reason` says why.

        Needs the permission `partner_services_read`.
        """
        return cast("Page[c.OfferedCategory]", self._transport.page("services.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def iterate(
        self,
        query: c.ListServicesQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Iterator[c.OfferedCategory]:
        """Every item of `list` from there on, through all pages; 100 on a page unless the query sets a limit."""
        return cast("Iterator[c.OfferedCategory]", self._transport.iterate_page("services.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class Statements(Resource):
    def get(
        self,
        statement_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Statement:
        """Read a statement.

        Needs the permission `partner_statements_read`.
        """
        return cast("c.Statement", self._transport.call("statements.get", [statement_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def invoices(
        self,
        statement_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> bytes:
        """Download what a provider of e-invoices needs of a statement.

        Needs the permission `partner_statements_read`.
        """
        return cast("bytes", self._transport.call("statements.invoices", [statement_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def lines(
        self,
        statement_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> bytes:
        """Download the lines of a statement as CSV.

        Needs the permission `partner_statements_read`.
        """
        return cast("bytes", self._transport.call("statements.lines", [statement_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def list(
        self,
        query: c.ListStatementsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Page[c.Statement]:
        """List your statements, the newest month first.

        What you owe for a month, as it was issued: it never changes. What changed later is on the next one.

        Needs the permission `partner_statements_read`.
        """
        return cast("Page[c.Statement]", self._transport.page("statements.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def iterate(
        self,
        query: c.ListStatementsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Iterator[c.Statement]:
        """Every item of `list` from there on, through all pages; 100 on a page unless the query sets a limit."""
        return cast("Iterator[c.Statement]", self._transport.iterate_page("statements.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def page(
        self,
        statement_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> bytes:
        """Download a statement as a page to print, in both languages.

        Needs the permission `partner_statements_read`.
        """
        return cast("bytes", self._transport.call("statements.page", [statement_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class Timeslots(Resource):
    @overload
    def calendar(
        self,
        query: c.GetTimeslotCalendarQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
        if_none_match: None = None,
    ) -> c.TimeslotCalendar: ...

    @overload
    def calendar(
        self,
        query: c.GetTimeslotCalendarQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
        if_none_match: str,
    ) -> c.TimeslotCalendar | None: ...

    def calendar(
        self,
        query: c.GetTimeslotCalendarQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
        if_none_match: str | None = None,
    ) -> c.TimeslotCalendar | None:
        """Read the free timeslots of a service at an address or a place over several dates.

        At most 31 dates, each with the slots that the request for it alone would have at the same moment. `state` says why a date is empty. Before there is a customer, `latitude` and `longitude` take the place of `addressId`.

        Needs the permission `partner_timeslots_read`.

        With `if_none_match`, the `ETag` of an earlier response: None while that one is current.
        """
        return cast("c.TimeslotCalendar | None", self._transport.call("timeslots.calendar", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait, if_none_match=if_none_match)))

    def list(
        self,
        query: c.ListAvailableTimeslotsQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.ListAvailableTimeslotsResponseData:
        """List the free timeslots of a service at an address on a date.

        Computed as of now; pass a slot unchanged as `timeslot` when booking. Empty when no team is free, the date is past or too far ahead, or the address is outside every zone.

        Needs the permission `partner_timeslots_read`.
        """
        return cast("c.ListAvailableTimeslotsResponseData", self._transport.call("timeslots.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    @overload
    def next(
        self,
        query: c.FindNextTimeslotsQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
        if_none_match: None = None,
    ) -> c.NextTimeslots: ...

    @overload
    def next(
        self,
        query: c.FindNextTimeslotsQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
        if_none_match: str,
    ) -> c.NextTimeslots | None: ...

    def next(
        self,
        query: c.FindNextTimeslotsQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
        if_none_match: str | None = None,
    ) -> c.NextTimeslots | None:
        """Find the earliest free timeslots of a service at an address or a place.

        From now on, or from `notBefore` on. Pass `date` and a slot unchanged as `timeslot` when booking. Before there is a customer, `latitude` and `longitude` take the place of `addressId`.

        Needs the permission `partner_timeslots_read`.

        With `if_none_match`, the `ETag` of an earlier response: None while that one is current.
        """
        return cast("c.NextTimeslots | None", self._transport.call("timeslots.next", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait, if_none_match=if_none_match)))


class WebhooksDeliveries(Resource):
    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookDeliveryDetail:
        """Read a webhook delivery with its payload and attempts.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookDeliveryDetail", self._transport.call("webhooks.deliveries.get", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def list(
        self,
        query: c.ListWebhookDeliveriesQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Page[c.WebhookDelivery]:
        """List webhook deliveries, newest first.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("Page[c.WebhookDelivery]", self._transport.page("webhooks.deliveries.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def iterate(
        self,
        query: c.ListWebhookDeliveriesQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Iterator[c.WebhookDelivery]:
        """Every item of `list` from there on, through all pages; 100 on a page unless the query sets a limit."""
        return cast("Iterator[c.WebhookDelivery]", self._transport.iterate_page("webhooks.deliveries.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def replay(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookDelivery:
        """Send a delivered webhook once more, as a delivery of its own of the same event.

        For a receiver that has lost what it accepted. The replay has an ID of its own and `replay` above 0. While one is yet to arrive, it is returned again.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookDelivery", self._transport.call("webhooks.deliveries.replay", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def retry(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookDelivery:
        """Retry a failed webhook delivery now.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookDelivery", self._transport.call("webhooks.deliveries.retry", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class WebhooksSubscriptions(Resource):
    def create(
        self,
        body: c.CreateWebhookSubscriptionRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookSubscriptionWithSecret:
        """Create a webhook subscription; its secret is only shown in this response.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookSubscriptionWithSecret", self._transport.call("webhooks.subscriptions.create", [], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookSubscription:
        """Read a webhook subscription, active or not.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookSubscription", self._transport.call("webhooks.subscriptions.get", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def list(
        self,
        query: c.ListWebhookSubscriptionsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> List[c.WebhookSubscription]:
        """List the active webhook subscriptions, or the inactive ones, newest first.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("List[c.WebhookSubscription]", self._transport.call("webhooks.subscriptions.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def recover(
        self,
        id: str,
        body: c.RecoverWebhookSubscriptionRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.RecoveredDeliveries:
        """Retry all deliveries of a webhook subscription that failed since a given time or wait for a retry.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.RecoveredDeliveries", self._transport.call("webhooks.subscriptions.recover", [id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def remove(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Removed:
        """Remove a webhook subscription; its pending deliveries fail.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.Removed", self._transport.call("webhooks.subscriptions.remove", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def rotate_secret(
        self,
        id: str,
        body: c.RotateWebhookSecretRequest | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookSecretRotated:
        """Rotate the secret of a webhook subscription; the new one is only shown in this response.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookSecretRotated", self._transport.call("webhooks.subscriptions.rotateSecret", [id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def test(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookTestResult:
        """Send a signed test event now and return its result.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookTestResult", self._transport.call("webhooks.subscriptions.test", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def update(
        self,
        id: str,
        body: c.UpdateWebhookSubscriptionRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookSubscription:
        """Update, deactivate or reactivate a webhook subscription.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookSubscription", self._transport.call("webhooks.subscriptions.update", [id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class Sandbox:
    def __init__(self, transport: Transport) -> None:
        self.bookings = SandboxBookings(transport)
        self.certifications = SandboxCertifications(transport)
        self.webhooks = SandboxWebhooks(transport)


class Webhooks:
    def __init__(self, transport: Transport) -> None:
        self.deliveries = WebhooksDeliveries(transport)
        self.subscriptions = WebhooksSubscriptions(transport)


class Client(BaseClient):
    """Every operation of the service for one key. Sends nothing before the first call."""

    def _add_resources(self) -> None:
        self.bookings = Bookings(self._transport)
        self.contacts = Contacts(self._transport)
        self.coverage = Coverage(self._transport)
        self.events = Events(self._transport)
        self.holds = Holds(self._transport)
        self.pricing = Pricing(self._transport)
        self.sandbox = Sandbox(self._transport)
        self.series = Series(self._transport)
        self.services = Services(self._transport)
        self.statements = Statements(self._transport)
        self.timeslots = Timeslots(self._transport)
        self.webhooks = Webhooks(self._transport)


class AsyncBookings(AsyncResource):
    async def cancel(
        self,
        booking_id: str,
        body: c.CancelBookingRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Booking:
        """Cancel a booking.

        A booking in any status but `canceled` can be cancelled; its appointment is cancelled too, and its timeslot becomes free. Under PLATFORM a payment is refunded where applicable, but for the fees of the policy that the booking was made under; under PARTNER you make refunds yourself.

        Needs the permission `partner_bookings_cancel`.
        """
        return cast("c.Booking", await self._transport.call("bookings.cancel", [booking_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def confirm_payment(
        self,
        booking_id: str,
        body: c.ConfirmPaymentRequest | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Booking:
        """Confirm that the customer has paid the partner.

        Only for accounts that collect payment themselves (PARTNER). The payment status becomes PAID, the status stays. A repeated call is refused with PAYMENT_ALREADY_CONFIRMED, which you can treat as success. The body is optional.

        Needs the permission `partner_bookings_confirm_payment`.
        """
        return cast("c.Booking", await self._transport.call("bookings.confirmPayment", [booking_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def create(
        self,
        body: c.CreateBookingRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Booking:
        """Create a booking.

        Reserves the timeslot and assigns a team atomically. The price is locked. Under PLATFORM with a price above zero the customer gets a payment link, and the status shows the outcome. `appointment` may be null at first: poll the status. An `externalReference` already in use is refused with 409, so a repeated request never books twice.

        Needs the permission `partner_bookings_create`.
        """
        return cast("c.Booking", await self._transport.call("bookings.create", [], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def export(
        self,
        query: c.ExportBookingsQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> str:
        """Export the bookings of a month as CSV.

        A list, computed anew each time: what is owed is on the statement of the month. All bookings with a service date in the month, canceled and failed ones too, by date and creation. Amounts are SAR with two decimals: `price` is what was booked, `paidByLink` what came by the payment link, `refundAmount` what goes back of that by `refundStatus`; `cancellationFee` and `rescheduleFees` are the fees of its changes, empty without any. `feeToDecide`: the operator still decides on the fee; `workReached`: how far the work of a canceled booking had come. What changes while the file is read may be left out or come twice.

        Needs the permission `partner_bookings_read`.
        """
        return await self._transport.text("bookings.export", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait))

    async def export_bytes(
        self,
        query: c.ExportBookingsQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> bytes:
        """The same for a file, with the byte order mark that Excel needs for Arabic."""
        return cast("bytes", await self._transport.call("bookings.export", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def get(
        self,
        booking_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Booking:
        """Read a booking.

        The booking as it is now, payment and appointment included.

        Needs the permission `partner_bookings_read`.
        """
        return cast("c.Booking", await self._transport.call("bookings.get", [booking_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def list(
        self,
        query: c.ListBookingsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Page[c.Booking]:
        """List bookings.

        Your own bookings, newest creation first unless sorted otherwise. `fromDate` alone means from that date on; `toDate` alone is ignored. Disregard bookings that are `failed`.

        Needs the permission `partner_bookings_read`.
        """
        return cast("Page[c.Booking]", await self._transport.page("bookings.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def iterate(
        self,
        query: c.ListBookingsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> AsyncIterator[c.Booking]:
        """Every item of `list` from there on, through all pages; 100 on a page unless the query sets a limit."""
        return cast("AsyncIterator[c.Booking]", self._transport.iterate_page("bookings.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def list_cancellation_reasons(
        self,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> List[c.CancellationReason]:
        """List cancellation reasons.

        The active, customer-facing reasons.

        Needs the permission `partner_bookings_cancel`.
        """
        return cast("List[c.CancellationReason]", await self._transport.call("bookings.listCancellationReasons", [], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def quote(
        self,
        booking_id: str,
        query: c.GetBookingQuoteQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Quote:
        """Ask what a change of a booking costs now.

        By the policy that the booking was made under; without one changes are free. The fee of rescheduling does not depend on the new time; with `date`, or `startAt` and `endAt`, a time that is not offered is refused. Send the `fee` as `maxFee` with the change: if it is higher by then, nothing is changed. A change that is not possible is refused as the change itself would be.

        Needs the permission `partner_bookings_read`.
        """
        return cast("c.Quote", await self._transport.call("bookings.quote", [booking_id], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def update(
        self,
        booking_id: str,
        body: c.UpdateBookingRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Booking:
        """Change a booking.

        Every field is optional; an empty body changes nothing. A date alone keeps the times, a timeslot alone the date. A new time follows the rules of creation, with the length that the booking was made with: when no team is free, the booking keeps its timeslot. At another start an appointment that was `Confirmed` is `Scheduled` again. `maxFee` is the fee of rescheduling that you agree to.

        Needs the permission `partner_bookings_update`.
        """
        return cast("c.Booking", await self._transport.call("bookings.update", [booking_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class AsyncContacts(AsyncResource):
    async def erase(
        self,
        contact_id: str,
        body: c.EraseContactRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.ErasedContact:
        """Erase what is stored about a contact.

        Name, phone, addresses, notes, instructions and access codes are removed for good. Ids, references, times, amounts and statuses of bookings and their events stay. Not while a booking is open: `details.bookings` names those. A later booking for the number makes a new contact. A repetition answers as the first request. Afterwards it is 404 `RESOURCE_NOT_FOUND`.

        Needs the permission `partner_contacts_erase`.
        """
        return cast("c.ErasedContact", await self._transport.call("contacts.erase", [contact_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def export(
        self,
        contact_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.CustomerExport:
        """Copy what is stored about a contact.

        Contact, addresses, bookings with their texts, series, and messages: the copy that a customer may ask for. Instructions and access codes are not in it: only crews read them.

        Needs the permission `partner_contacts_read`.
        """
        return cast("c.CustomerExport", await self._transport.call("contacts.export", [contact_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def find_or_create(
        self,
        body: c.FindOrCreateContactRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Contact:
        """Find or create a contact.

        Call it before booking. Contacts are identified by phone; an existing contact keeps its name. With any address field, the address is also matched or created, and `addressId` is set; booking needs an address with coordinates. At one point, another `buildingNumber`, `unit`, `shortAddress`, street, district or city than that of an address makes another address; empty texts are filled in.

        Needs the permission `partner_contacts_read`.
        """
        return cast("c.Contact", await self._transport.call("contacts.findOrCreate", [], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def get(
        self,
        contact_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.ContactDetail:
        """Read a contact and its addresses.

        One of your contacts, with all its addresses.

        Needs the permission `partner_contacts_read`.
        """
        return cast("c.ContactDetail", await self._transport.call("contacts.get", [contact_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def update(
        self,
        contact_id: str,
        body: c.UpdateContactRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.ContactDetail:
        """Correct name and language of a contact.

        The phone stays: it is what identifies the contact.

        Needs the permission `partner_contacts_read`.
        """
        return cast("c.ContactDetail", await self._transport.call("contacts.update", [contact_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def update_address(
        self,
        address_id: str,
        body: c.UpdateAddressRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Address:
        """Correct an address.

        Texts, null removes one; bookings show what it is now. Coordinates, both together, only while nothing was booked there: for another place register another address.

        Needs the permission `partner_contacts_read`.
        """
        return cast("c.Address", await self._transport.call("contacts.updateAddress", [address_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class AsyncCoverage(AsyncResource):
    async def get(
        self,
        query: c.GetCoverageQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Coverage:
        """Read what can be booked at a place.

        Needs no contact and no address, and creates none. The services are those that the list of services at an address there would have; `earliest` is the earliest free timeslot of any of them.

        Needs the permission `partner_services_read`.
        """
        return cast("c.Coverage", await self._transport.call("coverage.get", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class AsyncEvents(AsyncResource):
    async def list(
        self,
        query: c.ListEventsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> FeedPage:
        """Read the event feed.

        The events of your bookings, oldest first, without gaps, kept for 90 days. Store `nextCursor` and pass it as `after` to continue from there, even after an empty page. A cursor behind events that the service lost (a restore, a failover) is 400 for ever: begin from a time with `since`, and reconcile.

        Needs the permission `partner_bookings_read`.
        """
        return await self._transport.feed("events.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait))

    def iterate(
        self,
        query: c.ListEventsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> AsyncIterator[c.FeedEvent]:
        """Every item of `list` from there on, through all pages; 100 on a page unless the query sets a limit."""
        return cast("AsyncIterator[c.FeedEvent]", self._transport.iterate_feed("events.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def follow(
        self,
        query: c.ListEventsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
        poll_seconds: float = 5.0,
        on_cursor: Callable[[str], Awaitable[None] | None] | None = None,
    ) -> AsyncIterator[c.FeedEvent]:
        """Every item of `iterate`, and wait for more at the end.

        `on_cursor` is called with the cursor of a page when all of its events were processed. Store it, and pass it as
        `after` to continue there after a restart.
        """
        return cast(
            "AsyncIterator[c.FeedEvent]",
            self._transport.follow("events.list", query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait), poll_seconds, on_cursor),
        )


class AsyncHolds(AsyncResource):
    async def create(
        self,
        body: c.CreateHoldRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Hold:
        """Hold a timeslot with its price.

        Nobody else can book the slot until `expiresAt`, and a booking with the `holdId` has this price, whatever the price list says by then. Sent again, it is the same hold with the later end, 30 minutes in all at most and never beyond its start; another slot for the same customer and service replaces it. The customer is the contact of the address. A hold is no booking: it sends no event. Before there is a customer, `latitude` and `longitude` take the place of `addressId`: such a hold replaces no other, is the same one only by its `reference`, and is taken by its `holdId`, for an address in the same zone. A fifth of the holds of an account may be such ones.

        Needs the permission `partner_bookings_create`.
        """
        return cast("c.Hold", await self._transport.call("holds.create", [], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def extend(
        self,
        id: str,
        body: c.ExtendHoldRequest | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Hold:
        """Hold a timeslot longer, 30 minutes in all at most.

        By `seconds`, which are added to `expiresAt`, or `until` an instant, which can be repeated. Never beyond the start of the slot. The price stays.

        Needs the permission `partner_bookings_create`.
        """
        return cast("c.Hold", await self._transport.call("holds.extend", [id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Hold:
        """Read a hold.

        Known as long as the booking that took it; without one, for 30 days after its end.

        Needs the permission `partner_bookings_create`.
        """
        return cast("c.Hold", await self._transport.call("holds.get", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def list(
        self,
        query: c.ListOwnHoldsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Page[c.Hold]:
        """List the holds that keep a slot now, by start.

        Needs the permission `partner_bookings_read`.
        """
        return cast("Page[c.Hold]", await self._transport.page("holds.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def iterate(
        self,
        query: c.ListOwnHoldsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> AsyncIterator[c.Hold]:
        """Every item of `list` from there on, through all pages; 100 on a page unless the query sets a limit."""
        return cast("AsyncIterator[c.Hold]", self._transport.iterate_page("holds.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def release(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Removed:
        """Release a hold; one that is over stays so.

        Needs the permission `partner_bookings_create`.
        """
        return cast("c.Removed", await self._transport.call("holds.release", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class AsyncPricing(AsyncResource):
    async def calculate(
        self,
        body: c.CalculatePriceRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.CalculatedPrice:
        """Price services, or estimate other hours.

        Without `hours`, or with the service's own duration: `isBookable` true and your price of the service, which a booking locks. With other `hours`: `isBookable` false and an estimate, your price times the factor of the tier that holds the minutes, rounded half up to 2 decimals. Bookings last as long as their service and are never charged an estimate.

        Needs the permission `partner_pricing_read`.
        """
        return cast("c.CalculatedPrice", await self._transport.call("pricing.calculate", [], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def list_tiers(
        self,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> List[c.PricingTier]:
        """List pricing tiers.

        Factors on the base price by length of service; they do not change the price of bookings.

        Needs the permission `partner_pricing_read`.
        """
        return cast("List[c.PricingTier]", await self._transport.call("pricing.listTiers", [], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class AsyncSandboxBookings(AsyncResource):
    async def advance(
        self,
        booking_id: str,
        body: c.AdvanceSandboxBookingRequest | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.AdvancedBooking:
        """Move the appointment of a booking to its next status, as the field would.

        Sandbox only. Without `to` it is the next status on the way to `Completed`; to the status that it has is no change. The event and its webhooks are those of any other change. An appointment may be completed before its start here.

        Needs the permission `partner_bookings_update`.
        """
        return cast("c.AdvancedBooking", await self._transport.call("sandbox.bookings.advance", [booking_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def get_run(
        self,
        booking_id: str,
        run_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.SimulatorRun:
        """Read a run with its steps.

        Sandbox only.

        Needs the permission `partner_bookings_read`.
        """
        return cast("c.SimulatorRun", await self._transport.call("sandbox.bookings.getRun", [booking_id, run_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def list_runs(
        self,
        booking_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> List[c.SimulatorRun]:
        """List the runs of a booking, newest first.

        Sandbox only. With those that the header X-Sandbox-Run or the phone number of the customer started; 100 at most.

        Needs the permission `partner_bookings_read`.
        """
        return cast("List[c.SimulatorRun]", await self._transport.call("sandbox.bookings.listRuns", [booking_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def start_run(
        self,
        booking_id: str,
        body: c.StartSandboxRunRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.SimulatorRun:
        """Play a script on a booking, step by step.

        Sandbox only. A worker makes the steps in the name of the operator, the field and the customer, and each has its events and webhooks. A step that the booking does not allow any more ends the run, with the reason. One run of a booking can be under way. The header X-Sandbox-Run starts one with the creation of the booking.

        Needs the permission `partner_bookings_update`.
        """
        return cast("c.SimulatorRun", await self._transport.call("sandbox.bookings.startRun", [booking_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def stop_run(
        self,
        booking_id: str,
        run_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.SimulatorRun:
        """Stop a run; what it has done stays.

        Sandbox only. A run that has ended stays as it is.

        Needs the permission `partner_bookings_update`.
        """
        return cast("c.SimulatorRun", await self._transport.call("sandbox.bookings.stopRun", [booking_id, run_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class AsyncSandboxCertifications(AsyncResource):
    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Certification:
        """Read a certification, point by point.

        Sandbox only. What the service does for each point, what it waits for, what it has found, and the requests and deliveries that show it. It is finished when every point is decided, or after a day.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.Certification", await self._transport.call("sandbox.certifications.get", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def start(
        self,
        body: c.StartCertificationRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Certification:
        """Start a certification of your integration.

        Sandbox only. From now on the service watches your requests and what your receiver responds, and moves and cancels bookings that you make, with every fault that webhooks can have. Read it to see what it waits for. A certification that is under way is finished with what it has.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.Certification", await self._transport.call("sandbox.certifications.start", [], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class AsyncSandboxWebhooks(AsyncResource):
    async def clear_faults(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookFaults:
        """Clear the faults that are left.

        Sandbox only. A delivery that is delayed or held already is sent when its time has come.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookFaults", await self._transport.call("sandbox.webhooks.clearFaults", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def list_faults(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookFaults:
        """List the faults that are left, and the deliveries that got one.

        Sandbox only.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookFaults", await self._transport.call("sandbox.webhooks.listFaults", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def set_fault(
        self,
        id: str,
        body: c.SetSandboxFaultRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookFaults:
        """Have the next deliveries of a subscription lost, delayed, doubled, reordered or badly signed.

        Sandbox only. It counts deliveries whose first attempt is yet to come; each gets one fault at most, of the kind that was set first. `count` replaces what is left of the same kind, so the request may be repeated.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookFaults", await self._transport.call("sandbox.webhooks.setFault", [id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class AsyncSeries(AsyncResource):
    async def create(
        self,
        body: c.CreateSeriesRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Series:
        """Book a customer weekly.

        Visits on one weekday and time, every 1, 2 or 4 weeks. Each is an ordinary booking, made as soon as the horizon reaches its date, one day before that date opens to all others, at the price of then. What cannot be booked is `UNPLACED`, tried again each night, and never moved without you. With `preview` nothing is made.

        Needs the permission `partner_bookings_create`.
        """
        return cast("c.Series", await self._transport.call("series.create", [], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def end(
        self,
        series_id: str,
        body: c.EndSeriesRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Series:
        """End a series before one of its visits.

        Visits that are placed from then on are cancelled, all or none, by the rules and fees of cancelling. With `preview` nothing is done, and `changes` say what would become of its visits.

        Needs the permission `partner_bookings_cancel`.
        """
        return cast("c.Series", await self._transport.call("series.end", [series_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def get(
        self,
        series_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Series:
        """Read a series with its visits.

        Needs the permission `partner_bookings_read`.
        """
        return cast("c.Series", await self._transport.call("series.get", [series_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def list(
        self,
        query: c.ListSeriesQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Page[c.Series]:
        """List series, the newest first.

        Needs the permission `partner_bookings_read`.
        """
        return cast("Page[c.Series]", await self._transport.page("series.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def iterate(
        self,
        query: c.ListSeriesQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> AsyncIterator[c.Series]:
        """Every item of `list` from there on, through all pages; 100 on a page unless the query sets a limit."""
        return cast("AsyncIterator[c.Series]", self._transport.iterate_page("series.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def pause(
        self,
        series_id: str,
        body: c.PauseSeriesRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Series:
        """Pause a series between two dates.

        Visits that are placed are cancelled, all or none, by the rules and fees of cancelling. With `preview` nothing is done, and `changes` say what would become of its visits.

        Needs the permission `partner_bookings_cancel`.
        """
        return cast("c.Series", await self._transport.call("series.pause", [series_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def place(
        self,
        series_id: str,
        index: str,
        body: c.PlaceSeriesVisitRequest | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Series:
        """Book a visit of a series that could not be placed, or was skipped.

        At its own time, or at another one, such as one of its `alternatives`.

        Needs the permission `partner_bookings_create`.
        """
        return cast("c.Series", await self._transport.call("series.place", [series_id, index], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def skip(
        self,
        series_id: str,
        index: str,
        body: c.SkipSeriesVisitRequest | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Series:
        """Skip a visit of a series.

        If it is placed, its booking is cancelled, by the rules and fees of cancelling. With `preview` nothing is done, and `changes` say what would become of its visits.

        Needs the permission `partner_bookings_cancel`.
        """
        return cast("c.Series", await self._transport.call("series.skip", [series_id, index], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def update(
        self,
        series_id: str,
        body: c.UpdateSeriesRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Series:
        """Change a series from one visit on.

        Earlier visits stay. Placed ones are moved one by one, by the rules and fees of moving a booking; what cannot be moved, or was moved by itself, stays, and `changes` say so. With `preview` nothing is done, and `changes` say what would become of its visits.

        Needs the permission `partner_bookings_update`.
        """
        return cast("c.Series", await self._transport.call("series.update", [series_id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class AsyncServices(AsyncResource):
    async def get(
        self,
        service_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Service:
        """Read a service.

        A service that is enabled for you.

        Needs the permission `partner_services_read`.
        """
        return cast("c.Service", await self._transport.call("services.get", [service_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def list(
        self,
        query: c.ListServicesQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Page[c.OfferedCategory]:
        """List the services that can be booked at an address.

        Categories with the services that you may book and that are available at the address, at your prices. Pages count categories. Where nothing is offered the list is empty, and `meta.reason` says why.

        Needs the permission `partner_services_read`.
        """
        return cast("Page[c.OfferedCategory]", await self._transport.page("services.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def iterate(
        self,
        query: c.ListServicesQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> AsyncIterator[c.OfferedCategory]:
        """Every item of `list` from there on, through all pages; 100 on a page unless the query sets a limit."""
        return cast("AsyncIterator[c.OfferedCategory]", self._transport.iterate_page("services.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class AsyncStatements(AsyncResource):
    async def get(
        self,
        statement_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Statement:
        """Read a statement.

        Needs the permission `partner_statements_read`.
        """
        return cast("c.Statement", await self._transport.call("statements.get", [statement_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def invoices(
        self,
        statement_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> bytes:
        """Download what a provider of e-invoices needs of a statement.

        Needs the permission `partner_statements_read`.
        """
        return cast("bytes", await self._transport.call("statements.invoices", [statement_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def lines(
        self,
        statement_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> bytes:
        """Download the lines of a statement as CSV.

        Needs the permission `partner_statements_read`.
        """
        return cast("bytes", await self._transport.call("statements.lines", [statement_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def list(
        self,
        query: c.ListStatementsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Page[c.Statement]:
        """List your statements, the newest month first.

        What you owe for a month, as it was issued: it never changes. What changed later is on the next one.

        Needs the permission `partner_statements_read`.
        """
        return cast("Page[c.Statement]", await self._transport.page("statements.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def iterate(
        self,
        query: c.ListStatementsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> AsyncIterator[c.Statement]:
        """Every item of `list` from there on, through all pages; 100 on a page unless the query sets a limit."""
        return cast("AsyncIterator[c.Statement]", self._transport.iterate_page("statements.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def page(
        self,
        statement_id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> bytes:
        """Download a statement as a page to print, in both languages.

        Needs the permission `partner_statements_read`.
        """
        return cast("bytes", await self._transport.call("statements.page", [statement_id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class AsyncTimeslots(AsyncResource):
    @overload
    async def calendar(
        self,
        query: c.GetTimeslotCalendarQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
        if_none_match: None = None,
    ) -> c.TimeslotCalendar: ...

    @overload
    async def calendar(
        self,
        query: c.GetTimeslotCalendarQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
        if_none_match: str,
    ) -> c.TimeslotCalendar | None: ...

    async def calendar(
        self,
        query: c.GetTimeslotCalendarQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
        if_none_match: str | None = None,
    ) -> c.TimeslotCalendar | None:
        """Read the free timeslots of a service at an address or a place over several dates.

        At most 31 dates, each with the slots that the request for it alone would have at the same moment. `state` says why a date is empty. Before there is a customer, `latitude` and `longitude` take the place of `addressId`.

        Needs the permission `partner_timeslots_read`.

        With `if_none_match`, the `ETag` of an earlier response: None while that one is current.
        """
        return cast("c.TimeslotCalendar | None", await self._transport.call("timeslots.calendar", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait, if_none_match=if_none_match)))

    async def list(
        self,
        query: c.ListAvailableTimeslotsQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.ListAvailableTimeslotsResponseData:
        """List the free timeslots of a service at an address on a date.

        Computed as of now; pass a slot unchanged as `timeslot` when booking. Empty when no team is free, the date is past or too far ahead, or the address is outside every zone.

        Needs the permission `partner_timeslots_read`.
        """
        return cast("c.ListAvailableTimeslotsResponseData", await self._transport.call("timeslots.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    @overload
    async def next(
        self,
        query: c.FindNextTimeslotsQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
        if_none_match: None = None,
    ) -> c.NextTimeslots: ...

    @overload
    async def next(
        self,
        query: c.FindNextTimeslotsQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
        if_none_match: str,
    ) -> c.NextTimeslots | None: ...

    async def next(
        self,
        query: c.FindNextTimeslotsQuery,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
        if_none_match: str | None = None,
    ) -> c.NextTimeslots | None:
        """Find the earliest free timeslots of a service at an address or a place.

        From now on, or from `notBefore` on. Pass `date` and a slot unchanged as `timeslot` when booking. Before there is a customer, `latitude` and `longitude` take the place of `addressId`.

        Needs the permission `partner_timeslots_read`.

        With `if_none_match`, the `ETag` of an earlier response: None while that one is current.
        """
        return cast("c.NextTimeslots | None", await self._transport.call("timeslots.next", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait, if_none_match=if_none_match)))


class AsyncWebhooksDeliveries(AsyncResource):
    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookDeliveryDetail:
        """Read a webhook delivery with its payload and attempts.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookDeliveryDetail", await self._transport.call("webhooks.deliveries.get", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def list(
        self,
        query: c.ListWebhookDeliveriesQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> Page[c.WebhookDelivery]:
        """List webhook deliveries, newest first.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("Page[c.WebhookDelivery]", await self._transport.page("webhooks.deliveries.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    def iterate(
        self,
        query: c.ListWebhookDeliveriesQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> AsyncIterator[c.WebhookDelivery]:
        """Every item of `list` from there on, through all pages; 100 on a page unless the query sets a limit."""
        return cast("AsyncIterator[c.WebhookDelivery]", self._transport.iterate_page("webhooks.deliveries.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def replay(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookDelivery:
        """Send a delivered webhook once more, as a delivery of its own of the same event.

        For a receiver that has lost what it accepted. The replay has an ID of its own and `replay` above 0. While one is yet to arrive, it is returned again.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookDelivery", await self._transport.call("webhooks.deliveries.replay", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def retry(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookDelivery:
        """Retry a failed webhook delivery now.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookDelivery", await self._transport.call("webhooks.deliveries.retry", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class AsyncWebhooksSubscriptions(AsyncResource):
    async def create(
        self,
        body: c.CreateWebhookSubscriptionRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookSubscriptionWithSecret:
        """Create a webhook subscription; its secret is only shown in this response.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookSubscriptionWithSecret", await self._transport.call("webhooks.subscriptions.create", [], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookSubscription:
        """Read a webhook subscription, active or not.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookSubscription", await self._transport.call("webhooks.subscriptions.get", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def list(
        self,
        query: c.ListWebhookSubscriptionsQuery | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> List[c.WebhookSubscription]:
        """List the active webhook subscriptions, or the inactive ones, newest first.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("List[c.WebhookSubscription]", await self._transport.call("webhooks.subscriptions.list", [], query, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def recover(
        self,
        id: str,
        body: c.RecoverWebhookSubscriptionRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.RecoveredDeliveries:
        """Retry all deliveries of a webhook subscription that failed since a given time or wait for a retry.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.RecoveredDeliveries", await self._transport.call("webhooks.subscriptions.recover", [id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def remove(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.Removed:
        """Remove a webhook subscription; its pending deliveries fail.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.Removed", await self._transport.call("webhooks.subscriptions.remove", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def rotate_secret(
        self,
        id: str,
        body: c.RotateWebhookSecretRequest | None = None,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookSecretRotated:
        """Rotate the secret of a webhook subscription; the new one is only shown in this response.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookSecretRotated", await self._transport.call("webhooks.subscriptions.rotateSecret", [id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def test(
        self,
        id: str,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookTestResult:
        """Send a signed test event now and return its result.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookTestResult", await self._transport.call("webhooks.subscriptions.test", [id], None, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))

    async def update(
        self,
        id: str,
        body: c.UpdateWebhookSubscriptionRequest,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,
    ) -> c.WebhookSubscription:
        """Update, deactivate or reactivate a webhook subscription.

        Needs the permission `partner_webhooks_manage`.
        """
        return cast("c.WebhookSubscription", await self._transport.call("webhooks.subscriptions.update", [id], body, CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)))


class AsyncSandbox:
    def __init__(self, transport: AsyncTransport) -> None:
        self.bookings = AsyncSandboxBookings(transport)
        self.certifications = AsyncSandboxCertifications(transport)
        self.webhooks = AsyncSandboxWebhooks(transport)


class AsyncWebhooks:
    def __init__(self, transport: AsyncTransport) -> None:
        self.deliveries = AsyncWebhooksDeliveries(transport)
        self.subscriptions = AsyncWebhooksSubscriptions(transport)


class AsyncClient(AsyncBaseClient):
    """Every operation of the service for one key, with await. Sends nothing before the first call."""

    def _add_resources(self) -> None:
        self.bookings = AsyncBookings(self._transport)
        self.contacts = AsyncContacts(self._transport)
        self.coverage = AsyncCoverage(self._transport)
        self.events = AsyncEvents(self._transport)
        self.holds = AsyncHolds(self._transport)
        self.pricing = AsyncPricing(self._transport)
        self.sandbox = AsyncSandbox(self._transport)
        self.series = AsyncSeries(self._transport)
        self.services = AsyncServices(self._transport)
        self.statements = AsyncStatements(self._transport)
        self.timeslots = AsyncTimeslots(self._transport)
        self.webhooks = AsyncWebhooks(self._transport)
