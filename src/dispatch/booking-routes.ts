import type { FastifyRequest } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { earlierTeam } from '../availability/earlier-team.ts';
import type { PlanCache } from '../availability/plan.ts';
import type { Clock, Instant } from '../base/clock.ts';
import { type ApiError, orNotFound } from '../base/errors.ts';
import { EXPORT, sendMonth } from '../bookings/export.ts';
import { NOT_AVAILABLE } from '../bookings/hold-routes.ts';
import { keyFaults, withIdempotencyKey } from '../bookings/idempotency.ts';
import { sendStored } from '../bookings/idempotent-reply.ts';
import { readOperatorQuote, readQuote } from '../bookings/quote.ts';
import { OperatorQuoteQuery, Quote } from '../bookings/quote-schema.ts';
import {
  CreateHeaders,
  ExportQuery,
  FileHeaders,
  IdempotencyHeaders,
  MonthFile,
} from '../bookings/schema.ts';
import type { CheckPlace } from '../contacts/resolver.ts';
import { ADDRESS_CONFLICTS } from '../contacts/schema.ts';
import type { Actor } from '../db/audit.ts';
import type { Db } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { errorEnvelope } from '../http/error-envelope.ts';
import type { WantedVersions } from '../http/if-match.ts';
import { noMove, routesOf } from '../http/routes.ts';
import { IdParams } from '../http/schemas.ts';
import { partnerRows } from '../partners/account-queries.ts';
import { readPartner } from '../partners/accounts.ts';
import { readOperatorBooking, searchOperatorBookings } from './bookings.ts';
import { cancelForOperator } from './cancel.ts';
import { correctBooking } from './correct.ts';
import { type CreationForPartner, createForPartner } from './create.ts';
import {
  CancelForOperator,
  CorrectBooking,
  CreateForPartner,
  FailBooking,
  KeepsTeam,
  OperatorBooking,
  OperatorBookingDetail,
  OperatorBookingsQuery,
} from './schema.ts';
import { operatorBookingDetailView, operatorBookingView } from './view.ts';

type BookingFailure = { bookingId: string; reason: string; wanted: WantedVersions };

/** The bookings' payments, which this slice does not import. */
export type BookingPayments = {
  /** Schema of `payment` in a response. */
  schema: TSchema;
  /** Looks up the payments of the bookings, in the form of `schema`. */
  viewsOf(bookingIds: readonly string[]): Promise<(bookingId: string) => unknown>;
  /** Fails a booking with its payment. Throws RESOURCE_NOT_FOUND, CONFLICT (version) and INVALID_TRANSITION. */
  fail(now: Instant, actor: Actor, failure: BookingFailure): Promise<void>;
};

type BookingOperatorDeps = {
  db: Db;
  sealer: Sealer;
  clock: Clock;
  plans: PlanCache;
  checkPlace: CheckPlace;
  config: { publicUrl: string; idempotency: boolean; payments: { gateway: string } };
};

/** A booking with its history and its payment. Throws RESOURCE_NOT_FOUND. */
export async function readDetail(db: Db, payments: BookingPayments, bookingId: string) {
  const found = await readOperatorBooking(db, bookingId);
  const viewOf = await payments.viewsOf([found.row.id]);
  return { ...operatorBookingDetailView(found), payment: viewOf(found.row.id) };
}

/** Schema of `readDetail`. */
export const detailSchema = (payment: TSchema) =>
  Type.Object({ ...OperatorBookingDetail.properties, payment }, { title: 'BookingDetail' });

/** Bookings of all partners in the operator's interface. */
export function bookingOperatorRoutes(app: App, deps: BookingOperatorDeps, payments: BookingPayments): void {
  readRoutes(app, deps, payments);
  quoteRoute(app, deps);
  createRoute(app, deps, payments);
  changeRoutes(app, deps, payments);
}

