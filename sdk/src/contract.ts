// Printed from openapi.json by `npm run sdk:contract`; do not edit.

import type { CallOptions, FollowOptions } from './call-options.ts';

export type ErrorCode =
  | 'BOOKING_ALREADY_CANCELLED'
  | 'BOOKING_APPOINTMENT_NOT_FOUND'
  | 'BOOKING_CREATION_FAILED'
  | 'BOOKING_NOT_EDITABLE'
  | 'BOOKING_NOT_PAYABLE'
  | 'DELIVERY_NOT_RETRYABLE'
  | 'DUPLICATE_EXTERNAL_REFERENCE'
  | 'FORBIDDEN'
  | 'IDEMPOTENCY_KEY_CONFLICT'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'INTERNAL_ERROR'
  | 'INVALID_PARTNER_DOMAIN'
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
  | 'webhook.test';

/** What a webhook brings: `event` tells what `payload` is. */
export type WebhookEvent =
  | BookingCreatedDelivery
  | BookingUpdatedDelivery
  | BookingCancelledDelivery
  | BookingPaymentFailedDelivery
  | BookingPaymentConfirmedDelivery
  | BookingAppointmentStatusChangedDelivery
  | WebhookTestDelivery;

/** What an event carries. */
export type PayloadOf<Name extends EventName> = Extract<WebhookEvent, { event: Name }>['payload'];

/** One event of the feed: `event` tells what `payload` is. */
export type FeedEvent = {
  [Name in RawFeedEvent['event']]: Omit<RawFeedEvent, 'event' | 'payload'> & {
    event: Name;
    payload: PayloadOf<Name>;
  };
}[RawFeedEvent['event']];

/** One page of a list. `asOf`, where there is one, given back with later pages keeps new rows out of them. */
export type Page<Item> = { data: Item[]; meta: PageMeta; asOf?: string };

/** One page of the event feed. */
export type FeedPage = { data: FeedEvent[]; meta: FeedMeta };

export type ListAvailableTimeslotsQuery = {
  /** An address with coordinates */
  addressId: string;
  /** The service to be booked */
  serviceId: string;
  /** The Riyadh date on which the slots start */
  date: string;
};

export type ListBookingsQuery = {
  /** Page, from 1 */
  page?: number | undefined;
  /** Rows on a page */
  limit?: number | undefined;
  /** Order; ties are broken by id */
  sortBy?: 'createdAt' | 'date' | 'status' | 'externalReference' | undefined;
  /** Default DESC */
  sortOrder?: 'ASC' | 'DESC' | undefined;
  /** Exactly this status */
  status?: 'in progress' | 'waiting payment' | 'success' | 'canceled' | 'failed' | undefined;
  /** Service date on or after */
  fromDate?: string | undefined;
  /** Service date on or before; ignored without fromDate */
  toDate?: string | undefined;
  /** Exactly this reference */
  externalReference?: string | undefined;
  /** The X-List-As-Of header of the first page: later pages then leave out bookings made meanwhile */
  asOf?: string | undefined;
};

export type ListEventsQuery = {
  /** `nextCursor` of an earlier answer, or `latest`: no event, and the cursor of the end of the feed; without it the feed begins at the oldest event kept */
  after?: string | undefined;
  /** Rows on a page */
  limit?: number | undefined;
};

export type ListServicesQuery = {
  /** An address with coordinates */
  addressId: string;
  /** Page, from 1 */
  page?: number | undefined;
  /** Rows on a page */
  limit?: number | undefined;
};

export type ListWebhookDeliveriesQuery = {
  /** Only this subscription's */
  subscriptionId?: string | undefined;
  /** Exactly this status */
  status?: 'PENDING' | 'DELIVERED' | 'FAILED' | undefined;
  /** Only of these events */
  event?: 'booking.created' | 'booking.updated' | 'booking.cancelled' | 'booking.payment_failed' | 'booking.payment_confirmed' | 'booking.appointment_status_changed' | undefined;
  /** Only this booking's */
  bookingId?: string | undefined;
  /** Only of this event */
  eventId?: string | undefined;
  /** Page, from 1 */
  page?: number | undefined;
  /** Rows on a page */
  limit?: number | undefined;
};

