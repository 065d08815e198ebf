import type { FastifyRequest } from 'fastify';
import type { PlanCache } from '../availability/plan.ts';
import type { Clock, Instant } from '../base/clock.ts';
import type { ApiError } from '../base/errors.ts';
import type { Db, Tx } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import { errorEnvelope } from '../http/error-envelope.ts';
import { routesOf } from '../http/routes.ts';
import type { RequestFaults } from '../http/validation.ts';
import { cancelBooking } from './cancel.ts';
import { type ChangePlainly, createPlainChanges, type PartnerBookingKey } from './change.ts';
import { confirmPayment } from './confirm-payment.ts';
import {
  type CreatedBooking,
  createBooking,
  createBookingInserts,
  type InsertBooking,
  type RecordBooking,
  withAccess,
} from './create.ts';
import { EXPORT, sendMonth } from './export.ts';
import { holdConsumed } from './hold-refusals.ts';
import { holdRoutes, NOT_AVAILABLE } from './hold-routes.ts';
import type { MakeHold } from './holds.ts';
import { keyFaults, withIdempotencyKey } from './idempotency.ts';
import { sendStored } from './idempotent-reply.ts';
import { createKnownTotals } from './known-totals.ts';
import { linksOf, withLinks } from './links.ts';
import { listForPartner } from './list.ts';
import { readQuote } from './quote.ts';
import { Quote, QuoteQuery } from './quote-schema.ts';
import { createBookingReader } from './read.ts';
import {
  Booking,
  BookingParams,
  CancelBooking,
  ConfirmPayment,
  CreateBooking,
  CreateHeaders,
  ExportQuery,
  FileHeaders,
  IdempotencyHeaders,
  ListBookings,
  ListHeaders,
  MonthFile,
  UpdateBooking,
} from './schema.ts';
import { duplicateReference } from './slot.ts';
import type { Tracking } from './tracking.ts';
import { updateBooking } from './update.ts';
import { encodeSeen } from './updated-since.ts';
import type { BookingView } from './view.ts';

const BOOKINGS = {
  tags: ['Bookings'],
  params: BookingParams,
  config: { permission: 'partner_bookings_read' as const },
};

export type BookingDeps = {
  db: Db;
  clock: Clock;
  plans: PlanCache;
  sealer: Sealer;
  tracking: Tracking;
  /** Whether creation obeys the header Idempotency-Key. */
  idempotency: boolean;
  /** Base address of the documentation in stored refusals. */
  docsUrl: string;
  /** Whether there is PATCH /partners/bookings/:bookingId. */
  updateRoute: boolean;
  /** Whether a gateway makes payment links. */
  hasGateway: boolean;
  /** Handles X-Sandbox-Run on creation; null: the header is ignored. */
  sandboxRuns: SandboxRuns | null;
  /** Holds a slot; makeHold, or that of a sandbox, which knows simulated customers. */
  makeHold: MakeHold;
};

export type SandboxRuns = {
  faults(header: unknown): RequestFaults;
  /** Starts the run of the header in the transaction of the creation; an error rolls the booking back. */
  start(tx: Tx, now: Instant, booking: PartnerBookingKey, header: string): Promise<void>;
};

const NO_FAULTS: RequestFaults = { messages: [], hints: [] };

/** The bookings of sections 4.5 to 4.8, 4.10 and 4.11. */
export function bookingRoutes(app: App, deps: BookingDeps): void {
  const change = createPlainChanges(deps.db);
  createRoute(app, { ...deps, insert: createBookingInserts(deps.db) });
  holdRoutes(app, deps);
  readRoutes(app, deps);
  quoteRoute(app, deps);
  if (deps.updateRoute) updateRoute(app, { ...deps, change });
  cancelRoute(app, { ...deps, change });
  confirmPaymentRoute(app, { ...deps, change });
}

const EXAMPLE_ID = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

/** For `errors` of what creates bookings: the same body was sent before. */
const ALREADY_MADE = {
  code: 'DUPLICATE_EXTERNAL_REFERENCE' as const,
  message: 'This request has made its booking already',
  details: duplicateReference('ORDER-2026-000123', { bookingId: EXAMPLE_ID, sameRequest: true }).details,
};