function readRoutes(app: App, { db, clock }: RouteParts, payments: BookingPayments): void {
  const payment = payments.schema;
  const BookingRow = Type.Object({ ...OperatorBooking.properties, payment }, { title: 'Booking' });
  const route = routesOf(app, { tags: ['Bookings'], missing: ['Partner'], params: IdParams });

  route.get('/operator/bookings', {
    operationId: 'listBookings',
    summary: "List all partners' bookings, newest first",
    query: OperatorBookingsQuery,
    response: { page: BookingRow },
    answer: async ({ query, role }) => {
      const page = await searchOperatorBookings(db, clock.now(), query, role === 'viewer');
      const viewOf = await payments.viewsOf(page.rows.map(({ id }) => id));
      return pageOf(page, (row) => ({ ...operatorBookingView(row), payment: viewOf(row.id) }));
    },
  });

  route.get('/operator/partners/:id/bookings/export', {
    operationId: 'exportBookings',
    summary: 'Export the bookings of a partner in a month as CSV, as the partner can',
    description: EXPORT,
    query: ExportQuery,
    responseHeaders: FileHeaders,
    responseType: 'text/csv',
    response: { body: MonthFile },
    answer: async ({ params, query }, reply) => {
      const { id } = await readPartner(db, params.id);
      return sendMonth(reply, db, id, query.month);
    },
  });

  route.get('/operator/bookings/:id', {
    operationId: 'getBooking',
    summary: 'Read a booking and its history',
    missing: ['Booking'],
    etag: true,
    response: { data: detailSchema(payment) },
    answer: ({ params }) => readDetail(db, payments, params.id),
  });
}

function quoteRoute(app: App, { db, clock, plans }: RouteParts & { plans: PlanCache }): void {
  const route = routesOf(app, { tags: ['Bookings'], missing: ['Booking'], params: IdParams });

  route.get('/operator/bookings/:id/quote', {
    operationId: 'getBookingQuote',
    summary: 'Show what a change of a booking costs now',
    description:
      'Its partner, by the policy that the booking was made under (and you on behalf of the customer), or you: your ' +
      'cancellation has no fee. With `outcome`: closing the booking.',
    errors: ['BOOKING_ALREADY_CANCELLED', 'BOOKING_NOT_EDITABLE', 'BOOKING_APPOINTMENT_NOT_FOUND'],
    query: OperatorQuoteQuery,
    response: { data: Quote },
    answer: async ({ params, query }) => {
      if (query.by === 'OPERATOR' || query.outcome !== undefined)
        return await readOperatorQuote(db, clock.now(), params.id, query);
      const key = { partnerId: null, bookingId: params.id };
      return await readQuote({ db, plans }, clock.now(), key, { action: query.action });
    },
  });
}

function createRoute(app: App, deps: BookingOperatorDeps, payments: BookingPayments): void {
  const { db, clock, plans, sealer, config } = deps;
  const docsUrl = `${config.publicUrl}/docs`;
  const hasGateway = config.payments.gateway !== 'none';
  const CreatedBooking = Type.Object(
    { ...OperatorBookingDetail.properties, payment: payments.schema, keepsTeam: KeepsTeam },
    { title: 'CreatedBooking' },
  );
  const route = routesOf(app, { tags: ['Bookings'], config: { role: 'dispatcher' } });

  route.post('/operator/bookings', {
    operationId: 'createBookingForPartner',
    summary: "Book for a partner's customer",
    description:
      "By the same rules as the partner's own operation, with the same price, event, webhooks and payment; with " +
      "`force` also inside the service's minimum notice. " +
      'An `externalReference` that is in use is refused, so a repeated request does not book twice. Nor does one with ' +
      'the same `Idempotency-Key`, where the deployment has switched that on: it is answered with the booking that the ' +
      'first one made, as it is now.',
    missing: ['Partner', 'Contact', 'Address', 'Service', 'Booking'],
    errors: [
      {
        code: 'CONFLICT',
        message: 'The partner is suspended: its customers cannot be booked',
        details: { reason: 'PARTNER_SUSPENDED' },
      },
      NOT_AVAILABLE,
      {
        code: 'DUPLICATE_EXTERNAL_REFERENCE',
        message: 'externalReference is already used by another booking',
        details: {
          externalReference: 'ORDER-2026-000123',
          bookingId: '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10',
          sameRequest: false,
          hints: [
            'GET /operator/bookings?externalReference=ORDER-2026-000123 returns the booking that has it',
          ],
        },
      },
      'IDEMPOTENCY_KEY_CONFLICT',
      'IDEMPOTENCY_KEY_IN_PROGRESS',
      'BOOKING_CREATION_FAILED',
    ],
    body: CreateForPartner,
    headers: CreateHeaders,
    config: {
      ...(config.idempotency && {
        rules: (_body: unknown, request: FastifyRequest) => keyFaults(request.headers['idempotency-key']),
      }),
    },
    responseHeaders: {
      'Idempotent-Replayed': {
        ...IdempotencyHeaders['Idempotent-Replayed'],
        statuses: [201, 400, 404, 409, 422],
      },
    },
    status: 201,
    etag: true,
    response: { data: CreatedBooking },
    answer: async ({ actor, body, headers, id: requestId }, reply) => {
      const now = clock.now();
      const key = headers['idempotency-key'];
      const create = (creation: CreationForPartner) =>
        createForPartner({ db, plans, sealer, hasGateway }, now, creation);
      let id: string;
      if (!config.idempotency || key === undefined) id = await create({ actor, wanted: body });
      else {
        await orNotFound(partnerRows.find(db, body.partnerId), 'Partner');
        const { partnerId } = body;
        const refusalBody = (error: ApiError) => errorEnvelope(error, requestId, docsUrl);
        const request = { partnerId, key: String(key), by: 'operator' as const, body, refusalBody };
        // The booking's id is stored; the response has its history and payment as they are now.
        const answer = await withIdempotencyKey(db, now, request, (record) =>
          create({ actor, wanted: body, record }),
        );
        if (answer.status >= 400) return sendStored(reply, answer, requestId);
        if (answer.replayed) reply.header('idempotent-replayed', 'true');
        id = JSON.parse(answer.body);
      }
      const booking = await readDetail(db, payments, id);
      const preferred = await earlierTeam(db, body.partnerId, body);
      return { ...booking, keepsTeam: preferred === undefined ? null : booking.team.id === preferred };
    },
  });
}