/** One method for each operation of the document, and one for each list that goes through all of its pages. */
export type Operations = {
  /**
   * Calculate the exact price of a configuration.
   *
   * Your price of each service times the factor of the tier that holds its minutes, rounded half up to 2 decimals, and the sum.
   *
   * Needs the permission `partner_pricing_read`.
   */
  calculatePrice(body: CalculatePriceRequest, options?: CallOptions): Promise<CalculatedPrice>;
  /**
   * Cancel a booking.
   *
   * Any status but `canceled` can be cancelled; the appointment is cancelled with it and its time is free again. Under PLATFORM a payment is refunded where applicable; under PARTNER refunds are yours.
   *
   * Needs the permission `partner_bookings_cancel`.
   */
  cancelBooking(bookingId: string, body: CancelBookingRequest, options?: CallOptions): Promise<Booking>;
  /**
   * Confirm that the customer has paid the partner.
   *
   * Only for accounts that collect payment themselves (PARTNER). The payment status becomes PAID, the status stays. A repeated call is refused with PAYMENT_ALREADY_CONFIRMED, which can be taken as done.
   *
   * Needs the permission `partner_bookings_confirm_payment`.
   */
  confirmPayment(bookingId: string, body?: ConfirmPaymentRequest, options?: CallOptions): Promise<Booking>;
  /**
   * Create a booking.
   *
   * The timeslot is held and a team assigned at once, or nothing happens. The price is locked. Under PLATFORM with a price above zero the customer gets a payment link, and the status tells what came of it. `appointment` may stay null for a while: poll the status. A known `externalReference` is refused with 409, so a repeated request never books twice.
   *
   * Needs the permission `partner_bookings_create`.
   */
  createBooking(body: CreateBookingRequest, options?: CallOptions): Promise<Booking>;
  /**
   * Create a webhook subscription; the answer shows its secret for the only time.
   *
   * Needs the permission `partner_webhooks_manage`.
   */
  createWebhookSubscription(body: CreateWebhookSubscriptionRequest, options?: CallOptions): Promise<WebhookSubscriptionWithSecret>;
  /**
   * Find or create a contact.
   *
   * Call it before booking. A contact is known by its phone: one that exists keeps its name. With any address field the address is matched or created, too, and `addressId` is set; booking needs one with coordinates.
   *
   * Needs the permission `partner_contacts_read`.
   */
  findOrCreateContact(body: FindOrCreateContactRequest, options?: CallOptions): Promise<Contact>;
  /**
   * Read a booking.
   *
   * The booking as it is now, payment and appointment included.
   *
   * Needs the permission `partner_bookings_read`.
   */
  getBookingStatus(bookingId: string, options?: CallOptions): Promise<Booking>;
  /**
   * Read a contact and its addresses.
   *
   * One of your contacts, with all its addresses.
   *
   * Needs the permission `partner_contacts_read`.
   */
  getContact(contactId: string, options?: CallOptions): Promise<ContactDetail>;
  /**
   * Read a service.
   *
   * A service that is enabled for you.
   *
   * Needs the permission `partner_services_read`.
   */
  getService(serviceId: string, options?: CallOptions): Promise<Service>;
  /**
   * Read a webhook delivery with its payload and attempts.
   *
   * Needs the permission `partner_webhooks_manage`.
   */
  getWebhookDelivery(id: string, options?: CallOptions): Promise<WebhookDeliveryDetail>;
  /**
   * List the free timeslots of a service at an address on a date.
   *
   * Computed as of now; pass a slot unchanged as `timeslot` when booking. Empty when no team is free, the date is past or too far ahead, or the address is outside every zone.
   *
   * Needs the permission `partner_timeslots_read`.
   */
  listAvailableTimeslots(query: ListAvailableTimeslotsQuery, options?: CallOptions): Promise<{
    /** The date asked for */
    date: string;
    /** Sorted by start; empty when no team is free */
    slots: AvailableSlot[];
  }>;
  /**
   * List bookings.
   *
   * Your own bookings, newest creation first unless sorted otherwise. `fromDate` alone means from that date on; `toDate` alone is ignored. Disregard bookings that are `failed`.
   *
   * Needs the permission `partner_bookings_read`.
   */
  listBookings(query?: ListBookingsQuery, options?: CallOptions): Promise<Page<Booking>>;
  /** What `listBookings` lists, from there on through all pages; 100 on a page unless told otherwise. */
  iterateBookings(query?: ListBookingsQuery, options?: CallOptions): AsyncGenerator<Booking, void, undefined>;
  /**
   * List the reasons a booking can be cancelled for.
   *
   * Active reasons that are meant for customers.
   *
   * Needs the permission `partner_bookings_cancel`.
   */
  listCancellationReasons(options?: CallOptions): Promise<CancellationReason[]>;
  /**
   * Read the event feed.
   *
   * The events of your bookings, oldest first, without gaps and kept for 90 days. Store `nextCursor` and pass it as `after` to go on exactly there, also after an empty page.
   *
   * Needs the permission `partner_bookings_read`.
   */
  listEvents(query?: ListEventsQuery, options?: CallOptions): Promise<FeedPage>;
  /** What `listEvents` lists, from there on through all pages; 100 on a page unless told otherwise. */
  iterateEvents(query?: ListEventsQuery, options?: FollowOptions): AsyncGenerator<FeedEvent, void, undefined>;
  /**
   * List pricing tiers.
   *
   * Factors on the base price by length of service; they do not change the price of bookings.
   *
   * Needs the permission `partner_pricing_read`.
   */
  listPricingTiers(options?: CallOptions): Promise<PricingTier[]>;
  /**
   * List the services that can be booked at an address.
   *
   * Categories with the services that you may book and that are available at the address, at your prices. Pages count categories. Outside every zone the list is empty.
   *
   * Needs the permission `partner_services_read`.
   */
  listServices(query: ListServicesQuery, options?: CallOptions): Promise<Page<OfferedCategory>>;
  /** What `listServices` lists, from there on through all pages; 100 on a page unless told otherwise. */
  iterateServices(query: ListServicesQuery, options?: CallOptions): AsyncGenerator<OfferedCategory, void, undefined>;
  /**
   * List webhook deliveries, newest first.
   *
   * Needs the permission `partner_webhooks_manage`.
   */
  listWebhookDeliveries(query?: ListWebhookDeliveriesQuery, options?: CallOptions): Promise<Page<WebhookDelivery>>;
  /** What `listWebhookDeliveries` lists, from there on through all pages; 100 on a page unless told otherwise. */
  iterateWebhookDeliveries(query?: ListWebhookDeliveriesQuery, options?: CallOptions): AsyncGenerator<WebhookDelivery, void, undefined>;
  /**
   * List the active webhook subscriptions, newest first.
   *
   * Needs the permission `partner_webhooks_manage`.
   */
  listWebhookSubscriptions(options?: CallOptions): Promise<WebhookSubscription[]>;
  /**
   * Retry every delivery of a webhook subscription that failed since then.
   *
   * Needs the permission `partner_webhooks_manage`.
   */
  recoverWebhookSubscription(id: string, body: RecoverWebhookSubscriptionRequest, options?: CallOptions): Promise<RecoveredDeliveries>;
  /**
   * Remove a webhook subscription; what it has not delivered fails.
   *
   * Needs the permission `partner_webhooks_manage`.
   */
  removeWebhookSubscription(id: string, options?: CallOptions): Promise<Removed>;
  /**
   * Try a failed webhook delivery again at once.
   *
   * Needs the permission `partner_webhooks_manage`.
   */
  retryWebhookDelivery(id: string, options?: CallOptions): Promise<WebhookDelivery>;
  /**
   * Give a webhook subscription a new secret; the answer shows it for the only time.
   *
   * Needs the permission `partner_webhooks_manage`.
   */
  rotateWebhookSecret(id: string, options?: CallOptions): Promise<WebhookSubscriptionWithSecret>;
  /**
   * Send a signed test event at once and answer what came of it.
   *
   * Needs the permission `partner_webhooks_manage`.
   */
  testWebhookSubscription(id: string, options?: CallOptions): Promise<WebhookTestResult>;
  /**
   * Change a booking.
   *
   * Every field is optional; none changes nothing. A date alone keeps the times, a timeslot alone the date. A new time obeys the rules of creation: when nobody is free then, the old timeslot stays held.
   *
   * Needs the permission `partner_bookings_update`.
   */
  updateBooking(bookingId: string, body: UpdateBookingRequest, options?: CallOptions): Promise<Booking>;
  /**
   * Change a webhook subscription, or switch it off or on.
   *
   * Needs the permission `partner_webhooks_manage`.
   */
  updateWebhookSubscription(id: string, body: UpdateWebhookSubscriptionRequest, options?: CallOptions): Promise<WebhookSubscription>;
};

