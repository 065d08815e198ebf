import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { ApiError, notFound } from '../errors.ts';
import type { Actor } from '../platform/audit.ts';
import type { App } from '../platform/http.ts';
import { catalogueAdminRoutes } from './catalogue-routes.ts';
import { partnerRoutes } from './partner-routes.ts';
import { teamRoutes } from './team-routes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is behind an operator request; set on every route under /operator. */
    actor: Actor;
  }
}

/** The operator's interface: an explicit list of its resources, behind its own credentials. */
export function operatorRoutes(app: App, deps: Deps): void {
  const expected = digest(deps.operatorToken);
  app.addHook('onRequest', async (request) => {
    const token = bearerToken(request);
    if (token === null || !timingSafeEqual(digest(token), expected)) {
      throw new ApiError('UNAUTHORIZED', 'The operator token is missing or not valid');
    }
    request.actor = 'operator:first-token';
    if (request.is404) throw notFound('Route');
  });
  app.setNotFoundHandler(() => {
    throw new Error('the hook answers unknown routes');
  });

  partnerRoutes(app, deps);
  catalogueAdminRoutes(app, deps);
  teamRoutes(app, deps);
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function bearerToken(request: FastifyRequest): string | null {
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}
