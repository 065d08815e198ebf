// Printed from openapi/partner.json by `npm run generate`; do not edit.

export type ErrorCode =
  | 'BOOKING_ALREADY_CANCELLED'
  | 'BOOKING_APPOINTMENT_NOT_FOUND'
  | 'BOOKING_CREATION_FAILED'
  | 'BOOKING_NOT_EDITABLE'
  | 'BOOKING_NOT_PAYABLE'
  | 'CONFLICT'
  | 'DELIVERY_NOT_RETRYABLE'
  | 'DUPLICATE_EXTERNAL_REFERENCE'
  | 'FEE_CHANGED'
  | 'FORBIDDEN'
  | 'HOLD_CONSUMED'
  | 'HOLD_ENDED'
  | 'HOLD_LIMIT_REACHED'
  | 'HOLD_MISMATCH'
  | 'IDEMPOTENCY_KEY_CONFLICT'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'INTERNAL_ERROR'
  | 'INVALID_PARTNER_DOMAIN'
  | 'INVALID_TRANSITION'
  | 'PAYMENT_ALREADY_CONFIRMED'
  | 'PAYMENT_RESPONSIBILITY_MISMATCH'
  | 'RATE_LIMIT_EXCEEDED'
  | 'RESOURCE_NOT_FOUND'
  | 'SANDBOX_DOMAIN_NOT_ALLOWED'
  | 'SERVICE_NOT_ALLOWED'
  | 'UNAUTHORIZED'
  | 'VALIDATION_ERROR'
  | 'WEBHOOK_DOMAIN_NOT_ALLOWED'
  | 'WEBHOOK_LIMIT_REACHED';

export type EventName =
  | 'booking.created'
  | 'booking.updated'
  | 'booking.cancelled'
  | 'booking.payment_failed'
  | 'booking.payment_confirmed'
  | 'booking.appointment_status_changed'
  | 'booking.payment_succeeded'
  | 'booking.failed'
  | 'booking.refunded'
  | 'booking.fees_changed'
  | 'webhook.test';

/** A webhook: `event` determines the type of `payload`. */
export type WebhookEvent =
  | BookingCreatedDelivery
  | BookingUpdatedDelivery
  | BookingCancelledDelivery
  | BookingPaymentFailedDelivery
  | BookingPaymentConfirmedDelivery
  | BookingAppointmentStatusChangedDelivery
  | BookingPaymentSucceededDelivery
  | BookingFailedDelivery
  | BookingRefundedDelivery
  | BookingFeesChangedDelivery
  | WebhookTestDelivery;

/** The input and the response of each operation. */
export type Operations = {
  'bookings.cancel': { input: CancelBookingRequest; response: BookingResponse };
  'bookings.confirmPayment': { input: ConfirmPaymentRequest; response: BookingResponse };
  'bookings.create': { input: CreateBookingRequest; response: BookingResponse };
  'bookings.export': { input: ExportBookingsQuery; response: { data: string } };
  'bookings.get': { input: undefined; response: BookingResponse };
  'bookings.list': { input: ListBookingsQuery; response: BookingPageResponse };
  'bookings.listCancellationReasons': { input: undefined; response: CancellationReasonListResponse };
  'bookings.quote': { input: GetBookingQuoteQuery; response: QuoteResponse };
  'bookings.update': { input: UpdateBookingRequest; response: BookingResponse };
  'contacts.erase': { input: EraseContactRequest; response: ErasedContactResponse };
  'contacts.export': { input: undefined; response: CustomerExportResponse };
  'contacts.findOrCreate': { input: FindOrCreateContactRequest; response: ContactResponse };
  'contacts.get': { input: undefined; response: ContactDetailResponse };
  'contacts.update': { input: UpdateContactRequest; response: ContactDetailResponse };
  'contacts.updateAddress': { input: UpdateAddressRequest; response: AddressResponse };
  'coverage.get': { input: GetCoverageQuery; response: CoverageResponse };
  'events.list': { input: ListEventsQuery; response: FeedEventPageResponse };
  'holds.create': { input: CreateHoldRequest; response: HoldResponse };
  'holds.extend': { input: ExtendHoldRequest; response: HoldResponse };
  'holds.get': { input: undefined; response: HoldResponse };
  'holds.list': { input: ListOwnHoldsQuery; response: HoldPageResponse };
  'holds.release': { input: undefined; response: RemovedResponse };
  'pricing.calculate': { input: CalculatePriceRequest; response: CalculatedPriceResponse };
  'pricing.listTiers': { input: undefined; response: PricingTierListResponse };
  'sandbox.bookings.advance': { input: AdvanceSandboxBookingRequest; response: AdvancedBookingResponse };
  'sandbox.bookings.getRun': { input: undefined; response: SimulatorRunResponse };
  'sandbox.bookings.listRuns': { input: undefined; response: SimulatorRunListResponse };
  'sandbox.bookings.startRun': { input: StartSandboxRunRequest; response: SimulatorRunResponse };
  'sandbox.bookings.stopRun': { input: undefined; response: SimulatorRunResponse };
  'sandbox.certifications.get': { input: undefined; response: CertificationResponse };
  'sandbox.certifications.start': { input: StartCertificationRequest; response: CertificationResponse };
  'sandbox.webhooks.clearFaults': { input: undefined; response: WebhookFaultsResponse };
  'sandbox.webhooks.listFaults': { input: undefined; response: WebhookFaultsResponse };
  'sandbox.webhooks.setFault': { input: SetSandboxFaultRequest; response: WebhookFaultsResponse };
  'series.create': { input: CreateSeriesRequest; response: SeriesResponse };
  'series.end': { input: EndSeriesRequest; response: SeriesResponse };
  'series.get': { input: undefined; response: SeriesResponse };
  'series.list': { input: ListSeriesQuery; response: SeriesPageResponse };
  'series.pause': { input: PauseSeriesRequest; response: SeriesResponse };
  'series.place': { input: PlaceSeriesVisitRequest; response: SeriesResponse };
  'series.skip': { input: SkipSeriesVisitRequest; response: SeriesResponse };
  'series.update': { input: UpdateSeriesRequest; response: SeriesResponse };
  'services.get': { input: undefined; response: ServiceResponse };
  'services.list': { input: ListServicesQuery; response: OfferedCategoryPageResponse };
  'statements.get': { input: undefined; response: StatementResponse };
  'statements.invoices': { input: undefined; response: { data: string } };
  'statements.lines': { input: undefined; response: { data: string } };
  'statements.list': { input: ListStatementsQuery; response: StatementPageResponse };
  'statements.page': { input: undefined; response: { data: string } };
  'timeslots.calendar': { input: GetTimeslotCalendarQuery; response: TimeslotCalendarResponse };
  'timeslots.list': { input: ListAvailableTimeslotsQuery; response: ListAvailableTimeslotsResponse };
  'timeslots.next': { input: FindNextTimeslotsQuery; response: NextTimeslotsResponse };
  'webhooks.deliveries.get': { input: undefined; response: WebhookDeliveryDetailResponse };
  'webhooks.deliveries.list': { input: ListWebhookDeliveriesQuery; response: WebhookDeliveryPageResponse };
  'webhooks.deliveries.replay': { input: undefined; response: WebhookDeliveryResponse };
  'webhooks.deliveries.retry': { input: undefined; response: WebhookDeliveryResponse };
  'webhooks.subscriptions.create': { input: CreateWebhookSubscriptionRequest; response: WebhookSubscriptionWithSecretResponse };
  'webhooks.subscriptions.get': { input: undefined; response: WebhookSubscriptionResponse };
  'webhooks.subscriptions.list': { input: ListWebhookSubscriptionsQuery; response: WebhookSubscriptionListResponse };
  'webhooks.subscriptions.recover': { input: RecoverWebhookSubscriptionRequest; response: RecoveredDeliveriesResponse };
  'webhooks.subscriptions.remove': { input: undefined; response: RemovedResponse };
  'webhooks.subscriptions.rotateSecret': { input: RotateWebhookSecretRequest; response: WebhookSecretRotatedResponse };
  'webhooks.subscriptions.test': { input: undefined; response: WebhookTestResultResponse };
  'webhooks.subscriptions.update': { input: UpdateWebhookSubscriptionRequest; response: WebhookSubscriptionResponse };
};