/** How each operation is called; the client is made of it. */
export const OPERATIONS = {
  calculatePrice: { method: 'POST', path: '/partners/pricing/calculate-price', takes: 'body', answers: 'data' },
  cancelBooking: { method: 'PATCH', path: '/partners/bookings/{bookingId}/cancel', takes: 'body', answers: 'data' },
  confirmPayment: { method: 'POST', path: '/partners/bookings/{bookingId}/confirm-payment', takes: 'body', answers: 'data' },
  createBooking: { method: 'POST', path: '/partners/bookings', takes: 'body', answers: 'data' },
  createWebhookSubscription: { method: 'POST', path: '/partners/webhooks/subscriptions', takes: 'body', answers: 'data' },
  findOrCreateContact: { method: 'POST', path: '/partners/contacts', takes: 'body', answers: 'data' },
  getBookingStatus: { method: 'GET', path: '/partners/bookings/{bookingId}/status', takes: 'nothing', answers: 'data' },
  getContact: { method: 'GET', path: '/partners/contacts/{contactId}', takes: 'nothing', answers: 'data' },
  getService: { method: 'GET', path: '/partners/services/{serviceId}', takes: 'nothing', answers: 'data' },
  getWebhookDelivery: { method: 'GET', path: '/partners/webhooks/deliveries/{id}', takes: 'nothing', answers: 'data' },
  listAvailableTimeslots: { method: 'GET', path: '/partners/timeslots/available', takes: 'query', answers: 'data' },
  listBookings: { method: 'GET', path: '/partners/bookings', takes: 'query', answers: 'page', iterate: 'iterateBookings' },
  listCancellationReasons: { method: 'GET', path: '/partners/bookings/cancellation-reasons', takes: 'nothing', answers: 'data' },
  listEvents: { method: 'GET', path: '/partners/events', takes: 'query', answers: 'feed', iterate: 'iterateEvents' },
  listPricingTiers: { method: 'GET', path: '/partners/pricing/tiers', takes: 'nothing', answers: 'data' },
  listServices: { method: 'GET', path: '/partners/services', takes: 'query', answers: 'page', iterate: 'iterateServices' },
  listWebhookDeliveries: { method: 'GET', path: '/partners/webhooks/deliveries', takes: 'query', answers: 'page', iterate: 'iterateWebhookDeliveries' },
  listWebhookSubscriptions: { method: 'GET', path: '/partners/webhooks/subscriptions', takes: 'nothing', answers: 'data' },
  recoverWebhookSubscription: { method: 'POST', path: '/partners/webhooks/subscriptions/{id}/recover', takes: 'body', answers: 'data' },
  removeWebhookSubscription: { method: 'DELETE', path: '/partners/webhooks/subscriptions/{id}', takes: 'nothing', answers: 'data' },
  retryWebhookDelivery: { method: 'POST', path: '/partners/webhooks/deliveries/{id}/retry', takes: 'nothing', answers: 'data' },
  rotateWebhookSecret: { method: 'POST', path: '/partners/webhooks/subscriptions/{id}/rotate-secret', takes: 'nothing', answers: 'data' },
  testWebhookSubscription: { method: 'POST', path: '/partners/webhooks/subscriptions/{id}/test', takes: 'nothing', answers: 'data' },
  updateBooking: { method: 'PATCH', path: '/partners/bookings/{bookingId}', takes: 'body', answers: 'data' },
  updateWebhookSubscription: { method: 'PATCH', path: '/partners/webhooks/subscriptions/{id}', takes: 'body', answers: 'data' },
} as const satisfies Record<string, OperationRow>;

