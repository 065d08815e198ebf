import type { App, RouteParts } from '../http/edge.ts';
import { resourceRoutes } from '../http/resource-routes.ts';
import { listReasons } from './queries.ts';
import { createReason, readReason, reasonView, removeReason, updateReason } from './reasons.ts';
import { CreateReason, Reason, ReasonsQuery, UpdateReason } from './schema.ts';

/** Cancellation reasons of the operator's interface. */
export function operatorReasonRoutes(app: App, deps: RouteParts): void {
  resourceRoutes(app, deps, {
    path: '/operator/cancellation-reasons',
    tags: ['Cancellation reasons'],
    name: 'Cancellation reason',
    plural: 'Cancellation reasons',
    usedBy: { bookings: 2 },
    query: ReasonsQuery,
    shown: Reason,
    given: CreateReason,
    changes: UpdateReason,
    view: reasonView,
    list: listReasons,
    read: readReason,
    create: createReason,
    update: updateReason,
    remove: removeReason,
  });
}
