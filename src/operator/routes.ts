import { operatorAvailabilityRoutes } from '../availability/operator-routes.ts';
import { type Instant, realTime } from '../base/clock.ts';
import { ApiError, notFound } from '../base/errors.ts';
import { operatorBoardRoutes } from '../board/routes.ts';
import { holdOperatorRoutes } from '../bookings/hold-routes.ts';
import { operatorCategoryRoutes } from '../catalogue/category-routes.ts';
import { operatorServiceRoutes } from '../catalogue/service-routes.ts';
import { operatorZoneRoutes } from '../catalogue/zone-routes.ts';
import { bookingClosingRoutes } from '../closings/routes.ts';
import { contactOperatorRoutes } from '../contacts/operator-routes.ts';
import { crewOperatorRoutes } from '../crew/operator-routes.ts';
import { customerOperatorRoutes } from '../customers/operator-routes.ts';
import type { Actor } from '../db/audit.ts';
import { operatorAppointmentRoutes } from '../dispatch/appointment-routes.ts';
import { bookingOperatorRoutes } from '../dispatch/booking-routes.ts';
import { bearerToken } from '../http/bearer.ts';
import { cookieOf } from '../http/cookies.ts';
import { sendListsAsCsv } from '../http/csv-lists.ts';
import type { App } from '../http/edge.ts';
import { isRead } from '../http/methods.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import { operatorPartnerRoutes } from '../partners/account-routes.ts';
import { operatorKeyRoutes } from '../partners/key-routes.ts';
import { operatorPartnerServiceRoutes } from '../partners/service-routes.ts';
import { bookingPayments } from '../payments/operator-bookings.ts';
import { paymentOperatorRoutes } from '../payments/operator-routes.ts';
import { policyRoutes } from '../policies/operator-routes.ts';
import { portalOperatorRoutes } from '../portal/operator-routes.ts';
import { tierRoutes } from '../pricing/operator-routes.ts';
import { erasureOperatorRoutes } from '../privacy/operator-routes.ts';
import { privacyRequestRoutes } from '../privacy/request-routes.ts';
import type { Deps } from '../program/deps.ts';
import { operatorReasonRoutes } from '../reasons/operator-routes.ts';
import { operatorDelayRoutes } from '../replanning/delay-routes.ts';
import { operatorReassignmentRoutes } from '../replanning/reassignment-routes.ts';
import { operatorPunctualityRoutes } from '../reports/punctuality-routes.ts';
import { operatorUtilisationRoutes } from '../reports/utilisation-routes.ts';
import { requestOperatorRoutes } from '../requests/operator-routes.ts';
import { scheduleRoutes } from '../schedules/routes.ts';
import { seriesOperatorRoutes } from '../series/operator-routes.ts';
import { statementOperatorRoutes } from '../statements/operator-routes.ts';
import { teamRoutes } from '../teams/operator-routes.ts';
import { alertRoutes } from '../watch/operator-routes.ts';
import { webhookOperatorRoutes } from '../webhooks/operator-routes.ts';
import { attentionRoutes } from './attention-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { clockRoutes } from './clock-routes.ts';
import { meRoutes } from './me-routes.ts';
import { maskPhonesForViewers } from './phone-masks.ts';
import { defaultRole, type Role, roleAllows } from './roles.ts';
import { searchRoutes } from './search-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { SESSION_COOKIE } from './session-rules.ts';
import { createSessions, type SessionCaller } from './sessions.ts';
import { streamRoutes } from './stream-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { createTokenCache, type OperatorCaller } from './tokens.ts';
import { zoneChangesRoutes } from './zone-changes-routes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The actor of an operator request; set on every route under /operator. */
    actor: Actor;
    /** The role of an operator request's token; set on every route under /operator. */
    role: Role;
    /** The token of an operator request; null: the first one, from the configuration. */
    tokenId: string | null;
    /** The session of an operator request, in real time; null: it has a bearer token. */
    session: { id: string; expiresAt: Instant } | null;
    /** Whether the credential of an operator request is still valid. */
    isStillValid: () => Promise<boolean>;
  }
  interface FastifyContextConfig {
    /** The operation that opens a session: it needs no credential. */
    isSignIn?: true;
    /** The role that a route under /operator requires; by default viewer to GET, admin to change. */
    role?: Role;
    /** Its phones are not masked for viewers. */
    showsPhone?: true;
  }
}