export type OperationRow = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With `{name}` for each argument that comes before the input. */
  path: string;
  /** What the argument after those of the path is; `nothing`: there is none, and `{}` is sent with a POST. */
  takes: 'body' | 'query' | 'nothing';
  answers: 'data' | 'page' | 'feed';
  /** The method that goes through all pages. */
  iterate?: string;
};

export type OperationName = keyof typeof OPERATIONS;

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
  from: 'New' | 'Scheduled' | 'Confirmed' | 'In The Way' | 'In The location' | 'In Progress' | 'Finished' | 'Completed' | 'Cannot Complete' | 'Cancelled';
  /** Appointment status from now on */
  to: 'New' | 'Scheduled' | 'Confirmed' | 'In The Way' | 'In The location' | 'In Progress' | 'Finished' | 'Completed' | 'Cannot Complete' | 'Cancelled';
  /** When, ISO 8601 with offset */
  changedAt: string;
};

export type AppointmentStatusChanged = {
  /** Booking */
  bookingId: string;
  /** The partner's reference; null: none */
  externalReference: string | null;
  /** Appointment; null until one is assigned */
  appointmentId?: string | null;
  /** Booking status */
  status: 'in progress' | 'waiting payment' | 'success' | 'canceled' | 'failed';
  /** Payment status */
  paymentStatus: 'NOT_REQUIRED' | 'PENDING' | 'PAID' | 'FAILED' | 'CANCELLED';
  /** To be shown to the customer */
  trackingReference: string;
  /** Service date, midnight form */
  date: string;
  timeslot: BookedTimeslot;
  /** null until an appointment is assigned */
  appointment: BookingAppointment | null;
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
  /** Does it end after midnight? */
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
  status: 'in progress' | 'waiting payment' | 'success' | 'canceled' | 'failed';
  /** Payment status */
  paymentStatus: 'NOT_REQUIRED' | 'PENDING' | 'PAID' | 'FAILED' | 'CANCELLED';
  /** To be shown to the customer */
  trackingReference: string;
  /** Service date, midnight form */
  date: string;
  timeslot: BookedTimeslot;
  /** null until an appointment is assigned */
  appointment: BookingAppointment | null;
};

