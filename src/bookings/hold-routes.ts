import type { PlanCache } from '../availability/plan.ts';
import { DAY, parseOffsetDateTime, startOfDate } from '../base/clock.ts';
import type { ApiError } from '../base/errors.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { pageOf, removed, success } from '../http/envelope.ts';
import { errorEnvelope } from '../http/error-envelope.ts';
import { routesOf } from '../http/routes.ts';
import { Removed } from '../http/schemas.ts';
import { listHoldRows } from './hold-queries.ts';
import { referenceTaken } from './hold-refusals.ts';
import { CreateHold, ExtendHold, Hold, HoldParams, Holds, HoldsQuery, OwnHoldsQuery } from './hold-schema.ts';
import { holdView, namedHoldView } from './hold-view.ts';
import { extendHold, type MakeHold, readHold, releaseHold, releaseHoldForOperator } from './holds.ts';
import { keyFaults, withIdempotencyKey } from './idempotency.ts';
import { sendStored } from './idempotent-reply.ts';
import { HoldHeaders, IdempotencyHeaders } from './schema.ts';

type HoldDeps = RouteParts & { plans: PlanCache } & {
  /** Whether a creation obeys the header Idempotency-Key. */
  idempotency: boolean;
  /** Base address of the documentation in stored refusals. */
  docsUrl: string;
  /** Whether a gateway makes payment links. */
  hasGateway: boolean;
  /** The use case that holds a slot; that of a sandbox knows simulated customers. */
  makeHold: MakeHold;
};

/** For `errors` of what takes a slot. */
export const NOT_AVAILABLE = {
  code: 'SERVICE_NOT_ALLOWED' as const,
  message: 'The service is not available at the address',
  details: { hints: ['GET /partners/services?addressId= lists what can be booked at the address'] },
};

/** Slots that are held with their price until a booking takes them. */
export function holdRoutes(app: App, deps: HoldDeps): void {
  createRoute(app, deps);
  listRoute(app, deps);
  changeRoutes(app, deps);
}

const taken = referenceTaken('5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10');
const REFERENCE_REFUSED = { code: 'CONFLICT' as const, message: taken.message, details: taken.details };

function createRoute(app: App, deps: HoldDeps): void {
  const { db, clock, plans, idempotency, docsUrl, hasGateway, makeHold } = deps;
  const route = routesOf(app, { tags: ['Holds'], config: { permission: 'partner_bookings_create' } });

  route.post('/v1/partners/holds', {
    operationId: 'createHold',
    summary: 'Hold a timeslot with its price',
    description:
      'Nobody else can book the slot until `expiresAt`, and a booking with the `holdId` has this price, whatever the ' +
      'price list says by then. Sent again, it is the same hold with the later end, 30 minutes in all at most and never beyond ' +
      'its start; another slot for the same customer and service replaces it. The customer is the contact of the address. ' +
      'A hold is no booking: it sends no event. Before there is a customer, `latitude` and `longitude` take the place of ' +
      '`addressId`: such a hold replaces no other, is the same one only by its `reference`, and is taken by its `holdId`, for an ' +
      'address in the same zone. A fifth of the holds of an account may be such ones.',
    missing: ['Contact', 'Address', 'Service', 'Booking'],
    errors: [
      NOT_AVAILABLE,
      'IDEMPOTENCY_KEY_CONFLICT',
      'IDEMPOTENCY_KEY_IN_PROGRESS',
      REFERENCE_REFUSED,
      'BOOKING_CREATION_FAILED',
      'HOLD_LIMIT_REACHED',
    ],
    body: CreateHold,
    headers: HoldHeaders,
    config: {
      ...(idempotency && {
        rules: (_body, { headers }) => ({ messages: keyFaults(headers['idempotency-key']), hints: [] }),
      }),
    },
    responseHeaders: IdempotencyHeaders,
    response: { data: Hold },
    answer: async ({ caller, body, headers, id: requestId }, reply) => {
      const now = clock.now();
      const { partnerId, paymentResponsibility } = caller;
      const wanted = { partner: { id: partnerId, paymentResponsibility, hasGateway }, input: body };
      const key = headers['idempotency-key'];
      if (!idempotency || key === undefined) return await makeHold({ db, plans }, now, wanted);
      const request = {
        partnerId,
        key: String(key),
        by: 'partner' as const,
        // A booking may have the same fields.
        body: { hold: body },
        refusalBody: (error: ApiError) => errorEnvelope(error, requestId, docsUrl),
      };
      const answer = await withIdempotencyKey(db, now, request, async (record) =>
        success(await makeHold({ db, plans }, now, wanted, (tx, hold) => record(tx, success(hold)))),
      );
      return sendStored(reply, answer, requestId);
    },
  });
}