/** The route of each operation, and the kind of its response. */
export const ROUTES = {
  'bookings.cancel': { method: 'PATCH', path: '/partners/bookings/{bookingId}/cancel', takes: 'body', answers: 'data' },
  'bookings.confirmPayment': { method: 'POST', path: '/partners/bookings/{bookingId}/confirm-payment', takes: 'body', answers: 'data' },
  'bookings.create': { method: 'POST', path: '/partners/bookings', takes: 'body', answers: 'data' },
  'bookings.export': { method: 'GET', path: '/partners/bookings/export', takes: 'query', answers: 'text' },
  'bookings.get': { method: 'GET', path: '/partners/bookings/{bookingId}/status', takes: 'nothing', answers: 'data' },
  'bookings.list': { method: 'GET', path: '/partners/bookings', takes: 'query', answers: 'page' },
  'bookings.listCancellationReasons': { method: 'GET', path: '/partners/bookings/cancellation-reasons', takes: 'nothing', answers: 'data' },
  'bookings.quote': { method: 'GET', path: '/partners/bookings/{bookingId}/quote', takes: 'query', answers: 'data' },
  'bookings.update': { method: 'PATCH', path: '/partners/bookings/{bookingId}', takes: 'body', answers: 'data' },
  'contacts.erase': { method: 'POST', path: '/partners/contacts/{contactId}/erase', takes: 'body', answers: 'data' },
  'contacts.export': { method: 'GET', path: '/partners/contacts/{contactId}/export', takes: 'nothing', answers: 'data' },
  'contacts.findOrCreate': { method: 'POST', path: '/partners/contacts', takes: 'body', answers: 'data' },
  'contacts.get': { method: 'GET', path: '/partners/contacts/{contactId}', takes: 'nothing', answers: 'data' },
  'contacts.update': { method: 'PATCH', path: '/partners/contacts/{contactId}', takes: 'body', answers: 'data' },
  'contacts.updateAddress': { method: 'PATCH', path: '/partners/addresses/{addressId}', takes: 'body', answers: 'data' },
  'coverage.get': { method: 'GET', path: '/partners/coverage', takes: 'query', answers: 'data' },
  'events.list': { method: 'GET', path: '/partners/events', takes: 'query', answers: 'feed' },
  'holds.create': { method: 'POST', path: '/partners/holds', takes: 'body', answers: 'data' },
  'holds.extend': { method: 'POST', path: '/partners/holds/{id}/extend', takes: 'body', answers: 'data' },
  'holds.get': { method: 'GET', path: '/partners/holds/{id}', takes: 'nothing', answers: 'data' },
  'holds.list': { method: 'GET', path: '/partners/holds', takes: 'query', answers: 'page' },
  'holds.release': { method: 'DELETE', path: '/partners/holds/{id}', takes: 'nothing', answers: 'data' },
  'pricing.calculate': { method: 'POST', path: '/partners/pricing/calculate-price', takes: 'body', answers: 'data' },
  'pricing.listTiers': { method: 'GET', path: '/partners/pricing/tiers', takes: 'nothing', answers: 'data' },
  'sandbox.bookings.advance': { method: 'POST', path: '/partners/sandbox/bookings/{bookingId}/advance', takes: 'body', answers: 'data' },
  'sandbox.bookings.getRun': { method: 'GET', path: '/partners/sandbox/bookings/{bookingId}/runs/{runId}', takes: 'nothing', answers: 'data' },
  'sandbox.bookings.listRuns': { method: 'GET', path: '/partners/sandbox/bookings/{bookingId}/runs', takes: 'nothing', answers: 'data' },
  'sandbox.bookings.startRun': { method: 'POST', path: '/partners/sandbox/bookings/{bookingId}/runs', takes: 'body', answers: 'data' },
  'sandbox.bookings.stopRun': { method: 'DELETE', path: '/partners/sandbox/bookings/{bookingId}/runs/{runId}', takes: 'nothing', answers: 'data' },
  'sandbox.certifications.get': { method: 'GET', path: '/partners/sandbox/certifications/{id}', takes: 'nothing', answers: 'data' },
  'sandbox.certifications.start': { method: 'POST', path: '/partners/sandbox/certifications', takes: 'body', answers: 'data' },
  'sandbox.webhooks.clearFaults': { method: 'DELETE', path: '/partners/sandbox/webhooks/subscriptions/{id}/faults', takes: 'nothing', answers: 'data' },
  'sandbox.webhooks.listFaults': { method: 'GET', path: '/partners/sandbox/webhooks/subscriptions/{id}/faults', takes: 'nothing', answers: 'data' },
  'sandbox.webhooks.setFault': { method: 'POST', path: '/partners/sandbox/webhooks/subscriptions/{id}/faults', takes: 'body', answers: 'data' },
  'series.create': { method: 'POST', path: '/partners/series', takes: 'body', answers: 'data' },
  'series.end': { method: 'POST', path: '/partners/series/{seriesId}/end', takes: 'body', answers: 'data' },
  'series.get': { method: 'GET', path: '/partners/series/{seriesId}', takes: 'nothing', answers: 'data' },
  'series.list': { method: 'GET', path: '/partners/series', takes: 'query', answers: 'page' },
  'series.pause': { method: 'POST', path: '/partners/series/{seriesId}/pause', takes: 'body', answers: 'data' },
  'series.place': { method: 'POST', path: '/partners/series/{seriesId}/visits/{index}/place', takes: 'body', answers: 'data' },
  'series.skip': { method: 'POST', path: '/partners/series/{seriesId}/visits/{index}/skip', takes: 'body', answers: 'data' },
  'series.update': { method: 'PATCH', path: '/partners/series/{seriesId}', takes: 'body', answers: 'data' },
  'services.get': { method: 'GET', path: '/partners/services/{serviceId}', takes: 'nothing', answers: 'data' },
  'services.list': { method: 'GET', path: '/partners/services', takes: 'query', answers: 'page' },
  'statements.get': { method: 'GET', path: '/partners/statements/{statementId}', takes: 'nothing', answers: 'data' },
  'statements.invoices': { method: 'GET', path: '/partners/statements/{statementId}/invoices.json', takes: 'nothing', answers: 'file' },
  'statements.lines': { method: 'GET', path: '/partners/statements/{statementId}/lines.csv', takes: 'nothing', answers: 'file' },
  'statements.list': { method: 'GET', path: '/partners/statements', takes: 'query', answers: 'page' },
  'statements.page': { method: 'GET', path: '/partners/statements/{statementId}/print.html', takes: 'nothing', answers: 'file' },
  'timeslots.calendar': { method: 'GET', path: '/partners/timeslots/calendar', takes: 'query', answers: 'data' },
  'timeslots.list': { method: 'GET', path: '/partners/timeslots/available', takes: 'query', answers: 'data' },
  'timeslots.next': { method: 'GET', path: '/partners/timeslots/next', takes: 'query', answers: 'data' },
  'webhooks.deliveries.get': { method: 'GET', path: '/partners/webhooks/deliveries/{id}', takes: 'nothing', answers: 'data' },
  'webhooks.deliveries.list': { method: 'GET', path: '/partners/webhooks/deliveries', takes: 'query', answers: 'page' },
  'webhooks.deliveries.replay': { method: 'POST', path: '/partners/webhooks/deliveries/{id}/replay', takes: 'nothing', answers: 'data' },
  'webhooks.deliveries.retry': { method: 'POST', path: '/partners/webhooks/deliveries/{id}/retry', takes: 'nothing', answers: 'data' },
  'webhooks.subscriptions.create': { method: 'POST', path: '/partners/webhooks/subscriptions', takes: 'body', answers: 'data' },
  'webhooks.subscriptions.get': { method: 'GET', path: '/partners/webhooks/subscriptions/{id}', takes: 'nothing', answers: 'data' },
  'webhooks.subscriptions.list': { method: 'GET', path: '/partners/webhooks/subscriptions', takes: 'query', answers: 'data' },
  'webhooks.subscriptions.recover': { method: 'POST', path: '/partners/webhooks/subscriptions/{id}/recover', takes: 'body', answers: 'data' },
  'webhooks.subscriptions.remove': { method: 'DELETE', path: '/partners/webhooks/subscriptions/{id}', takes: 'nothing', answers: 'data' },
  'webhooks.subscriptions.rotateSecret': { method: 'POST', path: '/partners/webhooks/subscriptions/{id}/rotate-secret', takes: 'body', answers: 'data' },
  'webhooks.subscriptions.test': { method: 'POST', path: '/partners/webhooks/subscriptions/{id}/test', takes: 'nothing', answers: 'data' },
  'webhooks.subscriptions.update': { method: 'PATCH', path: '/partners/webhooks/subscriptions/{id}', takes: 'body', answers: 'data' },
} as const;

export type Address = {
    /** Address; used as `addressId` */
    id: string;
    /** Decimal degrees as sent; null when it has no coordinates */
    latitude: string | null;
    /** Decimal degrees as sent; null when it has no coordinates */
    longitude: string | null;
    /** City */
    cityName: string | null;
    /** District */
    districtName: string | null;
    /** Street */
    streetName: string | null;
    /** Short address */
    shortAddress: string | null;
    /** Number of the building */
    buildingNumber: string | null;
    /** Flat, villa or office */
    unit: string | null;
    /** Floor */
    floor: string | null;
    /** Postal code */
    postalCode: string | null;
    /** Where the door is */
    directions: string | null;
};

export type AddressResponse = {
    success: true;
    data: Address;
};

export type AdvanceSandboxBookingRequest = {
    /** What the appointment becomes; left out, the next on the way to Completed */
    to?: ("New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled") | undefined;
};

export type AdvancedBooking = {
    /** The status before */
    from: "New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled";
    /** The status now */
    to: "New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled";
    /** Where it can go from there */
    next: ("New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled")[];
    booking: Booking;
};

export type AdvancedBookingResponse = {
    success: true;
    data: AdvancedBooking;
};

export type AlternativeSlot = {
    /** Riyadh date */
    date: string;
    /** Start, Riyadh time */
    startAt: string;
    /** End, Riyadh time */
    endAt: string;
};

export type AppointmentStatusChange = {
    /** Appointment status before */
    from: "New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled";
    /** Appointment status from now on */
    to: "New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled";
    /** When, ISO 8601 with offset */
    changedAt: string;
};

export type AppointmentStatusChanged = {
    /** Booking */
    bookingId: string;
    /** The partner's reference; null: none */
    externalReference: string | null;
    /** Appointment; null until one is assigned */
    appointmentId?: (string | null) | undefined;
    /** Booking status */
    status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
    /** Payment status */
    paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
    /** To be shown to the customer: the appointment's name, also while `appointment` is null */
    trackingReference: string;
    /** Service date, midnight form */
    date: string;
    timeslot: BookedTimeslot;
    /** null until an appointment is assigned */
    appointment: BookingAppointment | null;
    /** Service */
    serviceId?: string | undefined;
    /** English name of the service */
    serviceNameEn?: string | undefined;
    /** Arabic name of the service */
    serviceNameAr?: string | undefined;
    /** Contact */
    contactId?: string | undefined;
    /** Address of the contact */
    addressId?: string | undefined;
    /** Locked at creation */
    price?: number | undefined;
    /** The customer's page of the booking, to be passed on to the customer; it ends 7 days after the visit. null: your account has no such pages, or the customer was erased */
    trackingUrl?: (string | null) | undefined;
    /** Currency of all amounts */
    currency?: "SAR" | undefined;
    /** The link by which the customer pays; null: there is none yet, or the booking does not wait for payment */
    paymentLink?: (PaymentLink | null) | undefined;
    /** null: not canceled */
    cancellation?: (BookingCancellation | null) | undefined;
    /**
     * Why the visit could not be done; null: it could, or the reason is not known
     * @enum {string|null}
     */
    outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER" | null) | undefined;
    /** Why it has failed, as in `booking.payment_failed`; null: it has not */
    failureReason?: (string | null) | undefined;
    /** The version of the policy that it is under; null: changes are free */
    policyId?: (string | null) | undefined;
    /** The hold that it took; null: none */
    holdId?: (string | null) | undefined;
    /** The series that it is a visit of; null: none */
    seriesId?: (string | null) | undefined;
    /** Its index in the series; null: none */
    seriesIndex?: (number | null) | undefined;
    /** Fees of its changes by the policy, as they are now, oldest first */
    fees?: BookingFee[] | undefined;
    /** Refund of a payment by link; null: none */
    refund?: (BookingRefund | null) | undefined;
    /** When it was created */
    createdAt?: string | undefined;
    /** When it last changed */
    updatedAt?: string | undefined;
    appointmentStatusChange: AppointmentStatusChange;
};

export type AvailableSlot = {
    /** Start, Riyadh time; pass it unchanged as `timeslot.startAt` */
    startAt: string;
    /** End, Riyadh time; earlier than the start when it is on the next day */
    endAt: string;
};

export type BookedTimeslot = {
    /** Start */
    startAt: string;
    /** End */
    endAt: string;
    /** Whether it ends after midnight */
    endsAtNextDay: boolean;
};

export type Booking = {
    /** Booking */
    bookingId: string;
    /** The partner's reference; null: none */
    externalReference: string | null;
    /** Appointment; null until one is assigned */
    appointmentId: string | null;
    /** Booking status */
    status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
    /** Payment status */
    paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
    /** To be shown to the customer: the appointment's name, also while `appointment` is null */
    trackingReference: string;
    /** Service date, midnight form */
    date: string;
    timeslot: BookedTimeslot;
    /** null until an appointment is assigned */
    appointment: BookingAppointment | null;
    /** Service */
    serviceId: string;
    /** English name of the service */
    serviceNameEn: string;
    /** Arabic name of the service */
    serviceNameAr: string;
    /** Contact */
    contactId: string;
    /** Address of the contact */
    addressId: string;
    /** Locked at creation */
    price: number;
    /** The customer's page of the booking, to be passed on to the customer; it ends 7 days after the visit. null: your account has no such pages, or the customer was erased */
    trackingUrl: string | null;
    /** Currency of all amounts */
    currency: "SAR";
    /** The link by which the customer pays; null: there is none yet, or the booking does not wait for payment */
    paymentLink: PaymentLink | null;
    /** null: not canceled */
    cancellation: BookingCancellation | null;
    /**
     * Why the visit could not be done; null: it could, or the reason is not known
     * @enum {string|null}
     */
    outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER" | null) | undefined;
    /** Why it has failed, as in `booking.payment_failed`; null: it has not */
    failureReason: string | null;
    /** The version of the policy that it is under; null: changes are free */
    policyId?: (string | null) | undefined;
    /** The hold that it took; null: none */
    holdId?: (string | null) | undefined;
    /** The series that it is a visit of; null: none */
    seriesId?: (string | null) | undefined;
    /** Its index in the series; null: none */
    seriesIndex?: (number | null) | undefined;
    /** Fees of its changes by the policy, as they are now, oldest first */
    fees?: BookingFee[] | undefined;
    /** Refund of a payment by link; null: none */
    refund: BookingRefund | null;
    /** When it was created */
    createdAt: string;
    /** When it last changed */
    updatedAt: string;
    /** In the response to the request alone, with `preferTeamOf`: whether the team is that of the booking */
    keepsTeam?: boolean | undefined;
};

export type BookingAppointment = {
    /** Appointment */
    id: string;
    /** Tracking reference */
    name: string;
    /** Appointment status */
    status: "New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled";
    /** Start */
    scheduledStartDateTime: string;
    /** End */
    scheduledEndDateTime: string;
};

export type BookingAppointmentStatusChangedDelivery = {
    /** Event name */
    event: "booking.appointment_status_changed";
    /** The delivery, the same on every attempt */
    deliveryId: string;
    payload: AppointmentStatusChanged;
};

export type BookingCancellation = {
    /** Cancellation reason */
    reasonId: string | null;
    /** Side that cancelled */
    by: "PARTNER" | "OPERATOR";
    /** When */
    at: string;
    /** Your own notes on the cancellation */
    notes: string | null;
    /** SAR, by the policy, as it is now; null: no policy held, the operator cancelled, or `feeToDecide` */
    fee?: (number | null) | undefined;
    /** Whether the operator still decides on the fee, because nobody knows why the visit was not done; after seven days there is none */
    feeToDecide?: boolean | undefined;
    /** SAR that is kept of the price now, fees of moves too; null: the operator still decides */
    kept?: (number | null) | undefined;
    /**
     * For whom the operator cancelled; null: the side in `by` decided
     * @enum {string|null}
     */
    onBehalfOf?: ("CUSTOMER" | null) | undefined;
    /**
     * How far the work had come; null: it had not begun
     * @enum {string|null}
     */
    workReached?: ("In Progress" | "Finished" | "Completed" | null) | undefined;
};