export type BookingAppointment = {
  /** Appointment */
  id: string;
  /** Tracking reference */
  name: string;
  /** Appointment status */
  status: 'New' | 'Scheduled' | 'Confirmed' | 'In The Way' | 'In The location' | 'In Progress' | 'Finished' | 'Completed' | 'Cannot Complete' | 'Cancelled';
  /** Start */
  scheduledStartDateTime: string;
  /** End */
  scheduledEndDateTime: string;
};

export type BookingAppointmentStatusChangedDelivery = {
  /** What happened */
  event: 'booking.appointment_status_changed';
  /** The delivery, the same on every attempt */
  deliveryId: string;
  payload: AppointmentStatusChanged;
};

export type BookingCancelledDelivery = {
  /** What happened */
  event: 'booking.cancelled';
  /** The delivery, the same on every attempt */
  deliveryId: string;
  payload: Booking;
};

export type BookingCreatedDelivery = {
  /** What happened */
  event: 'booking.created';
  /** The delivery, the same on every attempt */
  deliveryId: string;
  payload: Booking;
};

export type BookingPaymentConfirmedDelivery = {
  /** What happened */
  event: 'booking.payment_confirmed';
  /** The delivery, the same on every attempt */
  deliveryId: string;
  payload: Booking;
};

export type BookingPaymentFailedDelivery = {
  /** What happened */
  event: 'booking.payment_failed';
  /** The delivery, the same on every attempt */
  deliveryId: string;
  payload: PaymentFailed;
};

export type BookingUpdatedDelivery = {
  /** What happened */
  event: 'booking.updated';
  /** The delivery, the same on every attempt */
  deliveryId: string;
  payload: Booking;
};

