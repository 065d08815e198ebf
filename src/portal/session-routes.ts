import { TIME_ZONE, toRiyadhIso } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import type { AuthFailures } from '../http/auth-failures.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { clientAddress } from '../http/proxies.ts';
import { routesOf } from '../http/routes.ts';
import type { Deployment } from '../partners/keys.ts';
import { Me, Session, SignedOut, SignIn, signInFaults } from './schema.ts';
import { signInByKey, signInByLink, signOut } from './sessions.ts';

/** Signing in and out, and the session's own data. */
export function sessionRoutes(
  app: App,
  {
    db,
    clock,
    config,
    authFailures,
  }: RouteParts & { config: { deployment: Deployment; publicUrl: string }; authFailures: AuthFailures },
): void {
  const route = routesOf(app, { tags: ['Session'], config: { session: 'any' } });

  route.post('/portal/api/sessions', {
    operationId: 'signIn',
    summary: 'Sign in with a link of the operator, which works once, or with an API key',
    description:
      'The session may do what the key may do; one that a link opened, everything, or read everything. A key ' +
      'that is revoked, expired, replaced or not for this address, or whose partner is suspended, opens a ' +
      'session that shows the key and what was refused to it.',
    body: SignIn,
    config: { session: 'none', rules: signInFaults },
    status: 201,
    response: { data: Session },
    answer: async (request, reply) => {
      const now = clock.now();
      const { link, key } = request.body;
      try {
        const made =
          key === undefined
            ? await signInByLink(db, now, link ?? '')
            : await signInByKey(db, now, key.trim());
        reply.code(201);
        return { token: made.token, expiresAt: toRiyadhIso(made.expiresAt) };
      } catch (error) {
        if (error instanceof ApiError && error.code === 'UNAUTHORIZED')
          await authFailures.count(request, reply, now);
        throw error;
      }
    },
  });

  route.delete('/portal/api/session', {
    operationId: 'signOut',
    summary: 'End the session',
    response: { data: SignedOut },
    answer: async ({ visitor }) => {
      await signOut(db, visitor.sessionId);
      return { signedOut: true as const };
    },
  });

  route.get('/portal/api/me', {
    operationId: 'getMe',
    summary: 'Read whose session it is, what it may do, and the time and kind of the deployment',
    response: { data: Me },
    answer: async (request) => {
      const { visitor } = request;
      return {
        partnerId: visitor.partnerId,
        partnerName: visitor.partnerName,
        keyId: visitor.keyId,
        keyName: visitor.keyName,
        readOnly: visitor.readOnly,
        permissions: visitor.limit === null ? [...visitor.permissions] : [],
        limit: visitor.limit,
        address: clientAddress(request),
        expiresAt: toRiyadhIso(visitor.expiresAt),
        deployment: config.deployment,
        apiUrl: `${config.publicUrl}/v1`,
        now: toRiyadhIso(clock.now()),
        timeZone: TIME_ZONE,
      };
    },
  });
}
