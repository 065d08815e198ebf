import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { ApiError, notFound } from '../errors.ts';
import type { Actor } from '../platform/audit.ts';
import type { App } from '../platform/http.ts';
import { appointmentAdminRoutes } from './appointment-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { availabilityAdminRoutes } from './availability-routes.ts';
import { bookingAdminRoutes } from './booking-routes.ts';
import { catalogueAdminRoutes } from './catalogue-routes.ts';
import { clockRoutes } from './clock-routes.ts';
import { partnerRoutes } from './partner-routes.ts';
import { paymentAdminRoutes } from './payment-routes.ts';
import { reasonAdminRoutes } from './reason-routes.ts';
import { defaultRole, mayAct, type Role } from './roles.ts';
import { teamRoutes } from './team-routes.ts';
import { tierRoutes } from './tier-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { createTokenBook } from './tokens.ts';
import { webhookAdminRoutes } from './webhook-routes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is behind an operator request; set on every route under /operator. */
    actor: Actor;
    /** What the token of an operator request may do; set on every route under /operator. */
    role: Role;
  }
  interface FastifyContextConfig {
    /** The least role that may call a route under /operator; unless given: viewer to GET, admin to change. */
    role?: Role;
  }
}

/** The operator's interface: an explicit list of its resources, behind its own credentials. */
export function operatorRoutes(app: App, deps: Deps): void {
  const tokens = createTokenBook(deps.db, deps.versions, deps.operatorToken, (error) =>
    deps.logger.warn({ err: error }, 'token usage could not be written'),
  );
  app.addHook('onClose', () => tokens.close());
  app.addHook('onRoute', (route) => {
    route.config = { role: defaultRole(route.method), ...route.config };
  });
  app.addHook('onRequest', async (request) => {
    const token = bearerToken(request);
    const caller = token === null ? null : await tokens.find(token, deps.clock.now());
    if (caller === null) {
      throw new ApiError('UNAUTHORIZED', 'The operator token is missing or not valid', {
        check: 'token',
        reason: token === null ? 'missing' : 'not-valid',
        ...(token === null && { hints: ['send the token in the header Authorization: Bearer <token>'] }),
      });
    }
    request.actor = caller.actor;
    request.role = caller.role;
    if (request.is404) throw notFound('Route');
    const least = request.routeOptions.config.role;
    if (least === undefined || !mayAct(caller.role, least)) {
      throw new ApiError('FORBIDDEN', `This operation needs the role ${least}`, {
        check: 'role',
        role: least ?? null,
        tokenRole: caller.role,
      });
    }
  });
  // A change works in this process before it is answered; the others notice within a second.
  app.addHook('preSerialization', async (request) => {
    if (request.method !== 'GET') await deps.versions.refresh();
  });
  app.setNotFoundHandler(() => {
    throw new Error('the hook answers unknown routes');
  });

  partnerRoutes(app, deps);
  catalogueAdminRoutes(app, deps);
  teamRoutes(app, deps);
  reasonAdminRoutes(app, deps);
  bookingAdminRoutes(app, deps);
  paymentAdminRoutes(app, deps);
  appointmentAdminRoutes(app, deps);
  availabilityAdminRoutes(app, deps);
  webhookAdminRoutes(app, deps);
  tierRoutes(app, deps);
  tokenRoutes(app, deps);
  auditRoutes(app, deps);
  clockRoutes(app, deps);
}

function bearerToken(request: FastifyRequest): string | null {
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}