export type BookingCancelledDelivery = {
    /** Event name */
    event: "booking.cancelled";
    /** The delivery, the same on every attempt */
    deliveryId: string;
    payload: BookingSnapshot;
};

export type BookingCreatedDelivery = {
    /** Event name */
    event: "booking.created";
    /** The delivery, the same on every attempt */
    deliveryId: string;
    payload: BookingSnapshot;
};

export type BookingFailed = {
    /** Booking */
    bookingId: string;
    /** The partner's reference; null: none */
    externalReference: string | null;
    /** Appointment; null until one is assigned */
    appointmentId: string | null;
    /** Booking status */
    status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
    /** Payment status */
    paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
    /** To be shown to the customer: the appointment's name, also while `appointment` is null */
    trackingReference: string;
    /** Service date, midnight form */
    date: string;
    timeslot: BookedTimeslot;
    /** null until an appointment is assigned */
    appointment: BookingAppointment | null;
    /** Service */
    serviceId: string;
    /** English name of the service */
    serviceNameEn: string;
    /** Arabic name of the service */
    serviceNameAr: string;
    /** Contact */
    contactId: string;
    /** Address of the contact */
    addressId: string;
    /** Locked at creation */
    price: number;
    /** The customer's page of the booking, to be passed on to the customer; it ends 7 days after the visit. null: your account has no such pages, or the customer was erased */
    trackingUrl: string | null;
    /** Currency of all amounts */
    currency: "SAR";
    /** The link by which the customer pays; null: there is none yet, or the booking does not wait for payment */
    paymentLink: PaymentLink | null;
    /** null: not canceled */
    cancellation: BookingCancellation | null;
    /**
     * Why the visit could not be done; null: it could, or the reason is not known
     * @enum {string|null}
     */
    outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER" | null) | undefined;
    /** Why it has failed, as in `booking.payment_failed`; null: it has not */
    failureReason: string | null;
    /** The version of the policy that it is under; null: changes are free */
    policyId?: (string | null) | undefined;
    /** The hold that it took; null: none */
    holdId?: (string | null) | undefined;
    /** The series that it is a visit of; null: none */
    seriesId?: (string | null) | undefined;
    /** Its index in the series; null: none */
    seriesIndex?: (number | null) | undefined;
    /** Fees of its changes by the policy, as they are now, oldest first */
    fees?: BookingFee[] | undefined;
    /** Refund of a payment by link; null: none */
    refund: BookingRefund | null;
    /** When it was created */
    createdAt: string;
    /** When it last changed */
    updatedAt: string;
    /** Why, as `failureReason` */
    reason: string;
};

export type BookingFailedDelivery = {
    /** Event name */
    event: "booking.failed";
    /** The delivery, the same on every attempt */
    deliveryId: string;
    payload: BookingFailed;
};

export type BookingFee = {
    /** The change */
    action: "cancel" | "reschedule";
    /** SAR */
    amount: number;
    /** When */
    at: string;
    /**
     * The operator made the change, and the customer asked for it; null: you made it
     * @enum {string|null}
     */
    onBehalfOf?: ("CUSTOMER" | null) | undefined;
};

export type BookingFeesChangedDelivery = {
    /** Event name */
    event: "booking.fees_changed";
    /** The delivery, the same on every attempt */
    deliveryId: string;
    payload: FeesChanged;
};

export type BookingPageResponse = {
    success: true;
    data: Booking[];
    meta: PageMeta;
};

export type BookingPaymentConfirmedDelivery = {
    /** Event name */
    event: "booking.payment_confirmed";
    /** The delivery, the same on every attempt */
    deliveryId: string;
    payload: BookingSnapshot;
};

export type BookingPaymentFailedDelivery = {
    /** Event name */
    event: "booking.payment_failed";
    /** The delivery, the same on every attempt */
    deliveryId: string;
    payload: PaymentFailed;
};

export type BookingPaymentSucceededDelivery = {
    /** Event name */
    event: "booking.payment_succeeded";
    /** The delivery, the same on every attempt */
    deliveryId: string;
    payload: Booking;
};

export type BookingRefund = {
    /** SAR */
    amount: number;
    /** `PENDING`: is made; `DONE`: was made; `FAILED`: the operator makes it; `TO_DECIDE`: the work had begun, so the operator decides; `DECLINED`: the operator has decided against it */
    status: "PENDING" | "DONE" | "FAILED" | "TO_DECIDE" | "DECLINED";
};

export type BookingRefundedDelivery = {
    /** Event name */
    event: "booking.refunded";
    /** The delivery, the same on every attempt */
    deliveryId: string;
    payload: Booking;
};

export type BookingResponse = {
    success: true;
    data: Booking;
};

export type BookingSnapshot = {
    /** Booking */
    bookingId: string;
    /** The partner's reference; null: none */
    externalReference: string | null;
    /** Appointment; null until one is assigned */
    appointmentId: string | null;
    /** Booking status */
    status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
    /** Payment status */
    paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
    /** To be shown to the customer: the appointment's name, also while `appointment` is null */
    trackingReference: string;
    /** Service date, midnight form */
    date: string;
    timeslot: BookedTimeslot;
    /** null until an appointment is assigned */
    appointment: BookingAppointment | null;
    /** Service */
    serviceId?: string | undefined;
    /** English name of the service */
    serviceNameEn?: string | undefined;
    /** Arabic name of the service */
    serviceNameAr?: string | undefined;
    /** Contact */
    contactId?: string | undefined;
    /** Address of the contact */
    addressId?: string | undefined;
    /** Locked at creation */
    price?: number | undefined;
    /** The customer's page of the booking, to be passed on to the customer; it ends 7 days after the visit. null: your account has no such pages, or the customer was erased */
    trackingUrl?: (string | null) | undefined;
    /** Currency of all amounts */
    currency?: "SAR" | undefined;
    /** The link by which the customer pays; null: there is none yet, or the booking does not wait for payment */
    paymentLink?: (PaymentLink | null) | undefined;
    /** null: not canceled */
    cancellation?: (BookingCancellation | null) | undefined;
    /**
     * Why the visit could not be done; null: it could, or the reason is not known
     * @enum {string|null}
     */
    outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER" | null) | undefined;
    /** Why it has failed, as in `booking.payment_failed`; null: it has not */
    failureReason?: (string | null) | undefined;
    /** The version of the policy that it is under; null: changes are free */
    policyId?: (string | null) | undefined;
    /** The hold that it took; null: none */
    holdId?: (string | null) | undefined;
    /** The series that it is a visit of; null: none */
    seriesId?: (string | null) | undefined;
    /** Its index in the series; null: none */
    seriesIndex?: (number | null) | undefined;
    /** Fees of its changes by the policy, as they are now, oldest first */
    fees?: BookingFee[] | undefined;
    /** Refund of a payment by link; null: none */
    refund?: (BookingRefund | null) | undefined;
    /** When it was created */
    createdAt?: string | undefined;
    /** When it last changed */
    updatedAt?: string | undefined;
};

export type BookingUpdated = {
    /** Booking */
    bookingId: string;
    /** The partner's reference; null: none */
    externalReference: string | null;
    /** Appointment; null until one is assigned */
    appointmentId: string | null;
    /** Booking status */
    status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
    /** Payment status */
    paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
    /** To be shown to the customer: the appointment's name, also while `appointment` is null */
    trackingReference: string;
    /** Service date, midnight form */
    date: string;
    timeslot: BookedTimeslot;
    /** null until an appointment is assigned */
    appointment: BookingAppointment | null;
    /** Service */
    serviceId?: string | undefined;
    /** English name of the service */
    serviceNameEn?: string | undefined;
    /** Arabic name of the service */
    serviceNameAr?: string | undefined;
    /** Contact */
    contactId?: string | undefined;
    /** Address of the contact */
    addressId?: string | undefined;
    /** Locked at creation */
    price?: number | undefined;
    /** The customer's page of the booking, to be passed on to the customer; it ends 7 days after the visit. null: your account has no such pages, or the customer was erased */
    trackingUrl?: (string | null) | undefined;
    /** Currency of all amounts */
    currency?: "SAR" | undefined;
    /** The link by which the customer pays; null: there is none yet, or the booking does not wait for payment */
    paymentLink?: (PaymentLink | null) | undefined;
    /** null: not canceled */
    cancellation?: (BookingCancellation | null) | undefined;
    /**
     * Why the visit could not be done; null: it could, or the reason is not known
     * @enum {string|null}
     */
    outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER" | null) | undefined;
    /** Why it has failed, as in `booking.payment_failed`; null: it has not */
    failureReason?: (string | null) | undefined;
    /** The version of the policy that it is under; null: changes are free */
    policyId?: (string | null) | undefined;
    /** The hold that it took; null: none */
    holdId?: (string | null) | undefined;
    /** The series that it is a visit of; null: none */
    seriesId?: (string | null) | undefined;
    /** Its index in the series; null: none */
    seriesIndex?: (number | null) | undefined;
    /** Fees of its changes by the policy, as they are now, oldest first */
    fees?: BookingFee[] | undefined;
    /** Refund of a payment by link; null: none */
    refund?: (BookingRefund | null) | undefined;
    /** When it was created */
    createdAt?: string | undefined;
    /** When it last changed */
    updatedAt?: string | undefined;
    /** The operator moved it because the customer asked for it; left out: otherwise */
    onBehalfOf?: "CUSTOMER" | undefined;
};

export type BookingUpdatedDelivery = {
    /** Event name */
    event: "booking.updated";
    /** The delivery, the same on every attempt */
    deliveryId: string;
    payload: BookingUpdated;
};

export type CalculatePriceRequest = {
    /** Services to price; a service may occur more than once. Not in later responses: nothing is stored */
    items: {
        /** Service */
        serviceId: string;
        /** Hours of service: left out or the service's own duration for the price of a booking, other quarters from 1 on for an estimate. The `hours` of an answer can be sent as they are */
        hours?: number | undefined;
    }[];
};

export type CalculatedPrice = {
    currency: "SAR";
    /** In the order of the request */
    items: {
        /** Service */
        serviceId: string;
        /** As sent, or the duration of the service */
        hours: number;
        /** SAR, for this partner: what a booking of the service locks */
        basePrice: number;
        /** The tier of an estimate, which holds these hours; null: none does, or `isBookable` */
        tierId: string | null;
        /** Of the tier; 1 without one */
        factor: number;
        /** SAR: basePrice x factor, rounded half up to 2 decimals */
        price: number;
        /** true: the hours are the service's own duration, and `price` is what a booking locks; false: an estimate, which no booking is charged */
        isBookable: boolean;
    }[];
    /** SAR: the sum of the prices; an estimate unless all are bookable */
    total: number;
};

export type CalculatedPriceResponse = {
    success: true;
    data: CalculatedPrice;
};

export type CalendarDay = {
    /** A date */
    date: string;
    /** `FREE`: it has free slots. `FULL`: all are taken. `CLOSED`: none is offered, because no team works, or it is past, inside the notice or after `bookableUntil` */
    state: "FREE" | "FULL" | "CLOSED";
    /** Sorted by start; empty when no team is free */
    slots?: CalendarSlot[] | undefined;
    /** With `view=days`, instead of `slots`: whether the date has any */
    available?: boolean | undefined;
};

export type CalendarSlot = {
    /** Start, Riyadh time; pass it unchanged as `timeslot.startAt` */
    startAt: string;
    /** End, Riyadh time; earlier than the start when it is on the next day */
    endAt: string;
    /** With `preferTeamOf`: whether the team of that booking is free then */
    keepsTeam?: boolean | undefined;
};

export type CancelBookingRequest = {
    /** From the list of cancellation reasons */
    reasonId: string;
    /** Stored, never returned */
    notes?: string | undefined;
    /** If the fee of the change is higher: 409 `FEE_CHANGED` with the quote of now, and nothing is done. Not in later responses: it limits this change */
    maxFee?: number | undefined;
};

