import { type Call, textOf } from './call.ts';
import type { CallOptions, ConditionalOptions, FollowOptions } from './call-options.ts';
import type * as c from './contract.ts';
import { feedPagesOf, followFeed, type List, listOf, pagesOf } from './lists.ts';
import type { DataOf, FeedEvent, FeedPage, OperationName, Page } from './model.ts';

/** Sends one operation: `ids` are those of its path, `input` its body or its query. */
export type Send = <Name extends OperationName>(
  name: Name,
  ids: readonly string[],
  input: c.Operations[Name]['input'] | undefined,
  options: CallOptions | undefined,
) => Call<DataOf<Name>>;

/** The same for operations with pages, which return a page. */
export type SendForPage = <OnePage>(
  name: OperationName,
  input: object | undefined,
  options: CallOptions | undefined,
) => Call<OnePage>;

/** A read that resolves to null while the response that `ifNoneMatch` names is current. */
export type Conditional<Query, Data> = {
  (query: Query, options: ConditionalOptions): Call<Data | null>;
  (query: Query, options?: CallOptions): Call<Data>;
};

/** Every operation of the service, by resource. A test compares it with openapi/partner.json. */
export type Resources = {
  contacts: {
    /**
     * Find or create a contact. A contact is identified by its phone: an existing one keeps its name. With any address
     * field the address is matched or created, too, and `addressId` is set; booking needs one with coordinates.
     */
    findOrCreate(body: c.FindOrCreateContactRequest, options?: CallOptions): Call<c.Contact>;
    /** Read a contact and its addresses. */
    get(contactId: string, options?: CallOptions): Call<c.ContactDetail>;
    /** Correct the name of a contact. */
    update(contactId: string, body: c.UpdateContactRequest, options?: CallOptions): Call<c.ContactDetail>;
    /** Correct an address; coordinates only while nothing was booked there. */
    updateAddress(addressId: string, body: c.UpdateAddressRequest, options?: CallOptions): Call<c.Address>;
    /** Copy what is stored about a contact. */
    export(contactId: string, options?: CallOptions): Call<c.CustomerExport>;
    /** Erase what is stored about a contact; not while a booking is open. */
    erase(contactId: string, body: c.EraseContactRequest, options?: CallOptions): Call<c.ErasedContact>;
  };
  services: {
    /** List the services that can be booked at an address, by category; pages count categories. */
    list(query: c.ListServicesQuery, options?: CallOptions): List<c.OfferedCategory>;
    /** Read a service that is enabled for you. */
    get(serviceId: string, options?: CallOptions): Call<c.Service>;
  };
  coverage: {
    /** Read what can be booked at a place, without a contact or an address. */
    get(query: c.GetCoverageQuery, options?: CallOptions): Call<c.Coverage>;
  };
  timeslots: {
    /** List the free timeslots of a service at an address on a date. Pass one unchanged as `timeslot` when booking. */
    list(
      query: c.ListAvailableTimeslotsQuery,
      options?: CallOptions,
    ): Call<c.ListAvailableTimeslotsResponse['data']>;
    /** Read the free timeslots of several dates, 31 at most, from one moment. */
    calendar: Conditional<c.GetTimeslotCalendarQuery, c.TimeslotCalendar>;
    /** Find the earliest free timeslots, 10 at most. */
    next: Conditional<c.FindNextTimeslotsQuery, c.NextTimeslots>;
  };
  holds: {
    /** Hold a timeslot with its price; another slot of the customer for the service ends. Book it with its `holdId`. */
    create(body: c.CreateHoldRequest, options?: CallOptions): Call<c.Hold>;
    /** List the holds that keep a slot now, by start. */
    list(query?: c.ListOwnHoldsQuery, options?: CallOptions): List<c.Hold>;
    /** Read a hold. */
    get(holdId: string, options?: CallOptions): Call<c.Hold>;
    /** Hold it longer, 30 minutes in all at most; with `until` it is safe to repeat. */
    extend(holdId: string, body: c.ExtendHoldRequest, options?: CallOptions): Call<c.Hold>;
    /** Release a hold; one that is over stays so. */
    release(holdId: string, options?: CallOptions): Call<c.Removed>;
  };
  bookings: {
    /**
     * Create a booking. The timeslot is held and a team assigned at once, or nothing happens. With an
     * `externalReference` it is safe to repeat; without one an unclear attempt is not repeated.
     */
    create(body: c.CreateBookingRequest, options?: CallOptions): Call<c.Booking>;
    /** Read a booking as it is now, payment and appointment included. */
    get(bookingId: string, options?: CallOptions): Call<c.Booking>;
    /** List your bookings, newest creation first unless sorted otherwise. */
    list(query?: c.ListBookingsQuery, options?: CallOptions): List<c.Booking>;
    /** Export the bookings of a month as CSV, without a byte order mark. It is read whole: `timeoutMs` is for all of it. */
    export(query: c.ExportBookingsQuery, options?: CallOptions): Call<string>;
    /** The same for a file, with the byte order mark that Excel needs for Arabic. */
    exportBytes(query: c.ExportBookingsQuery, options?: CallOptions): Call<Uint8Array>;
    /** Ask what cancelling or rescheduling a booking costs now. */
    quote(bookingId: string, query: c.GetBookingQuoteQuery, options?: CallOptions): Call<c.Quote>;
    /** Change a booking. A date alone keeps the times, a timeslot alone the date. */
    update(bookingId: string, body: c.UpdateBookingRequest, options?: CallOptions): Call<c.Booking>;
    /** Cancel a booking, and its appointment with it. */
    cancel(bookingId: string, body: c.CancelBookingRequest, options?: CallOptions): Call<c.Booking>;
    /** Confirm that the customer has paid you. Only for accounts that collect payment themselves. */
    confirmPayment(bookingId: string, body?: c.ConfirmPaymentRequest, options?: CallOptions): Call<c.Booking>;
    /** List the reasons a booking can be cancelled for. */
    listCancellationReasons(options?: CallOptions): Call<c.CancellationReason[]>;
  };
  series: {
    /** Book a customer weekly. With an `externalReference` it is safe to repeat; `preview` only says what would be. */
    create(body: c.CreateSeriesRequest, options?: CallOptions): Call<c.Series>;
    /** List your series, newest first. */
    list(query?: c.ListSeriesQuery, options?: CallOptions): List<c.Series>;
    /** Read a series with its visits. */
    get(seriesId: string, options?: CallOptions): Call<c.Series>;
    /** Change a series from one visit on; earlier ones stay. */
    update(seriesId: string, body: c.UpdateSeriesRequest, options?: CallOptions): Call<c.Series>;
    /** Book a visit that could not be placed, at its own time or another. */
    place(
      seriesId: string,
      index: string,
      body?: c.PlaceSeriesVisitRequest,
      options?: CallOptions,
    ): Call<c.Series>;
    /** Skip a visit; if it is placed, its booking is cancelled. */
    skip(
      seriesId: string,
      index: string,
      body?: c.SkipSeriesVisitRequest,
      options?: CallOptions,
    ): Call<c.Series>;
    /** Pause a series between two dates. */
    pause(seriesId: string, body: c.PauseSeriesRequest, options?: CallOptions): Call<c.Series>;
    /** End a series before one of its visits. */
    end(seriesId: string, body: c.EndSeriesRequest, options?: CallOptions): Call<c.Series>;
  };
  statements: {
    /** List your statements, the newest month first. */
    list(query?: c.ListStatementsQuery, options?: CallOptions): List<c.Statement>;
    /** Read a statement. */
    get(statementId: string, options?: CallOptions): Call<c.Statement>;
    /** The lines of a statement as CSV, for a file: byte for byte as it was issued. */
    lines(statementId: string, options?: CallOptions): Call<Uint8Array>;
    /** What a provider of e-invoices needs of a statement, as JSON. */
    invoices(statementId: string, options?: CallOptions): Call<Uint8Array>;
    /** A statement as a page to print (HTML), in both languages. */
    page(statementId: string, options?: CallOptions): Call<Uint8Array>;
  };
  pricing: {
    /** List the pricing tiers: factors on the base price by length of service. */
    listTiers(options?: CallOptions): Call<c.PricingTier[]>;
    /**
     * Price services, or estimate other hours. A booking locks `price` where `isBookable` is true; with other `hours`
     * it is an estimate, which is never charged.
     */
    calculate(body: c.CalculatePriceRequest, options?: CallOptions): Call<c.CalculatedPrice>;
  };
  events: {
    /** Read the event feed, oldest first and without gaps, up to its current end. */
    list(query?: c.ListEventsQuery, options?: CallOptions): List<FeedEvent, FeedPage>;
    /** The same, and wait for more at the end. Abort `signal`, or leave the loop, to stop. */
    follow(query?: c.ListEventsQuery, options?: FollowOptions): AsyncGenerator<FeedEvent, void, undefined>;
  };
  webhooks: {
    subscriptions: {
      /** Create a subscription; only this response contains its secret. */
      create(
        body: c.CreateWebhookSubscriptionRequest,
        options?: CallOptions,
      ): Call<c.WebhookSubscriptionWithSecret>;
      /** List the active subscriptions, or the inactive ones, newest first. */
      list(query?: c.ListWebhookSubscriptionsQuery, options?: CallOptions): Call<c.WebhookSubscription[]>;
      /** Read a subscription, active or not. */
      get(id: string, options?: CallOptions): Call<c.WebhookSubscription>;
      /** Change a subscription, or switch it off or on. */
      update(
        id: string,
        body: c.UpdateWebhookSubscriptionRequest,
        options?: CallOptions,
      ): Call<c.WebhookSubscription>;
      /** Remove a subscription; its pending deliveries fail. */
      remove(id: string, options?: CallOptions): Call<c.Removed>;
      /** Give a subscription a new secret; only this response contains it. */
      rotateSecret(
        id: string,
        body?: c.RotateWebhookSecretRequest,
        options?: CallOptions,
      ): Call<c.WebhookSecretRotated>;
      /** Send a signed test event at once and return its result. */
      test(id: string, options?: CallOptions): Call<c.WebhookTestResult>;
      /** Retry every delivery of a subscription that failed since then. */
      recover(
        id: string,
        body: c.RecoverWebhookSubscriptionRequest,
        options?: CallOptions,
      ): Call<c.RecoveredDeliveries>;
    };
    deliveries: {
      /** List deliveries, newest first. */
      list(query?: c.ListWebhookDeliveriesQuery, options?: CallOptions): List<c.WebhookDelivery>;
      /** Read a delivery with its payload and attempts. */
      get(id: string, options?: CallOptions): Call<c.WebhookDeliveryDetail>;
      /** Try a failed delivery again at once. */
      retry(id: string, options?: CallOptions): Call<c.WebhookDelivery>;
      /** Send a delivered event again, as a new delivery. */
      replay(id: string, options?: CallOptions): Call<c.WebhookDelivery>;
    };
  };
  /** Simulations in a sandbox; in production these are RESOURCE_NOT_FOUND. */
  sandbox: {
    bookings: {
      /** Move the appointment to its next status, or to `to`, as the field would. */
      advance(
        bookingId: string,
        body?: c.AdvanceSandboxBookingRequest,
        options?: CallOptions,
      ): Call<c.AdvancedBooking>;
      /** Play a script on a booking, step by step. */
      startRun(
        bookingId: string,
        body: c.StartSandboxRunRequest,
        options?: CallOptions,
      ): Call<c.SimulatorRun>;
      /** List the runs of a booking, newest first. */
      listRuns(bookingId: string, options?: CallOptions): Call<c.SimulatorRun[]>;
      /** Read a run with its steps. */
      getRun(bookingId: string, runId: string, options?: CallOptions): Call<c.SimulatorRun>;
      /** Stop a run; its finished steps stay. */
      stopRun(bookingId: string, runId: string, options?: CallOptions): Call<c.SimulatorRun>;
    };
    webhooks: {
      /** Make the next deliveries of a subscription lost, delayed, doubled, reordered or badly signed. */
      setFault(
        subscriptionId: string,
        body: c.SetSandboxFaultRequest,
        options?: CallOptions,
      ): Call<c.WebhookFaults>;
      /** List the remaining faults, and the deliveries that got one. */
      listFaults(subscriptionId: string, options?: CallOptions): Call<c.WebhookFaults>;
      /** Clear the remaining faults. */
      clearFaults(subscriptionId: string, options?: CallOptions): Call<c.WebhookFaults>;
    };
    certifications: {
      /** Start a certification of your integration; a running one is finished. */
      start(body: c.StartCertificationRequest, options?: CallOptions): Call<c.Certification>;
      /** Read a certification, point by point. */
      get(id: string, options?: CallOptions): Call<c.Certification>;
    };
  };
};

