# Printed from openapi/partner.json by `npm run generate`; do not edit.
"""The types of the API, and which operations may be repeated."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, NotRequired, TypedDict, Union

ErrorCode = Literal[
    "BOOKING_ALREADY_CANCELLED",
    "BOOKING_APPOINTMENT_NOT_FOUND",
    "BOOKING_CREATION_FAILED",
    "BOOKING_NOT_EDITABLE",
    "BOOKING_NOT_PAYABLE",
    "CONFLICT",
    "DELIVERY_NOT_RETRYABLE",
    "DUPLICATE_EXTERNAL_REFERENCE",
    "FEE_CHANGED",
    "FORBIDDEN",
    "HOLD_CONSUMED",
    "HOLD_ENDED",
    "HOLD_LIMIT_REACHED",
    "HOLD_MISMATCH",
    "IDEMPOTENCY_KEY_CONFLICT",
    "IDEMPOTENCY_KEY_IN_PROGRESS",
    "INTERNAL_ERROR",
    "INVALID_PARTNER_DOMAIN",
    "INVALID_TRANSITION",
    "PAYMENT_ALREADY_CONFIRMED",
    "PAYMENT_RESPONSIBILITY_MISMATCH",
    "RATE_LIMIT_EXCEEDED",
    "RESOURCE_NOT_FOUND",
    "SANDBOX_DOMAIN_NOT_ALLOWED",
    "SERVICE_NOT_ALLOWED",
    "UNAUTHORIZED",
    "VALIDATION_ERROR",
    "WEBHOOK_DOMAIN_NOT_ALLOWED",
    "WEBHOOK_LIMIT_REACHED",
]


class Address(TypedDict):
    # Address; used as `addressId`
    id: str
    # Decimal degrees as sent; null when it has no coordinates
    latitude: str | None
    # Decimal degrees as sent; null when it has no coordinates
    longitude: str | None
    # City
    cityName: str | None
    # District
    districtName: str | None
    # Street
    streetName: str | None
    # Short address
    shortAddress: str | None
    # Number of the building
    buildingNumber: str | None
    # Flat, villa or office
    unit: str | None
    # Floor
    floor: str | None
    # Postal code
    postalCode: str | None
    # Where the door is
    directions: str | None


class AddressResponse(TypedDict):
    success: Literal[True]
    data: Address


class AdvanceSandboxBookingRequest(TypedDict):
    # What the appointment becomes; left out, the next on the way to Completed
    to: NotRequired[Literal["New", "Scheduled", "Confirmed", "In The Way", "In The location", "In Progress", "Finished", "Completed", "Cannot Complete", "Cancelled"]]


AdvancedBooking = TypedDict("AdvancedBooking", {
    # The status before
    "from": "Literal[\"New\", \"Scheduled\", \"Confirmed\", \"In The Way\", \"In The location\", \"In Progress\", \"Finished\", \"Completed\", \"Cannot Complete\", \"Cancelled\"]",
    # The status now
    "to": "Literal[\"New\", \"Scheduled\", \"Confirmed\", \"In The Way\", \"In The location\", \"In Progress\", \"Finished\", \"Completed\", \"Cannot Complete\", \"Cancelled\"]",
    # Where it can go from there
    "next": "list[Literal[\"New\", \"Scheduled\", \"Confirmed\", \"In The Way\", \"In The location\", \"In Progress\", \"Finished\", \"Completed\", \"Cannot Complete\", \"Cancelled\"]]",
    "booking": "Booking",
})


class AdvancedBookingResponse(TypedDict):
    success: Literal[True]
    data: AdvancedBooking


class AlternativeSlot(TypedDict):
    # Riyadh date
    date: str
    # Start, Riyadh time
    startAt: str
    # End, Riyadh time
    endAt: str


AppointmentStatusChange = TypedDict("AppointmentStatusChange", {
    # Appointment status before
    "from": "Literal[\"New\", \"Scheduled\", \"Confirmed\", \"In The Way\", \"In The location\", \"In Progress\", \"Finished\", \"Completed\", \"Cannot Complete\", \"Cancelled\"]",
    # Appointment status from now on
    "to": "Literal[\"New\", \"Scheduled\", \"Confirmed\", \"In The Way\", \"In The location\", \"In Progress\", \"Finished\", \"Completed\", \"Cannot Complete\", \"Cancelled\"]",
    # When, ISO 8601 with offset
    "changedAt": "str",
})


class AppointmentStatusChanged(TypedDict):
    # Booking
    bookingId: str
    # The partner's reference; null: none
    externalReference: str | None
    # Appointment; null until one is assigned
    appointmentId: NotRequired[str | None]
    # Booking status
    status: Literal["in progress", "waiting payment", "success", "canceled", "failed"]
    # Payment status
    paymentStatus: Literal["NOT_REQUIRED", "PENDING", "PAID", "FAILED", "CANCELLED"]
    # To be shown to the customer: the appointment's name, also while `appointment` is null
    trackingReference: str
    # Service date, midnight form
    date: str
    timeslot: BookedTimeslot
    # null until an appointment is assigned
    appointment: BookingAppointment | None
    # Service
    serviceId: NotRequired[str]
    # English name of the service
    serviceNameEn: NotRequired[str]
    # Arabic name of the service
    serviceNameAr: NotRequired[str]
    # Contact
    contactId: NotRequired[str]
    # Address of the contact
    addressId: NotRequired[str]
    # Locked at creation
    price: NotRequired[float]
    # The customer's page of the booking, to be passed on to the customer; it ends 7 days after the visit. null: your account has no such pages, or the customer was erased
    trackingUrl: NotRequired[str | None]
    # Currency of all amounts
    currency: NotRequired[Literal["SAR"]]
    # The link by which the customer pays; null: there is none yet, or the booking does not wait for payment
    paymentLink: NotRequired[PaymentLink | None]
    # null: not canceled
    cancellation: NotRequired[BookingCancellation | None]
    # Why the visit could not be done; null: it could, or the reason is not known
    outcome: NotRequired[Literal["CUSTOMER_ABSENT", "NO_ACCESS", "REFUSED", "UNSAFE", "CREW", "WEATHER", None]]
    # Why it has failed, as in `booking.payment_failed`; null: it has not
    failureReason: NotRequired[str | None]
    # The version of the policy that it is under; null: changes are free
    policyId: NotRequired[str | None]
    # The hold that it took; null: none
    holdId: NotRequired[str | None]
    # The series that it is a visit of; null: none
    seriesId: NotRequired[str | None]
    # Its index in the series; null: none
    seriesIndex: NotRequired[int | None]
    # Fees of its changes by the policy, as they are now, oldest first
    fees: NotRequired[list[BookingFee]]
    # Refund of a payment by link; null: none
    refund: NotRequired[BookingRefund | None]
    # When it was created
    createdAt: NotRequired[str]
    # When it last changed
    updatedAt: NotRequired[str]
    appointmentStatusChange: AppointmentStatusChange


class AvailableSlot(TypedDict):
    # Start, Riyadh time; pass it unchanged as `timeslot.startAt`
    startAt: str
    # End, Riyadh time; earlier than the start when it is on the next day
    endAt: str


class BookedTimeslot(TypedDict):
    # Start
    startAt: str
    # End
    endAt: str
    # Whether it ends after midnight
    endsAtNextDay: bool


class Booking(TypedDict):
    # Booking
    bookingId: str
    # The partner's reference; null: none
    externalReference: str | None
    # Appointment; null until one is assigned
    appointmentId: str | None
    # Booking status
    status: Literal["in progress", "waiting payment", "success", "canceled", "failed"]
    # Payment status
    paymentStatus: Literal["NOT_REQUIRED", "PENDING", "PAID", "FAILED", "CANCELLED"]
    # To be shown to the customer: the appointment's name, also while `appointment` is null
    trackingReference: str
    # Service date, midnight form
    date: str
    timeslot: BookedTimeslot
    # null until an appointment is assigned
    appointment: BookingAppointment | None
    # Service
    serviceId: str
    # English name of the service
    serviceNameEn: str
    # Arabic name of the service
    serviceNameAr: str
    # Contact
    contactId: str
    # Address of the contact
    addressId: str
    # Locked at creation
    price: float
    # The customer's page of the booking, to be passed on to the customer; it ends 7 days after the visit. null: your account has no such pages, or the customer was erased
    trackingUrl: str | None
    # Currency of all amounts
    currency: Literal["SAR"]
    # The link by which the customer pays; null: there is none yet, or the booking does not wait for payment
    paymentLink: PaymentLink | None
    # null: not canceled
    cancellation: BookingCancellation | None
    # Why the visit could not be done; null: it could, or the reason is not known
    outcome: NotRequired[Literal["CUSTOMER_ABSENT", "NO_ACCESS", "REFUSED", "UNSAFE", "CREW", "WEATHER", None]]
    # Why it has failed, as in `booking.payment_failed`; null: it has not
    failureReason: str | None
    # The version of the policy that it is under; null: changes are free
    policyId: NotRequired[str | None]
    # The hold that it took; null: none
    holdId: NotRequired[str | None]
    # The series that it is a visit of; null: none
    seriesId: NotRequired[str | None]
    # Its index in the series; null: none
    seriesIndex: NotRequired[int | None]
    # Fees of its changes by the policy, as they are now, oldest first
    fees: NotRequired[list[BookingFee]]
    # Refund of a payment by link; null: none
    refund: BookingRefund | None
    # When it was created
    createdAt: str
    # When it last changed
    updatedAt: str
    # In the response to the request alone, with `preferTeamOf`: whether the team is that of the booking
    keepsTeam: NotRequired[bool]


class BookingAppointment(TypedDict):
    # Appointment
    id: str
    # Tracking reference
    name: str
    # Appointment status
    status: Literal["New", "Scheduled", "Confirmed", "In The Way", "In The location", "In Progress", "Finished", "Completed", "Cannot Complete", "Cancelled"]
    # Start
    scheduledStartDateTime: str
    # End
    scheduledEndDateTime: str


class BookingAppointmentStatusChangedDelivery(TypedDict):
    # Event name
    event: Literal["booking.appointment_status_changed"]
    # The delivery, the same on every attempt
    deliveryId: str
    payload: AppointmentStatusChanged


class BookingCancellation(TypedDict):
    # Cancellation reason
    reasonId: str | None
    # Side that cancelled
    by: Literal["PARTNER", "OPERATOR"]
    # When
    at: str
    # Your own notes on the cancellation
    notes: str | None
    # SAR, by the policy, as it is now; null: no policy held, the operator cancelled, or `feeToDecide`
    fee: NotRequired[float | None]
    # Whether the operator still decides on the fee, because nobody knows why the visit was not done; after seven days there is none
    feeToDecide: NotRequired[bool]
    # SAR that is kept of the price now, fees of moves too; null: the operator still decides
    kept: NotRequired[float | None]
    # For whom the operator cancelled; null: the side in `by` decided
    onBehalfOf: NotRequired[Literal["CUSTOMER", None]]
    # How far the work had come; null: it had not begun
    workReached: NotRequired[Literal["In Progress", "Finished", "Completed", None]]


class BookingCancelledDelivery(TypedDict):
    # Event name
    event: Literal["booking.cancelled"]
    # The delivery, the same on every attempt
    deliveryId: str
    payload: BookingSnapshot


class BookingCreatedDelivery(TypedDict):
    # Event name
    event: Literal["booking.created"]
    # The delivery, the same on every attempt
    deliveryId: str
    payload: BookingSnapshot


class BookingFailed(TypedDict):
    # Booking
    bookingId: str
    # The partner's reference; null: none
    externalReference: str | None
    # Appointment; null until one is assigned
    appointmentId: str | None
    # Booking status
    status: Literal["in progress", "waiting payment", "success", "canceled", "failed"]
    # Payment status
    paymentStatus: Literal["NOT_REQUIRED", "PENDING", "PAID", "FAILED", "CANCELLED"]
    # To be shown to the customer: the appointment's name, also while `appointment` is null
    trackingReference: str
    # Service date, midnight form
    date: str
    timeslot: BookedTimeslot
    # null until an appointment is assigned
    appointment: BookingAppointment | None
    # Service
    serviceId: str
    # English name of the service
    serviceNameEn: str
    # Arabic name of the service
    serviceNameAr: str
    # Contact
    contactId: str
    # Address of the contact
    addressId: str
    # Locked at creation
    price: float
    # The customer's page of the booking, to be passed on to the customer; it ends 7 days after the visit. null: your account has no such pages, or the customer was erased
    trackingUrl: str | None
    # Currency of all amounts
    currency: Literal["SAR"]
    # The link by which the customer pays; null: there is none yet, or the booking does not wait for payment
    paymentLink: PaymentLink | None
    # null: not canceled
    cancellation: BookingCancellation | None
    # Why the visit could not be done; null: it could, or the reason is not known
    outcome: NotRequired[Literal["CUSTOMER_ABSENT", "NO_ACCESS", "REFUSED", "UNSAFE", "CREW", "WEATHER", None]]
    # Why it has failed, as in `booking.payment_failed`; null: it has not
    failureReason: str | None
    # The version of the policy that it is under; null: changes are free
    policyId: NotRequired[str | None]
    # The hold that it took; null: none
    holdId: NotRequired[str | None]
    # The series that it is a visit of; null: none
    seriesId: NotRequired[str | None]
    # Its index in the series; null: none
    seriesIndex: NotRequired[int | None]
    # Fees of its changes by the policy, as they are now, oldest first
    fees: NotRequired[list[BookingFee]]
    # Refund of a payment by link; null: none
    refund: BookingRefund | None
    # When it was created
    createdAt: str
    # When it last changed
    updatedAt: str
    # Why, as `failureReason`
    reason: str


class BookingFailedDelivery(TypedDict):
    # Event name
    event: Literal["booking.failed"]
    # The delivery, the same on every attempt
    deliveryId: str
    payload: BookingFailed


class BookingFee(TypedDict):
    # The change
    action: Literal["cancel", "reschedule"]
    # SAR
    amount: float
    # When
    at: str
    # The operator made the change, and the customer asked for it; null: you made it
    onBehalfOf: NotRequired[Literal["CUSTOMER", None]]


class BookingFeesChangedDelivery(TypedDict):
    # Event name
    event: Literal["booking.fees_changed"]
    # The delivery, the same on every attempt
    deliveryId: str
    payload: FeesChanged


class BookingPageResponse(TypedDict):
    success: Literal[True]
    data: list[Booking]
    meta: PageMeta


class BookingPaymentConfirmedDelivery(TypedDict):
    # Event name
    event: Literal["booking.payment_confirmed"]
    # The delivery, the same on every attempt
    deliveryId: str
    payload: BookingSnapshot


class BookingPaymentFailedDelivery(TypedDict):
    # Event name
    event: Literal["booking.payment_failed"]
    # The delivery, the same on every attempt
    deliveryId: str
    payload: PaymentFailed


class BookingPaymentSucceededDelivery(TypedDict):
    # Event name
    event: Literal["booking.payment_succeeded"]
    # The delivery, the same on every attempt
    deliveryId: str
    payload: Booking


class BookingRefund(TypedDict):
    # SAR
    amount: float
    # `PENDING`: is made; `DONE`: was made; `FAILED`: the operator makes it; `TO_DECIDE`: the work had begun, so the operator decides; `DECLINED`: the operator has decided against it
    status: Literal["PENDING", "DONE", "FAILED", "TO_DECIDE", "DECLINED"]


class BookingRefundedDelivery(TypedDict):
    # Event name
    event: Literal["booking.refunded"]
    # The delivery, the same on every attempt
    deliveryId: str
    payload: Booking


class BookingResponse(TypedDict):
    success: Literal[True]
    data: Booking


class BookingSnapshot(TypedDict):
    # Booking
    bookingId: str
    # The partner's reference; null: none
    externalReference: str | None
    # Appointment; null until one is assigned
    appointmentId: str | None
    # Booking status
    status: Literal["in progress", "waiting payment", "success", "canceled", "failed"]
    # Payment status
    paymentStatus: Literal["NOT_REQUIRED", "PENDING", "PAID", "FAILED", "CANCELLED"]
    # To be shown to the customer: the appointment's name, also while `appointment` is null
    trackingReference: str
    # Service date, midnight form
    date: str
    timeslot: BookedTimeslot
    # null until an appointment is assigned
    appointment: BookingAppointment | None
    # Service
    serviceId: NotRequired[str]
    # English name of the service
    serviceNameEn: NotRequired[str]
    # Arabic name of the service
    serviceNameAr: NotRequired[str]
    # Contact
    contactId: NotRequired[str]
    # Address of the contact
    addressId: NotRequired[str]
    # Locked at creation
    price: NotRequired[float]
    # The customer's page of the booking, to be passed on to the customer; it ends 7 days after the visit. null: your account has no such pages, or the customer was erased
    trackingUrl: NotRequired[str | None]
    # Currency of all amounts
    currency: NotRequired[Literal["SAR"]]
    # The link by which the customer pays; null: there is none yet, or the booking does not wait for payment
    paymentLink: NotRequired[PaymentLink | None]
    # null: not canceled
    cancellation: NotRequired[BookingCancellation | None]
    # Why the visit could not be done; null: it could, or the reason is not known
    outcome: NotRequired[Literal["CUSTOMER_ABSENT", "NO_ACCESS", "REFUSED", "UNSAFE", "CREW", "WEATHER", None]]
    # Why it has failed, as in `booking.payment_failed`; null: it has not
    failureReason: NotRequired[str | None]
    # The version of the policy that it is under; null: changes are free
    policyId: NotRequired[str | None]
    # The hold that it took; null: none
    holdId: NotRequired[str | None]
    # The series that it is a visit of; null: none
    seriesId: NotRequired[str | None]
    # Its index in the series; null: none
    seriesIndex: NotRequired[int | None]
    # Fees of its changes by the policy, as they are now, oldest first
    fees: NotRequired[list[BookingFee]]
    # Refund of a payment by link; null: none
    refund: NotRequired[BookingRefund | None]
    # When it was created
    createdAt: NotRequired[str]
    # When it last changed
    updatedAt: NotRequired[str]


class BookingUpdated(TypedDict):
    # Booking
    bookingId: str
    # The partner's reference; null: none
    externalReference: str | None
    # Appointment; null until one is assigned
    appointmentId: str | None
    # Booking status
    status: Literal["in progress", "waiting payment", "success", "canceled", "failed"]
    # Payment status
    paymentStatus: Literal["NOT_REQUIRED", "PENDING", "PAID", "FAILED", "CANCELLED"]
    # To be shown to the customer: the appointment's name, also while `appointment` is null
    trackingReference: str
    # Service date, midnight form
    date: str
    timeslot: BookedTimeslot
    # null until an appointment is assigned
    appointment: BookingAppointment | None
    # Service
    serviceId: NotRequired[str]
    # English name of the service
    serviceNameEn: NotRequired[str]
    # Arabic name of the service
    serviceNameAr: NotRequired[str]
    # Contact
    contactId: NotRequired[str]
    # Address of the contact
    addressId: NotRequired[str]
    # Locked at creation
    price: NotRequired[float]
    # The customer's page of the booking, to be passed on to the customer; it ends 7 days after the visit. null: your account has no such pages, or the customer was erased
    trackingUrl: NotRequired[str | None]
    # Currency of all amounts
    currency: NotRequired[Literal["SAR"]]
    # The link by which the customer pays; null: there is none yet, or the booking does not wait for payment
    paymentLink: NotRequired[PaymentLink | None]
    # null: not canceled
    cancellation: NotRequired[BookingCancellation | None]
    # Why the visit could not be done; null: it could, or the reason is not known
    outcome: NotRequired[Literal["CUSTOMER_ABSENT", "NO_ACCESS", "REFUSED", "UNSAFE", "CREW", "WEATHER", None]]
    # Why it has failed, as in `booking.payment_failed`; null: it has not
    failureReason: NotRequired[str | None]
    # The version of the policy that it is under; null: changes are free
    policyId: NotRequired[str | None]
    # The hold that it took; null: none
    holdId: NotRequired[str | None]
    # The series that it is a visit of; null: none
    seriesId: NotRequired[str | None]
    # Its index in the series; null: none
    seriesIndex: NotRequired[int | None]
    # Fees of its changes by the policy, as they are now, oldest first
    fees: NotRequired[list[BookingFee]]
    # Refund of a payment by link; null: none
    refund: NotRequired[BookingRefund | None]
    # When it was created
    createdAt: NotRequired[str]
    # When it last changed
    updatedAt: NotRequired[str]
    # The operator moved it because the customer asked for it; left out: otherwise
    onBehalfOf: NotRequired[Literal["CUSTOMER"]]


class BookingUpdatedDelivery(TypedDict):
    # Event name
    event: Literal["booking.updated"]
    # The delivery, the same on every attempt
    deliveryId: str
    payload: BookingUpdated


class CalculatePriceRequestItemsItem(TypedDict):
    # Service
    serviceId: str
    # Hours of service: left out or the service's own duration for the price of a booking, other quarters from 1 on for an estimate. The `hours` of an answer can be sent as they are
    hours: NotRequired[float]


class CalculatePriceRequest(TypedDict):
    # Services to price; a service may occur more than once. Not in later responses: nothing is stored
    items: list[CalculatePriceRequestItemsItem]


class CalculatedPriceItemsItem(TypedDict):
    # Service
    serviceId: str
    # As sent, or the duration of the service
    hours: float
    # SAR, for this partner: what a booking of the service locks
    basePrice: float
    # The tier of an estimate, which holds these hours; null: none does, or `isBookable`
    tierId: str | None
    # Of the tier; 1 without one
    factor: float
    # SAR: basePrice x factor, rounded half up to 2 decimals
    price: float
    # true: the hours are the service's own duration, and `price` is what a booking locks; false: an estimate, which no booking is charged
    isBookable: bool


class CalculatedPrice(TypedDict):
    currency: Literal["SAR"]
    # In the order of the request
    items: list[CalculatedPriceItemsItem]
    # SAR: the sum of the prices; an estimate unless all are bookable
    total: float


class CalculatedPriceResponse(TypedDict):
    success: Literal[True]
    data: CalculatedPrice


class CalendarDay(TypedDict):
    # A date
    date: str
    # `FREE`: it has free slots. `FULL`: all are taken. `CLOSED`: none is offered, because no team works, or it is past, inside the notice or after `bookableUntil`
    state: Literal["FREE", "FULL", "CLOSED"]
    # Sorted by start; empty when no team is free
    slots: NotRequired[list[CalendarSlot]]
    # With `view=days`, instead of `slots`: whether the date has any
    available: NotRequired[bool]


class CalendarSlot(TypedDict):
    # Start, Riyadh time; pass it unchanged as `timeslot.startAt`
    startAt: str
    # End, Riyadh time; earlier than the start when it is on the next day
    endAt: str
    # With `preferTeamOf`: whether the team of that booking is free then
    keepsTeam: NotRequired[bool]


class CancelBookingRequest(TypedDict):
    # From the list of cancellation reasons
    reasonId: str
    # Stored, never returned
    notes: NotRequired[str]
    # If the fee of the change is higher: 409 `FEE_CHANGED` with the quote of now, and nothing is done. Not in later responses: it limits this change
    maxFee: NotRequired[float]


class CancellationReason(TypedDict):
    # Reason; used as `reasonId`
    id: str
    # English name
    nameEn: str
    # Arabic name
    nameAr: str


class CancellationReasonListResponse(TypedDict):
    success: Literal[True]
    data: list[CancellationReason]


class Certification(TypedDict):
    # Certification
    id: str
    # Webhook subscription
    subscriptionId: str
    # `FINISHED`: every point that counts is decided, or a day is over
    status: Literal["RUNNING", "FINISHED"]
    # When it was started
    startedAt: str
    # When it was finished; null: it is under way
    finishedAt: str | None
    score: CertificationScore
    points: list[CertificationPoint]
    # The same as a page to print. Whoever has the address can read it
    pageUrl: str


class CertificationPoint(TypedDict):
    # Point
    id: Literal["reference", "repeat", "slot-taken", "rate-limit", "reschedule", "duplicate", "bad-signature", "old-event", "lost-event", "cancel", "holds", "reconcile", "fees", "outcome"]
    # It counts neither for the score nor for the end
    isRecommended: bool
    # What your integration does
    title: str
    # How it stands
    state: Literal["waiting", "passed", "failed", "not-applicable"]
    # What was seen of it
    found: str
    # What the service does for it
    does: str
    # What it waits for
    waitsFor: str
    # `X-Request-Id` of the requests that show it
    requestIds: list[str]
    # Deliveries that show it
    deliveryIds: list[str]


class CertificationResponse(TypedDict):
    success: Literal[True]
    data: Certification


class CertificationScore(TypedDict):
    # Points that are passed
    passed: int
    # Points that apply to your account
    of: int
    # The share of these, rounded down
    percent: int


class ChangePolicy(TypedDict):
    # The version of the policy; it never changes
    id: str
    # The terms in English
    textEn: str
    # The terms in Arabic
    textAr: str
    # Minutes after the booking in which nothing costs anything
    graceMinutes: int
    # Part of the price once the work has begun, or the start has passed and the crew is there. The clock alone begins no work
    afterStartPercent: int
    # Part of the price when the customer is the cause that a visit was not done
    noShowPercent: int
    # Times that a partner may reschedule a booking; null: any number
    maxReschedules: int | None
    # Fees of cancelling. The step nearest to the start holds; none: no fee
    cancel: list[FeeStep]
    # Fees of rescheduling. The step nearest to the start holds; none: no fee
    reschedule: list[FeeStep]


class ConfirmPaymentRequest(TypedDict):
    # The partner's reference of the payment
    paymentReference: NotRequired[str]


class Contact(TypedDict):
    # Contact; used as `contactId` when booking
    id: str
    # Customer name as first registered
    name: str
    # E.164
    phone: str
    # Address created or matched; null when no address field was sent
    addressId: str | None
    # true when the contact was created by this request
    isNewContact: bool


class ContactDetail(TypedDict):
    # Contact
    id: str
    # Customer name as first registered
    name: str
    # E.164
    phone: str
    # Language of messages to the customer; null: not known, so they have both
    language: Literal["ar", "en", None]
    # Chosen on the page behind a message: `STOP`, no messages; `NOT_ME`, the number is not hers. Payment links and word of a cancellation are sent all the same. null: neither
    messagesStopped: Literal["STOP", "NOT_ME", None]
    # Oldest first
    addresses: list[Address]
    # ISO 8601 with offset
    createdAt: str


class ContactDetailResponse(TypedDict):
    success: Literal[True]
    data: ContactDetail


class ContactResponse(TypedDict):
    success: Literal[True]
    data: Contact


class Coverage(TypedDict):
    # Whether the place is inside of a zone
    covered: bool
    # Those that you may book there, in the order of the list of services
    services: list[CoveredService]
    # The earliest free timeslot of any of the services; null: there is none
    earliest: EarliestSlot | None


class CoverageResponse(TypedDict):
    success: Literal[True]
    data: Coverage


class CoveredService(TypedDict):
    # Service; used as `serviceId`
    id: str
    # English name
    nameEn: str
    # Arabic name; the English one where there is none
    nameAr: str
    # SAR, for this partner
    price: float
    # Fees for changes of a booking that is made now; null: none
    policy: ChangePolicy | None


class CreateBookingRequest(TypedDict):
    # From the contacts operation
    contactId: str
    # An address of the contact
    addressId: str
    # Enabled for the partner and available at the address
    serviceId: str
    # Riyadh date on which the appointment starts (or `2026-12-01T00:00:00.000Z`, as bookings have it)
    date: str
    timeslot: Timeslot
    # The partner's own reference, unique in its account; makes retries safe
    externalReference: NotRequired[str]
    # For the operator; stored, never returned
    notes: NotRequired[str]
    # Access instructions for the crew. Encrypted, never returned, shown to the crew on the day of the visit only, deleted a week after
    instructions: NotRequired[str]
    # Code of a door or gate; kept as `instructions` are
    accessCode: NotRequired[str]
    # The hold of this slot: the booking takes it, at its price. One that is over is ignored if that costs nothing
    holdId: NotRequired[str]
    # An earlier booking, usually of the customer: its team comes again if it is free, else another. Not in later responses: `keepsTeam` in that of this request says what came of it
    preferTeamOf: NotRequired[str]


class CreateHoldRequest(TypedDict):
    # An address with coordinates; or `latitude` and `longitude`
    addressId: NotRequired[str]
    # With `longitude`, instead of `addressId`: decimal degrees, -90 to 90
    latitude: NotRequired[str]
    # With `latitude`, instead of `addressId`: decimal degrees, -180 to 180
    longitude: NotRequired[str]
    # Enabled for the partner and available at the address
    serviceId: str
    # Riyadh date on which the slot starts (or `2026-12-01T00:00:00.000Z`, as bookings have it)
    date: str
    timeslot: Timeslot
    # How long; default 600
    seconds: NotRequired[int]
    # The contact of the address; need not be sent, and must agree with it
    contactId: NotRequired[str]
    # The partner's own reference, unique among its live holds. Without a customer it makes the hold repeatable
    reference: NotRequired[str]
    # An earlier booking, usually of the customer: its team comes again if it is free, else another. Not in later responses: `keepsTeam` in that of this request says what came of it
    preferTeamOf: NotRequired[str]


class CreateSeriesRequest(TypedDict):
    # From the contacts operation
    contactId: str
    # An address of the contact
    addressId: str
    # Enabled for the partner and available at the address
    serviceId: str
    # Riyadh date of the first visit; its weekday is that of the series (or `2026-12-01T00:00:00.000Z`, as bookings have it)
    firstDate: str
    # Start of each visit, Riyadh time; the length is that of the service
    startAt: str
    # Weeks from one visit to the next; default 1
    everyWeeks: NotRequired[Literal[1, 2, 4]]
    # Riyadh date of the last visit at the latest; without it and `visits` it has no end (or `2026-12-01T00:00:00.000Z`, as bookings have it)
    until: NotRequired[str]
    # Number of visits
    visits: NotRequired[int]
    # Whether the crew of the first visit comes again if it can; `keepsTeam` of each visit says whether it does
    sameCrew: NotRequired[bool]
    # An earlier booking, usually of the customer: its team comes again if it is free, else another. Not in later responses: `keepsTeam` in that of this request says what came of it
    preferTeamOf: NotRequired[str]
    # For the operator. Not in later responses: those of its bookings have them
    notes: NotRequired[str]
    # Access instructions for the crews of each booking, encrypted. Not in later responses: crews alone see them
    instructions: NotRequired[str]
    # Code of a door or gate, encrypted. Not in later responses: crews alone see it
    accessCode: NotRequired[str]
    # The partner's own reference, unique among its series; makes retries safe. Its bookings have none
    externalReference: NotRequired[str]
    # Only says what would come of it. Not in later responses: nothing is stored
    preview: NotRequired[bool]


class CreateWebhookSubscriptionRequest(TypedDict):
    # Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, not this machine or a private network
    url: str
    # Events to deliver
    events: list[Literal["booking.created", "booking.updated", "booking.cancelled", "booking.payment_failed", "booking.payment_confirmed", "booking.appointment_status_changed", "booking.payment_succeeded", "booking.failed", "booking.refunded", "booking.fees_changed"]]


class CustomerExport(TypedDict):
    # When it was read
    exportedAt: str
    contact: ContactDetail
    # Oldest first
    bookings: list[ExportedBooking]
    # Oldest first
    series: list[ExportedSeries]
    # Oldest first
    messages: list[ExportedMessage]


class CustomerExportResponse(TypedDict):
    success: Literal[True]
    data: CustomerExport


class DatedSlot(TypedDict):
    # Date of the start
    date: str
    # Start, Riyadh time; pass it unchanged as `timeslot.startAt`
    startAt: str
    # End, Riyadh time; earlier than the start when it is on the next day
    endAt: str


class EarliestSlot(TypedDict):
    # Its service
    serviceId: str
    # Date of the start
    date: str
    # Start, Riyadh time; pass it unchanged as `timeslot.startAt`
    startAt: str
    # End, Riyadh time; earlier than the start when it is on the next day
    endAt: str


class EndSeriesRequest(TypedDict):
    # The first visit that does not take place
    fromIndex: int
    # From the cancellation reasons; must be given when a visit is placed already
    reasonId: NotRequired[str]
    # Your own notes on the cancellations
    cancellationNotes: NotRequired[str]
    # SAR that each visit may cost; when one costs more, nothing is changed. Not in later responses: `fees` of the bookings say what they cost
    maxFee: NotRequired[float]
    # Only says what would come of it. Not in later responses: nothing is stored
    preview: NotRequired[bool]


class EraseContactRequest(TypedDict):
    # Why; it is kept in the register, and must not name the customer
    reason: str


class ErasedContact(TypedDict):
    # Contact
    id: str
    # ISO 8601 with offset
    erasedAt: str
    # Entry of the register
    requestId: str


class ErasedContactResponse(TypedDict):
    success: Literal[True]
    data: ErasedContact


ErrorDetails = TypedDict("ErrorDetails", {
    # Documentation of this code
    "docUrl": "str",
    # Suggestions for developers; the wordings may change
    "hints": "NotRequired[list[str]]",
    # VALIDATION_ERROR: one message for each faulty field
    "message": "NotRequired[list[str]]",
    # VALIDATION_ERROR: the status
    "statusCode": "NotRequired[int]",
    # VALIDATION_ERROR: the name of the status
    "error": "NotRequired[str]",
    # UNAUTHORIZED, FORBIDDEN, codes of domains and limits: the check that refused the request
    "check": "NotRequired[str]",
    # UNAUTHORIZED: missing, malformed or not-valid. BOOKING_CREATION_FAILED: SLOT_UNAVAILABLE, SLOT_NOT_OFFERED, SLOT_IN_PAST, SLOT_INSIDE_NOTICE, SLOT_BEYOND_HORIZON, HOLD_EXPIRED, HOLD_DISPLACED, PRICE_CHANGED or PAYMENT_UNAVAILABLE. CONFLICT: NAME_TAKEN, CODE_TAKEN, IN_USE, STALE, ZONES_OVERLAP, TIERS_OVERLAP, ADDRESS_EXISTS, REFERENCE_TAKEN, OPEN_BOOKINGS, POLICY_ASSIGNED, PARTNER_SUSPENDED, NOT_AFFECTED, RUN_UNDER_WAY, NO_CANCELLATION_REASON, REQUEST_OPEN, OTHER_ZONE. More may be added
    "reason": "NotRequired[str]",
    # RATE_LIMIT_EXCEEDED: requests, or failed authentications, in any window
    "limit": "NotRequired[int]",
    # RATE_LIMIT_EXCEEDED: seconds of the window
    "window": "NotRequired[int]",
    # RATE_LIMIT_EXCEEDED: seconds until the next request is allowed
    "retryAfter": "NotRequired[int]",
    # RESOURCE_NOT_FOUND: what was not found
    "resource": "NotRequired[str]",
    # Current status
    "status": "NotRequired[str]",
    # BOOKING_CREATION_FAILED: free timeslots nearby
    "alternatives": "NotRequired[list[AlternativeSlot]]",
    # CONFLICT, OPEN_BOOKINGS: the bookings that stand in the way of erasing their customer
    "bookings": "NotRequired[list[str]]",
    # DUPLICATE_EXTERNAL_REFERENCE of a series: the one that has the reference
    "seriesId": "NotRequired[str]",
    # HOLD_CONSUMED, DUPLICATE_EXTERNAL_REFERENCE: the booking that took the hold, or has the reference
    "bookingId": "NotRequired[str]",
    # HOLD_CONSUMED, DUPLICATE_EXTERNAL_REFERENCE: whether the body that was sent made that booking, in the last 28 days. BOOKING_ALREADY_CANCELLED, PAYMENT_ALREADY_CONFIRMED: true when the request with this very X-Request-Id did it, because the network has delivered it twice
    "sameRequest": "NotRequired[bool]",
    # BOOKING_ALREADY_CANCELLED: the statuses that can be cancelled
    "cancellable": "NotRequired[list[str]]",
    # BOOKING_NOT_EDITABLE: the statuses that allow changes
    "editable": "NotRequired[list[str]]",
    # BOOKING_NOT_EDITABLE: times that its policy allows it to be rescheduled
    "maxReschedules": "NotRequired[int]",
    # BOOKING_NOT_EDITABLE: times that it was rescheduled
    "reschedules": "NotRequired[int]",
    # BOOKING_NOT_EDITABLE, BOOKING_APPOINTMENT_NOT_FOUND: the status of the appointment; null: there is none
    "appointmentStatus": "NotRequired[str | None]",
    # FORBIDDEN: the permission that the key lacks
    "permission": "NotRequired[str | None]",
    # FORBIDDEN: the address the request came from, as the service sees it
    "address": "NotRequired[str]",
    # The domain that was detected; null: it cannot be read
    "domain": "NotRequired[str | None]",
    # The header that names the domain
    "source": "NotRequired[str]",
    # WEBHOOK_DOMAIN_NOT_ALLOWED: the URL's host
    "host": "NotRequired[str]",
    # WEBHOOK_DOMAIN_NOT_ALLOWED: the account's webhook domains, subdomains included
    "allowedDomains": "NotRequired[list[str]]",
    # SERVICE_NOT_ALLOWED: the services of a price calculation that are not enabled
    "serviceIds": "NotRequired[list[str]]",
    # DUPLICATE_EXTERNAL_REFERENCE: the reference already in use
    "externalReference": "NotRequired[str | None]",
    # BOOKING_NOT_PAYABLE: the statuses that can be paid
    "payable": "NotRequired[list[str]]",
    # PAYMENT_RESPONSIBILITY_MISMATCH: who collects the payment
    "paymentResponsibility": "NotRequired[str]",
    # The payment status of the booking
    "paymentStatus": "NotRequired[str]",
    # INVALID_TRANSITION: the current status of the appointment
    "from": "NotRequired[str]",
    # INVALID_TRANSITION: the requested status
    "to": "NotRequired[str]",
    # INVALID_TRANSITION: the statuses it can become, or the scripts that can be played
    "allowed": "NotRequired[list[str]]",
    # INVALID_TRANSITION: the status of the booking
    "bookingStatus": "NotRequired[str]",
    # BOOKING_CREATION_FAILED, PRICE_CHANGED: the price by now; HOLD_DISPLACED: that of the hold, at which `holdId` books any other slot until `expiresAt`
    "price": "NotRequired[float]",
    # BOOKING_CREATION_FAILED, PRICE_CHANGED, HOLD_DISPLACED: of the price
    "currency": "NotRequired[str]",
    # BOOKING_CREATION_FAILED, HOLD_DISPLACED: how long the price holds
    "expiresAt": "NotRequired[str]",
    # BOOKING_CREATION_FAILED, HOLD_DISPLACED: the hold that was displaced; CONFLICT, REFERENCE_TAKEN: that has the reference
    "holdId": "NotRequired[str]",
    # HOLD_MISMATCH: what differs from the hold
    "fields": "NotRequired[list[str]]",
    "quote": "NotRequired[Quote]",
    # HOLD_LIMIT_REACHED: slots that the account may hold at once
    "maxHolds": "NotRequired[int]",
    # HOLD_LIMIT_REACHED: those of them that may be at coordinates, without a customer
    "maxPlaceHolds": "NotRequired[int]",
    # HOLD_LIMIT_REACHED: how long the hold can last
    "latestExpiresAt": "NotRequired[str]",
    # CONFLICT: the run that is under way
    "runId": "NotRequired[str]",
})


class ExportBookingsQuery(TypedDict):
    # Riyadh month of the service dates
    month: str


class ExportedBooking(TypedDict):
    # Booking
    bookingId: str
    # Tracking reference
    trackingReference: str
    # The partner's reference
    externalReference: str | None
    # Booking status
    status: Literal["in progress", "waiting payment", "success", "canceled", "failed"]
    # Payment status
    paymentStatus: Literal["NOT_REQUIRED", "PENDING", "PAID", "FAILED", "CANCELLED"]
    # The partner's reference of the payment
    paymentReference: str | None
    # English name of the service
    service: str
    # Address
    addressId: str
    # Start of the visit
    startsAt: str
    # End of the visit
    endsAt: str
    # SAR
    price: float
    # Notes
    notes: str | None
    # Notes of the cancellation
    cancellationNotes: str | None
    # Why it failed
    failureReason: str | None
    # What operators and crews wrote about it, oldest first
    remarks: list[ExportedRemark]
    # When it was made
    createdAt: str


class ExportedMessage(TypedDict):
    # Booking
    bookingId: str
    # Kind of the message
    kind: Literal["BOOKED", "DAY_BEFORE", "ON_THE_WAY", "LATE", "DONE", "MOVED", "NOT_YET", "ANOTHER_VISIT", "CANCELLED", "NOT_DONE", "UNPAID"]
    # Whether it was sent; its text and number are not stored
    status: Literal["QUEUED", "SENDING", "SENT", "FAILED", "DROPPED", "UNKNOWN"]
    # When it was sent, or is due
    at: str


class ExportedRemark(TypedDict):
    # When it was written
    at: str
    # As it was written
    text: str


class ExportedSeries(TypedDict):
    # Series
    seriesId: str
    # The partner's reference
    externalReference: str | None
    # Address
    addressId: str
    # Riyadh date of the first visit
    firstDate: str
    # Weeks from one visit to the next
    everyWeeks: int
    # Status
    status: Literal["ACTIVE", "STOPPED", "ENDED"]
    # Notes
    notes: str | None
    # When it was made
    createdAt: str


class ExtendHoldRequest(TypedDict):
    # How much longer; 30 minutes in all at most
    seconds: NotRequired[int]
    # Until when, ISO 8601 with offset: can be sent again; an earlier end changes nothing
    until: NotRequired[str]


class FaultyDelivery(TypedDict):
    # Delivery
    deliveryId: str
    # Event, as the feed names it
    eventId: str
    # Booking
    bookingId: str
    # lose: never sent, FAILED at once. delay: sent later. duplicate: sent twice. reorder: sent after the next of its booking. bad-signature: sent with a wrong signature first
    kind: Literal["lose", "delay", "duplicate", "reorder", "bad-signature"]
    # When it was its turn, business time
    treatedAt: str


class FeeStep(TypedDict):
    # The fee is due when fewer hours than these are left before the start
    hoursBefore: int
    # Part of the price, rounded half up; or `amount`
    percent: NotRequired[int]
    # SAR; or `percent`
    amount: NotRequired[float]


class FeedEvent(TypedDict):
    # Event; its deliveries have the same `eventId`
    id: str
    # What happened
    event: Literal["booking.created", "booking.updated", "booking.cancelled", "booking.payment_failed", "booking.payment_confirmed", "booking.appointment_status_changed", "booking.payment_succeeded", "booking.failed", "booking.refunded", "booking.fees_changed"]
    # Booking
    bookingId: str
    # Number within the booking, starting at 1
    sequence: int
    # When it happened
    createdAt: str
    # Payload of the webhook
    payload: BookingSnapshot | BookingUpdated | Booking | BookingFailed | FeesChanged | PaymentFailed | AppointmentStatusChanged


class FeedEventPageResponse(TypedDict):
    success: Literal[True]
    data: list[FeedEvent]
    meta: FeedMeta


class FeedMeta(TypedDict):
    # Pass it as `after` to continue from here
    nextCursor: str
    # Whether there are events after the cursor
    hasMore: bool


class FeesChange(TypedDict):
    # The operator decided or corrected why the visit was not done, or gave something back; or the gateway reported a refund or a chargeback
    cause: Literal["DECIDED", "WAIVED", "GATEWAY"]
    # SAR that may be kept from now on
    kept: float
    # When
    at: str


class FeesChanged(TypedDict):
    # Booking
    bookingId: str
    # The partner's reference; null: none
    externalReference: str | None
    # Appointment; null until one is assigned
    appointmentId: str | None
    # Booking status
    status: Literal["in progress", "waiting payment", "success", "canceled", "failed"]
    # Payment status
    paymentStatus: Literal["NOT_REQUIRED", "PENDING", "PAID", "FAILED", "CANCELLED"]
    # To be shown to the customer: the appointment's name, also while `appointment` is null
    trackingReference: str
    # Service date, midnight form
    date: str
    timeslot: BookedTimeslot
    # null until an appointment is assigned
    appointment: BookingAppointment | None
    # Service
    serviceId: str
    # English name of the service
    serviceNameEn: str
    # Arabic name of the service
    serviceNameAr: str
    # Contact
    contactId: str
    # Address of the contact
    addressId: str
    # Locked at creation
    price: float
    # The customer's page of the booking, to be passed on to the customer; it ends 7 days after the visit. null: your account has no such pages, or the customer was erased
    trackingUrl: str | None
    # Currency of all amounts
    currency: Literal["SAR"]
    # The link by which the customer pays; null: there is none yet, or the booking does not wait for payment
    paymentLink: PaymentLink | None
    # null: not canceled
    cancellation: BookingCancellation | None
    # Why the visit could not be done; null: it could, or the reason is not known
    outcome: NotRequired[Literal["CUSTOMER_ABSENT", "NO_ACCESS", "REFUSED", "UNSAFE", "CREW", "WEATHER", None]]
    # Why it has failed, as in `booking.payment_failed`; null: it has not
    failureReason: str | None
    # The version of the policy that it is under; null: changes are free
    policyId: NotRequired[str | None]
    # The hold that it took; null: none
    holdId: NotRequired[str | None]
    # The series that it is a visit of; null: none
    seriesId: NotRequired[str | None]
    # Its index in the series; null: none
    seriesIndex: NotRequired[int | None]
    # Fees of its changes by the policy, as they are now, oldest first
    fees: NotRequired[list[BookingFee]]
    # Refund of a payment by link; null: none
    refund: BookingRefund | None
    # When it was created
    createdAt: str
    # When it last changed
    updatedAt: str
    feesChange: FeesChange


class FindNextTimeslotsQuery(TypedDict):
    # An address with coordinates; or `latitude` and `longitude`
    addressId: NotRequired[str]
    # With `longitude`, instead of `addressId`: decimal degrees, -90 to 90
    latitude: NotRequired[str]
    # With `latitude`, instead of `addressId`: decimal degrees, -180 to 180
    longitude: NotRequired[str]
    # The service to be booked
    serviceId: str
    # The earliest start, ISO 8601 with offset; default now. A `+` in a URL is written `%2B`
    notBefore: NotRequired[str]
    # The number of slots wanted
    count: NotRequired[int]


class FindOrCreateContactRequest(TypedDict):
    # Saudi phone number in international format, no spaces; normalized to E.164
    phone: str
    # The customer's full name; an existing contact keeps its name
    name: str
    # Decimal degrees, -90 to 90; ignored without longitude
    latitude: NotRequired[str]
    # Decimal degrees, -180 to 180; ignored without latitude
    longitude: NotRequired[str]
    # Language of messages to the customer; an existing contact gets it. Not known: they have both
    language: NotRequired[Literal["ar", "en"]]
    # City of the service address
    cityName: NotRequired[str]
    # District of the service address
    districtName: NotRequired[str]
    # Street of the service address
    streetName: NotRequired[str]
    # Short address of the National Address: four letters and four digits; stored in capitals
    shortAddress: NotRequired[str]
    # Number of the building; another one is another address
    buildingNumber: NotRequired[str]
    # Flat, villa or office in the building; another one is another address
    unit: NotRequired[str]
    # Floor
    floor: NotRequired[str]
    # Postal code: five digits
    postalCode: NotRequired[str]
    # Where the door is, for the crew
    directions: NotRequired[str]


class GetBookingQuoteQuery(TypedDict):
    # The change
    action: Literal["cancel", "reschedule"]
    # Of `reschedule`: the new Riyadh date; given alone, the times stay (or `2026-12-01T00:00:00.000Z`, as bookings have it)
    date: NotRequired[str]
    # Of `reschedule`: the new start, with `endAt`
    startAt: NotRequired[str]
    # Of `reschedule`: the new end
    endAt: NotRequired[str]


class GetCoverageQuery(TypedDict):
    # Decimal degrees, -90 to 90
    latitude: str
    # Decimal degrees, -180 to 180
    longitude: str


GetTimeslotCalendarQuery = TypedDict("GetTimeslotCalendarQuery", {
    # An address with coordinates; or `latitude` and `longitude`
    "addressId": "NotRequired[str]",
    # With `longitude`, instead of `addressId`: decimal degrees, -90 to 90
    "latitude": "NotRequired[str]",
    # With `latitude`, instead of `addressId`: decimal degrees, -180 to 180
    "longitude": "NotRequired[str]",
    # The service to be booked
    "serviceId": "str",
    # The first Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it)
    "from": "str",
    # The last Riyadh date, at most 31 days with the first (or `2026-12-01T00:00:00.000Z`, as bookings have it)
    "to": "str",
    # `days`: instead of its slots, whether a date has any. Default slots
    "view": "NotRequired[Literal[\"slots\", \"days\"]]",
    # An earlier booking, usually of the customer: each slot says whether its team is free
    "preferTeamOf": "NotRequired[str]",
})


class HeldTimeslot(TypedDict):
    # Start, Riyadh time
    startAt: str
    # End, Riyadh time
    endAt: str
    # Whether it ends on the next day
    endsAtNextDay: bool


class Hold(TypedDict):
    # Hold; `holdId` of POST /partners/bookings
    holdId: str
    # `CONSUMED`: a booking took it
    status: Literal["HELD", "CONSUMED", "RELEASED", "EXPIRED"]
    # From then on the slot is free again
    expiresAt: str
    # SAR; that of the booking that takes it
    price: float
    # Currency of the price
    currency: Literal["SAR"]
    # Riyadh date of the start
    date: str
    timeslot: HeldTimeslot
    # Address; null: the hold was made at coordinates, without a customer
    addressId: str | None
    # Service
    serviceId: str
    # Contact of the address; null as `addressId`
    contactId: str | None
    # Of a hold that was made at coordinates, until it is over
    latitude: str | None
    # As `latitude`
    longitude: str | None
    # The partner's reference; null: none
    reference: str | None
    # The booking that took it; null: none
    bookingId: str | None
    # The version of the policy that the booking will be under; null: none
    policyId: str | None
    # In the response to the request alone, with `preferTeamOf`: whether the team is that of the booking
    keepsTeam: NotRequired[bool]


class HoldPageResponse(TypedDict):
    success: Literal[True]
    data: list[Hold]
    meta: PageMeta


class HoldResponse(TypedDict):
    success: Literal[True]
    data: Hold


class ListAvailableTimeslotsQuery(TypedDict):
    # An address with coordinates
    addressId: str
    # The service to be booked
    serviceId: str
    # The Riyadh date on which the slots start (or `2026-12-01T00:00:00.000Z`, as bookings have it)
    date: str


class ListAvailableTimeslotsResponseData(TypedDict):
    # Requested date
    date: str
    # Sorted by start; empty when no team is free
    slots: list[AvailableSlot]


class ListAvailableTimeslotsResponse(TypedDict):
    success: Literal[True]
    data: ListAvailableTimeslotsResponseData
    meta: NotRequired[UnservedMeta]


class ListBookingsQuery(TypedDict):
    # Page number, starting at 1
    page: NotRequired[int]
    # Rows per page
    limit: NotRequired[int]
    # Order; ties are broken by id
    sortBy: NotRequired[Literal["createdAt", "updatedAt", "date", "status", "externalReference"]]
    # Default DESC
    sortOrder: NotRequired[Literal["ASC", "DESC"]]
    # Filter by status
    status: NotRequired[Literal["in progress", "waiting payment", "success", "canceled", "failed"]]
    # Service date on or after (or `2026-12-01T00:00:00.000Z`, as bookings have it)
    fromDate: NotRequired[str]
    # Service date on or before; ignored without fromDate (or `2026-12-01T00:00:00.000Z`, as bookings have it)
    toDate: NotRequired[str]
    # Filter by external reference (exact match)
    externalReference: NotRequired[str]
    # Filter by tracking reference (exact match)
    trackingReference: NotRequired[str]
    # Filter by contact
    contactId: NotRequired[str]
    # Filter by service
    serviceId: NotRequired[str]
    # Filter by payment status
    paymentStatus: NotRequired[Literal["NOT_REQUIRED", "PENDING", "PAID", "FAILED", "CANCELLED"]]
    # Bookings changed at this time (ISO 8601 with offset) or later, the last changed first unless sorted otherwise; or, with the X-Updated-Since of an earlier list, those with a change that it has not seen. A booking that changes meanwhile moves to the first page, so pages in this order repeat bookings, but leave none out
    updatedSince: NotRequired[str]
    # The X-List-As-Of header of the first page: later pages then leave out bookings created since
    asOf: NotRequired[str]


class ListEventsQuery(TypedDict):
    # `nextCursor` of an earlier response, or `latest` for no events and the cursor of the end of the feed; by default the feed starts at the oldest event kept
    after: NotRequired[str]
    # Without `after`: begin with the events that happened at this time or later, to go on after a cursor was refused; ISO 8601 with offset
    since: NotRequired[str]
    # Names of events, with commas between them, or `all`; by default those of the contract, without `booking.payment_succeeded`, `booking.failed`, `booking.refunded`, `booking.fees_changed`. A cursor is good for any. With rare events a page may be empty while `hasMore` is true
    events: NotRequired[str]
    # Rows per page
    limit: NotRequired[int]


class ListOwnHoldsQuery(TypedDict):
    # Page number, starting at 1
    page: NotRequired[int]
    # Rows per page
    limit: NotRequired[int]


class ListSeriesQuery(TypedDict):
    # Filter by status
    status: NotRequired[Literal["ACTIVE", "STOPPED", "ENDED"]]
    # Filter by contact
    contactId: NotRequired[str]
    # Filter by reference
    externalReference: NotRequired[str]
    # Those with a visit to come that could not be placed, and stopped ones
    unplaced: NotRequired[Literal["true"]]
    # Series changed at this time (ISO 8601 with offset) or later, the last changed first; or, with the X-Updated-Since of an earlier list, those with a change that it has not seen
    updatedSince: NotRequired[str]
    # Page number, starting at 1
    page: NotRequired[int]
    # Rows per page
    limit: NotRequired[int]


class ListServicesQuery(TypedDict):
    # An address with coordinates
    addressId: str
    # Page number, starting at 1
    page: NotRequired[int]
    # Rows per page
    limit: NotRequired[int]


class ListStatementsQuery(TypedDict):
    # Page number, starting at 1
    page: NotRequired[int]
    # Rows per page
    limit: NotRequired[int]


class ListWebhookDeliveriesQuery(TypedDict):
    # Filter by subscription
    subscriptionId: NotRequired[str]
    # Filter by status
    status: NotRequired[Literal["PENDING", "DELIVERED", "FAILED"]]
    # Filter by event name
    event: NotRequired[Literal["booking.created", "booking.updated", "booking.cancelled", "booking.payment_failed", "booking.payment_confirmed", "booking.appointment_status_changed", "booking.payment_succeeded", "booking.failed", "booking.refunded", "booking.fees_changed"]]
    # Filter by booking
    bookingId: NotRequired[str]
    # Filter by event
    eventId: NotRequired[str]
    # Page number, starting at 1
    page: NotRequired[int]
    # Rows per page
    limit: NotRequired[int]


class ListWebhookSubscriptionsQuery(TypedDict):
    # Filter by status
    status: NotRequired[Literal["ACTIVE", "INACTIVE"]]


class NationalAddress(TypedDict):
    """National address"""

    # Four digits
    buildingNumber: str
    # Street
    street: str
    # District
    district: str
    # City
    city: str
    # Five digits
    postalCode: str
    # Four digits; null: none
    additionalNumber: NotRequired[str | None]


class NextTimeslots(TypedDict):
    # The last date that the service can be booked on, seen from today
    bookableUntil: str
    # The earliest ones, sorted by start; fewer when there are no more until `bookableUntil`
    slots: list[DatedSlot]


class NextTimeslotsResponse(TypedDict):
    success: Literal[True]
    data: NextTimeslots
    meta: NotRequired[UnservedMeta]


class OfferedCategory(TypedDict):
    # Category; for display and grouping only
    id: str
    # Category code
    code: str | None
    # English name
    nameEn: str
    # Arabic name
    nameAr: str
    # English description
    descriptionEn: str
    # Arabic description
    descriptionAr: str
    # Whether the category is active
    isActive: bool
    # Sorted by name
    services: list[OfferedService]


class OfferedCategoryPageResponse(TypedDict):
    success: Literal[True]
    data: list[OfferedCategory]
    meta: ServicesPageMeta


class OfferedService(TypedDict):
    # Service; used as `serviceId`
    id: str
    # Name, in the language of your account
    name: str
    # English name
    nameEn: str
    # Arabic name
    nameAr: str
    # SAR, for this partner; locked on the booking at creation. 0: no upfront charge
    price: float
    # Fees for changes of a booking that is made now; null: none
    policy: ChangePolicy | None


class PageMeta(TypedDict):
    # Page number
    page: int
    # Maximum rows per page
    limit: int
    # Total number of rows
    total: int
    # Total number of pages
    totalPages: int


class Party(TypedDict):
    # Legal name in English
    legalNameEn: str
    # Legal name in Arabic
    legalNameAr: str
    # VAT number: 15 digits, the first and the last 3; null: not registered
    vatNumber: str | None
    # Commercial registration or unified number, ten digits; null: none
    registrationNumber: str | None
    address: NationalAddress


PauseSeriesRequest = TypedDict("PauseSeriesRequest", {
    # First Riyadh date without visits (or `2026-12-01T00:00:00.000Z`, as bookings have it)
    "from": "str",
    # Last one (or `2026-12-01T00:00:00.000Z`, as bookings have it)
    "to": "str",
    # From the cancellation reasons; must be given when a visit is placed already
    "reasonId": "NotRequired[str]",
    # Your own notes on the cancellations
    "cancellationNotes": "NotRequired[str]",
    # SAR that each visit may cost; when one costs more, nothing is changed. Not in later responses: `fees` of the bookings say what they cost
    "maxFee": "NotRequired[float]",
    # Only says what would come of it. Not in later responses: nothing is stored
    "preview": "NotRequired[bool]",
})


class PaymentFailed(TypedDict):
    # Booking
    bookingId: str
    # Why the payment failed
    reason: str


class PaymentLink(TypedDict):
    # Where the customer pays
    url: str
    # When it ends, at the latest
    expiresAt: str


class PlaceSeriesVisitRequest(TypedDict):
    # Another Riyadh date, as in `alternatives` (or `2026-12-01T00:00:00.000Z`, as bookings have it)
    date: NotRequired[str]
    # Another start, as in `alternatives`
    startAt: NotRequired[str]


class PricingTier(TypedDict):
    # Tier
    id: str
    # Inclusive lower bound of the duration, in minutes
    minMinutes: int
    # Inclusive upper bound, in minutes; null: no upper limit
    maxMinutes: int | None
    # Multiplies the base price; at most 4 decimals. 0.9: 10 % off
    factor: float
    # Display order, lower first
    sorting: int


class PricingTierListResponse(TypedDict):
    success: Literal[True]
    data: list[PricingTier]


class Quote(TypedDict):
    # Booking
    bookingId: str
    # The change
    action: Literal["cancel", "reschedule"]
    # SAR: what the change costs now; null: nobody knows why the visit has not begun or was not done, and the operator decides
    fee: float | None
    # SAR: `fee`, or the most that the operator can decide on
    feeAtMost: float
    # SAR: fees of earlier changes, which a cancellation keeps too
    earlierFees: float
    # SAR: what a cancellation gives back of what was paid, which is `fee`, `earlierFees` and this; null: the operator decides. Under PARTNER you refund it yourself
    refund: float | None
    # Currency of all amounts
    currency: Literal["SAR"]
    # The last moment at which the fee is this; null: it stays
    validUntil: str | None
    # The policy that the booking was made under; null: none, and changes are free
    policy: QuotedPolicy | None


class QuoteResponse(TypedDict):
    success: Literal[True]
    data: Quote


class QuotedPolicy(TypedDict):
    # The version of the policy; it never changes
    id: str
    # The terms in English
    textEn: str
    # The terms in Arabic
    textAr: str
    # Minutes after the booking in which nothing costs anything
    graceMinutes: int
    # Part of the price once the work has begun, or the start has passed and the crew is there. The clock alone begins no work
    afterStartPercent: int
    # Part of the price when the customer is the cause that a visit was not done
    noShowPercent: int
    # Times that a partner may reschedule a booking; null: any number
    maxReschedules: int | None
    # Fees of cancelling. The step nearest to the start holds; none: no fee
    cancel: list[FeeStep]
    # Fees of rescheduling. The step nearest to the start holds; none: no fee
    reschedule: list[FeeStep]
    # Fees of the quoted change. The step nearest to the start holds; none: no fee
    steps: list[FeeStep]


class RecoverWebhookSubscriptionRequest(TypedDict):
    # Deliveries that failed at or after this time are retried, and whatever waits for its next retry is sent at once; ISO 8601 with offset. Not in later responses: it chooses what is sent now
    since: str


class RecoveredDeliveries(TypedDict):
    # Subscription
    id: str
    # Number of failed deliveries to be retried
    recovered: int
    # Number of deliveries that waited for their next retry, and are sent at once too
    waiting: int


class RecoveredDeliveriesResponse(TypedDict):
    success: Literal[True]
    data: RecoveredDeliveries


class Removed(TypedDict):
    # What was removed
    id: str
    removed: Literal[True]


class RemovedResponse(TypedDict):
    success: Literal[True]
    data: Removed


class RotateWebhookSecretRequest(TypedDict):
    # Hours for which attempts are also signed with the previous secret; 0: none. Until then the previous secret signs `X-Service-Signature` and the new one `X-Service-Signature-Next`; `webhook-signature` has both
    overlapHours: NotRequired[int]


class Series(TypedDict):
    # Series; null: a preview of one
    seriesId: str | None
    # The partner's reference; null: none
    externalReference: str | None
    # `STOPPED`: places nothing for now; `ENDED`: places nothing more, what is placed stays
    status: Literal["ACTIVE", "STOPPED", "ENDED"]
    # Why it is not `ACTIVE`
    reason: Literal["PARTNER_SUSPENDED", "ACCOUNT_PLATFORM", "SERVICE_NOT_AVAILABLE", "OVER", "ENDED", "CUSTOMER_ERASED", None]
    # Contact
    contactId: str
    # Address of the contact
    addressId: str
    # Service
    serviceId: str
    # Riyadh date of the first visit
    firstDate: str
    # Weeks from one visit to the next
    everyWeeks: int
    # Day of the next visits; 1 (Monday) to 7 (Sunday)
    weekday: int
    # Start of the next visits
    startAt: str
    # Whether the crew of the first visit comes again if it can; `keepsTeam` of each visit says whether it does
    sameCrew: bool
    # Riyadh date of the last visit at the latest; null: none
    until: str | None
    # Number of visits; null: none
    visits: int | None
    # Riyadh dates without visits
    pauses: list[SeriesPause]
    # Its visits by index, with the next that are planned; in a list those from today on
    dates: list[SeriesVisit]
    # In the response to a change alone: what became, or with `preview` would become, of its visits
    changes: NotRequired[list[SeriesChange]]
    # When it was made
    createdAt: str
    # When it last changed
    updatedAt: str


class SeriesAlternative(TypedDict):
    # Riyadh date
    date: str
    # Start
    startAt: str
    # End
    endAt: str


class SeriesChange(TypedDict):
    # Of the visit
    index: int
    # `STAYS`: it cannot be moved, and `reason` says why; `SKIPPED`: it was not placed yet
    outcome: Literal["MOVED", "STAYS", "CANCELLED", "SKIPPED"]
    # Why it stays; null: otherwise
    reason: str | None
    # Its booking; null: none
    bookingId: str | None
    # Riyadh date by the series
    date: str
    # Start by the series
    startAt: str
    # SAR; null: free, or the operator decides later
    fee: float | None


class SeriesPageResponse(TypedDict):
    success: Literal[True]
    data: list[Series]
    meta: PageMeta


SeriesPause = TypedDict("SeriesPause", {
    # First date without visits
    "from": "str",
    # Last one
    "to": "str",
})


class SeriesResponse(TypedDict):
    success: Literal[True]
    data: Series


class SeriesVisit(TypedDict):
    # From 1
    index: int
    # Riyadh date, as it is now
    date: str
    # Start, as it is now
    startAt: str
    # `PLANNED`: the horizon has not reached it; `PLACED`: it is a booking; `UNPLACED`: it could not be booked, until you choose or skip
    state: Literal["PLANNED", "PLACED", "UNPLACED", "SKIPPED"]
    # Why it is not placed, as `reason` of a refused booking; null: otherwise
    reason: str | None
    # Free times near one that is `UNPLACED`; in the response of one series alone
    alternatives: list[SeriesAlternative]
    # Its booking; null: none
    bookingId: str | None
    # Of its booking
    trackingReference: str | None
    # Of its booking
    status: Literal["in progress", "waiting payment", "success", "canceled", "failed", None]
    # Of its booking
    appointmentStatus: Literal["New", "Scheduled", "Confirmed", "In The Way", "In The location", "In Progress", "Finished", "Completed", "Cannot Complete", "Cancelled", None]
    # SAR, locked when it was placed; null: it is not
    price: float | None
    # Whether the series' crew comes; null: it is not placed
    keepsTeam: bool | None
    # Whether its booking was moved by itself
    movedAlone: bool


class Service(TypedDict):
    # Service
    id: str
    # Name, in the language of your account
    name: str
    # English name
    nameEn: str
    # Arabic name
    nameAr: str
    # Whether it can be booked
    isActive: bool
    # Fees for changes of a booking that is made now; null: none
    policy: ChangePolicy | None


class ServiceResponse(TypedDict):
    success: Literal[True]
    data: Service


class ServicesPageMeta(TypedDict):
    # Page number
    page: int
    # Maximum rows per page
    limit: int
    # Total number of rows
    total: int
    # Total number of pages
    totalPages: int
    # Only when nothing is offered at the place. `PLACE_NOT_COVERED`: it is outside of every zone; `NOT_OFFERED_AT_PLACE`: its zone does not have the service, or any of yours
    reason: NotRequired[Literal["PLACE_NOT_COVERED", "NOT_OFFERED_AT_PLACE"]]


class SetSandboxFaultRequest(TypedDict):
    # lose: never sent, FAILED at once. delay: sent later. duplicate: sent twice. reorder: sent after the next of its booking. bad-signature: sent with a wrong signature first
    kind: Literal["lose", "delay", "duplicate", "reorder", "bad-signature"]
    # How many of the next deliveries are treated so, instead of what was set for this kind before
    count: int
    # Of delay alone: seconds of business time; 60 unless given
    delaySeconds: NotRequired[int]


class SimulatorRun(TypedDict):
    # Run
    id: str
    # Booking
    bookingId: str
    # What is played; those of customers are started by a phone number
    script: Literal["complete", "cannot-complete", "late-cancel", "no-show", "revisit", "operator-moves", "operator-cancels", "customer-pays", "payment-fails", "customer-pays-late", "customer-declines", "customer-declines-once"]
    # Seconds of business time before the first step and between two; 5 unless given
    everySeconds: int
    # A request, the header X-Sandbox-Run of the creation, or the phone number of the customer
    startedBy: Literal["request", "creation", "phone"]
    # FAILED: a step was refused, for the reason given
    status: Literal["RUNNING", "COMPLETED", "FAILED", "STOPPED"]
    # Why it ended before its last step; null: it did not
    reason: SimulatorRunReason | None
    # When it was started, business time
    createdAt: str
    # When it ended; null: it runs
    finishedAt: str | None
    # In their order
    steps: list[SimulatorStep]


class SimulatorRunListResponse(TypedDict):
    success: Literal[True]
    data: list[SimulatorRun]


class SimulatorRunReason(TypedDict):
    # Code of the refusal
    code: str
    # The refusal
    message: str


class SimulatorRunResponse(TypedDict):
    success: Literal[True]
    data: SimulatorRun


class SimulatorStep(TypedDict):
    # From 1
    number: int
    # What is done
    action: Literal["appointment", "move", "cancel", "pay", "decline", "fail-payment", "late-cancel", "no-show", "close", "revisit"]
    # What the appointment becomes; null: the step is about something else
    to: str | None
    # SKIPPED: the run ended before it
    status: Literal["WAITING", "DONE", "FAILED", "SKIPPED"]
    # When it is due, business time
    dueAt: str
    # When it was done; null: not
    doneAt: str | None


class SkipSeriesVisitRequest(TypedDict):
    # From the cancellation reasons; must be given when a visit is placed already
    reasonId: NotRequired[str]
    # Your own notes on the cancellations
    cancellationNotes: NotRequired[str]
    # SAR that each visit may cost; when one costs more, nothing is changed. Not in later responses: `fees` of the bookings say what they cost
    maxFee: NotRequired[float]
    # Only says what would come of it. Not in later responses: nothing is stored
    preview: NotRequired[bool]


class StartCertificationRequest(TypedDict):
    # Webhook subscription of the integration, for the events that a certification provokes
    subscriptionId: str


class StartSandboxRunRequest(TypedDict):
    # Who acts, and to which end
    script: Literal["complete", "cannot-complete", "late-cancel", "no-show", "revisit", "operator-moves", "operator-cancels", "customer-pays", "payment-fails"]
    # Seconds of business time before the first step and between two; 5 unless given
    everySeconds: NotRequired[int]


class StatementPaid(TypedDict):
    # Of the payment
    reference: str
    # Riyadh date
    paidOn: str


class Statement(TypedDict):
    # Statement
    id: str
    # Ascending, and never used twice; null: a draft
    number: str | None
    # Riyadh month of the service dates
    month: str
    totals: StatementTotals
    # When it was issued; null: a draft
    issuedAt: str | None
    # As it was then; null: a draft
    seller: Party | None
    # As it was then; null: a draft
    buyer: Party | None
    # What the operator has marked; null: not paid yet
    paid: StatementPaid | None


class StatementPageResponse(TypedDict):
    success: Literal[True]
    data: list[Statement]
    meta: PageMeta


class StatementResponse(TypedDict):
    success: Literal[True]
    data: Statement


class StatementTotalsTaxesItem(TypedDict):
    # S: the standard rate of the date; Z: zero-rated; E: exempt; O: outside of VAT
    category: Literal["S", "Z", "E", "O"]
    # Percent
    percent: float
    # SAR
    net: float
    # SAR
    vat: float
    # SAR
    gross: float


class StatementTotals(TypedDict):
    # Number of lines
    lines: int
    # Owed without VAT, SAR
    net: float
    # VAT in it, SAR
    vat: float
    # Owed by the partner, SAR
    gross: float
    # The same by category and rate
    taxes: list[StatementTotalsTaxesItem]
    # Came from the partner's customers by payment links, SAR: for information, not in `gross`
    collected: float
    # Of that given back, SAR, not positive
    givenBack: float
    # Of that kept, SAR
    kept: float


class Timeslot(TypedDict):
    # Start, Riyadh time, as offered
    startAt: str
    # End, Riyadh time, as offered; not after the start means the next day
    endAt: str
    # As answered; need not be sent, and must agree with `startAt` and `endAt`
    endsAtNextDay: NotRequired[bool]
    # As in `alternatives`; need not be sent, and must agree with a `date` beside the timeslot (or `2026-12-01T00:00:00.000Z`, as bookings have it)
    date: NotRequired[str]


TimeslotCalendar = TypedDict("TimeslotCalendar", {
    # First date
    "from": "str",
    # Last date
    "to": "str",
    # The first date that the service can be booked on, after its notice
    "bookableFrom": "str",
    # The last date that the service can be booked on, seen from today
    "bookableUntil": "str",
    # Every date from `from` to `to`
    "days": "list[CalendarDay]",
})


class TimeslotCalendarResponse(TypedDict):
    success: Literal[True]
    data: TimeslotCalendar
    meta: NotRequired[UnservedMeta]


class UnservedMeta(TypedDict):
    # Only when nothing is offered at the place. `PLACE_NOT_COVERED`: it is outside of every zone; `NOT_OFFERED_AT_PLACE`: its zone does not have the service, or any of yours
    reason: NotRequired[Literal["PLACE_NOT_COVERED", "NOT_OFFERED_AT_PLACE"]]


class UpdateAddressRequest(TypedDict):
    # Decimal degrees, -90 to 90; ignored without longitude
    latitude: NotRequired[str]
    # Decimal degrees, -180 to 180; ignored without latitude
    longitude: NotRequired[str]
    # City of the service address
    cityName: NotRequired[str | None]
    # District of the service address
    districtName: NotRequired[str | None]
    # Street of the service address
    streetName: NotRequired[str | None]
    # Short address of the National Address: four letters and four digits; stored in capitals
    shortAddress: NotRequired[str | None]
    # Number of the building; another one is another address
    buildingNumber: NotRequired[str | None]
    # Flat, villa or office in the building; another one is another address
    unit: NotRequired[str | None]
    # Floor
    floor: NotRequired[str | None]
    # Postal code: five digits
    postalCode: NotRequired[str | None]
    # Where the door is, for the crew
    directions: NotRequired[str | None]


class UpdateBookingRequest(TypedDict):
    # New Riyadh date; given alone, the times stay (or `2026-12-01T00:00:00.000Z`, as bookings have it)
    date: NotRequired[str]
    timeslot: NotRequired[Timeslot]
    # The partner's own reference, unique in its account; makes retries safe
    externalReference: NotRequired[str]
    # For the operator; stored, never returned
    notes: NotRequired[str]
    # Access instructions for the crew. Encrypted, never returned, shown to the crew on the day of the visit only, deleted a week after. null: none
    instructions: NotRequired[str | None]
    # Code of a door or gate; kept as `instructions` are. null: none
    accessCode: NotRequired[str | None]
    # If the fee of the change is higher: 409 `FEE_CHANGED` with the quote of now, and nothing is done. Not in later responses: it limits this change
    maxFee: NotRequired[float]


class UpdateContactRequest(TypedDict):
    # The customer's full name
    name: NotRequired[str]
    # Language of messages to the customer; null: not known
    language: NotRequired[Literal["ar", "en", None]]


class UpdateSeriesRequest(TypedDict):
    # The first visit that changes; earlier ones stay as they are. Not in later responses: the visits are
    fromIndex: int
    # Start from then on, Riyadh time
    startAt: NotRequired[str]
    # Day from then on, in the same weeks; 1 (Monday) to 7 (Sunday)
    weekday: NotRequired[int]
    # Whether the crew of the first visit comes again if it can; `keepsTeam` of each visit says whether it does
    sameCrew: NotRequired[bool]
    # An earlier booking, usually of the customer: its team comes again if it is free, else another. Not in later responses: `keepsTeam` in that of this request says what came of it
    preferTeamOf: NotRequired[str]
    # For the operator. Not in later responses: those of its bookings have them
    notes: NotRequired[str]
    # Access instructions for the crews of each booking, encrypted. Not in later responses: crews alone see them
    instructions: NotRequired[str]
    # Code of a door or gate, encrypted. Not in later responses: crews alone see it
    accessCode: NotRequired[str]
    # SAR that each visit may cost; when one costs more, nothing is changed. Not in later responses: `fees` of the bookings say what they cost
    maxFee: NotRequired[float]
    # Only says what would come of it. Not in later responses: nothing is stored
    preview: NotRequired[bool]


class UpdateWebhookSubscriptionRequest(TypedDict):
    # Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, not this machine or a private network
    url: NotRequired[str]
    # Events to deliver
    events: NotRequired[list[Literal["booking.created", "booking.updated", "booking.cancelled", "booking.payment_failed", "booking.payment_confirmed", "booking.appointment_status_changed", "booking.payment_succeeded", "booking.failed", "booking.refunded", "booking.fees_changed"]]]
    # Deliveries of an inactive subscription wait until it is active again
    status: NotRequired[Literal["ACTIVE", "INACTIVE"]]


class WebhookAttempt(TypedDict):
    # When
    attemptedAt: str
    # Milliseconds
    durationMs: int
    # null: no response
    statusCode: int | None
    # null: it succeeded
    error: str | None
    # The first 1,024 bytes at most, phones, coordinates and credentials masked
    responseBody: str
    # Of a redirect: where it leads (`Location`). Redirects are not followed
    location: NotRequired[str]


class WebhookDelivery(TypedDict):
    # Delivery; the same on every attempt
    id: str
    # Subscription
    subscriptionId: str
    # What happened
    event: Literal["booking.created", "booking.updated", "booking.cancelled", "booking.payment_failed", "booking.payment_confirmed", "booking.appointment_status_changed", "booking.payment_succeeded", "booking.failed", "booking.refunded", "booking.fees_changed"]
    # FAILED: no attempt follows by itself
    status: Literal["PENDING", "DELIVERED", "FAILED"]
    # Number of attempts
    attemptCount: int
    # Status code of the last response; null: no response
    statusCode: int | None
    # Why the last attempt failed, or SUBSCRIPTION_REMOVED; null: it did not
    error: str | None
    # When the next attempt is due; null: no attempt was made yet, it is due already or under way, its subscription is inactive, or none follows
    nextRetryAt: str | None
    # null: not delivered
    deliveredAt: str | None
    # When the event happened; of a replay: when it was asked for
    createdAt: str
    # 0: sent because the event happened; 1 and more: which replay of it this is
    replay: int


class WebhookDeliveryDetail(TypedDict):
    # Delivery; the same on every attempt
    id: str
    # Subscription
    subscriptionId: str
    # What happened
    event: Literal["booking.created", "booking.updated", "booking.cancelled", "booking.payment_failed", "booking.payment_confirmed", "booking.appointment_status_changed", "booking.payment_succeeded", "booking.failed", "booking.refunded", "booking.fees_changed"]
    # FAILED: no attempt follows by itself
    status: Literal["PENDING", "DELIVERED", "FAILED"]
    # Number of attempts
    attemptCount: int
    # Status code of the last response; null: no response
    statusCode: int | None
    # Why the last attempt failed, or SUBSCRIPTION_REMOVED; null: it did not
    error: str | None
    # When the next attempt is due; null: no attempt was made yet, it is due already or under way, its subscription is inactive, or none follows
    nextRetryAt: str | None
    # null: not delivered
    deliveredAt: str | None
    # When the event happened; of a replay: when it was asked for
    createdAt: str
    # 0: sent because the event happened; 1 and more: which replay of it this is
    replay: int
    # Event, as in the event feed
    eventId: str
    # Booking
    bookingId: str
    # Payload
    payload: BookingSnapshot | BookingUpdated | Booking | BookingFailed | FeesChanged | PaymentFailed | AppointmentStatusChanged
    # Oldest first
    attempts: list[WebhookAttempt]


class WebhookDeliveryDetailResponse(TypedDict):
    success: Literal[True]
    data: WebhookDeliveryDetail


class WebhookDeliveryPageResponse(TypedDict):
    success: Literal[True]
    data: list[WebhookDelivery]
    meta: PageMeta


class WebhookDeliveryResponse(TypedDict):
    success: Literal[True]
    data: WebhookDelivery


class WebhookFault(TypedDict):
    # lose: never sent, FAILED at once. delay: sent later. duplicate: sent twice. reorder: sent after the next of its booking. bad-signature: sent with a wrong signature first
    kind: Literal["lose", "delay", "duplicate", "reorder", "bad-signature"]
    # Deliveries that are still to be treated so
    remaining: int
    # Of delay alone: seconds of business time; 60 unless given
    delaySeconds: int | None
    # When it was set, business time
    setAt: str


class WebhookFaults(TypedDict):
    # Subscription
    subscriptionId: str
    # In the order in which deliveries get them
    faults: list[WebhookFault]
    # Deliveries that got a fault, the latest first
    treated: list[FaultyDelivery]


class WebhookFaultsResponse(TypedDict):
    success: Literal[True]
    data: WebhookFaults


class WebhookSecretRotated(TypedDict):
    # Subscription
    id: str
    # The partner account
    partnerClientId: str
    # Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, not this machine or a private network
    url: str
    # Events to deliver
    events: list[Literal["booking.created", "booking.updated", "booking.cancelled", "booking.payment_failed", "booking.payment_confirmed", "booking.appointment_status_changed", "booking.payment_succeeded", "booking.failed", "booking.refunded", "booking.fees_changed"]]
    # Deliveries of an inactive subscription wait until it is active again
    status: Literal["ACTIVE", "INACTIVE"]
    # When the previous secret stops signing, after a rotation; null: it no longer signs
    previousSecretEndsAt: str | None
    # When it was created
    createdAt: str
    # When it was last changed
    updatedAt: str
    # Signs the deliveries; the whole string is the key. Only shown in this response
    secret: str


class WebhookSecretRotatedResponse(TypedDict):
    success: Literal[True]
    data: WebhookSecretRotated


class WebhookSubscription(TypedDict):
    # Subscription
    id: str
    # The partner account
    partnerClientId: str
    # Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, not this machine or a private network
    url: str
    # Events to deliver
    events: list[Literal["booking.created", "booking.updated", "booking.cancelled", "booking.payment_failed", "booking.payment_confirmed", "booking.appointment_status_changed", "booking.payment_succeeded", "booking.failed", "booking.refunded", "booking.fees_changed"]]
    # Deliveries of an inactive subscription wait until it is active again
    status: Literal["ACTIVE", "INACTIVE"]
    # When the previous secret stops signing, after a rotation; null: it no longer signs
    previousSecretEndsAt: str | None
    # When it was created
    createdAt: str
    # When it was last changed
    updatedAt: str


class WebhookSubscriptionListResponse(TypedDict):
    success: Literal[True]
    data: list[WebhookSubscription]


class WebhookSubscriptionResponse(TypedDict):
    success: Literal[True]
    data: WebhookSubscription


class WebhookSubscriptionWithSecret(TypedDict):
    # Subscription
    id: str
    # The partner account
    partnerClientId: str
    # Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, not this machine or a private network
    url: str
    # Events to deliver
    events: list[Literal["booking.created", "booking.updated", "booking.cancelled", "booking.payment_failed", "booking.payment_confirmed", "booking.appointment_status_changed", "booking.payment_succeeded", "booking.failed", "booking.refunded", "booking.fees_changed"]]
    # Deliveries of an inactive subscription wait until it is active again
    status: Literal["ACTIVE", "INACTIVE"]
    # When the previous secret stops signing, after a rotation; null: it no longer signs
    previousSecretEndsAt: str | None
    # When it was created
    createdAt: str
    # When it was last changed
    updatedAt: str
    # Signs the deliveries; the whole string is the key. Only shown in this response
    secret: str


class WebhookSubscriptionWithSecretResponse(TypedDict):
    success: Literal[True]
    data: WebhookSubscriptionWithSecret


class WebhookTestDelivery(TypedDict):
    # Event name
    event: Literal["webhook.test"]
    # The delivery, the same on every attempt
    deliveryId: str
    payload: WebhookTestPayload


class WebhookTestPayload(TypedDict):
    # Subscription
    subscriptionId: str
    # What it is
    message: str


class WebhookTestResult(TypedDict):
    # As in the header X-Service-Delivery-Id
    deliveryId: str
    # The event that was sent
    event: Literal["webhook.test"]
    # Whether the receiver responded with 2xx within 10 seconds
    ok: bool
    # null: no response
    statusCode: int | None
    # null: ok
    error: str | None
    # Duration of the whole attempt in milliseconds
    durationMs: int
    timings: WebhookTimings
    # null: no TLS
    tls: WebhookTls | None
    # The first 1,024 bytes at most, phones, coordinates and credentials masked
    responseBody: str
    # Of a redirect: where it leads (`Location`). Redirects are not followed
    location: NotRequired[str]


class WebhookTestResultResponse(TypedDict):
    success: Literal[True]
    data: WebhookTestResult


class WebhookTimings(TypedDict):
    # Milliseconds to resolve the name; null: there was none to resolve
    dnsMs: int | None
    # Milliseconds to connect, TLS included; null: an open connection was used
    connectMs: int | None


class WebhookTls(TypedDict):
    # Its version
    protocol: str


# What a webhook brings: `event` tells what `payload` is.
WebhookEvent = Union[
    BookingCreatedDelivery,
    BookingUpdatedDelivery,
    BookingCancelledDelivery,
    BookingPaymentFailedDelivery,
    BookingPaymentConfirmedDelivery,
    BookingAppointmentStatusChangedDelivery,
    BookingPaymentSucceededDelivery,
    BookingFailedDelivery,
    BookingRefundedDelivery,
    BookingFeesChangedDelivery,
    WebhookTestDelivery,
]


class Route(NamedTuple):
    method: str
    path: str
    # What the input is; "nothing": there is none.
    takes: Literal["body", "query", "nothing"]
    # What it returns; "text": a file.
    answers: Literal["data", "page", "feed", "text", "file"]


ROUTES: Final[dict[str, Route]] = {
    "bookings.cancel": Route("PATCH", "/partners/bookings/{bookingId}/cancel", "body", "data"),
    "bookings.confirmPayment": Route("POST", "/partners/bookings/{bookingId}/confirm-payment", "body", "data"),
    "bookings.create": Route("POST", "/partners/bookings", "body", "data"),
    "bookings.export": Route("GET", "/partners/bookings/export", "query", "text"),
    "bookings.get": Route("GET", "/partners/bookings/{bookingId}/status", "nothing", "data"),
    "bookings.list": Route("GET", "/partners/bookings", "query", "page"),
    "bookings.listCancellationReasons": Route("GET", "/partners/bookings/cancellation-reasons", "nothing", "data"),
    "bookings.quote": Route("GET", "/partners/bookings/{bookingId}/quote", "query", "data"),
    "bookings.update": Route("PATCH", "/partners/bookings/{bookingId}", "body", "data"),
    "contacts.erase": Route("POST", "/partners/contacts/{contactId}/erase", "body", "data"),
    "contacts.export": Route("GET", "/partners/contacts/{contactId}/export", "nothing", "data"),
    "contacts.findOrCreate": Route("POST", "/partners/contacts", "body", "data"),
    "contacts.get": Route("GET", "/partners/contacts/{contactId}", "nothing", "data"),
    "contacts.update": Route("PATCH", "/partners/contacts/{contactId}", "body", "data"),
    "contacts.updateAddress": Route("PATCH", "/partners/addresses/{addressId}", "body", "data"),
    "coverage.get": Route("GET", "/partners/coverage", "query", "data"),
    "events.list": Route("GET", "/partners/events", "query", "feed"),
    "holds.create": Route("POST", "/partners/holds", "body", "data"),
    "holds.extend": Route("POST", "/partners/holds/{id}/extend", "body", "data"),
    "holds.get": Route("GET", "/partners/holds/{id}", "nothing", "data"),
    "holds.list": Route("GET", "/partners/holds", "query", "page"),
    "holds.release": Route("DELETE", "/partners/holds/{id}", "nothing", "data"),
    "pricing.calculate": Route("POST", "/partners/pricing/calculate-price", "body", "data"),
    "pricing.listTiers": Route("GET", "/partners/pricing/tiers", "nothing", "data"),
    "sandbox.bookings.advance": Route("POST", "/partners/sandbox/bookings/{bookingId}/advance", "body", "data"),
    "sandbox.bookings.getRun": Route("GET", "/partners/sandbox/bookings/{bookingId}/runs/{runId}", "nothing", "data"),
    "sandbox.bookings.listRuns": Route("GET", "/partners/sandbox/bookings/{bookingId}/runs", "nothing", "data"),
    "sandbox.bookings.startRun": Route("POST", "/partners/sandbox/bookings/{bookingId}/runs", "body", "data"),
    "sandbox.bookings.stopRun": Route("DELETE", "/partners/sandbox/bookings/{bookingId}/runs/{runId}", "nothing", "data"),
    "sandbox.certifications.get": Route("GET", "/partners/sandbox/certifications/{id}", "nothing", "data"),
    "sandbox.certifications.start": Route("POST", "/partners/sandbox/certifications", "body", "data"),
    "sandbox.webhooks.clearFaults": Route("DELETE", "/partners/sandbox/webhooks/subscriptions/{id}/faults", "nothing", "data"),
    "sandbox.webhooks.listFaults": Route("GET", "/partners/sandbox/webhooks/subscriptions/{id}/faults", "nothing", "data"),
    "sandbox.webhooks.setFault": Route("POST", "/partners/sandbox/webhooks/subscriptions/{id}/faults", "body", "data"),
    "series.create": Route("POST", "/partners/series", "body", "data"),
    "series.end": Route("POST", "/partners/series/{seriesId}/end", "body", "data"),
    "series.get": Route("GET", "/partners/series/{seriesId}", "nothing", "data"),
    "series.list": Route("GET", "/partners/series", "query", "page"),
    "series.pause": Route("POST", "/partners/series/{seriesId}/pause", "body", "data"),
    "series.place": Route("POST", "/partners/series/{seriesId}/visits/{index}/place", "body", "data"),
    "series.skip": Route("POST", "/partners/series/{seriesId}/visits/{index}/skip", "body", "data"),
    "series.update": Route("PATCH", "/partners/series/{seriesId}", "body", "data"),
    "services.get": Route("GET", "/partners/services/{serviceId}", "nothing", "data"),
    "services.list": Route("GET", "/partners/services", "query", "page"),
    "statements.get": Route("GET", "/partners/statements/{statementId}", "nothing", "data"),
    "statements.invoices": Route("GET", "/partners/statements/{statementId}/invoices.json", "nothing", "file"),
    "statements.lines": Route("GET", "/partners/statements/{statementId}/lines.csv", "nothing", "file"),
    "statements.list": Route("GET", "/partners/statements", "query", "page"),
    "statements.page": Route("GET", "/partners/statements/{statementId}/print.html", "nothing", "file"),
    "timeslots.calendar": Route("GET", "/partners/timeslots/calendar", "query", "data"),
    "timeslots.list": Route("GET", "/partners/timeslots/available", "query", "data"),
    "timeslots.next": Route("GET", "/partners/timeslots/next", "query", "data"),
    "webhooks.deliveries.get": Route("GET", "/partners/webhooks/deliveries/{id}", "nothing", "data"),
    "webhooks.deliveries.list": Route("GET", "/partners/webhooks/deliveries", "query", "page"),
    "webhooks.deliveries.replay": Route("POST", "/partners/webhooks/deliveries/{id}/replay", "nothing", "data"),
    "webhooks.deliveries.retry": Route("POST", "/partners/webhooks/deliveries/{id}/retry", "nothing", "data"),
    "webhooks.subscriptions.create": Route("POST", "/partners/webhooks/subscriptions", "body", "data"),
    "webhooks.subscriptions.get": Route("GET", "/partners/webhooks/subscriptions/{id}", "nothing", "data"),
    "webhooks.subscriptions.list": Route("GET", "/partners/webhooks/subscriptions", "query", "data"),
    "webhooks.subscriptions.recover": Route("POST", "/partners/webhooks/subscriptions/{id}/recover", "body", "data"),
    "webhooks.subscriptions.remove": Route("DELETE", "/partners/webhooks/subscriptions/{id}", "nothing", "data"),
    "webhooks.subscriptions.rotateSecret": Route("POST", "/partners/webhooks/subscriptions/{id}/rotate-secret", "body", "data"),
    "webhooks.subscriptions.test": Route("POST", "/partners/webhooks/subscriptions/{id}/test", "nothing", "data"),
    "webhooks.subscriptions.update": Route("PATCH", "/partners/webhooks/subscriptions/{id}", "body", "data"),
}

# May it be sent again when nobody knows whether the service did it?
REPEATABLE: Final[dict[str, Literal["yes", "with addressId or reference", "with until", "with externalReference or holdId", "with externalReference", "no", "with to"]]] = {
    "bookings.cancel": "yes",
    "bookings.confirmPayment": "yes",
    "bookings.create": "with externalReference or holdId",
    "bookings.export": "yes",
    "bookings.get": "yes",
    "bookings.list": "yes",
    "bookings.listCancellationReasons": "yes",
    "bookings.quote": "yes",
    "bookings.update": "yes",
    "contacts.erase": "yes",
    "contacts.export": "yes",
    "contacts.findOrCreate": "yes",
    "contacts.get": "yes",
    "contacts.update": "yes",
    "contacts.updateAddress": "yes",
    "coverage.get": "yes",
    "events.list": "yes",
    "holds.create": "with addressId or reference",
    "holds.extend": "with until",
    "holds.get": "yes",
    "holds.list": "yes",
    "holds.release": "yes",
    "pricing.calculate": "yes",
    "pricing.listTiers": "yes",
    "sandbox.bookings.advance": "with to",
    "sandbox.bookings.getRun": "yes",
    "sandbox.bookings.listRuns": "yes",
    "sandbox.bookings.startRun": "no",
    "sandbox.bookings.stopRun": "yes",
    "sandbox.certifications.get": "yes",
    "sandbox.certifications.start": "yes",
    "sandbox.webhooks.clearFaults": "yes",
    "sandbox.webhooks.listFaults": "yes",
    "sandbox.webhooks.setFault": "yes",
    "series.create": "with externalReference",
    "series.end": "yes",
    "series.get": "yes",
    "series.list": "yes",
    "series.pause": "yes",
    "series.place": "yes",
    "series.skip": "yes",
    "series.update": "yes",
    "services.get": "yes",
    "services.list": "yes",
    "statements.get": "yes",
    "statements.invoices": "yes",
    "statements.lines": "yes",
    "statements.list": "yes",
    "statements.page": "yes",
    "timeslots.calendar": "yes",
    "timeslots.list": "yes",
    "timeslots.next": "yes",
    "webhooks.deliveries.get": "yes",
    "webhooks.deliveries.list": "yes",
    "webhooks.deliveries.replay": "no",
    "webhooks.deliveries.retry": "no",
    "webhooks.subscriptions.create": "no",
    "webhooks.subscriptions.get": "yes",
    "webhooks.subscriptions.list": "yes",
    "webhooks.subscriptions.recover": "no",
    "webhooks.subscriptions.remove": "yes",
    "webhooks.subscriptions.rotateSecret": "yes",
    "webhooks.subscriptions.test": "no",
    "webhooks.subscriptions.update": "yes",
}

# A repetition that is refused with one of these codes was done by the first attempt.
DONE_CODES: Final[dict[str, tuple[str, ...]]] = {
    "bookings.create": ("DUPLICATE_EXTERNAL_REFERENCE", "HOLD_CONSUMED",),
    "bookings.cancel": ("BOOKING_ALREADY_CANCELLED",),
    "bookings.confirmPayment": ("PAYMENT_ALREADY_CONFIRMED",),
    "series.create": ("DUPLICATE_EXTERNAL_REFERENCE",),
    "webhooks.subscriptions.remove": ("RESOURCE_NOT_FOUND",),
}

# Seconds.
FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 10
RATE_WINDOW: Final = 60
RATE_PAUSE: Final = 5
RATE_PAUSE_OF_FOLLOW: Final = 120

# Reasons of BOOKING_CREATION_FAILED for which the same request is refused for ever.
LASTING_REASONS: Final = frozenset({"SLOT_NOT_OFFERED", "SLOT_IN_PAST", "SLOT_INSIDE_NOTICE", "SLOT_BEYOND_HORIZON", "PAYMENT_UNAVAILABLE", "PRICE_CHANGED"})
