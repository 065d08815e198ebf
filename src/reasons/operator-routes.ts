import type { App, RouteParts } from '../http/edge.ts';
import { pageOf, removed } from '../http/envelope.ts';
import { inUse, routesOf } from '../http/routes.ts';
import { IdParams, Removed } from '../http/schemas.ts';
import { createReason, listReasons, readReason, reasonView, removeReason, updateReason } from './reasons.ts';
import { CreateReason, Reason, ReasonsQuery, UpdateReason } from './schema.ts';

/** Cancellation reasons of the operator's interface. */
export function operatorReasonRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, {
    tags: ['Cancellation reasons'],
    missing: ['Cancellation reason'],
    params: IdParams,
  });

  route.get('/operator/cancellation-reasons', {
    operationId: 'listCancellationReasons',
    summary: 'List cancellation reasons',
    query: ReasonsQuery,
    response: { page: Reason },
    answer: async ({ query }) => pageOf(await listReasons(db, query), reasonView),
  });

  route.post('/operator/cancellation-reasons', {
    operationId: 'createCancellationReason',
    summary: 'Create a cancellation reason',
    body: CreateReason,
    status: 201,
    response: { data: Reason },
    answer: async ({ actor, body }) =>
      reasonView(await db.transaction((tx) => createReason(tx, clock.now(), actor, body))),
  });

  route.get('/operator/cancellation-reasons/:id', {
    operationId: 'getCancellationReason',
    summary: 'Read a cancellation reason',
    response: { data: Reason },
    answer: async ({ params }) => reasonView(await readReason(db, params.id)),
  });

  route.patch('/operator/cancellation-reasons/:id', {
    operationId: 'updateCancellationReason',
    summary: 'Update a cancellation reason',
    body: UpdateReason,
    response: { data: Reason },
    answer: async ({ actor, params, body }) =>
      reasonView(
        await db.transaction((tx) => updateReason(tx, clock.now(), actor, { id: params.id, changes: body })),
      ),
  });

  route.delete('/operator/cancellation-reasons/:id', {
    operationId: 'removeCancellationReason',
    summary: 'Remove an unused cancellation reason',
    errors: [inUse('cancellation reason', { bookings: 2 })],
    response: { data: Removed },
    answer: async ({ actor, params }) => removed(await removeReason(db, clock.now(), actor, params.id)),
  });
}
