import { toRiyadhIso } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import type { AuthFailures } from '../http/auth-failures.ts';
import { isSecure } from '../http/cookies.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { pageOf, removed } from '../http/envelope.ts';
import { noMove, routesOf } from '../http/routes.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import { IdParams, Removed } from '../http/schemas.ts';
import { roleAllows } from './roles.ts';
import { sessionCookie } from './session-rules.ts';
import {
  CookieOfSignIn,
  CookieOfSignOut,
  OpenedSession,
  OpenSession,
  openSessionFaults,
  Session,
  SessionsQuery,
  SignInLink,
} from './session-schema.ts';
import { createSignInLink, endSession, type Sessions, sessionView } from './sessions.ts';

type SessionDeps = RouteParts & { config: { publicUrl: string }; authFailures: AuthFailures };

/** Signing in to the console and out, its sessions, and links that sign in once. */
export function sessionRoutes(
  app: App,
  { db, clock, config, authFailures }: SessionDeps,
  sessions: Sessions,
): void {
  const route = routesOf(app, { tags: ['Operator tokens'], missing: ['Session'], params: IdParams });

  route.post('/operator/sessions', {
    operationId: 'openSession',
    summary: 'Sign in a browser with an operator token, or with a link, which works once',
    description:
      'Sets a cookie that is accepted in place of the token for 12 hours, from pages of this origin only. ' +
      'The session ends earlier with its token.',
    errors: [
      {
        code: 'UNAUTHORIZED',
        message: 'The operator token is not valid',
        details: { check: 'token', reason: 'not-valid' },
      },
    ],
    body: OpenSession,
    config: { role: 'viewer', isSignIn: true, rules: openSessionFaults },
    responseHeaders: CookieOfSignIn,
    status: 201,
    response: { data: OpenedSession },
    answer: async (request, reply) => {
      // Another site must not sign this browser in as somebody else.
      if (request.headers.origin !== undefined && !isSameOrigin(request))
        throw new ApiError('FORBIDDEN', 'Another site sent this request', { check: 'origin' });
      const { token, link = '' } = request.body;
      const by = token === undefined ? { link } : { token: token.trim() };
      try {
        const opened = await sessions.open(by, request.headers['user-agent'] ?? '');
        reply.header('set-cookie', sessionCookie(opened.secret, isSecure(request, config.publicUrl)));
        reply.code(201);
        return { id: opened.id, expiresAt: toRiyadhIso(opened.expiresAt) };
      } catch (error) {
        if (error instanceof ApiError && error.code === 'UNAUTHORIZED')
          await authFailures.count(request, reply, clock.now());
        throw error;
      }
    },
  });

  route.get('/operator/sessions', {
    operationId: 'listSessions',
    summary: "List sessions of the console, the latest seen first: one's own, for an admin all",
    query: SessionsQuery,
    response: { page: Session },
    answer: async ({ query, role, tokenId, session }) =>
      pageOf(await sessions.list(query, roleAllows(role, 'admin') ? 'all' : { tokenId }), (row) =>
        sessionView(row, session?.id ?? null),
      ),
  });

  route.delete('/operator/sessions/:id', {
    operationId: 'endSession',
    summary: "End a session of the console: one's own, or any as an admin",
    config: { role: 'viewer' },
    responseHeaders: CookieOfSignOut,
    response: { data: Removed },
    answer: async (request, reply) => {
      const { id } = request.params;
      await db.transaction((tx) => endSession(tx, clock.now(), request, id));
      if (request.session?.id === id)
        reply.header('set-cookie', sessionCookie(null, isSecure(request, config.publicUrl)));
      return removed({ id });
    },
  });

  route.post('/operator/tokens/:id/sign-in-links', {
    operationId: 'createSignInLink',
    summary: "Make a link by which a token's holder signs in to the console once, within 72 hours",
    description:
      'Send it to one person: whoever opens it first and confirms is signed in as the holder of the token. A new ' +
      'link replaces one that was not used.',
    missing: ['Token'],
    errors: [noMove('A revoked or expired token opens no session')],
    status: 201,
    response: { data: SignInLink },
    answer: async ({ actor, params }) => {
      const made = await db.transaction((tx) => createSignInLink(tx, clock, actor, params.id));
      return { url: `/console#link=${made.secret}`, expiresAt: toRiyadhIso(made.expiresAt) };
    },
  });
}