export type CalculatePriceRequest = {
  /** What to price; a service may come more than once */
  items: {
    /** Service */
    serviceId: string;
    /** Hours of service, in quarters; the service's own duration unless given */
    hours?: number | undefined;
  }[];
};

export type CalculatedPrice = {
  currency: 'SAR';
  /** In the order of the request */
  items: {
    /** Service */
    serviceId: string;
    /** As sent, or the duration of the service */
    hours: number;
    /** SAR, for this partner */
    basePrice: number;
    /** The tier that holds these hours; null: none does */
    tierId: string | null;
    /** Of the tier; 1 without one */
    factor: number;
    /** SAR: basePrice x factor, rounded half up to 2 decimals */
    price: number;
  }[];
  /** SAR: the sum of the prices */
  total: number;
};

export type CancelBookingRequest = {
  /** From the list of cancellation reasons */
  reasonId: string;
  /** Stored, never returned */
  notes?: string | undefined;
};

export type CancellationReason = {
  /** Reason; used as `reasonId` */
  id: string;
  /** English name */
  nameEn: string;
  /** Arabic name */
  nameAr: string;
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
  /** Oldest first */
  addresses: Address[];
  /** ISO 8601 with offset */
  createdAt: string;
};

export type CreateBookingRequest = {
  /** From the contacts operation */
  contactId: string;
  /** An address of the contact */
  addressId: string;
  /** Enabled for the partner and available at the address */
  serviceId: string;
  /** Riyadh date on which the appointment starts */
  date: string;
  timeslot: Timeslot;
  /** The partner's own reference, unique in its account; makes retries safe */
  externalReference?: string | undefined;
};

export type CreateWebhookSubscriptionRequest = {
  /** Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, not this machine or a private network */
  url: string;
  /** What is delivered */
  events: ('booking.created' | 'booking.updated' | 'booking.cancelled' | 'booking.payment_failed' | 'booking.payment_confirmed' | 'booking.appointment_status_changed')[];
};

/** More about the refusal, by `code`; `docUrl` is always there */
export type ErrorDetails = {
  /** Where this code is explained */
  docUrl: string;
  /** What would help, for developers; the wordings may change */
  hints?: string[];
  /** VALIDATION_ERROR: one message for each faulty field */
  message?: string[];
  /** VALIDATION_ERROR: the status */
  statusCode?: number;
  /** VALIDATION_ERROR: the name of the status */
  error?: string;
  /** UNAUTHORIZED, FORBIDDEN, codes of domains and limits: which check refused the request */
  check?: string;
  /** UNAUTHORIZED: missing, malformed or not-valid. BOOKING_CREATION_FAILED: SLOT_UNAVAILABLE, SLOT_NOT_OFFERED, SLOT_IN_PAST, SLOT_INSIDE_NOTICE or SLOT_BEYOND_HORIZON. Others may come */
  reason?: string;
  /** RESOURCE_NOT_FOUND: what is not there */
  resource?: string;
  /** What it is now */
  status?: string;
  /** BOOKING_CREATION_FAILED: free timeslots nearby */
  alternatives?: AlternativeSlot[];
  /** BOOKING_ALREADY_CANCELLED: the statuses that can be cancelled */
  cancellable?: string[];
  /** FORBIDDEN: the permission that the key lacks */
  permission?: string | null;
  /** FORBIDDEN: the address the request came from, as the service sees it */
  address?: string;
  /** The domain that was detected; null: it cannot be read */
  domain?: string | null;
  /** The header that names the domain */
  source?: string;
  /** RATE_LIMIT_EXCEEDED: requests in any window */
  limit?: number;
  /** RATE_LIMIT_EXCEEDED: seconds of the window */
  window?: number;
  /** RATE_LIMIT_EXCEEDED: seconds until the next request is admitted */
  retryAfter?: number;
  /** SERVICE_NOT_ALLOWED: the services of a price calculation that are not enabled */
  serviceIds?: string[];
  /** DUPLICATE_EXTERNAL_REFERENCE: the one that is taken */
  externalReference?: string | null;
  /** BOOKING_NOT_PAYABLE: the statuses that admit it */
  payable?: string[];
  /** BOOKING_NOT_EDITABLE: the statuses that admit changes */
  editable?: string[];
  /** PAYMENT_RESPONSIBILITY_MISMATCH: who collects the payment */
  paymentResponsibility?: string;
  /** The payment status of the booking */
  paymentStatus?: string;
  /** BOOKING_NOT_EDITABLE, BOOKING_APPOINTMENT_NOT_FOUND: the status of the appointment; null: there is none */
  appointmentStatus?: string | null;
};

