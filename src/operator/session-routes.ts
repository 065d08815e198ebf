import { realTime, toRiyadhIso } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import type { AuthFailures } from '../http/auth-failures.ts';
import { cookieOf, isSecure } from '../http/cookies.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { pageOf, removed } from '../http/envelope.ts';
import { noMove, routesOf } from '../http/routes.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import { IdParams, Removed } from '../http/schemas.ts';
import { roleAllows } from './roles.ts';
import { consoleCookie, ENROLMENT_COOKIE, SESSION_COOKIE } from './session-rules.ts';
import {
  CookieOfSignIn,
  CookieOfSignOut,
  CreateSignInLink,
  OpenedSession,
  OpenSession,
  openSessionFaults,
  Session,
  SessionsQuery,
  SignInLink,
} from './session-schema.ts';
import { createSignInLink, endSession, endSignIns, type Sessions, sessionView } from './sessions.ts';

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
    summary: 'Sign in a browser with an operator token, with a link, which works once, or with a PIN',
    description:
      'Sets a cookie that is accepted in place of the token, from pages of this origin only. A token opens a session of 14 ' +
      'hours. A link also enrols the browser for 90 days: there the PIN opens sessions, which end after 14 hours without use. ' +
      'Five wrong PINs in a row end the enrolment. A session ends earlier with its token.',
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
      const { 'user-agent': userAgent = '' } = request.headers;
      try {
        const browser = { userAgent, cookie: cookieOf(request, ENROLMENT_COOKIE) };
        const opened = await sessions.open(request.body, browser);
        const duration = opened.endsAt - realTime(clock);
        const lasts = { duration, isSecure: isSecure(request, config.publicUrl) };
        reply.header('set-cookie', consoleCookie(SESSION_COOKIE, opened.secret, lasts));
        if (opened.cookie !== null)
          reply.header('set-cookie', consoleCookie(ENROLMENT_COOKIE, opened.cookie, lasts));
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
    description: 'The enrolment of its browser ends too, unless it is the session of this request.',
    config: { role: 'viewer' },
    responseHeaders: CookieOfSignOut,
    response: { data: Removed },
    answer: async (request, reply) => {
      const { id } = request.params;
      await db.transaction((tx) => endSession(tx, clock.now(), request, id));
      const ended = { duration: 0, isSecure: isSecure(request, config.publicUrl) };
      if (request.session?.id === id) reply.header('set-cookie', consoleCookie(SESSION_COOKIE, null, ended));
      return removed({ id });
    },
  });

  route.delete('/operator/tokens/:id/sessions', {
    operationId: 'endSignIns',
    summary: 'End all sessions and enrolled browsers of a person at once, and her unused link',
    missing: ['Token'],
    response: { data: Removed },
    answer: async ({ actor, params: { id } }) => {
      await db.transaction((tx) => endSignIns(tx, clock.now(), actor, id));
      return removed({ id });
    },
  });

  route.post('/operator/tokens/:id/sign-in-links', {
    operationId: 'createSignInLink',
    summary: 'Make a link that enrols a browser of a person once, within 72 hours',
    description:
      'Send it to one person: whoever opens it first chooses a PIN and is signed in as her. A new link replaces one that was ' +
      'not used, and ends her sessions and enrolled browsers unless `addsBrowser` is true. A token is a person from then on: ' +
      'the token itself is no longer valid.',
    missing: ['Token'],
    errors: [noMove('A revoked or expired token opens no session')],
    status: 201,
    response: { data: SignInLink },
    body: CreateSignInLink,
    optionalBody: true,
    answer: async ({ actor, params, body }) => {
      const wanted = { ...body, tokenId: params.id };
      const made = await db.transaction((tx) => createSignInLink(tx, clock, actor, wanted));
      return { url: `/console#link=${made.secret}`, expiresAt: toRiyadhIso(made.expiresAt) };
    },
  });
}
