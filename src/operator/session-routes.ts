import { toRiyadhIso } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { isSecure } from '../http/cookies.ts';
import type { App } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import { IdParams, Removed, Success } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import { roleAllows } from './roles.ts';
import { sessionCookie } from './session-rules.ts';
import {
  CookieOfSignIn,
  CookieOfSignOut,
  OpenedSession,
  OpenSession,
  openSessionFaults,
  SessionsQuery,
  SessionsResponse,
  SignInLinkResponse,
} from './session-schema.ts';
import { createSignInLink, endSession, type Sessions, sessionView } from './sessions.ts';

type SessionDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'authFailures'>;

/** Signing in to the console and out, its sessions, and links that sign in once. */
export function sessionRoutes(
  app: App,
  { db, clock, config, authFailures }: SessionDeps,
  sessions: Sessions,
): void {
  app.post(
    '/sessions',
    {
      schema: {
        operationId: 'openSession',
        summary: 'Sign in a browser with an operator token, or with a link, which works once',
        description:
          'Sets a cookie that is accepted in place of the token for 12 hours, from pages of this origin only. ' +
          'The session ends earlier with its token.',
        tags: ['Operator tokens'],
        errors: [
          {
            code: 'UNAUTHORIZED',
            message: 'The operator token is not valid',
            details: { check: 'token', reason: 'not-valid' },
          },
        ],
        body: OpenSession,
        response: { 201: OpenedSession },
        responseHeaders: CookieOfSignIn,
      },
      config: { role: 'viewer', isSignIn: true, rules: openSessionFaults },
    },
    async (request, reply) => {
      // Another site must not sign this browser in as somebody else.
      if (request.headers.origin !== undefined && !isSameOrigin(request))
        throw new ApiError('FORBIDDEN', 'Another site sent this request', { check: 'origin' });
      const { token, link = '' } = request.body;
      const by = token === undefined ? { link } : { token: token.trim() };
      try {
        const opened = await sessions.open(by, request.headers['user-agent'] ?? '');
        reply.header('set-cookie', sessionCookie(opened.secret, isSecure(request, config.publicUrl)));
        reply.code(201);
        return success({ id: opened.id, expiresAt: toRiyadhIso(opened.expiresAt) });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'UNAUTHORIZED')
          await authFailures.count(request, reply, clock.now());
        throw error;
      }
    },
  );

  app.get(
    '/sessions',
    {
      schema: {
        operationId: 'listSessions',
        summary: "List sessions of the console, the latest seen first: one's own, for an admin all",
        tags: ['Operator tokens'],
        querystring: SessionsQuery,
        response: { 200: SessionsResponse },
      },
    },
    async ({ query, role, tokenId, session }) =>
      successPage(query, await sessions.list(query, roleAllows(role, 'admin') ? 'all' : { tokenId }), (row) =>
        sessionView(row, session?.id ?? null),
      ),
  );

  app.delete(
    '/sessions/:id',
    {
      schema: {
        operationId: 'endSession',
        summary: "End a session of the console: one's own, or any as an admin",
        tags: ['Operator tokens'],
        missing: ['Session'],
        params: IdParams,
        response: { 200: Success(Removed) },
        responseHeaders: CookieOfSignOut,
      },
      config: { role: 'viewer' },
    },
    async (request, reply) => {
      const { id } = request.params;
      await db.transaction((tx) => endSession(tx, clock.now(), request, id));
      if (request.session?.id === id)
        reply.header('set-cookie', sessionCookie(null, isSecure(request, config.publicUrl)));
      return success({ id, removed: true as const });
    },
  );

  app.post(
    '/tokens/:id/sign-in-links',
    {
      schema: {
        operationId: 'createSignInLink',
        summary: "Make a link by which a token's holder signs in to the console once, within 72 hours",
        description:
          'Send it to one person: whoever opens it first and confirms is signed in as the holder of the token. A new ' +
          'link replaces one that was not used.',
        tags: ['Operator tokens'],
        missing: ['Token'],
        errors: [
          {
            code: 'INVALID_TRANSITION',
            message: 'A revoked or expired token opens no session',
            details: {},
          },
        ],
        params: IdParams,
        response: { 201: SignInLinkResponse },
      },
      config: { role: 'admin' },
    },
    async ({ actor, params }, reply) => {
      const made = await db.transaction((tx) => createSignInLink(tx, clock, actor, params.id));
      reply.code(201);
      return success({ url: `/console#link=${made.secret}`, expiresAt: toRiyadhIso(made.expiresAt) });
    },
  );
}
