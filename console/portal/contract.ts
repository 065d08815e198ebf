// Printed from openapi/portal.json by `npm run generate`; do not edit.

export type ErrorCode =
  | 'BOOKING_CREATION_FAILED'
  | 'BOOKING_NOT_EDITABLE'
  | 'CONFLICT'
  | 'DELIVERY_NOT_RETRYABLE'
  | 'DUPLICATE_EXTERNAL_REFERENCE'
  | 'FEE_CHANGED'
  | 'FORBIDDEN'
  | 'INTERNAL_ERROR'
  | 'INVALID_TRANSITION'
  | 'PAYMENT_RESPONSIBILITY_MISMATCH'
  | 'RATE_LIMIT_EXCEEDED'
  | 'RESOURCE_NOT_FOUND'
  | 'SERVICE_NOT_ALLOWED'
  | 'UNAUTHORIZED'
  | 'VALIDATION_ERROR';

/** The input and the response of each operation. */
export type Operations = {
  advanceBooking: { takes: { bookingId: string; body?: AdvanceBookingRequest }; response: AdvancedBookingResponse };
  clearFaults: { takes: { id: string }; response: WebhookFaultsResponse };
  createSeries: { takes: { body: CreateSeriesRequest }; response: SeriesResponse };
  downloadStatementInvoices: { takes: { statementId: string }; response: Invoices };
  endSeries: { takes: { seriesId: string; body: EndSeriesRequest }; response: SeriesResponse };
  eraseContact: { takes: { contactId: string; body: EraseContactRequest }; response: ErasedContactResponse };
  exportContact: { takes: { contactId: string }; response: CustomerExportResponse };
  findContacts: { takes: { query?: FindContactsQuery }; response: ContactDetailListResponse };
  getAccount: { takes: Record<never, never>; response: PortalAccountResponse };
  getBooking: { takes: { bookingId: string }; response: PortalBookingResponse };
  getContact: { takes: { contactId: string }; response: ContactDetailResponse };
  getDelivery: { takes: { id: string }; response: PortalDeliveryDetailResponse };
  getMe: { takes: Record<never, never>; response: PortalMeResponse };
  getRequest: { takes: { id: string }; response: LoggedExchangeResponse };
  getSeries: { takes: { seriesId: string }; response: SeriesResponse };
  getStatement: { takes: { statementId: string }; response: StatementResponse };
  getUsage: { takes: { query?: GetUsageQuery }; response: PortalUsageResponse };
  listBookings: { takes: { query?: ListBookingsQuery }; response: BookingPageResponse };
  listCancellationReasons: { takes: Record<never, never>; response: CancellationReasonListResponse };
  listCertifications: { takes: { query?: ListCertificationsQuery }; response: CertificationListResponse };
  listCustomers: { takes: Record<never, never>; response: SandboxCustomerListResponse };
  listDeliveries: { takes: { query?: ListDeliveriesQuery }; response: PortalDeliveryPageResponse };
  listFaults: { takes: { id: string }; response: WebhookFaultsResponse };
  listHolds: { takes: Record<never, never>; response: PortalHoldListResponse };
  listRequests: { takes: { query?: ListRequestsQuery }; response: LoggedRequestPageResponse };
  listRunningRuns: { takes: Record<never, never>; response: SimulatorRunListResponse };
  listRuns: { takes: { bookingId: string }; response: SimulatorRunListResponse };
  listSeries: { takes: { query?: ListSeriesQuery }; response: SeriesPageResponse };
  listServices: { takes: Record<never, never>; response: PortalServiceListResponse };
  listStatements: { takes: { query?: ListStatementsQuery }; response: StatementPageResponse };
  listSubscriptions: { takes: Record<never, never>; response: PortalSubscriptionListResponse };
  pauseSeries: { takes: { seriesId: string; body: PauseSeriesRequest }; response: SeriesResponse };
  placeSeriesVisit: { takes: { seriesId: string; index: string; body?: PlaceSeriesVisitRequest }; response: SeriesResponse };
  recoverSubscription: { takes: { id: string; body: RecoverSubscriptionRequest }; response: RecoveredDeliveriesResponse };
  replayDelivery: { takes: { id: string; body?: NoFields }; response: PortalDeliveryResponse };
  retryDelivery: { takes: { id: string; body?: NoFields }; response: PortalDeliveryResponse };
  setFault: { takes: { id: string; body: SetFaultRequest }; response: WebhookFaultsResponse };
  signIn: { takes: { body: SignInRequest }; response: PortalSessionResponse };
  signOut: { takes: Record<never, never>; response: PortalSignedOutResponse };
  skipSeriesVisit: { takes: { seriesId: string; index: string; body?: SkipSeriesVisitRequest }; response: SeriesResponse };
  startCertification: { takes: { body: StartCertificationRequest }; response: CertificationResponse };
  startRun: { takes: { bookingId: string; body: StartRunRequest }; response: SimulatorRunResponse };
  stopRun: { takes: { bookingId: string; runId: string }; response: SimulatorRunResponse };
  testSubscription: { takes: { id: string; body?: NoFields }; response: WebhookTestResultResponse };
  updateAddress: { takes: { addressId: string; body: UpdateAddressRequest }; response: AddressResponse };
  updateContact: { takes: { contactId: string; body: UpdateContactRequest }; response: ContactDetailResponse };
  updateSeries: { takes: { seriesId: string; body: UpdateSeriesRequest }; response: SeriesResponse };
};