export type CancellationReason = {
    /** Reason; used as `reasonId` */
    id: string;
    /** English name */
    nameEn: string;
    /** Arabic name */
    nameAr: string;
};

export type CancellationReasonListResponse = {
    success: true;
    data: CancellationReason[];
};

export type Certification = {
    /** Certification */
    id: string;
    /** Webhook subscription */
    subscriptionId: string;
    /** `FINISHED`: every point that counts is decided, or a day is over */
    status: "RUNNING" | "FINISHED";
    /** When it was started */
    startedAt: string;
    /** When it was finished; null: it is under way */
    finishedAt: string | null;
    score: CertificationScore;
    points: CertificationPoint[];
    /** The same as a page to print. Whoever has the address can read it */
    pageUrl: string;
};

export type CertificationPoint = {
    /** Point */
    id: "reference" | "repeat" | "slot-taken" | "rate-limit" | "reschedule" | "duplicate" | "bad-signature" | "old-event" | "lost-event" | "cancel" | "holds" | "reconcile" | "fees" | "outcome";
    /** It counts neither for the score nor for the end */
    isRecommended: boolean;
    /** What your integration does */
    title: string;
    /** How it stands */
    state: "waiting" | "passed" | "failed" | "not-applicable";
    /** What was seen of it */
    found: string;
    /** What the service does for it */
    does: string;
    /** What it waits for */
    waitsFor: string;
    /** `X-Request-Id` of the requests that show it */
    requestIds: string[];
    /** Deliveries that show it */
    deliveryIds: string[];
};

export type CertificationResponse = {
    success: true;
    data: Certification;
};

export type CertificationScore = {
    /** Points that are passed */
    passed: number;
    /** Points that apply to your account */
    of: number;
    /** The share of these, rounded down */
    percent: number;
};

export type ChangePolicy = {
    /** The version of the policy; it never changes */
    id: string;
    /** The terms in English */
    textEn: string;
    /** The terms in Arabic */
    textAr: string;
    /** Minutes after the booking in which nothing costs anything */
    graceMinutes: number;
    /** Part of the price once the work has begun, or the start has passed and the crew is there. The clock alone begins no work */
    afterStartPercent: number;
    /** Part of the price when the customer is the cause that a visit was not done */
    noShowPercent: number;
    /** Times that a partner may reschedule a booking; null: any number */
    maxReschedules: number | null;
    /** Fees of cancelling. The step nearest to the start holds; none: no fee */
    cancel: FeeStep[];
    /** Fees of rescheduling. The step nearest to the start holds; none: no fee */
    reschedule: FeeStep[];
};

export type ConfirmPaymentRequest = {
    /** The partner's reference of the payment */
    paymentReference?: string | undefined;
};

export type Contact = {
    /** Contact; used as `contactId` when booking */
    id: string;
    /** Customer name as first registered */
    name: string;
    /** E.164 */
    phone: string;
    /** Address created or matched; null when no address field was sent */
    addressId: string | null;
    /** true when the contact was created by this request */
    isNewContact: boolean;
};

export type ContactDetail = {
    /** Contact */
    id: string;
    /** Customer name as first registered */
    name: string;
    /** E.164 */
    phone: string;
    /**
     * Language of messages to the customer; null: not known, so they have both
     * @enum {string|null}
     */
    language: "ar" | "en" | null;
    /**
     * Chosen on the page behind a message: `STOP`, no messages; `NOT_ME`, the number is not hers. Payment links and word of a cancellation are sent all the same. null: neither
     * @enum {string|null}
     */
    messagesStopped: "STOP" | "NOT_ME" | null;
    /** Oldest first */
    addresses: Address[];
    /** ISO 8601 with offset */
    createdAt: string;
};

export type ContactDetailResponse = {
    success: true;
    data: ContactDetail;
};

export type ContactResponse = {
    success: true;
    data: Contact;
};

export type Coverage = {
    /** Whether the place is inside of a zone */
    covered: boolean;
    /** Those that you may book there, in the order of the list of services */
    services: CoveredService[];
    /** The earliest free timeslot of any of the services; null: there is none */
    earliest: EarliestSlot | null;
};

export type CoverageResponse = {
    success: true;
    data: Coverage;
};

export type CoveredService = {
    /** Service; used as `serviceId` */
    id: string;
    /** English name */
    nameEn: string;
    /** Arabic name; the English one where there is none */
    nameAr: string;
    /** SAR, for this partner */
    price: number;
    /** Fees for changes of a booking that is made now; null: none */
    policy: ChangePolicy | null;
};

export type CreateBookingRequest = {
    /** From the contacts operation */
    contactId: string;
    /** An address of the contact */
    addressId: string;
    /** Enabled for the partner and available at the address */
    serviceId: string;
    /** Riyadh date on which the appointment starts (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date: string;
    timeslot: Timeslot;
    /** The partner's own reference, unique in its account; makes retries safe */
    externalReference?: string | undefined;
    /** For the operator; stored, never returned */
    notes?: string | undefined;
    /** Access instructions for the crew. Encrypted, never returned, shown to the crew on the day of the visit only, deleted a week after */
    instructions?: string | undefined;
    /** Code of a door or gate; kept as `instructions` are */
    accessCode?: string | undefined;
    /** The hold of this slot: the booking takes it, at its price. One that is over is ignored if that costs nothing */
    holdId?: string | undefined;
    /** An earlier booking, usually of the customer: its team comes again if it is free, else another. Not in later responses: `keepsTeam` in that of this request says what came of it */
    preferTeamOf?: string | undefined;
};

export type CreateHoldRequest = {
    /** An address with coordinates; or `latitude` and `longitude` */
    addressId?: string | undefined;
    /** With `longitude`, instead of `addressId`: decimal degrees, -90 to 90 */
    latitude?: string | undefined;
    /** With `latitude`, instead of `addressId`: decimal degrees, -180 to 180 */
    longitude?: string | undefined;
    /** Enabled for the partner and available at the address */
    serviceId: string;
    /** Riyadh date on which the slot starts (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date: string;
    timeslot: Timeslot;
    /** How long; default 600 */
    seconds?: number | undefined;
    /** The contact of the address; need not be sent, and must agree with it */
    contactId?: string | undefined;
    /** The partner's own reference, unique among its live holds. Without a customer it makes the hold repeatable */
    reference?: string | undefined;
    /** An earlier booking, usually of the customer: its team comes again if it is free, else another. Not in later responses: `keepsTeam` in that of this request says what came of it */
    preferTeamOf?: string | undefined;
};

export type CreateSeriesRequest = {
    /** From the contacts operation */
    contactId: string;
    /** An address of the contact */
    addressId: string;
    /** Enabled for the partner and available at the address */
    serviceId: string;
    /** Riyadh date of the first visit; its weekday is that of the series (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    firstDate: string;
    /** Start of each visit, Riyadh time; the length is that of the service */
    startAt: string;
    /** Weeks from one visit to the next; default 1 */
    everyWeeks?: (1 | 2 | 4) | undefined;
    /** Riyadh date of the last visit at the latest; without it and `visits` it has no end (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    until?: string | undefined;
    /** Number of visits */
    visits?: number | undefined;
    /** Whether the crew of the first visit comes again if it can; `keepsTeam` of each visit says whether it does */
    sameCrew?: boolean | undefined;
    /** An earlier booking, usually of the customer: its team comes again if it is free, else another. Not in later responses: `keepsTeam` in that of this request says what came of it */
    preferTeamOf?: string | undefined;
    /** For the operator. Not in later responses: those of its bookings have them */
    notes?: string | undefined;
    /** Access instructions for the crews of each booking, encrypted. Not in later responses: crews alone see them */
    instructions?: string | undefined;
    /** Code of a door or gate, encrypted. Not in later responses: crews alone see it */
    accessCode?: string | undefined;
    /** The partner's own reference, unique among its series; makes retries safe. Its bookings have none */
    externalReference?: string | undefined;
    /** Only says what would come of it. Not in later responses: nothing is stored */
    preview?: boolean | undefined;
};

export type CreateWebhookSubscriptionRequest = {
    /** Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, not this machine or a private network */
    url: string;
    /** Events to deliver */
    events: ("booking.created" | "booking.updated" | "booking.cancelled" | "booking.payment_failed" | "booking.payment_confirmed" | "booking.appointment_status_changed" | "booking.payment_succeeded" | "booking.failed" | "booking.refunded" | "booking.fees_changed")[];
};

export type CustomerExport = {
    /** When it was read */
    exportedAt: string;
    contact: ContactDetail;
    /** Oldest first */
    bookings: ExportedBooking[];
    /** Oldest first */
    series: ExportedSeries[];
    /** Oldest first */
    messages: ExportedMessage[];
};

export type CustomerExportResponse = {
    success: true;
    data: CustomerExport;
};

export type DatedSlot = {
    /** Date of the start */
    date: string;
    /** Start, Riyadh time; pass it unchanged as `timeslot.startAt` */
    startAt: string;
    /** End, Riyadh time; earlier than the start when it is on the next day */
    endAt: string;
};

export type EarliestSlot = {
    /** Its service */
    serviceId: string;
    /** Date of the start */
    date: string;
    /** Start, Riyadh time; pass it unchanged as `timeslot.startAt` */
    startAt: string;
    /** End, Riyadh time; earlier than the start when it is on the next day */
    endAt: string;
};

export type EndSeriesRequest = {
    /** The first visit that does not take place */
    fromIndex: number;
    /** From the cancellation reasons; must be given when a visit is placed already */
    reasonId?: string | undefined;
    /** Your own notes on the cancellations */
    cancellationNotes?: string | undefined;
    /** SAR that each visit may cost; when one costs more, nothing is changed. Not in later responses: `fees` of the bookings say what they cost */
    maxFee?: number | undefined;
    /** Only says what would come of it. Not in later responses: nothing is stored */
    preview?: boolean | undefined;
};

export type EraseContactRequest = {
    /** Why; it is kept in the register, and must not name the customer */
    reason: string;
};

export type ErasedContact = {
    /** Contact */
    id: string;
    /** ISO 8601 with offset */
    erasedAt: string;
    /** Entry of the register */
    requestId: string;
};

export type ErasedContactResponse = {
    success: true;
    data: ErasedContact;
};

