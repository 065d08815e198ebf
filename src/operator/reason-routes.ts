import {
  createReason,
  listReasons,
  readReason,
  reasonView,
  removeReason,
  updateReason,
} from '../bookings/reasons.ts';
import {
  CreateReason,
  ReasonResponse,
  ReasonsQuery,
  ReasonsResponse,
  UpdateReason,
} from '../bookings/reasons-schema.ts';
import { IdParams } from '../catalogue/admin-schema.ts';
import type { Deps } from '../deps.ts';
import { success, successPage } from '../platform/envelope.ts';
import type { App } from '../platform/http.ts';
import { Removed, Success } from '../platform/schemas.ts';

/** Cancellation reasons of the operator's interface. */
export function reasonAdminRoutes(app: App, { db, clock }: Deps): void {
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
      const row = await createReason(db, clock.now(), actor, body);
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
        summary: 'Change fields of a cancellation reason',
        tags: ['Cancellation reasons'],
        missing: ['Cancellation reason'],

        params: IdParams,
        body: UpdateReason,
        response: { 200: ReasonResponse },
      },
    },
    async ({ actor, params, body }) => {
      const row = await updateReason(db, clock.now(), actor, params.id, body);
      return success(reasonView(row));
    },
  );

  app.delete(
    '/cancellation-reasons/:id',
    {
      schema: {
        operationId: 'removeCancellationReason',
        summary: 'Remove a cancellation reason that no booking was cancelled for',
        tags: ['Cancellation reasons'],
        missing: ['Cancellation reason'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'The cancellation reason is in use: deactivate it instead',
            details: { usedBy: { bookings: 2 } },
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