type RawFeedEvent = {
  /** Event; the deliveries of it name it too */
  id: string;
  /** What happened */
  event: 'booking.created' | 'booking.updated' | 'booking.cancelled' | 'booking.payment_failed' | 'booking.payment_confirmed' | 'booking.appointment_status_changed';
  /** Booking */
  bookingId: string;
  /** From 1 within the booking */
  sequence: number;
  /** When it happened */
  createdAt: string;
  /** What the webhook carries */
  payload: Booking | PaymentFailed | AppointmentStatusChanged;
};

export type FeedMeta = {
  /** Pass it as `after` to go on exactly here */
  nextCursor: string;
  /** Are there events behind the cursor? */
  hasMore: boolean;
};

export type FindOrCreateContactRequest = {
  /** Saudi phone number in international format, no spaces; normalized to E.164 */
  phone: string;
  /** The customer's full name; a contact that exists keeps its name */
  name: string;
  /** Decimal degrees, -90 to 90; ignored without longitude */
  latitude?: string | undefined;
  /** Decimal degrees, -180 to 180; ignored without latitude */
  longitude?: string | undefined;
  /** City of the service address */
  cityName?: string | undefined;
  /** District of the service address */
  districtName?: string | undefined;
  /** Street of the service address */
  streetName?: string | undefined;
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
  /** Is the category active? */
  isActive: boolean;
  /** By name */
  services: OfferedService[];
};

export type OfferedService = {
  /** Service; used as `serviceId` */
  id: string;
  /** Name */
  name: string;
  /** SAR, for this partner; locked on the booking at creation. 0: no upfront charge */
  price: number;
};

export type PageMeta = {
  /** This page */
  page: number;
  /** Rows on a page at most */
  limit: number;
  /** Rows on all pages */
  total: number;
  /** How many pages there are */
  totalPages: number;
};