function createRoute(app: App, deps: BookingDeps & { insert: InsertBooking }): void {
  const { db, clock, plans, sealer, insert, idempotency, docsUrl, hasGateway, sandboxRuns } = deps;
  const route = routesOf(app, { tags: ['Bookings'], config: { permission: 'partner_bookings_create' } });

  route.post('/v1/partners/bookings', {
    operationId: 'createBooking',
    summary: 'Create a booking',
    description:
      'Reserves the timeslot and assigns a team atomically. The price is locked. Under PLATFORM ' +
      'with a price above zero the customer gets a payment link, and the status shows the ' +
      'outcome. `appointment` may be null at first: poll the status. An `externalReference` ' +
      'already in use is refused with 409, so a repeated request never books twice.',
    missing: ['Contact', 'Address', 'Service', 'Hold', 'Booking'],
    errors: [
      NOT_AVAILABLE,
      'HOLD_MISMATCH',
      {
        code: 'HOLD_CONSUMED',
        message: 'The hold was taken by a booking',
        details: holdConsumed(EXAMPLE_ID, true).details,
      },
      'DUPLICATE_EXTERNAL_REFERENCE',
      ALREADY_MADE,
      'IDEMPOTENCY_KEY_CONFLICT',
      'IDEMPOTENCY_KEY_IN_PROGRESS',
      'BOOKING_CREATION_FAILED',
    ],
    body: CreateBooking,
    headers: CreateHeaders,
    config: {
      // As POST /partners/sandbox/bookings/:bookingId/runs does.
      ...(sandboxRuns !== null && {
        additionalPermission: ({ headers }: FastifyRequest) =>
          headers['x-sandbox-run'] === undefined ? null : ('partner_bookings_update' as const),
      }),
      answersBooking: true,
      ...((idempotency || sandboxRuns !== null) && {
        rules: (_body: unknown, { headers }: FastifyRequest) => {
          const faults = sandboxRuns?.faults(headers['x-sandbox-run']) ?? NO_FAULTS;
          if (!idempotency) return faults;
          return { ...faults, messages: [...keyFaults(headers['idempotency-key']), ...faults.messages] };
        },
      }),
    },
    responseHeaders: IdempotencyHeaders,
    response: { data: Booking },
    answer: async ({ caller, body, headers, id: requestId }, reply) => {
      const shown = (booking: CreatedBooking) => withLinks(linksOf(deps, caller), booking);
      const now = clock.now();
      const { partnerId: id, paymentResponsibility } = caller;
      const partner = { id, paymentResponsibility, hasGateway };
      const key = headers['idempotency-key'];
      const run = headers['x-sandbox-run'];
      const startRun: RecordBooking | undefined =
        sandboxRuns === null || run === undefined
          ? undefined
          : (tx: Tx, { bookingId }: BookingView) =>
              sandboxRuns.start(tx, now, { partnerId: id, bookingId }, String(run));
      const begin = withAccess(sealer, body, startRun);
      if (!idempotency || key === undefined)
        return shown(await createBooking({ db, plans, insert }, now, { partner, input: body }, begin));

      const request = {
        partnerId: partner.id,
        key: String(key),
        by: 'partner' as const,
        body,
        refusalBody: (error: ApiError) => errorEnvelope(error, requestId, docsUrl),
      };
      const answer = await withIdempotencyKey(db, now, request, async (record) =>
        success(
          shown(
            await createBooking({ db, plans, insert }, now, { partner, input: body }, async (tx, booking) => {
              await begin?.(tx, booking);
              await record(tx, success(shown(booking)));
            }),
          ),
        ),
      );
      return sendStored(reply, answer, requestId);
    },
  });
}

function readRoutes(app: App, deps: Pick<BookingDeps, 'db' | 'sealer' | 'tracking'>): void {
  const { db } = deps;
  const totals = createKnownTotals();
  const readBooking = createBookingReader(db);
  const route = routesOf(app, BOOKINGS);

  route.get('/v1/partners/bookings', {
    operationId: 'listBookings',
    summary: 'List bookings',
    description:
      'Your own bookings, newest creation first unless sorted otherwise. `fromDate` alone means ' +
      'from that date on; ' +
      '`toDate` alone is ignored. Disregard bookings that are `failed`.',
    query: ListBookings,
    responseHeaders: ListHeaders,
    response: { page: Booking },
    answer: async ({ caller, query }, reply) => {
      const links = linksOf(deps, caller);
      const { page, asOf, seen } = await listForPartner({ db, links, totals }, caller.partnerId, query);
      reply.header('x-list-as-of', asOf);
      // Of the first page alone: a later one may have seen changes that rows of an earlier one had not.
      if (seen !== null && (query.page ?? 1) === 1) reply.header('x-updated-since', encodeSeen(seen));
      return page;
    },
  });

  route.get('/v1/partners/bookings/export', {
    operationId: 'exportBookings',
    summary: 'Export the bookings of a month as CSV',
    description: EXPORT,
    query: ExportQuery,
    responseHeaders: FileHeaders,
    responseType: 'text/csv',
    response: { body: MonthFile },
    answer: async ({ caller, query }, reply) => sendMonth(reply, db, caller.partnerId, query.month),
  });

  route.get('/v1/partners/bookings/:bookingId/status', {
    operationId: 'getBookingStatus',
    summary: 'Read a booking',
    description: 'The booking as it is now, payment and appointment included.',
    response: { data: Booking },
    answer: async ({ caller, params }) =>
      withLinks(linksOf(deps, caller), await readBooking(caller.partnerId, params.bookingId)),
  });
}