export function resourcesOf(send: Send, sendForPage: SendForPage): Resources {
  function list<Item>(name: OperationName, query: object | undefined, options?: CallOptions): List<Item> {
    const page = (one: object | undefined) => sendForPage<Page<Item>>(name, one, options);
    return listOf(
      () => page(query),
      () => pagesOf(name, page, query),
    );
  }
  const file = (query: c.ExportBookingsQuery, options?: CallOptions) =>
    send('bookings.export', [], query, options) as Call<unknown> as Call<Uint8Array>;
  const statement = (name: OperationName, id: string, options?: CallOptions) =>
    send(name, [id], undefined, options) as Call<unknown> as Call<Uint8Array>;
  const feed = (query: c.ListEventsQuery | undefined, options: CallOptions | undefined): Call<FeedPage> =>
    sendForPage('events.list', query, options);

  return {
    contacts: {
      findOrCreate: (body, options) => send('contacts.findOrCreate', [], body, options),
      get: (id, options) => send('contacts.get', [id], undefined, options),
      update: (id, body, options) => send('contacts.update', [id], body, options),
      updateAddress: (id, body, options) => send('contacts.updateAddress', [id], body, options),
      export: (id, options) => send('contacts.export', [id], undefined, options),
      erase: (id, body, options) => send('contacts.erase', [id], body, options),
    },
    services: {
      list: (query, options) => list('services.list', query, options),
      get: (id, options) => send('services.get', [id], undefined, options),
    },
    coverage: { get: (query, options) => send('coverage.get', [], query, options) },
    timeslots: {
      list: (query, options) => send('timeslots.list', [], query, options),
      calendar: (query, options) => send('timeslots.calendar', [], query, options),
      next: (query, options) => send('timeslots.next', [], query, options),
    },
    holds: {
      create: (body, options) => send('holds.create', [], body, options),
      list: (query, options) => list('holds.list', query, options),
      get: (id, options) => send('holds.get', [id], undefined, options),
      extend: (id, body, options) => send('holds.extend', [id], body, options),
      release: (id, options) => send('holds.release', [id], undefined, options),
    },
    bookings: {
      create: (body, options) => send('bookings.create', [], body, options),
      get: (id, options) => send('bookings.get', [id], undefined, options),
      export: (query, options) => textOf(file(query, options)),
      exportBytes: file,
      list: (query, options) => list('bookings.list', query, options),
      quote: (id, query, options) => send('bookings.quote', [id], query, options),
      update: (id, body, options) => send('bookings.update', [id], body, options),
      cancel: (id, body, options) => send('bookings.cancel', [id], body, options),
      confirmPayment: (id, body, options) => send('bookings.confirmPayment', [id], body, options),
      listCancellationReasons: (options) => send('bookings.listCancellationReasons', [], undefined, options),
    },
    series: {
      create: (body, options) => send('series.create', [], body, options),
      list: (query, options) => list('series.list', query, options),
      get: (id, options) => send('series.get', [id], undefined, options),
      update: (id, body, options) => send('series.update', [id], body, options),
      place: (id, index, body, options) => send('series.place', [id, index], body, options),
      skip: (id, index, body, options) => send('series.skip', [id, index], body, options),
      pause: (id, body, options) => send('series.pause', [id], body, options),
      end: (id, body, options) => send('series.end', [id], body, options),
    },
    statements: {
      list: (query, options) => list('statements.list', query, options),
      get: (id, options) => send('statements.get', [id], undefined, options),
      lines: (id, options) => statement('statements.lines', id, options),
      invoices: (id, options) => statement('statements.invoices', id, options),
      page: (id, options) => statement('statements.page', id, options),
    },
    pricing: {
      listTiers: (options) => send('pricing.listTiers', [], undefined, options),
      calculate: (body, options) => send('pricing.calculate', [], body, options),
    },
    events: {
      list: (query, options) =>
        listOf(
          () => feed(query, options),
          () => feedPagesOf((one) => feed(one, options), query),
        ),
      follow: (query, options) => followFeed(feed, query, options),
    },
    webhooks: {
      subscriptions: {
        create: (body, options) => send('webhooks.subscriptions.create', [], body, options),
        list: (query, options) => send('webhooks.subscriptions.list', [], query, options),
        get: (id, options) => send('webhooks.subscriptions.get', [id], undefined, options),
        update: (id, body, options) => send('webhooks.subscriptions.update', [id], body, options),
        remove: (id, options) => send('webhooks.subscriptions.remove', [id], undefined, options),
        rotateSecret: (id, body, options) => send('webhooks.subscriptions.rotateSecret', [id], body, options),
        test: (id, options) => send('webhooks.subscriptions.test', [id], undefined, options),
        recover: (id, body, options) => send('webhooks.subscriptions.recover', [id], body, options),
      },
      deliveries: {
        list: (query, options) => list('webhooks.deliveries.list', query, options),
        get: (id, options) => send('webhooks.deliveries.get', [id], undefined, options),
        retry: (id, options) => send('webhooks.deliveries.retry', [id], undefined, options),
        replay: (id, options) => send('webhooks.deliveries.replay', [id], undefined, options),
      },
    },
    sandbox: {
      bookings: {
        advance: (id, body, options) => send('sandbox.bookings.advance', [id], body, options),
        startRun: (id, body, options) => send('sandbox.bookings.startRun', [id], body, options),
        listRuns: (id, options) => send('sandbox.bookings.listRuns', [id], undefined, options),
        getRun: (id, runId, options) => send('sandbox.bookings.getRun', [id, runId], undefined, options),
        stopRun: (id, runId, options) => send('sandbox.bookings.stopRun', [id, runId], undefined, options),
      },
      webhooks: {
        setFault: (id, body, options) => send('sandbox.webhooks.setFault', [id], body, options),
        listFaults: (id, options) => send('sandbox.webhooks.listFaults', [id], undefined, options),
        clearFaults: (id, options) => send('sandbox.webhooks.clearFaults', [id], undefined, options),
      },
      certifications: {
        start: (body, options) => send('sandbox.certifications.start', [], body, options),
        get: (id, options) => send('sandbox.certifications.get', [id], undefined, options),
      },
    },
  };
}