/** Details of the error, by `code`; `docUrl` is always present */
export type ErrorDetails = {
    /** Documentation of this code */
    docUrl: string;
    /** Suggestions for developers; the wordings may change */
    hints?: string[] | undefined;
    /** VALIDATION_ERROR: one message for each faulty field */
    message?: string[] | undefined;
    /** VALIDATION_ERROR: the status */
    statusCode?: number | undefined;
    /** VALIDATION_ERROR: the name of the status */
    error?: string | undefined;
    /** UNAUTHORIZED, FORBIDDEN, codes of domains and limits: the check that refused the request */
    check?: string | undefined;
    /** UNAUTHORIZED: missing, malformed or not-valid. BOOKING_CREATION_FAILED: SLOT_UNAVAILABLE, SLOT_NOT_OFFERED, SLOT_IN_PAST, SLOT_INSIDE_NOTICE, SLOT_BEYOND_HORIZON, HOLD_EXPIRED, HOLD_DISPLACED, PRICE_CHANGED or PAYMENT_UNAVAILABLE. CONFLICT: NAME_TAKEN, CODE_TAKEN, IN_USE, STALE, ZONES_OVERLAP, TIERS_OVERLAP, ADDRESS_EXISTS, REFERENCE_TAKEN, OPEN_BOOKINGS, POLICY_ASSIGNED, PARTNER_SUSPENDED, NOT_AFFECTED, RUN_UNDER_WAY, NO_CANCELLATION_REASON, REQUEST_OPEN, OTHER_ZONE. More may be added */
    reason?: string | undefined;
    /** RATE_LIMIT_EXCEEDED: requests, or failed authentications, in any window */
    limit?: number | undefined;
    /** RATE_LIMIT_EXCEEDED: seconds of the window */
    window?: number | undefined;
    /** RATE_LIMIT_EXCEEDED: seconds until the next request is allowed */
    retryAfter?: number | undefined;
    /** RESOURCE_NOT_FOUND: what was not found */
    resource?: string | undefined;
    /** Current status */
    status?: string | undefined;
    /** BOOKING_CREATION_FAILED: free timeslots nearby */
    alternatives?: AlternativeSlot[] | undefined;
    /** CONFLICT, OPEN_BOOKINGS: the bookings that stand in the way of erasing their customer */
    bookings?: string[] | undefined;
    /** DUPLICATE_EXTERNAL_REFERENCE of a series: the one that has the reference */
    seriesId?: string | undefined;
    /** HOLD_CONSUMED, DUPLICATE_EXTERNAL_REFERENCE: the booking that took the hold, or has the reference */
    bookingId?: string | undefined;
    /** HOLD_CONSUMED, DUPLICATE_EXTERNAL_REFERENCE: whether the body that was sent made that booking, in the last 28 days. BOOKING_ALREADY_CANCELLED, PAYMENT_ALREADY_CONFIRMED: true when the request with this very X-Request-Id did it, because the network has delivered it twice */
    sameRequest?: boolean | undefined;
    /** BOOKING_ALREADY_CANCELLED: the statuses that can be cancelled */
    cancellable?: string[] | undefined;
    /** BOOKING_NOT_EDITABLE: the statuses that allow changes */
    editable?: string[] | undefined;
    /** BOOKING_NOT_EDITABLE: times that its policy allows it to be rescheduled */
    maxReschedules?: number | undefined;
    /** BOOKING_NOT_EDITABLE: times that it was rescheduled */
    reschedules?: number | undefined;
    /** BOOKING_NOT_EDITABLE, BOOKING_APPOINTMENT_NOT_FOUND: the status of the appointment; null: there is none */
    appointmentStatus?: (string | null) | undefined;
    /** FORBIDDEN: the permission that the key lacks */
    permission?: (string | null) | undefined;
    /** FORBIDDEN: the address the request came from, as the service sees it */
    address?: string | undefined;
    /** The domain that was detected; null: it cannot be read */
    domain?: (string | null) | undefined;
    /** The header that names the domain */
    source?: string | undefined;
    /** WEBHOOK_DOMAIN_NOT_ALLOWED: the URL's host */
    host?: string | undefined;
    /** WEBHOOK_DOMAIN_NOT_ALLOWED: the account's webhook domains, subdomains included */
    allowedDomains?: string[] | undefined;
    /** SERVICE_NOT_ALLOWED: the services of a price calculation that are not enabled */
    serviceIds?: string[] | undefined;
    /** DUPLICATE_EXTERNAL_REFERENCE: the reference already in use */
    externalReference?: (string | null) | undefined;
    /** BOOKING_NOT_PAYABLE: the statuses that can be paid */
    payable?: string[] | undefined;
    /** PAYMENT_RESPONSIBILITY_MISMATCH: who collects the payment */
    paymentResponsibility?: string | undefined;
    /** The payment status of the booking */
    paymentStatus?: string | undefined;
    /** INVALID_TRANSITION: the current status of the appointment */
    from?: string | undefined;
    /** INVALID_TRANSITION: the requested status */
    to?: string | undefined;
    /** INVALID_TRANSITION: the statuses it can become, or the scripts that can be played */
    allowed?: string[] | undefined;
    /** INVALID_TRANSITION: the status of the booking */
    bookingStatus?: string | undefined;
    /** BOOKING_CREATION_FAILED, PRICE_CHANGED: the price by now; HOLD_DISPLACED: that of the hold, at which `holdId` books any other slot until `expiresAt` */
    price?: number | undefined;
    /** BOOKING_CREATION_FAILED, PRICE_CHANGED, HOLD_DISPLACED: of the price */
    currency?: string | undefined;
    /** BOOKING_CREATION_FAILED, HOLD_DISPLACED: how long the price holds */
    expiresAt?: string | undefined;
    /** BOOKING_CREATION_FAILED, HOLD_DISPLACED: the hold that was displaced; CONFLICT, REFERENCE_TAKEN: that has the reference */
    holdId?: string | undefined;
    /** HOLD_MISMATCH: what differs from the hold */
    fields?: string[] | undefined;
    quote?: Quote | undefined;
    /** HOLD_LIMIT_REACHED: slots that the account may hold at once */
    maxHolds?: number | undefined;
    /** HOLD_LIMIT_REACHED: those of them that may be at coordinates, without a customer */
    maxPlaceHolds?: number | undefined;
    /** HOLD_LIMIT_REACHED: how long the hold can last */
    latestExpiresAt?: string | undefined;
    /** CONFLICT: the run that is under way */
    runId?: string | undefined;
};

export type ExportBookingsQuery = {
    /** Riyadh month of the service dates */
    month: string;
};

export type ExportedBooking = {
    /** Booking */
    bookingId: string;
    /** Tracking reference */
    trackingReference: string;
    /** The partner's reference */
    externalReference: string | null;
    /** Booking status */
    status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
    /** Payment status */
    paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
    /** The partner's reference of the payment */
    paymentReference: string | null;
    /** English name of the service */
    service: string;
    /** Address */
    addressId: string;
    /** Start of the visit */
    startsAt: string;
    /** End of the visit */
    endsAt: string;
    /** SAR */
    price: number;
    /** Notes */
    notes: string | null;
    /** Notes of the cancellation */
    cancellationNotes: string | null;
    /** Why it failed */
    failureReason: string | null;
    /** What operators and crews wrote about it, oldest first */
    remarks: ExportedRemark[];
    /** When it was made */
    createdAt: string;
};

export type ExportedMessage = {
    /** Booking */
    bookingId: string;
    /** Kind of the message */
    kind: "BOOKED" | "DAY_BEFORE" | "ON_THE_WAY" | "LATE" | "DONE" | "MOVED" | "NOT_YET" | "ANOTHER_VISIT" | "CANCELLED" | "NOT_DONE" | "UNPAID";
    /** Whether it was sent; its text and number are not stored */
    status: "QUEUED" | "SENDING" | "SENT" | "FAILED" | "DROPPED" | "UNKNOWN";
    /** When it was sent, or is due */
    at: string;
};

export type ExportedRemark = {
    /** When it was written */
    at: string;
    /** As it was written */
    text: string;
};

export type ExportedSeries = {
    /** Series */
    seriesId: string;
    /** The partner's reference */
    externalReference: string | null;
    /** Address */
    addressId: string;
    /** Riyadh date of the first visit */
    firstDate: string;
    /** Weeks from one visit to the next */
    everyWeeks: number;
    /** Status */
    status: "ACTIVE" | "STOPPED" | "ENDED";
    /** Notes */
    notes: string | null;
    /** When it was made */
    createdAt: string;
};

export type ExtendHoldRequest = {
    /** How much longer; 30 minutes in all at most */
    seconds?: number | undefined;
    /** Until when, ISO 8601 with offset: can be sent again; an earlier end changes nothing */
    until?: string | undefined;
};

export type FaultyDelivery = {
    /** Delivery */
    deliveryId: string;
    /** Event, as the feed names it */
    eventId: string;
    /** Booking */
    bookingId: string;
    /** lose: never sent, FAILED at once. delay: sent later. duplicate: sent twice. reorder: sent after the next of its booking. bad-signature: sent with a wrong signature first */
    kind: "lose" | "delay" | "duplicate" | "reorder" | "bad-signature";
    /** When it was its turn, business time */
    treatedAt: string;
};

export type FeeStep = {
    /** The fee is due when fewer hours than these are left before the start */
    hoursBefore: number;
    /** Part of the price, rounded half up; or `amount` */
    percent?: number | undefined;
    /** SAR; or `percent` */
    amount?: number | undefined;
};

export type FeedEvent = {
    /** Event; its deliveries have the same `eventId` */
    id: string;
    /** What happened */
    event: "booking.created" | "booking.updated" | "booking.cancelled" | "booking.payment_failed" | "booking.payment_confirmed" | "booking.appointment_status_changed" | "booking.payment_succeeded" | "booking.failed" | "booking.refunded" | "booking.fees_changed";
    /** Booking */
    bookingId: string;
    /** Number within the booking, starting at 1 */
    sequence: number;
    /** When it happened */
    createdAt: string;
    /** Payload of the webhook */
    payload: BookingSnapshot | BookingUpdated | Booking | BookingFailed | FeesChanged | PaymentFailed | AppointmentStatusChanged;
};

export type FeedEventPageResponse = {
    success: true;
    data: FeedEvent[];
    meta: FeedMeta;
};

export type FeedMeta = {
    /** Pass it as `after` to continue from here */
    nextCursor: string;
    /** Whether there are events after the cursor */
    hasMore: boolean;
};

export type FeesChange = {
    /** The operator decided or corrected why the visit was not done, or gave something back; or the gateway reported a refund or a chargeback */
    cause: "DECIDED" | "WAIVED" | "GATEWAY";
    /** SAR that may be kept from now on */
    kept: number;
    /** When */
    at: string;
};

export type FeesChanged = {
    /** Booking */
    bookingId: string;
    /** The partner's reference; null: none */
    externalReference: string | null;
    /** Appointment; null until one is assigned */
    appointmentId: string | null;
    /** Booking status */
    status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
    /** Payment status */
    paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
    /** To be shown to the customer: the appointment's name, also while `appointment` is null */
    trackingReference: string;
    /** Service date, midnight form */
    date: string;
    timeslot: BookedTimeslot;
    /** null until an appointment is assigned */
    appointment: BookingAppointment | null;
    /** Service */
    serviceId: string;
    /** English name of the service */
    serviceNameEn: string;
    /** Arabic name of the service */
    serviceNameAr: string;
    /** Contact */
    contactId: string;
    /** Address of the contact */
    addressId: string;
    /** Locked at creation */
    price: number;
    /** The customer's page of the booking, to be passed on to the customer; it ends 7 days after the visit. null: your account has no such pages, or the customer was erased */
    trackingUrl: string | null;
    /** Currency of all amounts */
    currency: "SAR";
    /** The link by which the customer pays; null: there is none yet, or the booking does not wait for payment */
    paymentLink: PaymentLink | null;
    /** null: not canceled */
    cancellation: BookingCancellation | null;
    /**
     * Why the visit could not be done; null: it could, or the reason is not known
     * @enum {string|null}
     */
    outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER" | null) | undefined;
    /** Why it has failed, as in `booking.payment_failed`; null: it has not */
    failureReason: string | null;
    /** The version of the policy that it is under; null: changes are free */
    policyId?: (string | null) | undefined;
    /** The hold that it took; null: none */
    holdId?: (string | null) | undefined;
    /** The series that it is a visit of; null: none */
    seriesId?: (string | null) | undefined;
    /** Its index in the series; null: none */
    seriesIndex?: (number | null) | undefined;
    /** Fees of its changes by the policy, as they are now, oldest first */
    fees?: BookingFee[] | undefined;
    /** Refund of a payment by link; null: none */
    refund: BookingRefund | null;
    /** When it was created */
    createdAt: string;
    /** When it last changed */
    updatedAt: string;
    feesChange: FeesChange;
};

export type FindNextTimeslotsQuery = {
    /** An address with coordinates; or `latitude` and `longitude` */
    addressId?: string | undefined;
    /** With `longitude`, instead of `addressId`: decimal degrees, -90 to 90 */
    latitude?: string | undefined;
    /** With `latitude`, instead of `addressId`: decimal degrees, -180 to 180 */
    longitude?: string | undefined;
    /** The service to be booked */
    serviceId: string;
    /** The earliest start, ISO 8601 with offset; default now. A `+` in a URL is written `%2B` */
    notBefore?: string | undefined;
    /** The number of slots wanted */
    count?: number | undefined;
};

export type FindOrCreateContactRequest = {
    /** Saudi phone number in international format, no spaces; normalized to E.164 */
    phone: string;
    /** The customer's full name; an existing contact keeps its name */
    name: string;
    /** Decimal degrees, -90 to 90; ignored without longitude */
    latitude?: string | undefined;
    /** Decimal degrees, -180 to 180; ignored without latitude */
    longitude?: string | undefined;
    /** Language of messages to the customer; an existing contact gets it. Not known: they have both */
    language?: ("ar" | "en") | undefined;
    /** City of the service address */
    cityName?: string | undefined;
    /** District of the service address */
    districtName?: string | undefined;
    /** Street of the service address */
    streetName?: string | undefined;
    /** Short address of the National Address: four letters and four digits; stored in capitals */
    shortAddress?: string | undefined;
    /** Number of the building; another one is another address */
    buildingNumber?: string | undefined;
    /** Flat, villa or office in the building; another one is another address */
    unit?: string | undefined;
    /** Floor */
    floor?: string | undefined;
    /** Postal code: five digits */
    postalCode?: string | undefined;
    /** Where the door is, for the crew */
    directions?: string | undefined;
};

