import { ApiError, notFound } from '../base/errors.ts';
import { bearerToken } from '../http/bearer.ts';
import type { App } from '../http/edge.ts';
import { isRead } from '../http/methods.ts';
import { clientAddress } from '../http/proxies.ts';
import type { Deps } from '../program/deps.ts';
import { reasonRoutes } from '../reasons/routes.ts';
import { seriesRoutes } from '../series/routes.ts';
import { statementRoutes } from '../statements/routes.ts';
import { accountRoutes } from './account-routes.ts';
import { portalBookingRoutes } from './booking-routes.ts';
import { portalCertificationRoutes } from './certification-routes.ts';
import { portalCustomerRoutes } from './customer-routes.ts';
import { portalHoldRoutes } from './hold-routes.ts';
import { portalRequestRoutes } from './request-routes.ts';
import type { Limit, Need } from './rules.ts';
import { refusedBy } from './rules.ts';
import { portalSandboxRoutes } from './sandbox-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { findVisitor, type Visitor } from './sessions.ts';
import { portalWebhookRoutes } from './webhook-routes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of the request; set on every route under /portal/api but the one that signs in. */
    visitor: Visitor;
  }
  interface FastifyContextConfig {
    /**
     * The right that a route under /portal/api needs; default: `read` for GET, else `change`. `none`: without a
     * session.
     */
    session?: Need | 'none';
  }
}

const LIMIT_TEXTS: Record<Limit, string> = {
  PARTNER_SUSPENDED: 'The partner is suspended: only what was refused is shown',
  KEY_REVOKED: 'The key is revoked: only what was refused to it is shown',
  KEY_REPLACED: 'The key was rotated and this is its old secret: only what was refused to it is shown',
  KEY_EXPIRED: 'The key has expired: only what was refused to it is shown',
  ADDRESS_NOT_ALLOWED: 'The key may not be used from this address: only what was refused to it is shown',
};

/**
 * The interface of the portal's pages. Its sessions are independent of the rate limit and the addresses of keys, and a
 * revoked key still opens one that shows the reason. Throws UNAUTHORIZED, FORBIDDEN and RATE_LIMIT_EXCEEDED (failed
 * authentications).
 */
export function portalRoutes(app: App, deps: Deps): void {
  const { db, clock, authFailures } = deps;
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    route.config = {
      session: methods.every((method) => isRead(method)) ? 'read' : 'change',
      ...route.config,
    };
  });
  app.addHook('onRequest', async (request, reply) => {
    const { session: need, permission } = request.routeConfig;
    if (need === 'none') return;
    const now = clock.now();
    const token = bearerToken(request);
    const visitor = token === null ? null : await findVisitor(db, now, token, clientAddress(request));
    if (visitor === null) {
      await authFailures.count(request, reply, now);
      throw new ApiError('UNAUTHORIZED', 'The session is missing or has ended', {
        check: 'session',
        reason: token === null ? 'missing' : 'not-valid',
      });
    }
    request.visitor = visitor;
    request.account = visitor;
    request.callerId = visitor.partnerId;
    request.authenticated = true;
    if (request.is404) throw notFound('Route');
    const check = refusedBy(visitor, need ?? 'change', permission);
    if (check === 'session')
      throw new ApiError('FORBIDDEN', LIMIT_TEXTS[visitor.limit!], { check, reason: visitor.limit });
    if (check === 'read-only')
      throw new ApiError('FORBIDDEN', 'This session may only read: its link was made so', { check });
    if (check === 'permission')
      throw new ApiError('FORBIDDEN', 'The key that was signed in with lacks the permission', {
        check,
        permission,
      });
  });
  app.setNotFoundHandler(() => {
    throw new Error('the hook responds to unknown routes');
  });

  sessionRoutes(app, deps);
  accountRoutes(app, deps);
  portalWebhookRoutes(app, deps);
  portalBookingRoutes(app, deps);
  portalHoldRoutes(app, deps);
  seriesRoutes(app, deps);
  reasonRoutes(app, deps);
  statementRoutes(app, deps);
  portalCustomerRoutes(app, deps);
  portalRequestRoutes(app, deps);
  if (deps.config.deployment === 'sandbox') {
    portalSandboxRoutes(app, deps);
    const { requestLog } = deps;
    if (requestLog !== null) portalCertificationRoutes(app, { ...deps, requestLog });
  }
}