function listRoute(app: App, { db, clock }: Pick<HoldDeps, 'db' | 'clock'>): void {
  routesOf(app, { tags: ['Holds'], config: { permission: 'partner_bookings_read' } }).get(
    '/v1/partners/holds',
    {
      operationId: 'listOwnHolds',
      summary: 'List the holds that keep a slot now, by start',
      query: OwnHoldsQuery,
      response: { page: Hold },
      answer: async ({ caller: { partnerId }, query: { page = 1, limit = 20 } }) => {
        const now = clock.now();
        const found = await listHoldRows(db, now, { partnerId }, { limit, offset: (page - 1) * limit });
        return pageOf(found, (row) => holdView(row, now));
      },
    },
  );
}

function changeRoutes(app: App, { db, clock }: Pick<HoldDeps, 'db' | 'clock'>): void {
  const route = routesOf(app, {
    tags: ['Holds'],
    missing: ['Hold'],
    params: HoldParams,
    config: { permission: 'partner_bookings_create' },
  });

  route.get('/v1/partners/holds/:id', {
    operationId: 'getHold',
    summary: 'Read a hold',
    description: 'Known as long as the booking that took it; without one, for 30 days after its end.',
    response: { data: Hold },
    answer: async ({ caller, params }) => await readHold(db, clock.now(), caller.partnerId, params.id),
  });

  route.delete('/v1/partners/holds/:id', {
    operationId: 'releaseHold',
    summary: 'Release a hold; one that is over stays so',
    errors: ['HOLD_CONSUMED'],
    response: { data: Removed },
    answer: async ({ caller, params }) =>
      removed(await releaseHold(db, clock.now(), caller.partnerId, params.id)),
  });

  route.post('/v1/partners/holds/:id/extend', {
    operationId: 'extendHold',
    summary: 'Hold a timeslot longer, 30 minutes in all at most',
    description:
      'By `seconds`, which are added to `expiresAt`, or `until` an instant, which can be repeated. Never beyond the start of ' +
      'the slot. The price stays.',
    errors: [
      'HOLD_CONSUMED',
      'HOLD_ENDED',
      {
        code: 'HOLD_LIMIT_REACHED',
        message: 'A slot is held for 30 minutes in all at most',
        details: {
          latestExpiresAt: '2026-11-22T08:30:00+03:00',
          hints: ['latestExpiresAt says how long the hold can last'],
        },
      },
    ],
    body: ExtendHold,
    response: { data: Hold },
    answer: async ({ caller, params, body: { seconds, until } }) =>
      await extendHold(db, clock.now(), caller.partnerId, {
        id: params.id,
        extension: until === undefined ? { seconds: seconds! } : { until: parseOffsetDateTime(until)! },
      }),
  });
}

/** The slots that customers of all partners hold, in the operator's interface. */
export function holdOperatorRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Appointments'], missing: ['Hold'], params: HoldParams });

  route.get('/operator/holds', {
    operationId: 'listHolds',
    summary: 'List the slots that customers hold now, by start',
    query: HoldsQuery,
    response: { page: Holds },
    answer: async ({ query }) => {
      const now = clock.now();
      const { date, page = 1, limit = 20, ...filter } = query;
      const day = date === undefined ? {} : { from: startOfDate(date), until: startOfDate(date) + DAY };
      const found = await listHoldRows(db, now, { ...filter, ...day }, { limit, offset: (page - 1) * limit });
      return pageOf(found, (row) => namedHoldView(row, now));
    },
  });

  route.delete('/operator/holds/:id', {
    operationId: 'releaseHoldForPartner',
    summary: "Release a customer's hold, so that its team is free",
    errors: ['HOLD_CONSUMED'],
    config: { role: 'dispatcher' },
    response: { data: Removed },
    answer: async ({ actor, params }) => {
      await releaseHoldForOperator(db, clock.now(), actor, params.id);
      return { id: params.id, removed: true as const };
    },
  });
}