function quoteRoute(app: App, { db, clock, plans }: Pick<BookingDeps, 'db' | 'clock' | 'plans'>): void {
  const route = routesOf(app, BOOKINGS);

  route.get('/v1/partners/bookings/:bookingId/quote', {
    operationId: 'getBookingQuote',
    summary: 'Ask what a change of a booking costs now',
    description:
      'By the policy that the booking was made under; without one changes are free. The fee of rescheduling does not ' +
      'depend on the new time; with `date`, or `startAt` and `endAt`, a time that is not offered is refused. Send the `fee` as `maxFee` with the change: if it is higher by then, nothing is changed. ' +
      'A change that is not possible is refused as the change itself would be.',
    errors: [
      'BOOKING_ALREADY_CANCELLED',
      'BOOKING_NOT_EDITABLE',
      'BOOKING_APPOINTMENT_NOT_FOUND',
      'BOOKING_CREATION_FAILED',
    ],
    query: QuoteQuery,
    response: { data: Quote },
    answer: async ({ caller, params, query }) => {
      const key = { ...params, partnerId: caller.partnerId };
      return await readQuote({ db, plans }, clock.now(), key, query);
    },
  });
}

type ChangeDeps = Pick<BookingDeps, 'db' | 'clock' | 'plans' | 'sealer' | 'tracking'> & {
  change: ChangePlainly;
};

function updateRoute(app: App, deps: ChangeDeps): void {
  const { db, clock, plans, sealer, change } = deps;
  const route = routesOf(app, {
    tags: ['Bookings'],
    params: BookingParams,
    config: { permission: 'partner_bookings_update' },
  });

  route.patch('/v1/partners/bookings/:bookingId', {
    operationId: 'updateBooking',
    summary: 'Change a booking',
    description:
      'Every field is optional; an empty body changes nothing. A date alone keeps the times, a ' +
      'timeslot alone the date. A new time follows the rules of creation, with the length that the booking ' +
      'was made with: when no team is free, the booking keeps its timeslot. At another start an appointment ' +
      'that was `Confirmed` is `Scheduled` again. `maxFee` is the fee of rescheduling that you agree to.',
    errors: [
      'DUPLICATE_EXTERNAL_REFERENCE',
      'BOOKING_CREATION_FAILED',
      'BOOKING_NOT_EDITABLE',
      'BOOKING_APPOINTMENT_NOT_FOUND',
      'FEE_CHANGED',
    ],
    body: UpdateBooking,
    response: { data: Booking },
    answer: async ({ caller, params, body }) => {
      const key = { ...params, partnerId: caller.partnerId };
      const updated = await updateBooking({ db, plans, change, sealer }, clock.now(), key, body);
      return withLinks(linksOf(deps, caller), updated);
    },
  });
}

function cancelRoute(app: App, deps: ChangeDeps): void {
  const { clock, change } = deps;
  const route = routesOf(app, {
    tags: ['Bookings'],
    params: BookingParams,
    config: { permission: 'partner_bookings_cancel' },
  });

  route.patch('/v1/partners/bookings/:bookingId/cancel', {
    operationId: 'cancelBooking',
    summary: 'Cancel a booking',
    description:
      'A booking in any status but `canceled` can be cancelled; its appointment is cancelled too,' +
      ' and its timeslot becomes free. Under PLATFORM a payment is refunded where applicable, but for the fees of ' +
      'the policy that the booking was made under; under PARTNER you make refunds yourself.',
    errors: ['BOOKING_ALREADY_CANCELLED', 'FEE_CHANGED'],
    body: CancelBooking,
    response: { data: Booking },
    answer: async ({ caller, params, body, id: requestId }) => {
      const key = { ...params, partnerId: caller.partnerId };
      const canceled = await cancelBooking(change, clock.now(), key, { ...body, requestId });
      return withLinks(linksOf(deps, caller), canceled);
    },
  });
}

function confirmPaymentRoute(app: App, deps: ChangeDeps): void {
  const { clock, change } = deps;
  const route = routesOf(app, {
    tags: ['Bookings'],
    params: BookingParams,
    config: { permission: 'partner_bookings_confirm_payment' },
  });

  route.post('/v1/partners/bookings/:bookingId/confirm-payment', {
    operationId: 'confirmPayment',
    summary: 'Confirm that the customer has paid the partner',
    description:
      'Only for accounts that collect payment themselves (PARTNER). The payment status becomes ' +
      'PAID, the status stays. ' +
      'A repeated call is refused with PAYMENT_ALREADY_CONFIRMED, which you can treat as success.' +
      ' The body is optional.',
    errors: ['BOOKING_NOT_PAYABLE', 'PAYMENT_RESPONSIBILITY_MISMATCH', 'PAYMENT_ALREADY_CONFIRMED'],
    body: ConfirmPayment,
    optionalBody: true,
    response: { data: Booking },
    answer: async ({ caller, params, body, id: requestId }) => {
      const partner = { id: caller.partnerId, paymentResponsibility: caller.paymentResponsibility };
      const { paymentReference = null } = body;
      const payment = { ...params, paymentReference, requestId };
      const confirmed = await confirmPayment(change, clock.now(), partner, payment);
      return withLinks(linksOf(deps, caller), confirmed);
    },
  });
}