const NOT_CORRECTABLE = {
  code: 'BOOKING_NOT_EDITABLE' as const,
  message: 'The address can be corrected until the work begins',
  details: { status: 'in progress', appointmentStatus: 'In Progress' },
};
const ZONE = { id: '0b5a0c44-7d0e-4f0b-8a53-2b8d1c6f7a10', name: 'North', nameAr: 'الشمال' };
const OTHER_ZONE = {
  code: 'CONFLICT' as const,
  message: 'The address is in another zone than the visit',
  details: { reason: 'OTHER_ZONE', zone: ZONE, addressZone: null },
};

function changeRoutes(app: App, deps: BookingOperatorDeps, payments: BookingPayments): void {
  const { db, clock } = deps;
  const BookingDetail = detailSchema(payments.schema);
  const route = routesOf(app, {
    tags: ['Bookings'],
    missing: ['Booking'],
    params: IdParams,
    config: { role: 'dispatcher' },
  });

  route.patch('/operator/bookings/:id', {
    operationId: 'correctBooking',
    summary: 'Correct notes, access and address of a booking',
    description:
      'Price, fees, policy, time and team stay, and there is no event: the partner finds it with `updatedSince`. Texts ' +
      'until the work is done, the address until it begins.',
    missing: ['Booking', 'Contact', 'Address'],
    errors: [NOT_CORRECTABLE, OTHER_ZONE, ADDRESS_CONFLICTS[0]!],
    body: CorrectBooking,
    ifMatch: true,
    etag: true,
    response: { data: BookingDetail },
    answer: async ({ actor, params, body, wanted }) => {
      await correctBooking(deps, clock.now(), actor, { bookingId: params.id, correction: body, wanted });
      return readDetail(db, payments, params.id);
    },
  });

  route.post('/operator/bookings/:id/cancel', {
    operationId: 'cancelBooking',
    summary: 'Cancel a booking and free its team',
    errors: ['BOOKING_ALREADY_CANCELLED', 'FEE_CHANGED'],
    body: CancelForOperator,
    ifMatch: true,
    etag: true,
    response: { data: BookingDetail },
    answer: async ({ actor, params, body, wanted }) => {
      await cancelForOperator(db, clock.now(), actor, { bookingId: params.id, cancellation: body, wanted });
      return readDetail(db, payments, params.id);
    },
  });

  route.post('/operator/bookings/:id/fail', {
    operationId: 'failBooking',
    summary: 'Mark a booking as failed; its team, timeslot and external reference become free',
    description:
      'For a booking that did not come about and should be disregarded, where cancelling would ' +
      'suggest a decision of the customer. Its payment link is closed, and a payment made by it ' +
      'is refunded.',
    errors: [
      noMove('A booking that is canceled cannot fail', {
        from: 'canceled',
        allowedFrom: ['in progress', 'waiting payment', 'success'],
      }),
    ],
    body: FailBooking,
    ifMatch: true,
    etag: true,
    response: { data: BookingDetail },
    answer: async ({ actor, params, body, wanted }) => {
      await payments.fail(clock.now(), actor, { bookingId: params.id, reason: body.reason, wanted });
      return readDetail(db, payments, params.id);
    },
  });
}