/** The route of each operation, and the session and permissions that it requires. */
export const ROUTES = {
  advanceBooking: { method: 'POST', path: '/sandbox/bookings/{bookingId}/advance', session: 'change', permission: 'partner_bookings_update' },
  clearFaults: { method: 'DELETE', path: '/sandbox/subscriptions/{id}/faults', session: 'change', permission: 'partner_webhooks_manage' },
  createSeries: { method: 'POST', path: '/series', session: 'change', permission: 'partner_bookings_create' },
  downloadStatementInvoices: { method: 'GET', path: '/statements/{statementId}/invoices.json', session: 'read', permission: 'partner_statements_read' },
  endSeries: { method: 'POST', path: '/series/{seriesId}/end', session: 'change', permission: 'partner_bookings_cancel' },
  eraseContact: { method: 'POST', path: '/contacts/{contactId}/erase', session: 'change', permission: 'partner_contacts_erase' },
  exportContact: { method: 'GET', path: '/contacts/{contactId}/export', session: 'read', permission: 'partner_contacts_read' },
  findContacts: { method: 'GET', path: '/contacts', session: 'read', permission: 'partner_contacts_read' },
  getAccount: { method: 'GET', path: '/account', session: 'any', permission: '' },
  getBooking: { method: 'GET', path: '/bookings/{bookingId}', session: 'read', permission: 'partner_bookings_read' },
  getContact: { method: 'GET', path: '/contacts/{contactId}', session: 'read', permission: 'partner_contacts_read' },
  getDelivery: { method: 'GET', path: '/deliveries/{id}', session: 'read', permission: 'partner_webhooks_manage' },
  getMe: { method: 'GET', path: '/me', session: 'any', permission: '' },
  getRequest: { method: 'GET', path: '/requests/{id}', session: 'any', permission: '' },
  getSeries: { method: 'GET', path: '/series/{seriesId}', session: 'read', permission: 'partner_bookings_read' },
  getStatement: { method: 'GET', path: '/statements/{statementId}', session: 'read', permission: 'partner_statements_read' },
  getUsage: { method: 'GET', path: '/usage', session: 'read', permission: '' },
  listBookings: { method: 'GET', path: '/bookings', session: 'read', permission: 'partner_bookings_read' },
  listCancellationReasons: { method: 'GET', path: '/bookings/cancellation-reasons', session: 'read', permission: 'partner_bookings_cancel' },
  listCertifications: { method: 'GET', path: '/sandbox/certifications', session: 'read', permission: 'partner_webhooks_manage' },
  listCustomers: { method: 'GET', path: '/sandbox/customers', session: 'read', permission: 'partner_bookings_read' },
  listDeliveries: { method: 'GET', path: '/deliveries', session: 'read', permission: 'partner_webhooks_manage' },
  listFaults: { method: 'GET', path: '/sandbox/subscriptions/{id}/faults', session: 'read', permission: 'partner_webhooks_manage' },
  listHolds: { method: 'GET', path: '/holds', session: 'read', permission: 'partner_bookings_create' },
  listRequests: { method: 'GET', path: '/requests', session: 'any', permission: '' },
  listRunningRuns: { method: 'GET', path: '/sandbox/runs', session: 'read', permission: 'partner_bookings_read' },
  listRuns: { method: 'GET', path: '/sandbox/bookings/{bookingId}/runs', session: 'read', permission: 'partner_bookings_read' },
  listSeries: { method: 'GET', path: '/series', session: 'read', permission: 'partner_bookings_read' },
  listServices: { method: 'GET', path: '/services', session: 'read', permission: 'partner_services_read' },
  listStatements: { method: 'GET', path: '/statements', session: 'read', permission: 'partner_statements_read' },
  listSubscriptions: { method: 'GET', path: '/subscriptions', session: 'read', permission: 'partner_webhooks_manage' },
  pauseSeries: { method: 'POST', path: '/series/{seriesId}/pause', session: 'change', permission: 'partner_bookings_cancel' },
  placeSeriesVisit: { method: 'POST', path: '/series/{seriesId}/visits/{index}/place', session: 'change', permission: 'partner_bookings_create' },
  recoverSubscription: { method: 'POST', path: '/subscriptions/{id}/recover', session: 'change', permission: 'partner_webhooks_manage' },
  replayDelivery: { method: 'POST', path: '/deliveries/{id}/replay', session: 'change', permission: 'partner_webhooks_manage' },
  retryDelivery: { method: 'POST', path: '/deliveries/{id}/retry', session: 'change', permission: 'partner_webhooks_manage' },
  setFault: { method: 'POST', path: '/sandbox/subscriptions/{id}/faults', session: 'change', permission: 'partner_webhooks_manage' },
  signIn: { method: 'POST', path: '/sessions', session: 'none', permission: '' },
  signOut: { method: 'DELETE', path: '/session', session: 'any', permission: '' },
  skipSeriesVisit: { method: 'POST', path: '/series/{seriesId}/visits/{index}/skip', session: 'change', permission: 'partner_bookings_cancel' },
  startCertification: { method: 'POST', path: '/sandbox/certifications', session: 'change', permission: 'partner_webhooks_manage' },
  startRun: { method: 'POST', path: '/sandbox/bookings/{bookingId}/runs', session: 'change', permission: 'partner_bookings_update' },
  stopRun: { method: 'DELETE', path: '/sandbox/bookings/{bookingId}/runs/{runId}', session: 'change', permission: 'partner_bookings_update' },
  testSubscription: { method: 'POST', path: '/subscriptions/{id}/test', session: 'change', permission: 'partner_webhooks_manage' },
  updateAddress: { method: 'PATCH', path: '/addresses/{addressId}', session: 'change', permission: 'partner_contacts_read' },
  updateContact: { method: 'PATCH', path: '/contacts/{contactId}', session: 'change', permission: 'partner_contacts_read' },
  updateSeries: { method: 'PATCH', path: '/series/{seriesId}', session: 'change', permission: 'partner_bookings_update' },
} as const;