/** The operator API: an explicit list of its resources, with its own credentials. */
export function operatorRoutes(app: App, deps: Deps, heartbeat: number): void {
  const { operatorTokenPrevious: previous } = deps.config;
  const firstTokens = [deps.operatorToken, ...(previous === null ? [] : [previous])] as const;
  const tokens = createTokenCache(deps.db, deps.versions, firstTokens, (error) =>
    deps.logger.warn({ err: error }, 'token usage could not be written'),
  );
  const sessions = createSessions(deps, tokens, firstTokens, (error) =>
    deps.logger.warn({ err: error }, 'session usage could not be written'),
  );
  app.addHook('onClose', async () => {
    await sessions.close();
    await tokens.close();
  });
  app.addHook('onRoute', (route) => {
    route.config = { role: defaultRole(route.method), ...route.config };
  });
  // Before CSV, which is made of the masked rows.
  maskPhonesForViewers(app);
  sendListsAsCsv(app);
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeConfig.isSignIn) return;
    const now = deps.clock.now();
    const token = bearerToken(request);
    const secret = token === null ? cookieOf(request, SESSION_COOKIE) : null;
    const find = async (isUse: boolean): Promise<OperatorCaller | SessionCaller | null> => {
      if (token !== null) return tokens.find(token, deps.clock.now(), realTime(deps.clock));
      return secret === null ? null : sessions.find(secret, isUse);
    };
    // A stream that a page opens again by itself is no use by a person.
    const caller = await find(!request.routeConfig.isStream);
    if (caller === null) {
      await deps.authFailures.count(request, reply, now);
      const isMissing = token === null && secret === null;
      throw new ApiError('UNAUTHORIZED', 'The operator token is missing or not valid', {
        check: 'token',
        reason: isMissing ? 'missing' : 'not-valid',
        ...(isMissing && { hints: ['send the token in the header Authorization: Bearer <token>'] }),
      });
    }
    request.actor = caller.actor;
    request.authenticated = true;
    request.role = caller.role;
    request.tokenId = caller.tokenId;
    request.session = 'session' in caller ? caller.session : null;
    request.isStillValid = async () => (await find(false)) !== null;
    if (request.session !== null && !isSameOrigin(request))
      throw new ApiError('FORBIDDEN', 'Another site sent this request', { check: 'origin' });
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
  erasureOperatorRoutes(app, deps);
  bookingOperatorRoutes(app, deps, bookingPayments(deps));
  customerOperatorRoutes(app, deps);
  bookingClosingRoutes(app, deps, bookingPayments(deps));
  paymentOperatorRoutes(app, deps);
  seriesOperatorRoutes(app, deps);
  statementOperatorRoutes(app, deps);
  operatorAppointmentRoutes(app, deps);
  operatorBoardRoutes(app, deps);
  holdOperatorRoutes(app, deps);
  operatorDelayRoutes(app, deps);
  operatorReassignmentRoutes(app, deps);
  operatorAvailabilityRoutes(app, deps);
  webhookOperatorRoutes(app, deps);
  requestOperatorRoutes(app, deps);
  tierRoutes(app, deps);
  policyRoutes(app, deps);
  privacyRequestRoutes(app, deps);
  portalOperatorRoutes(app, deps);
  crewOperatorRoutes(app, deps);
  tokenRoutes(app, deps);
  sessionRoutes(app, deps, sessions);
  operatorUtilisationRoutes(app, deps);
  operatorPunctualityRoutes(app, deps);
  attentionRoutes(app, deps);
  alertRoutes(app, deps);
  searchRoutes(app, deps);
  zoneChangesRoutes(app, deps);
  auditRoutes(app, deps);
  clockRoutes(app, deps);
  streamRoutes(app, deps, heartbeat);
}
