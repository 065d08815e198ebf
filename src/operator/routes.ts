import { operatorAvailabilityRoutes } from '../availability/operator-routes.ts';
import { ApiError, notFound } from '../base/errors.ts';
import { holdOperatorRoutes } from '../bookings/hold-routes.ts';
import { operatorCategoryRoutes } from '../catalogue/category-routes.ts';
import { operatorServiceRoutes } from '../catalogue/service-routes.ts';
import { operatorZoneRoutes } from '../catalogue/zone-routes.ts';
import { contactOperatorRoutes } from '../contacts/operator-routes.ts';
import type { Actor } from '../db/audit.ts';
import { operatorAppointmentRoutes } from '../dispatch/appointment-routes.ts';
import { operatorBoardRoutes } from '../dispatch/board-routes.ts';
import { bookingOperatorRoutes } from '../dispatch/booking-routes.ts';
import { operatorDelayRoutes } from '../dispatch/delay-routes.ts';
import { operatorReassignmentRoutes } from '../dispatch/reassignment-routes.ts';
import { scheduleRoutes } from '../dispatch/schedule-routes.ts';
import { operatorUtilisationRoutes } from '../dispatch/utilisation-routes.ts';
import { bearerToken } from '../http/bearer.ts';
import { sendListsAsCsv } from '../http/csv-lists.ts';
import type { App } from '../http/edge.ts';
import { isRead } from '../http/methods.ts';
import { operatorPartnerRoutes } from '../partners/account-routes.ts';
import { operatorKeyRoutes } from '../partners/key-routes.ts';
import { operatorPartnerServiceRoutes } from '../partners/service-routes.ts';
import { bookingPayments } from '../payments/operator-bookings.ts';
import { paymentOperatorRoutes } from '../payments/operator-routes.ts';
import { portalOperatorRoutes } from '../portal/operator-routes.ts';
import { tierRoutes } from '../pricing/operator-routes.ts';
import type { Deps } from '../program/deps.ts';
import { operatorReasonRoutes } from '../reasons/operator-routes.ts';
import { requestOperatorRoutes } from '../requests/operator-routes.ts';
import { teamRoutes } from '../teams/operator-routes.ts';
import { webhookOperatorRoutes } from '../webhooks/operator-routes.ts';
import { attentionRoutes } from './attention-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { clockRoutes } from './clock-routes.ts';
import { meRoutes } from './me-routes.ts';
import { defaultRole, type Role, roleAllows } from './roles.ts';
import { searchRoutes } from './search-routes.ts';
import { streamRoutes } from './stream-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { createTokenCache } from './tokens.ts';
import { zoneChangesRoutes } from './zone-changes-routes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The actor of an operator request; set on every route under /operator. */
    actor: Actor;
    /** The role of an operator request's token; set on every route under /operator. */
    role: Role;
    /** The token of an operator request; null: the first one, from the configuration. */
    tokenId: string | null;
  }
  interface FastifyContextConfig {
    /** The role that a route under /operator requires; by default viewer to GET, admin to change. */
    role?: Role;
  }
}

/** The operator API: an explicit list of its resources, with its own credentials. */
export function operatorRoutes(app: App, deps: Deps, heartbeat: number): void {
  const tokens = createTokenCache(deps.db, deps.versions, deps.operatorToken, (error) =>
    deps.logger.warn({ err: error }, 'token usage could not be written'),
  );
  app.addHook('onClose', () => tokens.close());
  app.addHook('onRoute', (route) => {
    route.config = { role: defaultRole(route.method), ...route.config };
  });
  sendListsAsCsv(app);
  app.addHook('onRequest', async (request, reply) => {
    const now = deps.clock.now();
    const token = bearerToken(request);
    const caller = token === null ? null : await tokens.find(token, now);
    if (caller === null) {
      await deps.authFailures.count(request, reply, now);
      throw new ApiError('UNAUTHORIZED', 'The operator token is missing or not valid', {
        check: 'token',
        reason: token === null ? 'missing' : 'not-valid',
        ...(token === null && { hints: ['send the token in the header Authorization: Bearer <token>'] }),
      });
    }
    request.actor = caller.actor;
    request.authenticated = true;
    request.role = caller.role;
    request.tokenId = caller.tokenId;
    if (request.is404) throw notFound('Route');
    const least = request.routeConfig.role;
    if (least === undefined || !roleAllows(caller.role, least)) {
      throw new ApiError('FORBIDDEN', `This operation needs the role ${least}`, {
        check: 'role',
        role: least ?? null,
        tokenRole: caller.role,
      });
    }
  });
  // A change takes effect in this process before the response; other processes see it within a second.
  app.addHook('preSerialization', async (request, reply) => {
    // An error has changed nothing, and must be sent in the envelope even while the database is unavailable.
    if (!isRead(request.method) && reply.statusCode < 400) await deps.versions.refresh();
  });
  app.setNotFoundHandler(() => {
    throw new Error('the hook responds to unknown routes');
  });

  meRoutes(app, deps);
  operatorPartnerRoutes(app, deps);
  operatorKeyRoutes(app, deps);
  operatorPartnerServiceRoutes(app, deps);
  operatorCategoryRoutes(app, deps);
  operatorServiceRoutes(app, deps);
  operatorZoneRoutes(app, deps);
  teamRoutes(app, deps);
  scheduleRoutes(app, deps);
  operatorReasonRoutes(app, deps);
  contactOperatorRoutes(app, deps);
  bookingOperatorRoutes(app, deps, bookingPayments(deps));
  paymentOperatorRoutes(app, deps);
  operatorAppointmentRoutes(app, deps);
  operatorBoardRoutes(app, deps);
  holdOperatorRoutes(app, deps);
  operatorDelayRoutes(app, deps);
  operatorReassignmentRoutes(app, deps);
  operatorAvailabilityRoutes(app, deps);
  webhookOperatorRoutes(app, deps);
  requestOperatorRoutes(app, deps);
  tierRoutes(app, deps);
  portalOperatorRoutes(app, deps);
  tokenRoutes(app, deps);
  operatorUtilisationRoutes(app, deps);
  attentionRoutes(app, deps);
  searchRoutes(app, deps);
  zoneChangesRoutes(app, deps);
  auditRoutes(app, deps);
  clockRoutes(app, deps);
  streamRoutes(app, deps, tokens, heartbeat);
}
