import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PlanCache } from '../availability/plan.ts';
import type { Clock, Instant } from '../base/clock.ts';
import type { ApiError } from '../base/errors.ts';
import type { Db, Tx } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import { type App, absentBodyIsEmpty } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import { errorEnvelope } from '../http/error-envelope.ts';
import type { RequestFaults } from '../http/validation.ts';
import { cancelBooking } from './cancel.ts';
import { type ChangePlainly, createPlainChanges, type PartnerBookingKey } from './change.ts';
import { confirmPayment } from './confirm-payment.ts';
import {
  createBooking,
  createBookingInserts,
  type InsertBooking,
  type RecordBooking,
  withAccess,
} from './create.ts';
import { EXPORT, sendMonth } from './export.ts';
import { holdRoutes } from './hold-routes.ts';
import type { MakeHold } from './holds.ts';
import { keyFaults, withIdempotencyKey } from './idempotency.ts';
import { sendStored } from './idempotent-reply.ts';
import { createKnownTotals } from './known-totals.ts';
import { linksOf, withLinks } from './links.ts';
import { listForPartner } from './list.ts';
import { readQuote } from './quote.ts';
import { QuoteQuery, QuoteResponse } from './quote-schema.ts';
import { createBookingReader } from './read.ts';
import {
  BookingListResponse,
  BookingParams,
  BookingResponse,
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
import type { Tracking } from './tracking.ts';
import { updateBooking } from './update.ts';
import { encodeSeen } from './updated-since.ts';
import type { BookingView } from './view.ts';

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

function createRoute(app: App, deps: BookingDeps & { insert: InsertBooking }): void {
  const { db, clock, plans, sealer, insert, idempotency, docsUrl, hasGateway, sandboxRuns } = deps;
  app.post(
    '/partners/bookings',
    {
      schema: {
        operationId: 'createBooking',
        summary: 'Create a booking',
        tags: ['Bookings'],
        description:
          'Reserves the timeslot and assigns a team atomically. The price is locked. Under PLATFORM ' +
          'with a price above zero the customer gets a payment link, and the status shows the ' +
          'outcome. `appointment` may be null at first: poll the status. An `externalReference` ' +
          'already in use is refused with 409, so a repeated request never books twice.',
        headers: CreateHeaders,
        responseHeaders: IdempotencyHeaders,
        missing: ['Contact', 'Address', 'Service', 'Hold'],
        errors: [
          {
            code: 'SERVICE_NOT_ALLOWED',
            message: 'The service is not available at the address',
            details: {
              hints: ['GET /partners/services?addressId= lists what can be booked at the address'],
            },
          },
          'HOLD_MISMATCH',
          'HOLD_CONSUMED',
          'DUPLICATE_EXTERNAL_REFERENCE',
          'IDEMPOTENCY_KEY_CONFLICT',
          'IDEMPOTENCY_KEY_IN_PROGRESS',
          'BOOKING_CREATION_FAILED',
        ],
        body: CreateBooking,
        response: { 200: BookingResponse },
      },
      config: {
        permission: 'partner_bookings_create',
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
    },
    async ({ caller, body, headers, id: requestId }, reply) => {
      const shown = (booking: BookingView) => success(withLinks(linksOf(deps, caller), booking));
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
        shown(
          await createBooking({ db, plans, insert }, now, { partner, input: body }, async (tx, booking) => {
            await begin?.(tx, booking);
            await record(tx, shown(booking));
          }),
        ),
      );
      return sendStored(reply as unknown as FastifyReply, answer, requestId);
    },
  );
}

function readRoutes(app: App, deps: Pick<BookingDeps, 'db' | 'sealer' | 'tracking'>): void {
  const { db } = deps;
  const totals = createKnownTotals();
  const readBooking = createBookingReader(db);
  app.get(
    '/partners/bookings',
    {
      schema: {
        operationId: 'listBookings',
        summary: 'List bookings',
        tags: ['Bookings'],
        description:
          'Your own bookings, newest creation first unless sorted otherwise. `fromDate` alone means ' +
          'from that date on; ' +
          '`toDate` alone is ignored. Disregard bookings that are `failed`.',
        responseHeaders: ListHeaders,
        querystring: ListBookings,
        response: { 200: BookingListResponse },
      },
      config: { permission: 'partner_bookings_read' },
    },
    async ({ caller, query }, reply) => {
      const links = linksOf(deps, caller);
      const { body, asOf, seen } = await listForPartner({ db, links, totals }, caller.partnerId, query);
      reply.header('x-list-as-of', asOf);
      // Of the first page alone: a later one may have seen changes that rows of an earlier one had not.
      if (seen !== null && (query.page ?? 1) === 1) reply.header('x-updated-since', encodeSeen(seen));
      return body;
    },
  );

  app.get(
    '/partners/bookings/export',
    {
      schema: {
        operationId: 'exportBookings',
        summary: 'Export the bookings of a month as CSV',
        tags: ['Bookings'],
        description: EXPORT,
        querystring: ExportQuery,
        response: { 200: MonthFile },
        responseType: 'text/csv',
        responseHeaders: FileHeaders,
      },
      config: { permission: 'partner_bookings_read' },
    },
    async ({ caller, query }, reply) => sendMonth(reply, db, caller.partnerId, query.month),
  );

  app.get(
    '/partners/bookings/:bookingId/status',
    {
      schema: {
        operationId: 'getBookingStatus',
        summary: 'Read a booking',
        tags: ['Bookings'],
        description: 'The booking as it is now, payment and appointment included.',
        params: BookingParams,
        response: { 200: BookingResponse },
      },
      config: { permission: 'partner_bookings_read' },
    },
    async ({ caller, params }) =>
      success(withLinks(linksOf(deps, caller), await readBooking(caller.partnerId, params.bookingId))),
  );
}

function quoteRoute(app: App, { db, clock, plans }: Pick<BookingDeps, 'db' | 'clock' | 'plans'>): void {
  app.get(
    '/partners/bookings/:bookingId/quote',
    {
      schema: {
        operationId: 'getBookingQuote',
        summary: 'Ask what a change of a booking costs now',
        tags: ['Bookings'],
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
        params: BookingParams,
        querystring: QuoteQuery,
        response: { 200: QuoteResponse },
      },
      config: { permission: 'partner_bookings_read' },
    },
    async ({ caller, params, query }) => {
      const key = { ...params, partnerId: caller.partnerId };
      return success(await readQuote({ db, plans }, clock.now(), key, query));
    },
  );
}

type ChangeDeps = Pick<BookingDeps, 'db' | 'clock' | 'plans' | 'sealer' | 'tracking'> & {
  change: ChangePlainly;
};

function updateRoute(app: App, deps: ChangeDeps): void {
  const { db, clock, plans, sealer, change } = deps;
  app.patch(
    '/partners/bookings/:bookingId',
    {
      schema: {
        operationId: 'updateBooking',
        summary: 'Change a booking',
        tags: ['Bookings'],
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
        params: BookingParams,
        body: UpdateBooking,
        response: { 200: BookingResponse },
      },
      config: { permission: 'partner_bookings_update' },
    },
    async ({ caller, params, body }) => {
      const key = { ...params, partnerId: caller.partnerId };
      const updated = await updateBooking({ db, plans, change, sealer }, clock.now(), key, body);
      return success(withLinks(linksOf(deps, caller), updated));
    },
  );
}

function cancelRoute(app: App, deps: ChangeDeps): void {
  const { clock, change } = deps;
  app.patch(
    '/partners/bookings/:bookingId/cancel',
    {
      schema: {
        operationId: 'cancelBooking',
        summary: 'Cancel a booking',
        tags: ['Bookings'],
        description:
          'A booking in any status but `canceled` can be cancelled; its appointment is cancelled too,' +
          ' and its timeslot becomes free. Under PLATFORM a payment is refunded where applicable, but for the fees of ' +
          'the policy that the booking was made under; under PARTNER you make refunds yourself.',
        errors: ['BOOKING_ALREADY_CANCELLED', 'FEE_CHANGED'],
        params: BookingParams,
        body: CancelBooking,
        response: { 200: BookingResponse },
      },
      config: { permission: 'partner_bookings_cancel' },
    },
    async ({ caller, params, body }) => {
      const key = { ...params, partnerId: caller.partnerId };
      const canceled = await cancelBooking(change, clock.now(), key, body);
      return success(withLinks(linksOf(deps, caller), canceled));
    },
  );
}

function confirmPaymentRoute(app: App, deps: ChangeDeps): void {
  const { clock, change } = deps;
  app.post(
    '/partners/bookings/:bookingId/confirm-payment',
    {
      schema: {
        operationId: 'confirmPayment',
        summary: 'Confirm that the customer has paid the partner',
        tags: ['Bookings'],
        description:
          'Only for accounts that collect payment themselves (PARTNER). The payment status becomes ' +
          'PAID, the status stays. ' +
          'A repeated call is refused with PAYMENT_ALREADY_CONFIRMED, which you can treat as success.' +
          ' The body is optional.',
        errors: ['BOOKING_NOT_PAYABLE', 'PAYMENT_RESPONSIBILITY_MISMATCH', 'PAYMENT_ALREADY_CONFIRMED'],
        optionalBody: true,
        params: BookingParams,
        body: ConfirmPayment,
        response: { 200: BookingResponse },
      },
      config: { permission: 'partner_bookings_confirm_payment' },
      preValidation: absentBodyIsEmpty,
    },
    async ({ caller, params, body }) => {
      const partner = { id: caller.partnerId, paymentResponsibility: caller.paymentResponsibility };
      const { paymentReference = null } = body;
      const payment = { ...params, paymentReference };
      const confirmed = await confirmPayment(change, clock.now(), partner, payment);
      return success(withLinks(linksOf(deps, caller), confirmed));
    },
  );
}