export type PaymentFailed = {
  /** Booking */
  bookingId: string;
  /** Why the payment failed */
  reason: string;
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

export type RecoverWebhookSubscriptionRequest = {
  /** ISO 8601 with offset: what failed then or later is retried */
  since: string;
};

export type RecoveredDeliveries = {
  /** Subscription */
  id: string;
  /** How many deliveries are due again */
  recovered: number;
};

export type Removed = {
  /** What was removed */
  id: string;
  removed: true;
};

export type Service = {
  /** Service */
  id: string;
  /** Name */
  name: string;
  /** Can it be booked? */
  isActive: boolean;
};

export type Timeslot = {
  /** Start, Riyadh time, as offered */
  startAt: string;
  /** End, Riyadh time, as offered; not after the start means the next day */
  endAt: string;
};

export type UpdateBookingRequest = {
  /** New Riyadh date; alone it keeps the times */
  date?: string | undefined;
  timeslot?: Timeslot | undefined;
  /** Stored, never returned */
  notes?: string | undefined;
  /** The partner's own reference, unique in its account; makes retries safe */
  externalReference?: string | undefined;
};

export type UpdateWebhookSubscriptionRequest = {
  /** Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, not this machine or a private network */
  url?: string | undefined;
  /** What is delivered */
  events?: ('booking.created' | 'booking.updated' | 'booking.cancelled' | 'booking.payment_failed' | 'booking.payment_confirmed' | 'booking.appointment_status_changed')[] | undefined;
  /** Deliveries of an inactive one wait until it is active again */
  status?: 'ACTIVE' | 'INACTIVE' | undefined;
};

export type WebhookAttempt = {
  /** When */
  attemptedAt: string;
  /** Milliseconds */
  durationMs: number;
  /** null: no answer */
  statusCode: number | null;
  /** null: it succeeded */
  error: string | null;
  /** At most its first 1,024 bytes */
  responseBody: string;
};

export type WebhookDelivery = {
  /** Delivery; the same on every attempt */
  id: string;
  /** Subscription */
  subscriptionId: string;
  /** What happened */
  event: 'booking.created' | 'booking.updated' | 'booking.cancelled' | 'booking.payment_failed' | 'booking.payment_confirmed' | 'booking.appointment_status_changed';
  /** FAILED: no attempt follows by itself */
  status: 'PENDING' | 'DELIVERED' | 'FAILED';
  /** Attempts made */
  attemptCount: number;
  /** Of the last attempt's answer; null: there was none */
  statusCode: number | null;
  /** Why the last attempt failed, or SUBSCRIPTION_REMOVED; null: it did not */
  error: string | null;
  /** When the next attempt is due; null: no attempt was made yet, or none follows */
  nextRetryAt: string | null;
  /** null: not delivered */
  deliveredAt: string | null;
  /** When the event happened */
  createdAt: string;
};

export type WebhookDeliveryDetail = {
  /** Delivery; the same on every attempt */
  id: string;
  /** Subscription */
  subscriptionId: string;
  /** What happened */
  event: 'booking.created' | 'booking.updated' | 'booking.cancelled' | 'booking.payment_failed' | 'booking.payment_confirmed' | 'booking.appointment_status_changed';
  /** FAILED: no attempt follows by itself */
  status: 'PENDING' | 'DELIVERED' | 'FAILED';
  /** Attempts made */
  attemptCount: number;
  /** Of the last attempt's answer; null: there was none */
  statusCode: number | null;
  /** Why the last attempt failed, or SUBSCRIPTION_REMOVED; null: it did not */
  error: string | null;
  /** When the next attempt is due; null: no attempt was made yet, or none follows */
  nextRetryAt: string | null;
  /** null: not delivered */
  deliveredAt: string | null;
  /** When the event happened */
  createdAt: string;
  /** Event, as in the event feed */
  eventId: string;
  /** Booking */
  bookingId: string;
  /** What it carries */
  payload: Booking | PaymentFailed | AppointmentStatusChanged;
  /** Oldest first */
  attempts: WebhookAttempt[];
};

export type WebhookSubscription = {
  /** Subscription */
  id: string;
  /** The partner account */
  partnerClientId: string;
  /** Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, not this machine or a private network */
  url: string;
  /** What is delivered */
  events: ('booking.created' | 'booking.updated' | 'booking.cancelled' | 'booking.payment_failed' | 'booking.payment_confirmed' | 'booking.appointment_status_changed')[];
  /** Deliveries of an inactive one wait until it is active again */
  status: 'ACTIVE' | 'INACTIVE';
  /** When it was created */
  createdAt: string;
  /** When it was last changed */
  updatedAt: string;
};

export type WebhookSubscriptionWithSecret = {
  /** Subscription */
  id: string;
  /** The partner account */
  partnerClientId: string;
  /** Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, not this machine or a private network */
  url: string;
  /** What is delivered */
  events: ('booking.created' | 'booking.updated' | 'booking.cancelled' | 'booking.payment_failed' | 'booking.payment_confirmed' | 'booking.appointment_status_changed')[];
  /** Deliveries of an inactive one wait until it is active again */
  status: 'ACTIVE' | 'INACTIVE';
  /** When it was created */
  createdAt: string;
  /** When it was last changed */
  updatedAt: string;
  /** Signs the deliveries; the whole string is the key. Shown this once */
  secret: string;
};

export type WebhookTestDelivery = {
  /** What happened */
  event: 'webhook.test';
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
  event: 'webhook.test';
  /** Did the receiver answer 2xx within 10 seconds? */
  ok: boolean;
  /** null: no answer */
  statusCode: number | null;
  /** null: ok */
  error: string | null;
  /** Milliseconds of the whole attempt */
  durationMs: number;
  timings: WebhookTimings;
  /** null: no TLS */
  tls: WebhookTls | null;
  /** At most its first 1,024 bytes */
  responseBody: string;
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