export type GetBookingQuoteQuery = {
    /** The change */
    action: "cancel" | "reschedule";
    /** Of `reschedule`: the new Riyadh date; given alone, the times stay (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date?: string | undefined;
    /** Of `reschedule`: the new start, with `endAt` */
    startAt?: string | undefined;
    /** Of `reschedule`: the new end */
    endAt?: string | undefined;
};

export type GetCoverageQuery = {
    /** Decimal degrees, -90 to 90 */
    latitude: string;
    /** Decimal degrees, -180 to 180 */
    longitude: string;
};

export type GetTimeslotCalendarQuery = {
    /** An address with coordinates; or `latitude` and `longitude` */
    addressId?: string | undefined;
    /** With `longitude`, instead of `addressId`: decimal degrees, -90 to 90 */
    latitude?: string | undefined;
    /** With `latitude`, instead of `addressId`: decimal degrees, -180 to 180 */
    longitude?: string | undefined;
    /** The service to be booked */
    serviceId: string;
    /** The first Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    from: string;
    /** The last Riyadh date, at most 31 days with the first (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    to: string;
    /** `days`: instead of its slots, whether a date has any. Default slots */
    view?: ("slots" | "days") | undefined;
    /** An earlier booking, usually of the customer: each slot says whether its team is free */
    preferTeamOf?: string | undefined;
};

export type HeldTimeslot = {
    /** Start, Riyadh time */
    startAt: string;
    /** End, Riyadh time */
    endAt: string;
    /** Whether it ends on the next day */
    endsAtNextDay: boolean;
};

export type Hold = {
    /** Hold; `holdId` of POST /partners/bookings */
    holdId: string;
    /** `CONSUMED`: a booking took it */
    status: "HELD" | "CONSUMED" | "RELEASED" | "EXPIRED";
    /** From then on the slot is free again */
    expiresAt: string;
    /** SAR; that of the booking that takes it */
    price: number;
    /** Currency of the price */
    currency: "SAR";
    /** Riyadh date of the start */
    date: string;
    timeslot: HeldTimeslot;
    /** Address; null: the hold was made at coordinates, without a customer */
    addressId: string | null;
    /** Service */
    serviceId: string;
    /** Contact of the address; null as `addressId` */
    contactId: string | null;
    /** Of a hold that was made at coordinates, until it is over */
    latitude: string | null;
    /** As `latitude` */
    longitude: string | null;
    /** The partner's reference; null: none */
    reference: string | null;
    /** The booking that took it; null: none */
    bookingId: string | null;
    /** The version of the policy that the booking will be under; null: none */
    policyId: string | null;
    /** In the response to the request alone, with `preferTeamOf`: whether the team is that of the booking */
    keepsTeam?: boolean | undefined;
};

export type HoldPageResponse = {
    success: true;
    data: Hold[];
    meta: PageMeta;
};

export type HoldResponse = {
    success: true;
    data: Hold;
};

export type ListAvailableTimeslotsQuery = {
    /** An address with coordinates */
    addressId: string;
    /** The service to be booked */
    serviceId: string;
    /** The Riyadh date on which the slots start (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date: string;
};

export type ListAvailableTimeslotsResponse = {
    success: true;
    data: {
        /** Requested date */
        date: string;
        /** Sorted by start; empty when no team is free */
        slots: AvailableSlot[];
    };
    meta?: UnservedMeta | undefined;
};

export type ListBookingsQuery = {
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
    /** Order; ties are broken by id */
    sortBy?: ("createdAt" | "updatedAt" | "date" | "status" | "externalReference") | undefined;
    /** Default DESC */
    sortOrder?: ("ASC" | "DESC") | undefined;
    /** Filter by status */
    status?: ("in progress" | "waiting payment" | "success" | "canceled" | "failed") | undefined;
    /** Service date on or after (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    fromDate?: string | undefined;
    /** Service date on or before; ignored without fromDate (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    toDate?: string | undefined;
    /** Filter by external reference (exact match) */
    externalReference?: string | undefined;
    /** Filter by tracking reference (exact match) */
    trackingReference?: string | undefined;
    /** Filter by contact */
    contactId?: string | undefined;
    /** Filter by service */
    serviceId?: string | undefined;
    /** Filter by payment status */
    paymentStatus?: ("NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED") | undefined;
    /** Bookings changed at this time (ISO 8601 with offset) or later, the last changed first unless sorted otherwise; or, with the X-Updated-Since of an earlier list, those with a change that it has not seen. A booking that changes meanwhile moves to the first page, so pages in this order repeat bookings, but leave none out */
    updatedSince?: string | undefined;
    /** The X-List-As-Of header of the first page: later pages then leave out bookings created since */
    asOf?: string | undefined;
};