/** StartRunRequest.script */
export const SCRIPTS = ['complete', 'cannot-complete', 'late-cancel', 'no-show', 'revisit', 'operator-moves', 'operator-cancels', 'customer-pays', 'payment-fails'] as const;
/** SetFaultRequest.kind */
export const FAULT_KINDS = ['lose', 'delay', 'duplicate', 'reorder', 'bad-signature'] as const;

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

export type AdvanceBookingRequest = {
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

export type BookingPageResponse = {
    success: true;
    data: Booking[];
    meta: PageMeta;
};

export type BookingRefund = {
    /** SAR */
    amount: number;
    /** `PENDING`: is made; `DONE`: was made; `FAILED`: the operator makes it; `TO_DECIDE`: the work had begun, so the operator decides; `DECLINED`: the operator has decided against it */
    status: "PENDING" | "DONE" | "FAILED" | "TO_DECIDE" | "DECLINED";
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

export type CertificationListResponse = {
    success: true;
    data: Certification[];
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

export type ContactDetailListResponse = {
    success: true;
    data: ContactDetail[];
};

export type ContactDetailResponse = {
    success: true;
    data: ContactDetail;
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

export type FindContactsQuery = {
    /** The customer's phone, in any spelling; without it nobody is listed */
    phone?: string | undefined;
};

export type GetUsageQuery = {
    /** Hours until now that are looked at */
    hours?: number | undefined;
};

export type HeldTimeslot = {
    /** Start, Riyadh time */
    startAt: string;
    /** End, Riyadh time */
    endAt: string;
    /** Whether it ends on the next day */
    endsAtNextDay: boolean;
};

export type Invoices = {
    statement: {
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
        /** Of all amounts */
        currency: string;
    };
    /** An invoice, and a credit note for each statement that is corrected */
    documents: {
        [key: string]: unknown;
    }[];
};

export type Key = {
    /** Key */
    id: string;
    /** Its partner */
    partnerId: string;
    /** Purpose of the key */
    name: string;
    /** What the key may be used for (section 5) */
    permissions: ("partner_bookings_create" | "partner_bookings_read" | "partner_bookings_update" | "partner_bookings_cancel" | "partner_bookings_confirm_payment" | "partner_services_read" | "partner_timeslots_read" | "partner_contacts_read" | "partner_pricing_read" | "partner_webhooks_manage" | "partner_contacts_erase" | "partner_statements_read")[];
    /** Addresses and CIDRs that may use the key; empty: any */
    ipAllowlist: string[];
    /** null: never */
    expiresAt: string | null;
    /** A revoked key stays revoked */
    status: "ACTIVE" | "REVOKED";
    /** Updated every few seconds; null: never used */
    lastUsedAt: string | null;
    /** First characters of the key */
    prefix: string;
    /** Last 4 characters of the key */
    last4: string;
    /** When the previous secret stops working; null: it no longer works */
    previousExpiresAt: string | null;
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
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

export type ListCertificationsQuery = {
    /** Of the texts */
    language?: ("en" | "ar") | undefined;
};

export type ListDeliveriesQuery = {
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
    /** Only those that fail: given up within these hours, or with a failed attempt and another one to come */
    failingWithinHours?: number | undefined;
};

export type ListRequestsQuery = {
    /** Filter by `X-Request-Id` or its beginning */
    requestId?: string | undefined;
    /** Filter by status */
    status?: number | undefined;
    /** `success`: 2xx, `refused`: 4xx and 5xx, `error`: 5xx */
    outcome?: ("success" | "refused" | "error") | undefined;
    /** Filter by `error.code` */
    code?: ("VALIDATION_ERROR" | "UNAUTHORIZED" | "FORBIDDEN" | "INVALID_PARTNER_DOMAIN" | "SANDBOX_DOMAIN_NOT_ALLOWED" | "WEBHOOK_DOMAIN_NOT_ALLOWED" | "RESOURCE_NOT_FOUND" | "SERVICE_NOT_ALLOWED" | "DUPLICATE_EXTERNAL_REFERENCE" | "IDEMPOTENCY_KEY_CONFLICT" | "IDEMPOTENCY_KEY_IN_PROGRESS" | "HOLD_MISMATCH" | "HOLD_CONSUMED" | "HOLD_ENDED" | "FEE_CHANGED" | "CONFLICT" | "BOOKING_CREATION_FAILED" | "HOLD_LIMIT_REACHED" | "BOOKING_ALREADY_CANCELLED" | "BOOKING_NOT_PAYABLE" | "PAYMENT_RESPONSIBILITY_MISMATCH" | "PAYMENT_ALREADY_CONFIRMED" | "BOOKING_NOT_EDITABLE" | "BOOKING_APPOINTMENT_NOT_FOUND" | "INVALID_TRANSITION" | "WEBHOOK_LIMIT_REACHED" | "DELIVERY_NOT_RETRYABLE" | "RATE_LIMIT_EXCEEDED" | "INTERNAL_ERROR") | undefined;
    /** Filter by API key */
    keyId?: string | undefined;
    /** Filter by method */
    method?: string | undefined;
    /** Filter by the route's pattern, exactly */
    route?: string | undefined;
    /** Filter by booking: in the path, or in the answer that created it */
    bookingId?: string | undefined;
    /** At or after this time */
    from?: string | undefined;
    /** Before this time */
    to?: string | undefined;
    /** `nextCursor` of the page before */
    before?: string | undefined;
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

export type ListStatementsQuery = {
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type LogMeta = {
    /** Pass it as `before` for the next page; null: there is none */
    nextCursor: string | null;
};

export type LoggedExchange = {
    /** Entry of the log */
    id: string;
    /** When it was answered */
    at: string;
    /** `X-Request-Id` */
    requestId: string;
    /** Partner */
    partnerId: string;
    /** API key */
    keyId: string;
    /** The key, masked */
    key: string | null;
    /** Method */
    method: string;
    /** The route's pattern; null: there is none */
    route: string | null;
    /** Path as it was sent, without what is personal. Sandbox: with its query; production: of unknown routes only */
    path: string | null;
    /** Status */
    status: number;
    /** `error.code` */
    code: string | null;
    /** `error.message` */
    message: string | null;
    /** The check that refused it: `key`, `address`, `rate-limit`, `domain`, `permission` … */
    check: string | null;
    /** What the check said. Of a 401 what the partner was not told: `expired`, `revoked`, `replaced` by a rotation, or `suspended`; null: the key is valid by now */
    reason: string | null;
    /** `error.details.hints` */
    hints: string[];
    /** Query parameters that nothing read, as `X-Ignored-Parameters` named them; without their values */
    ignoredParameters: string[];
    /** The rest of `error.details`, without what is personal */
    details: {
        [key: string]: unknown;
    } | null;
    /** Milliseconds from the first byte of the request to the end of the answer */
    durationMs: number;
    /** Booking in the path, or that the answer created or names */
    bookingId: string | null;
    /** `User-Agent` */
    userAgent: string | null;
    /** Of a sandbox: the first 4,096 characters of each body, phones, coordinates and credentials masked; null: production, which keeps no bodies, or one of too many at once */
    bodies: {
        /** JSON as it was read; null: there was none */
        request: string | null;
        /** JSON as it was sent */
        response: string | null;
        /** Whether the request was longer */
        requestCut: boolean;
        /** Whether the response was longer */
        responseCut: boolean;
    } | null;
};

export type LoggedExchangeResponse = {
    success: true;
    data: LoggedExchange;
};

export type LoggedRequest = {
    /** Entry of the log */
    id: string;
    /** When it was answered */
    at: string;
    /** `X-Request-Id` */
    requestId: string;
    /** Partner */
    partnerId: string;
    /** API key */
    keyId: string;
    /** The key, masked */
    key: string | null;
    /** Method */
    method: string;
    /** The route's pattern; null: there is none */
    route: string | null;
    /** Path as it was sent, without what is personal. Sandbox: with its query; production: of unknown routes only */
    path: string | null;
    /** Status */
    status: number;
    /** `error.code` */
    code: string | null;
    /** `error.message` */
    message: string | null;
    /** The check that refused it: `key`, `address`, `rate-limit`, `domain`, `permission` … */
    check: string | null;
    /** What the check said. Of a 401 what the partner was not told: `expired`, `revoked`, `replaced` by a rotation, or `suspended`; null: the key is valid by now */
    reason: string | null;
    /** `error.details.hints` */
    hints: string[];
    /** Query parameters that nothing read, as `X-Ignored-Parameters` named them; without their values */
    ignoredParameters: string[];
    /** The rest of `error.details`, without what is personal */
    details: {
        [key: string]: unknown;
    } | null;
    /** Milliseconds from the first byte of the request to the end of the answer */
    durationMs: number;
    /** Booking in the path, or that the answer created or names */
    bookingId: string | null;
    /** `User-Agent` */
    userAgent: string | null;
};

export type LoggedRequestPageResponse = {
    success: true;
    data: LoggedRequest[];
    meta: LogMeta;
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

export type NoFields = Record<string, never>;

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

export type Partner = {
    /** Partner */
    id: string;
    /** Its name; the utmSource of its contacts */
    name: string;
    /** The keys of a suspended partner do not work */
    status: "ACTIVE" | "SUSPENDED";
    /** Who collects the money for new bookings */
    paymentResponsibility: "PARTNER" | "PLATFORM";
    /** Requests per key in any 60 seconds; null: no limit */
    rateLimitPerMinute: number | null;
    /** Domains that requests may come from; empty: any */
    allowedDomains: string[];
    /** Allowed domains refused while SANDBOX_DOMAIN_CHECK is on */
    sandboxDomains: string[];
    /** Domains that webhooks may go to */
    allowedWebhookDomains: string[];
    /** Refuse webhook URLs without TLS */
    requireHttpsWebhooks: boolean;
    /** Language of the service names in its responses */
    language: "en" | "ar";
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
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

export type PortalAccount = {
    /** The settings of the partner; null: the session is limited */
    partner: Partner | null;
    /** The keys of the partner, newest first; in a session that a key opened that key alone */
    keys: Key[];
};

export type PortalAccountResponse = {
    success: true;
    data: PortalAccount;
};

export type PortalAttempt = {
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
    /** The headers that were sent; empty: nothing was, or they were not kept */
    headers: PortalHeader[];
};

export type PortalBooking = {
    booking: Booking;
    /** The policy that the booking was made under; null: none, and changes are free */
    policy: ChangePolicy | null;
    /** In a sandbox: where its customer pays. null: production, or nothing is to be paid by link now */
    paymentLink: string | null;
    /** What the feed and the webhooks told of it, oldest first */
    events: FeedEvent[];
};

export type PortalBookingResponse = {
    success: true;
    data: PortalBooking;
};

export type PortalDelivery = {
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
    /** Where it goes; null: the subscription was removed */
    url: string | null;
};

export type PortalDeliveryDetail = {
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
    /** Where it goes; null: the subscription was removed */
    url: string | null;
    /** Payload */
    payload: Record<string, never>;
    /** The body of every attempt, to the byte: what the signatures cover */
    body: string;
    /** Oldest first */
    attempts: PortalAttempt[];
};

export type PortalDeliveryDetailResponse = {
    success: true;
    data: PortalDeliveryDetail;
};

export type PortalDeliveryPageResponse = {
    success: true;
    data: PortalDelivery[];
    meta: PageMeta;
};

export type PortalDeliveryResponse = {
    success: true;
    data: PortalDelivery;
};

export type PortalErrorGroup = {
    /** `error.code` */
    code: string | null;
    /** Status */
    status: number;
    /** Method */
    method: string;
    /** The route's pattern; null: there is none */
    route: string | null;
    /** How many */
    count: number;
    /** When the newest of them was answered */
    lastAt: string;
    /** The newest of them in the log */
    lastId: string;
};

export type PortalHeader = {
    /** Name */
    name: string;
    /** Value */
    value: string;
};

export type PortalHold = {
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
    /** Name of the service */
    serviceName: string;
};

export type PortalHoldListResponse = {
    success: true;
    data: PortalHold[];
};

export type PortalMe = {
    /** Partner */
    partnerId: string;
    /** Its name */
    partnerName: string;
    /** The key that was typed in; null: a link opened the session */
    keyId: string | null;
    /** Its name */
    keyName: string | null;
    /** Whether the session that the link opens may change nothing */
    readOnly: boolean;
    /** What the session may do */
    permissions: ("partner_bookings_create" | "partner_bookings_read" | "partner_bookings_update" | "partner_bookings_cancel" | "partner_bookings_confirm_payment" | "partner_services_read" | "partner_timeslots_read" | "partner_contacts_read" | "partner_pricing_read" | "partner_webhooks_manage" | "partner_contacts_erase" | "partner_statements_read")[];
    /**
     * Why the session only shows the key and what was refused to it; null: it is not limited
     * @enum {string|null}
     */
    limit: "PARTNER_SUSPENDED" | "KEY_REVOKED" | "KEY_REPLACED" | "KEY_EXPIRED" | "ADDRESS_NOT_ALLOWED" | null;
    /** Where the request came from, as the service sees it */
    address: string;
    /** When the session ends */
    expiresAt: string;
    /** Kind of deployment */
    deployment: "sandbox" | "production";
    /** Base address of the partner interface */
    apiUrl: string;
    /** The service's time; a sandbox's may be ahead of real time */
    now: string;
    /** Time zone of all dates and times of day */
    timeZone: string;
};

export type PortalMeResponse = {
    success: true;
    data: PortalMe;
};

export type PortalPeak = {
    /** Key */
    keyId: string;
    /** The most requests of the key in any 60 seconds */
    requests: number;
    /** When those 60 seconds began */
    at: string;
};

export type PortalService = {
    /** Service */
    id: string;
    /** Its English name */
    nameEn: string;
    /** Its Arabic name; null: the English one is used */
    nameAr: string | null;
    /** English name of its category */
    categoryEn: string;
    /** Arabic name of its category */
    categoryAr: string;
    /** Minutes */
    durationMinutes: number;
    /** Minutes before a start from which on it cannot be booked */
    minimumNoticeMinutes: number;
    /** Days ahead for which it can be booked */
    bookingHorizonDays: number;
    /** SAR */
    price: number;
    /** Whether the price was agreed with the partner, and is not the usual one */
    isOwnPrice: boolean;
};

export type PortalServiceListResponse = {
    success: true;
    data: PortalService[];
};

export type PortalSession = {
    /** Sent as `Authorization: Bearer <token>`; only shown in this response */
    token: string;
    /** When the session ends */
    expiresAt: string;
};

export type PortalSessionResponse = {
    success: true;
    data: PortalSession;
};

export type PortalSignedOut = {
    signedOut: true;
};

export type PortalSignedOutResponse = {
    success: true;
    data: PortalSignedOut;
};

export type PortalSubscription = {
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
    /** Failed attempts since the last success */
    failures: number;
};

export type PortalSubscriptionListResponse = {
    success: true;
    data: PortalSubscription[];
};

export type PortalUsage = {
    /** Since when */
    from: string;
    /** Of each key that was used */
    peaks: PortalPeak[];
    /** Refused requests by code and route, the most frequent first */
    errors: PortalErrorGroup[];
};

export type PortalUsageResponse = {
    success: true;
    data: PortalUsage;
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

export type RecoverSubscriptionRequest = {
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

export type SandboxCustomer = {
    /** Phone number; nothing is ever sent to it */
    phone: string;
    /** What the customer does with a payment link, or what becomes of its hold */
    script: "complete" | "cannot-complete" | "late-cancel" | "no-show" | "revisit" | "operator-moves" | "operator-cancels" | "customer-pays" | "payment-fails" | "customer-pays-late" | "customer-declines" | "customer-declines-once" | "hold-expires" | "hold-lost" | "hold-dearer" | "hold-limit" | "nothing";
    /** Seconds before each thing that the customer does */
    everySeconds: number;
};

export type SandboxCustomerListResponse = {
    success: true;
    data: SandboxCustomer[];
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

export type SetFaultRequest = {
    /** lose: never sent, FAILED at once. delay: sent later. duplicate: sent twice. reorder: sent after the next of its booking. bad-signature: sent with a wrong signature first */
    kind: "lose" | "delay" | "duplicate" | "reorder" | "bad-signature";
    /** How many of the next deliveries are treated so, instead of what was set for this kind before */
    count: number;
    /** Of delay alone: seconds of business time; 60 unless given */
    delaySeconds?: number | undefined;
};

export type SignInRequest = {
    /** Token of a link. Not in later responses: a secret */
    link?: string | undefined;
    /** An API key. Not in later responses: a secret */
    key?: string | undefined;
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

export type StartRunRequest = {
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
