import type { App } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import { IdParams, Removed, Success } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import { createReason, listReasons, readReason, reasonView, removeReason, updateReason } from './reasons.ts';
import { CreateReason, ReasonResponse, ReasonsQuery, ReasonsResponse, UpdateReason } from './schema.ts';

/** Cancellation reasons of the operator's interface. */
export function operatorReasonRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/cancellation-reasons',
    {
      schema: {
        operationId: 'listCancellationReasons',
        summary: 'List cancellation reasons',
        tags: ['Cancellation reasons'],
        querystring: ReasonsQuery,
        response: { 200: ReasonsResponse },
      },
    },
    async ({ query }) => successPage(query, await listReasons(db, query), reasonView),
  );

  app.post(
    '/cancellation-reasons',
    {
      schema: {
        operationId: 'createCancellationReason',
        summary: 'Create a cancellation reason',
        tags: ['Cancellation reasons'],

        body: CreateReason,
        response: { 201: ReasonResponse },
      },
    },
    async ({ actor, body }, reply) => {
      const row = await db.transaction((tx) => createReason(tx, clock.now(), actor, body));
      reply.code(201);
      return success(reasonView(row));
    },
  );

  app.get(
    '/cancellation-reasons/:id',
    {
      schema: {
        operationId: 'getCancellationReason',
        summary: 'Read a cancellation reason',
        tags: ['Cancellation reasons'],
        missing: ['Cancellation reason'],
        params: IdParams,
        response: { 200: ReasonResponse },
      },
    },
    async ({ params }) => success(reasonView(await readReason(db, params.id))),
  );

  app.patch(
    '/cancellation-reasons/:id',
    {
      schema: {
        operationId: 'updateCancellationReason',
        summary: 'Update a cancellation reason',
        tags: ['Cancellation reasons'],
        missing: ['Cancellation reason'],

        params: IdParams,
        body: UpdateReason,
        response: { 200: ReasonResponse },
      },
    },
    async ({ actor, params, body }) => {
      const row = await db.transaction((tx) =>
        updateReason(tx, clock.now(), actor, { id: params.id, changes: body }),
      );
      return success(reasonView(row));
    },
  );

  app.delete(
    '/cancellation-reasons/:id',
    {
      schema: {
        operationId: 'removeCancellationReason',
        summary: 'Remove an unused cancellation reason',
        tags: ['Cancellation reasons'],
        missing: ['Cancellation reason'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'The cancellation reason is in use: deactivate it instead',
            details: { reason: 'IN_USE', usedBy: { bookings: 2 } },
          },
        ],
        params: IdParams,
        response: { 200: Success(Removed) },
      },
    },
    async ({ actor, params }) => {
      const { id } = await removeReason(db, clock.now(), actor, params.id);
      return success({ id, removed: true as const });
    },
  );
}