export type ListEventsQuery = {
    /** `nextCursor` of an earlier response, or `latest` for no events and the cursor of the end of the feed; by default the feed starts at the oldest event kept */
    after?: string | undefined;
    /** Without `after`: begin with the events that happened at this time or later, to go on after a cursor was refused; ISO 8601 with offset */
    since?: string | undefined;
    /** Names of events, with commas between them, or `all`; by default those of the contract, without `booking.payment_succeeded`, `booking.failed`, `booking.refunded`, `booking.fees_changed`. A cursor is good for any. With rare events a page may be empty while `hasMore` is true */
    events?: string | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListOwnHoldsQuery = {
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListSeriesQuery = {
    /** Filter by status */
    status?: ("ACTIVE" | "STOPPED" | "ENDED") | undefined;
    /** Filter by contact */
    contactId?: string | undefined;
    /** Filter by reference */
    externalReference?: string | undefined;
    /** Those with a visit to come that could not be placed, and stopped ones */
    unplaced?: "true" | undefined;
    /** Series changed at this time (ISO 8601 with offset) or later, the last changed first; or, with the X-Updated-Since of an earlier list, those with a change that it has not seen */
    updatedSince?: string | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListServicesQuery = {
    /** An address with coordinates */
    addressId: string;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListStatementsQuery = {
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListWebhookDeliveriesQuery = {
    /** Filter by subscription */
    subscriptionId?: string | undefined;
    /** Filter by status */
    status?: ("PENDING" | "DELIVERED" | "FAILED") | undefined;
    /** Filter by event name */
    event?: ("booking.created" | "booking.updated" | "booking.cancelled" | "booking.payment_failed" | "booking.payment_confirmed" | "booking.appointment_status_changed" | "booking.payment_succeeded" | "booking.failed" | "booking.refunded" | "booking.fees_changed") | undefined;
    /** Filter by booking */
    bookingId?: string | undefined;
    /** Filter by event */
    eventId?: string | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListWebhookSubscriptionsQuery = {
    /** Filter by status */
    status?: ("ACTIVE" | "INACTIVE") | undefined;
};

/** National address */
export type NationalAddress = {
    /** Four digits */
    buildingNumber: string;
    /** Street */
    street: string;
    /** District */
    district: string;
    /** City */
    city: string;
    /** Five digits */
    postalCode: string;
    /** Four digits; null: none */
    additionalNumber?: (string | null) | undefined;
};

export type NextTimeslots = {
    /** The last date that the service can be booked on, seen from today */
    bookableUntil: string;
    /** The earliest ones, sorted by start; fewer when there are no more until `bookableUntil` */
    slots: DatedSlot[];
};

export type NextTimeslotsResponse = {
    success: true;
    data: NextTimeslots;
    meta?: UnservedMeta | undefined;
};

export type OfferedCategory = {
    /** Category; for display and grouping only */
    id: string;
    /** Category code */
    code: string | null;
    /** English name */
    nameEn: string;
    /** Arabic name */
    nameAr: string;
    /** English description */
    descriptionEn: string;
    /** Arabic description */
    descriptionAr: string;
    /** Whether the category is active */
    isActive: boolean;
    /** Sorted by name */
    services: OfferedService[];
};

export type OfferedCategoryPageResponse = {
    success: true;
    data: OfferedCategory[];
    meta: ServicesPageMeta;
};

export type OfferedService = {
    /** Service; used as `serviceId` */
    id: string;
    /** Name, in the language of your account */
    name: string;
    /** English name */
    nameEn: string;
    /** Arabic name */
    nameAr: string;
    /** SAR, for this partner; locked on the booking at creation. 0: no upfront charge */
    price: number;
    /** Fees for changes of a booking that is made now; null: none */
    policy: ChangePolicy | null;
};

export type PageMeta = {
    /** Page number */
    page: number;
    /** Maximum rows per page */
    limit: number;
    /** Total number of rows */
    total: number;
    /** Total number of pages */
    totalPages: number;
};

export type Party = {
    /** Legal name in English */
    legalNameEn: string;
    /** Legal name in Arabic */
    legalNameAr: string;
    /** VAT number: 15 digits, the first and the last 3; null: not registered */
    vatNumber: string | null;
    /** Commercial registration or unified number, ten digits; null: none */
    registrationNumber: string | null;
    address: NationalAddress;
};

export type PauseSeriesRequest = {
    /** First Riyadh date without visits (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    from: string;
    /** Last one (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    to: string;
    /** From the cancellation reasons; must be given when a visit is placed already */
    reasonId?: string | undefined;
    /** Your own notes on the cancellations */
    cancellationNotes?: string | undefined;
    /** SAR that each visit may cost; when one costs more, nothing is changed. Not in later responses: `fees` of the bookings say what they cost */
    maxFee?: number | undefined;
    /** Only says what would come of it. Not in later responses: nothing is stored */
    preview?: boolean | undefined;
};

export type PaymentFailed = {
    /** Booking */
    bookingId: string;
    /** Why the payment failed */
    reason: string;
};

export type PaymentLink = {
    /** Where the customer pays */
    url: string;
    /** When it ends, at the latest */
    expiresAt: string;
};

export type PlaceSeriesVisitRequest = {
    /** Another Riyadh date, as in `alternatives` (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date?: string | undefined;
    /** Another start, as in `alternatives` */
    startAt?: string | undefined;
};

export type PricingTier = {
    /** Tier */
    id: string;
    /** Inclusive lower bound of the duration, in minutes */
    minMinutes: number;
    /** Inclusive upper bound, in minutes; null: no upper limit */
    maxMinutes: number | null;
    /** Multiplies the base price; at most 4 decimals. 0.9: 10 % off */
    factor: number;
    /** Display order, lower first */
    sorting: number;
};

export type PricingTierListResponse = {
    success: true;
    data: PricingTier[];
};

export type Quote = {
    /** Booking */
    bookingId: string;
    /** The change */
    action: "cancel" | "reschedule";
    /** SAR: what the change costs now; null: nobody knows why the visit has not begun or was not done, and the operator decides */
    fee: number | null;
    /** SAR: `fee`, or the most that the operator can decide on */
    feeAtMost: number;
    /** SAR: fees of earlier changes, which a cancellation keeps too */
    earlierFees: number;
    /** SAR: what a cancellation gives back of what was paid, which is `fee`, `earlierFees` and this; null: the operator decides. Under PARTNER you refund it yourself */
    refund: number | null;
    /** Currency of all amounts */
    currency: "SAR";
    /** The last moment at which the fee is this; null: it stays */
    validUntil: string | null;
    /** The policy that the booking was made under; null: none, and changes are free */
    policy: QuotedPolicy | null;
};

export type QuoteResponse = {
    success: true;
    data: Quote;
};

export type QuotedPolicy = {
    /** The version of the policy; it never changes */
    id: string;
    /** The terms in English */
    textEn: string;
    /** The terms in Arabic */
    textAr: string;
    /** Minutes after the booking in which nothing costs anything */
    graceMinutes: number;
    /** Part of the price once the work has begun, or the start has passed and the crew is there. The clock alone begins no work */
    afterStartPercent: number;
    /** Part of the price when the customer is the cause that a visit was not done */
    noShowPercent: number;
    /** Times that a partner may reschedule a booking; null: any number */
    maxReschedules: number | null;
    /** Fees of cancelling. The step nearest to the start holds; none: no fee */
    cancel: FeeStep[];
    /** Fees of rescheduling. The step nearest to the start holds; none: no fee */
    reschedule: FeeStep[];
    /** Fees of the quoted change. The step nearest to the start holds; none: no fee */
    steps: FeeStep[];
};

export type RecoverWebhookSubscriptionRequest = {
    /** Deliveries that failed at or after this time are retried, and whatever waits for its next retry is sent at once; ISO 8601 with offset. Not in later responses: it chooses what is sent now */
    since: string;
};

export type RecoveredDeliveries = {
    /** Subscription */
    id: string;
    /** Number of failed deliveries to be retried */
    recovered: number;
    /** Number of deliveries that waited for their next retry, and are sent at once too */
    waiting: number;
};

export type RecoveredDeliveriesResponse = {
    success: true;
    data: RecoveredDeliveries;
};

export type Removed = {
    /** What was removed */
    id: string;
    removed: true;
};

export type RemovedResponse = {
    success: true;
    data: Removed;
};

export type RotateWebhookSecretRequest = {
    /** Hours for which attempts are also signed with the previous secret; 0: none. Until then the previous secret signs `X-Service-Signature` and the new one `X-Service-Signature-Next`; `webhook-signature` has both */
    overlapHours?: number | undefined;
};

export type Series = {
    /** Series; null: a preview of one */
    seriesId: string | null;
    /** The partner's reference; null: none */
    externalReference: string | null;
    /** `STOPPED`: places nothing for now; `ENDED`: places nothing more, what is placed stays */
    status: "ACTIVE" | "STOPPED" | "ENDED";
    /**
     * Why it is not `ACTIVE`
     * @enum {string|null}
     */
    reason: "PARTNER_SUSPENDED" | "ACCOUNT_PLATFORM" | "SERVICE_NOT_AVAILABLE" | "OVER" | "ENDED" | "CUSTOMER_ERASED" | null;
    /** Contact */
    contactId: string;
    /** Address of the contact */
    addressId: string;
    /** Service */
    serviceId: string;
    /** Riyadh date of the first visit */
    firstDate: string;
    /** Weeks from one visit to the next */
    everyWeeks: number;
    /** Day of the next visits; 1 (Monday) to 7 (Sunday) */
    weekday: number;
    /** Start of the next visits */
    startAt: string;
    /** Whether the crew of the first visit comes again if it can; `keepsTeam` of each visit says whether it does */
    sameCrew: boolean;
    /** Riyadh date of the last visit at the latest; null: none */
    until: string | null;
    /** Number of visits; null: none */
    visits: number | null;
    /** Riyadh dates without visits */
    pauses: SeriesPause[];
    /** Its visits by index, with the next that are planned; in a list those from today on */
    dates: SeriesVisit[];
    /** In the response to a change alone: what became, or with `preview` would become, of its visits */
    changes?: SeriesChange[] | undefined;
    /** When it was made */
    createdAt: string;
    /** When it last changed */
    updatedAt: string;
};

export type SeriesAlternative = {
    /** Riyadh date */
    date: string;
    /** Start */
    startAt: string;
    /** End */
    endAt: string;
};

export type SeriesChange = {
    /** Of the visit */
    index: number;
    /** `STAYS`: it cannot be moved, and `reason` says why; `SKIPPED`: it was not placed yet */
    outcome: "MOVED" | "STAYS" | "CANCELLED" | "SKIPPED";
    /** Why it stays; null: otherwise */
    reason: string | null;
    /** Its booking; null: none */
    bookingId: string | null;
    /** Riyadh date by the series */
    date: string;
    /** Start by the series */
    startAt: string;
    /** SAR; null: free, or the operator decides later */
    fee: number | null;
};

export type SeriesPageResponse = {
    success: true;
    data: Series[];
    meta: PageMeta;
};

export type SeriesPause = {
    /** First date without visits */
    from: string;
    /** Last one */
    to: string;
};

export type SeriesResponse = {
    success: true;
    data: Series;
};

export type SeriesVisit = {
    /** From 1 */
    index: number;
    /** Riyadh date, as it is now */
    date: string;
    /** Start, as it is now */
    startAt: string;
    /** `PLANNED`: the horizon has not reached it; `PLACED`: it is a booking; `UNPLACED`: it could not be booked, until you choose or skip */
    state: "PLANNED" | "PLACED" | "UNPLACED" | "SKIPPED";
    /** Why it is not placed, as `reason` of a refused booking; null: otherwise */
    reason: string | null;
    /** Free times near one that is `UNPLACED`; in the response of one series alone */
    alternatives: SeriesAlternative[];
    /** Its booking; null: none */
    bookingId: string | null;
    /** Of its booking */
    trackingReference: string | null;
    /**
     * Of its booking
     * @enum {string|null}
     */
    status: "in progress" | "waiting payment" | "success" | "canceled" | "failed" | null;
    /**
     * Of its booking
     * @enum {string|null}
     */
    appointmentStatus: "New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled" | null;
    /** SAR, locked when it was placed; null: it is not */
    price: number | null;
    /** Whether the series' crew comes; null: it is not placed */
    keepsTeam: boolean | null;
    /** Whether its booking was moved by itself */
    movedAlone: boolean;
};

export type Service = {
    /** Service */
    id: string;
    /** Name, in the language of your account */
    name: string;
    /** English name */
    nameEn: string;
    /** Arabic name */
    nameAr: string;
    /** Whether it can be booked */
    isActive: boolean;
    /** Fees for changes of a booking that is made now; null: none */
    policy: ChangePolicy | null;
};

export type ServiceResponse = {
    success: true;
    data: Service;
};

export type ServicesPageMeta = {
    /** Page number */
    page: number;
    /** Maximum rows per page */
    limit: number;
    /** Total number of rows */
    total: number;
    /** Total number of pages */
    totalPages: number;
    /** Only when nothing is offered at the place. `PLACE_NOT_COVERED`: it is outside of every zone; `NOT_OFFERED_AT_PLACE`: its zone does not have the service, or any of yours */
    reason?: ("PLACE_NOT_COVERED" | "NOT_OFFERED_AT_PLACE") | undefined;
};

export type SetSandboxFaultRequest = {
    /** lose: never sent, FAILED at once. delay: sent later. duplicate: sent twice. reorder: sent after the next of its booking. bad-signature: sent with a wrong signature first */
    kind: "lose" | "delay" | "duplicate" | "reorder" | "bad-signature";
    /** How many of the next deliveries are treated so, instead of what was set for this kind before */
    count: number;
    /** Of delay alone: seconds of business time; 60 unless given */
    delaySeconds?: number | undefined;
};

export type SimulatorRun = {
    /** Run */
    id: string;
    /** Booking */
    bookingId: string;
    /** What is played; those of customers are started by a phone number */
    script: "complete" | "cannot-complete" | "late-cancel" | "no-show" | "revisit" | "operator-moves" | "operator-cancels" | "customer-pays" | "payment-fails" | "customer-pays-late" | "customer-declines" | "customer-declines-once";
    /** Seconds of business time before the first step and between two; 5 unless given */
    everySeconds: number;
    /** A request, the header X-Sandbox-Run of the creation, or the phone number of the customer */
    startedBy: "request" | "creation" | "phone";
    /** FAILED: a step was refused, for the reason given */
    status: "RUNNING" | "COMPLETED" | "FAILED" | "STOPPED";
    /** Why it ended before its last step; null: it did not */
    reason: SimulatorRunReason | null;
    /** When it was started, business time */
    createdAt: string;
    /** When it ended; null: it runs */
    finishedAt: string | null;
    /** In their order */
    steps: SimulatorStep[];
};

export type SimulatorRunListResponse = {
    success: true;
    data: SimulatorRun[];
};

export type SimulatorRunReason = {
    /** Code of the refusal */
    code: string;
    /** The refusal */
    message: string;
};

export type SimulatorRunResponse = {
    success: true;
    data: SimulatorRun;
};

export type SimulatorStep = {
    /** From 1 */
    number: number;
    /** What is done */
    action: "appointment" | "move" | "cancel" | "pay" | "decline" | "fail-payment" | "late-cancel" | "no-show" | "close" | "revisit";
    /** What the appointment becomes; null: the step is about something else */
    to: string | null;
    /** SKIPPED: the run ended before it */
    status: "WAITING" | "DONE" | "FAILED" | "SKIPPED";
    /** When it is due, business time */
    dueAt: string;
    /** When it was done; null: not */
    doneAt: string | null;
};

export type SkipSeriesVisitRequest = {
    /** From the cancellation reasons; must be given when a visit is placed already */
    reasonId?: string | undefined;
    /** Your own notes on the cancellations */
    cancellationNotes?: string | undefined;
    /** SAR that each visit may cost; when one costs more, nothing is changed. Not in later responses: `fees` of the bookings say what they cost */
    maxFee?: number | undefined;
    /** Only says what would come of it. Not in later responses: nothing is stored */
    preview?: boolean | undefined;
};

export type StartCertificationRequest = {
    /** Webhook subscription of the integration, for the events that a certification provokes */
    subscriptionId: string;
};

export type StartSandboxRunRequest = {
    /** Who acts, and to which end */
    script: "complete" | "cannot-complete" | "late-cancel" | "no-show" | "revisit" | "operator-moves" | "operator-cancels" | "customer-pays" | "payment-fails";
    /** Seconds of business time before the first step and between two; 5 unless given */
    everySeconds?: number | undefined;
};

export type Statement = {
    /** Statement */
    id: string;
    /** Ascending, and never used twice; null: a draft */
    number: string | null;
    /** Riyadh month of the service dates */
    month: string;
    totals: StatementTotals;
    /** When it was issued; null: a draft */
    issuedAt: string | null;
    /** As it was then; null: a draft */
    seller: Party | null;
    /** As it was then; null: a draft */
    buyer: Party | null;
    /** What the operator has marked; null: not paid yet */
    paid: {
        /** Of the payment */
        reference: string;
        /** Riyadh date */
        paidOn: string;
    } | null;
};

export type StatementPageResponse = {
    success: true;
    data: Statement[];
    meta: PageMeta;
};

export type StatementResponse = {
    success: true;
    data: Statement;
};

export type StatementTotals = {
    /** Number of lines */
    lines: number;
    /** Owed without VAT, SAR */
    net: number;
    /** VAT in it, SAR */
    vat: number;
    /** Owed by the partner, SAR */
    gross: number;
    /** The same by category and rate */
    taxes: {
        /** S: the standard rate of the date; Z: zero-rated; E: exempt; O: outside of VAT */
        category: "S" | "Z" | "E" | "O";
        /** Percent */
        percent: number;
        /** SAR */
        net: number;
        /** SAR */
        vat: number;
        /** SAR */
        gross: number;
    }[];
    /** Came from the partner's customers by payment links, SAR: for information, not in `gross` */
    collected: number;
    /** Of that given back, SAR, not positive */
    givenBack: number;
    /** Of that kept, SAR */
    kept: number;
};

export type Timeslot = {
    /** Start, Riyadh time, as offered */
    startAt: string;
    /** End, Riyadh time, as offered; not after the start means the next day */
    endAt: string;
    /** As answered; need not be sent, and must agree with `startAt` and `endAt` */
    endsAtNextDay?: boolean | undefined;
    /** As in `alternatives`; need not be sent, and must agree with a `date` beside the timeslot (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date?: string | undefined;
};

export type TimeslotCalendar = {
    /** First date */
    from: string;
    /** Last date */
    to: string;
    /** The first date that the service can be booked on, after its notice */
    bookableFrom: string;
    /** The last date that the service can be booked on, seen from today */
    bookableUntil: string;
    /** Every date from `from` to `to` */
    days: CalendarDay[];
};

export type TimeslotCalendarResponse = {
    success: true;
    data: TimeslotCalendar;
    meta?: UnservedMeta | undefined;
};

export type UnservedMeta = {
    /** Only when nothing is offered at the place. `PLACE_NOT_COVERED`: it is outside of every zone; `NOT_OFFERED_AT_PLACE`: its zone does not have the service, or any of yours */
    reason?: ("PLACE_NOT_COVERED" | "NOT_OFFERED_AT_PLACE") | undefined;
};

export type UpdateAddressRequest = {
    /** Decimal degrees, -90 to 90; ignored without longitude */
    latitude?: string | undefined;
    /** Decimal degrees, -180 to 180; ignored without latitude */
    longitude?: string | undefined;
    /** City of the service address */
    cityName?: (string | null) | undefined;
    /** District of the service address */
    districtName?: (string | null) | undefined;
    /** Street of the service address */
    streetName?: (string | null) | undefined;
    /** Short address of the National Address: four letters and four digits; stored in capitals */
    shortAddress?: (string | null) | undefined;
    /** Number of the building; another one is another address */
    buildingNumber?: (string | null) | undefined;
    /** Flat, villa or office in the building; another one is another address */
    unit?: (string | null) | undefined;
    /** Floor */
    floor?: (string | null) | undefined;
    /** Postal code: five digits */
    postalCode?: (string | null) | undefined;
    /** Where the door is, for the crew */
    directions?: (string | null) | undefined;
};

export type UpdateBookingRequest = {
    /** New Riyadh date; given alone, the times stay (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date?: string | undefined;
    timeslot?: Timeslot | undefined;
    /** The partner's own reference, unique in its account; makes retries safe */
    externalReference?: string | undefined;
    /** For the operator; stored, never returned */
    notes?: string | undefined;
    /** Access instructions for the crew. Encrypted, never returned, shown to the crew on the day of the visit only, deleted a week after. null: none */
    instructions?: (string | null) | undefined;
    /** Code of a door or gate; kept as `instructions` are. null: none */
    accessCode?: (string | null) | undefined;
    /** If the fee of the change is higher: 409 `FEE_CHANGED` with the quote of now, and nothing is done. Not in later responses: it limits this change */
    maxFee?: number | undefined;
};

export type UpdateContactRequest = {
    /** The customer's full name */
    name?: string | undefined;
    /**
     * Language of messages to the customer; null: not known
     * @enum {string|null}
     */
    language?: ("ar" | "en" | null) | undefined;
};

export type UpdateSeriesRequest = {
    /** The first visit that changes; earlier ones stay as they are. Not in later responses: the visits are */
    fromIndex: number;
    /** Start from then on, Riyadh time */
    startAt?: string | undefined;
    /** Day from then on, in the same weeks; 1 (Monday) to 7 (Sunday) */
    weekday?: number | undefined;
    /** Whether the crew of the first visit comes again if it can; `keepsTeam` of each visit says whether it does */
    sameCrew?: boolean | undefined;
    /** An earlier booking, usually of the customer: its team comes again if it is free, else another. Not in later responses: `keepsTeam` in that of this request says what came of it */
    preferTeamOf?: string | undefined;
    /** For the operator. Not in later responses: those of its bookings have them */
    notes?: string | undefined;
    /** Access instructions for the crews of each booking, encrypted. Not in later responses: crews alone see them */
    instructions?: string | undefined;
    /** Code of a door or gate, encrypted. Not in later responses: crews alone see it */
    accessCode?: string | undefined;
    /** SAR that each visit may cost; when one costs more, nothing is changed. Not in later responses: `fees` of the bookings say what they cost */
    maxFee?: number | undefined;
    /** Only says what would come of it. Not in later responses: nothing is stored */
    preview?: boolean | undefined;
};

export type UpdateWebhookSubscriptionRequest = {
    /** Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, not this machine or a private network */
    url?: string | undefined;
    /** Events to deliver */
    events?: ("booking.created" | "booking.updated" | "booking.cancelled" | "booking.payment_failed" | "booking.payment_confirmed" | "booking.appointment_status_changed" | "booking.payment_succeeded" | "booking.failed" | "booking.refunded" | "booking.fees_changed")[] | undefined;
    /** Deliveries of an inactive subscription wait until it is active again */
    status?: ("ACTIVE" | "INACTIVE") | undefined;
};

export type WebhookAttempt = {
    /** When */
    attemptedAt: string;
    /** Milliseconds */
    durationMs: number;
    /** null: no response */
    statusCode: number | null;
    /** null: it succeeded */
    error: string | null;
    /** The first 1,024 bytes at most, phones, coordinates and credentials masked */
    responseBody: string;
    /** Of a redirect: where it leads (`Location`). Redirects are not followed */
    location?: string | undefined;
};

export type WebhookDelivery = {
    /** Delivery; the same on every attempt */
    id: string;
    /** Subscription */
    subscriptionId: string;
    /** What happened */
    event: "booking.created" | "booking.updated" | "booking.cancelled" | "booking.payment_failed" | "booking.payment_confirmed" | "booking.appointment_status_changed" | "booking.payment_succeeded" | "booking.failed" | "booking.refunded" | "booking.fees_changed";
    /** FAILED: no attempt follows by itself */
    status: "PENDING" | "DELIVERED" | "FAILED";
    /** Number of attempts */
    attemptCount: number;
    /** Status code of the last response; null: no response */
    statusCode: number | null;
    /** Why the last attempt failed, or SUBSCRIPTION_REMOVED; null: it did not */
    error: string | null;
    /** When the next attempt is due; null: no attempt was made yet, it is due already or under way, its subscription is inactive, or none follows */
    nextRetryAt: string | null;
    /** null: not delivered */
    deliveredAt: string | null;
    /** When the event happened; of a replay: when it was asked for */
    createdAt: string;
    /** 0: sent because the event happened; 1 and more: which replay of it this is */
    replay: number;
};

export type WebhookDeliveryDetail = {
    /** Delivery; the same on every attempt */
    id: string;
    /** Subscription */
    subscriptionId: string;
    /** What happened */
    event: "booking.created" | "booking.updated" | "booking.cancelled" | "booking.payment_failed" | "booking.payment_confirmed" | "booking.appointment_status_changed" | "booking.payment_succeeded" | "booking.failed" | "booking.refunded" | "booking.fees_changed";
    /** FAILED: no attempt follows by itself */
    status: "PENDING" | "DELIVERED" | "FAILED";
    /** Number of attempts */
    attemptCount: number;
    /** Status code of the last response; null: no response */
    statusCode: number | null;
    /** Why the last attempt failed, or SUBSCRIPTION_REMOVED; null: it did not */
    error: string | null;
    /** When the next attempt is due; null: no attempt was made yet, it is due already or under way, its subscription is inactive, or none follows */
    nextRetryAt: string | null;
    /** null: not delivered */
    deliveredAt: string | null;
    /** When the event happened; of a replay: when it was asked for */
    createdAt: string;
    /** 0: sent because the event happened; 1 and more: which replay of it this is */
    replay: number;
    /** Event, as in the event feed */
    eventId: string;
    /** Booking */
    bookingId: string;
    /** Payload */
    payload: BookingSnapshot | BookingUpdated | Booking | BookingFailed | FeesChanged | PaymentFailed | AppointmentStatusChanged;
    /** Oldest first */
    attempts: WebhookAttempt[];
};

export type WebhookDeliveryDetailResponse = {
    success: true;
    data: WebhookDeliveryDetail;
};

export type WebhookDeliveryPageResponse = {
    success: true;
    data: WebhookDelivery[];
    meta: PageMeta;
};

export type WebhookDeliveryResponse = {
    success: true;
    data: WebhookDelivery;
};

export type WebhookFault = {
    /** lose: never sent, FAILED at once. delay: sent later. duplicate: sent twice. reorder: sent after the next of its booking. bad-signature: sent with a wrong signature first */
    kind: "lose" | "delay" | "duplicate" | "reorder" | "bad-signature";
    /** Deliveries that are still to be treated so */
    remaining: number;
    /** Of delay alone: seconds of business time; 60 unless given */
    delaySeconds: number | null;
    /** When it was set, business time */
    setAt: string;
};

export type WebhookFaults = {
    /** Subscription */
    subscriptionId: string;
    /** In the order in which deliveries get them */
    faults: WebhookFault[];
    /** Deliveries that got a fault, the latest first */
    treated: FaultyDelivery[];
};

export type WebhookFaultsResponse = {
    success: true;
    data: WebhookFaults;
};

export type WebhookSecretRotated = {
    /** Subscription */
    id: string;
    /** The partner account */
    partnerClientId: string;
    /** Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, not this machine or a private network */
    url: string;
    /** Events to deliver */
    events: ("booking.created" | "booking.updated" | "booking.cancelled" | "booking.payment_failed" | "booking.payment_confirmed" | "booking.appointment_status_changed" | "booking.payment_succeeded" | "booking.failed" | "booking.refunded" | "booking.fees_changed")[];
    /** Deliveries of an inactive subscription wait until it is active again */
    status: "ACTIVE" | "INACTIVE";
    /** When the previous secret stops signing, after a rotation; null: it no longer signs */
    previousSecretEndsAt: string | null;
    /** When it was created */
    createdAt: string;
    /** When it was last changed */
    updatedAt: string;
    /** Signs the deliveries; the whole string is the key. Only shown in this response */
    secret: string;
};

export type WebhookSecretRotatedResponse = {
    success: true;
    data: WebhookSecretRotated;
};

export type WebhookSubscription = {
    /** Subscription */
    id: string;
    /** The partner account */
    partnerClientId: string;
    /** Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, not this machine or a private network */
    url: string;
    /** Events to deliver */
    events: ("booking.created" | "booking.updated" | "booking.cancelled" | "booking.payment_failed" | "booking.payment_confirmed" | "booking.appointment_status_changed" | "booking.payment_succeeded" | "booking.failed" | "booking.refunded" | "booking.fees_changed")[];
    /** Deliveries of an inactive subscription wait until it is active again */
    status: "ACTIVE" | "INACTIVE";
    /** When the previous secret stops signing, after a rotation; null: it no longer signs */
    previousSecretEndsAt: string | null;
    /** When it was created */
    createdAt: string;
    /** When it was last changed */
    updatedAt: string;
};

export type WebhookSubscriptionListResponse = {
    success: true;
    data: WebhookSubscription[];
};

export type WebhookSubscriptionResponse = {
    success: true;
    data: WebhookSubscription;
};

export type WebhookSubscriptionWithSecret = {
    /** Subscription */
    id: string;
    /** The partner account */
    partnerClientId: string;
    /** Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, not this machine or a private network */
    url: string;
    /** Events to deliver */
    events: ("booking.created" | "booking.updated" | "booking.cancelled" | "booking.payment_failed" | "booking.payment_confirmed" | "booking.appointment_status_changed" | "booking.payment_succeeded" | "booking.failed" | "booking.refunded" | "booking.fees_changed")[];
    /** Deliveries of an inactive subscription wait until it is active again */
    status: "ACTIVE" | "INACTIVE";
    /** When the previous secret stops signing, after a rotation; null: it no longer signs */
    previousSecretEndsAt: string | null;
    /** When it was created */
    createdAt: string;
    /** When it was last changed */
    updatedAt: string;
    /** Signs the deliveries; the whole string is the key. Only shown in this response */
    secret: string;
};

export type WebhookSubscriptionWithSecretResponse = {
    success: true;
    data: WebhookSubscriptionWithSecret;
};

export type WebhookTestDelivery = {
    /** Event name */
    event: "webhook.test";
    /** The delivery, the same on every attempt */
    deliveryId: string;
    payload: WebhookTestPayload;
};

export type WebhookTestPayload = {
    /** Subscription */
    subscriptionId: string;
    /** What it is */
    message: string;
};

export type WebhookTestResult = {
    /** As in the header X-Service-Delivery-Id */
    deliveryId: string;
    /** The event that was sent */
    event: "webhook.test";
    /** Whether the receiver responded with 2xx within 10 seconds */
    ok: boolean;
    /** null: no response */
    statusCode: number | null;
    /** null: ok */
    error: string | null;
    /** Duration of the whole attempt in milliseconds */
    durationMs: number;
    timings: WebhookTimings;
    /** null: no TLS */
    tls: WebhookTls | null;
    /** The first 1,024 bytes at most, phones, coordinates and credentials masked */
    responseBody: string;
    /** Of a redirect: where it leads (`Location`). Redirects are not followed */
    location?: string | undefined;
};

export type WebhookTestResultResponse = {
    success: true;
    data: WebhookTestResult;
};

export type WebhookTimings = {
    /** Milliseconds to resolve the name; null: there was none to resolve */
    dnsMs: number | null;
    /** Milliseconds to connect, TLS included; null: an open connection was used */
    connectMs: number | null;
};

export type WebhookTls = {
    /** Its version */
    protocol: string;
};
