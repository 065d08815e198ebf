import type { FastifyReply } from 'fastify';
import { DAY, startOfDate } from '../base/clock.ts';
import type { ApiError } from '../base/errors.ts';
import type { App } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import { errorEnvelope } from '../http/error-envelope.ts';
import { Removed, Success } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import { listHoldRows } from './hold-queries.ts';
import {
  CreateHold,
  ExtendHold,
  HoldParams,
  HoldResponse,
  HoldsQuery,
  HoldsResponse,
} from './hold-schema.ts';
import { namedHoldView } from './hold-view.ts';
import { extendHold, type MakeHold, readHold, releaseHold, releaseHoldForOperator } from './holds.ts';
import { keyFaults, withIdempotencyKey } from './idempotency.ts';
import { sendStored } from './idempotent-reply.ts';
import { HoldHeaders, IdempotencyHeaders } from './schema.ts';

type HoldDeps = Pick<Deps, 'db' | 'clock' | 'plans'> & {
  /** Whether a creation obeys the header Idempotency-Key. */
  idempotency: boolean;
  /** Base address of the documentation in stored refusals. */
  docsUrl: string;
  /** Whether a gateway makes payment links. */
  hasGateway: boolean;
  /** The use case that holds a slot; that of a sandbox knows simulated customers. */
  makeHold: MakeHold;
};

const config = { permission: 'partner_bookings_create' as const };
const tags = ['Holds'];

/** Slots that are held with their price until a booking takes them. */
export function holdRoutes(app: App, deps: HoldDeps): void {
  createRoute(app, deps);
  changeRoutes(app, deps);
}

function createRoute(app: App, deps: HoldDeps): void {
  const { db, clock, plans, idempotency, docsUrl, hasGateway, makeHold } = deps;
  app.post(
    '/partners/holds',
    {
      schema: {
        operationId: 'createHold',
        summary: 'Hold a timeslot with its price',
        tags,
        description:
          'Nobody else can book the slot until `expiresAt`, and a booking with the `holdId` has this price, whatever the ' +
          'price list says by then. Another hold for the same customer and service replaces this one; the customer is the ' +
          'contact of the address. A hold is no booking: it sends no event.',
        headers: HoldHeaders,
        responseHeaders: IdempotencyHeaders,
        missing: ['Contact', 'Address', 'Service'],
        errors: [
          { code: 'SERVICE_NOT_ALLOWED', message: 'The service is not available at the address' },
          'IDEMPOTENCY_KEY_CONFLICT',
          'IDEMPOTENCY_KEY_IN_PROGRESS',
          'BOOKING_CREATION_FAILED',
          'HOLD_LIMIT_REACHED',
        ],
        body: CreateHold,
        response: { 200: HoldResponse },
      },
      config: {
        ...config,
        ...(idempotency && {
          rules: (_body, { headers }) => ({ messages: keyFaults(headers['idempotency-key']), hints: [] }),
        }),
      },
    },
    async ({ caller, body, headers, id: requestId }, reply) => {
      const now = clock.now();
      const { partnerId, paymentResponsibility } = caller;
      const wanted = { partner: { id: partnerId, paymentResponsibility, hasGateway }, input: body };
      const key = headers['idempotency-key'];
      if (!idempotency || key === undefined) return success(await makeHold({ db, plans }, now, wanted));
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
      return sendStored(reply as unknown as FastifyReply, answer, requestId);
    },
  );
}

function changeRoutes(app: App, { db, clock }: Pick<HoldDeps, 'db' | 'clock'>): void {
  app.get(
    '/partners/holds/:id',
    {
      schema: {
        operationId: 'getHold',
        summary: 'Read a hold',
        tags,
        description: 'Known for 30 days after its end.',
        missing: ['Hold'],
        params: HoldParams,
        response: { 200: HoldResponse },
      },
      config,
    },
    async ({ caller, params }) => success(await readHold(db, clock.now(), caller.partnerId, params.id)),
  );

  app.delete(
    '/partners/holds/:id',
    {
      schema: {
        operationId: 'releaseHold',
        summary: 'Release a hold; one that is over stays so',
        tags,
        missing: ['Hold'],
        errors: ['HOLD_CONSUMED'],
        params: HoldParams,
        response: { 200: Success(Removed) },
      },
      config,
    },
    async ({ caller, params }) => {
      const { id } = await releaseHold(db, clock.now(), caller.partnerId, params.id);
      return success({ id, removed: true as const });
    },
  );

  app.post(
    '/partners/holds/:id/extend',
    {
      schema: {
        operationId: 'extendHold',
        summary: 'Hold a timeslot longer, 30 minutes in all at most',
        tags,
        description: 'The `seconds` are added to `expiresAt`. The price stays.',
        missing: ['Hold'],
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
        params: HoldParams,
        body: ExtendHold,
        response: { 200: HoldResponse },
      },
      config,
    },
    async ({ caller, params, body }) =>
      success(await extendHold(db, clock.now(), caller.partnerId, { ...params, ...body })),
  );
}

/** The slots that customers of all partners hold, in the operator's interface. */
export function holdOperatorRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/holds',
    {
      schema: {
        operationId: 'listHolds',
        summary: 'List the slots that customers hold now, by start',
        tags: ['Appointments'],
        querystring: HoldsQuery,
        response: { 200: HoldsResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query }) => {
      const now = clock.now();
      const { date, page = 1, limit = 20, ...filter } = query;
      const day = date === undefined ? {} : { from: startOfDate(date), until: startOfDate(date) + DAY };
      const found = await listHoldRows(db, now, { ...filter, ...day }, { limit, offset: (page - 1) * limit });
      return successPage(query, found, (row) => namedHoldView(row, now));
    },
  );

  app.delete(
    '/holds/:id',
    {
      schema: {
        operationId: 'releaseHoldForPartner',
        summary: "Release a customer's hold, so that its team is free",
        tags: ['Appointments'],
        missing: ['Hold'],
        errors: ['HOLD_CONSUMED'],
        params: HoldParams,
        response: { 200: Success(Removed) },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params }) => {
      await releaseHoldForOperator(db, clock.now(), actor, params.id);
      return success({ id: params.id, removed: true as const });
    },
  );
}
