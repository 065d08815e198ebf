import type { PlanCache } from '../availability/plan.ts';
import { realTime, riyadhIsoOrNull, toRiyadhIso, toUtcIso } from '../base/clock.ts';
import { ApiError, notFound } from '../base/errors.ts';
import { touch } from '../db/last-times.ts';
import type { Sealer } from '../db/sealing.ts';
import type { AuthFailures } from '../http/auth-failures.ts';
import { cookieOf, isSecure, setCookie } from '../http/cookies.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import { recordLastUses } from '../runtime/last-uses.ts';
import type { Logger } from '../runtime/logger.ts';
import { crewVisitView, readDay } from './day.ts';
import { deleteSession, TOUCH_CREW_SESSIONS } from './queries.ts';
import { COOKIE_SECONDS, SESSION_COOKIE } from './rules.ts';
import {
  CrewCookie,
  CrewDay,
  CrewMe,
  CrewSignedOut,
  OpenCrewSession,
  ServiceTime,
  StepTaken,
  TakeStep,
  VisitParams,
} from './schema.ts';
import { type Crew, findCrew, signInCrew } from './sessions.ts';
import { takeCrewStep } from './steps.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The telephone of the request; set on every route under /crew/api but the one that signs in. */
    crew: Crew;
  }
  interface FastifyContextConfig {
    /** `none`: without a session. `ended`: also after the end of its link. */
    crew?: 'none' | 'ended';
  }
}

type CrewDeps = RouteParts & {
  sealer: Sealer;
  config: { publicUrl: string };
  authFailures: AuthFailures;
  plans: PlanCache;
  logger: Logger;
};

/**
 * The interface of the crew's page, for pages of this origin only. Throws UNAUTHORIZED, FORBIDDEN and
 * RATE_LIMIT_EXCEEDED (failed authentications).
 */
export function crewRoutes(app: App, deps: CrewDeps): void {
  const { db, clock, authFailures, logger } = deps;
  const lastSeen = recordLastUses(
    (seen) => touch(db, TOUCH_CREW_SESSIONS, seen),
    (error) => logger.warn({ err: error }, 'usage of the crew page could not be written'),
  );
  app.addHook('onClose', lastSeen.close);
  app.addHook('onRequest', async (request, reply) => {
    if (!isSameOrigin(request))
      throw new ApiError('FORBIDDEN', 'Another site sent this request', { check: 'origin' });
    const { crew: need } = request.routeConfig;
    if (need === 'none') return;
    const realNow = realTime(clock);
    const secret = cookieOf(request, SESSION_COOKIE);
    const crew = secret === null ? null : await findCrew(db, realNow, secret);
    if (crew === null) {
      await authFailures.count(request, reply, clock.now());
      throw sessionEnded(secret === null ? 'missing' : 'not-valid');
    }
    request.crew = crew;
    request.callerId = crew.actor;
    request.authenticated = true;
    if (request.is404) throw notFound('Route');
    if (crew.countsUntil !== null && need !== 'ended') throw sessionEnded('link-ended');
    lastSeen.touch(crew.sessionId, realNow);
  });
  app.setNotFoundHandler(() => {
    throw new Error('the hook responds to unknown routes');
  });
  sessionRoutes(app, deps);
  visitRoutes(app, deps);
}

const sessionEnded = (reason: 'missing' | 'not-valid' | 'link-ended'): ApiError =>
  new ApiError('UNAUTHORIZED', 'The session is missing or has ended', { check: 'session', reason });

function sessionRoutes(app: App, { db, clock, config, authFailures }: CrewDeps): void {
  const cookie = (isSafe: boolean, secret: string | null): string =>
    setCookie({ name: SESSION_COOKIE, path: '/crew', seconds: COOKIE_SECONDS, isSecure: isSafe }, secret);

  const route = routesOf(app, { tags: ['Session'] });

  route.post('/crew/api/sessions', {
    operationId: 'openCrewSession',
    summary: 'Sign a telephone in with a link of the operator',
    description:
      'Several telephones may use one link. A telephone that it has signed in already keeps its session.',
    body: OpenCrewSession,
    config: { crew: 'none' },
    responseHeaders: CrewCookie([201]),
    status: 201,
    response: { data: CrewMe },
    answer: async (request, reply) => {
      const browser = {
        userAgent: request.headers['user-agent'] ?? '',
        secret: cookieOf(request, SESSION_COOKIE),
      };
      try {
        const { crew, secret } = await signInCrew(db, realTime(clock), request.body, browser);
        if (secret !== null) reply.header('set-cookie', cookie(isSecure(request, config.publicUrl), secret));
        reply.code(201);
        return meView(crew);
      } catch (error) {
        const isFailure = error instanceof ApiError && error.code === 'UNAUTHORIZED';
        // The page learns by these what the link asks.
        if (isFailure && !['pin-missing', 'other-team'].includes(String(error.details.reason)))
          await authFailures.count(request, reply, clock.now());
        throw error;
      }
    },
  });

  route.delete('/crew/api/session', {
    operationId: 'endCrewSession',
    summary: 'Sign the telephone out',
    config: { crew: 'ended' },
    responseHeaders: CrewCookie([200]),
    response: { data: CrewSignedOut },
    answer: async (request, reply) => {
      await deleteSession(db, request.crew.sessionId);
      reply.header('set-cookie', cookie(isSecure(request, config.publicUrl), null));
      return { signedOut: true as const };
    },
  });

  route.get('/crew/api/me', {
    operationId: 'getCrewMe',
    summary: "Read whose page it is, and the service's time",
    response: { data: CrewMe },
    answer: async ({ crew }) => meView(crew),
  });

  type Me = Pick<Crew, 'teamId' | 'teamName' | 'teamNameAr' | 'expiresAt'>;
  function meView({ teamId, teamName, teamNameAr, expiresAt }: Me) {
    return {
      teamId,
      teamName,
      teamNameAr,
      expiresAt: riyadhIsoOrNull(expiresAt),
      endsAt: expiresAt === null ? null : toRiyadhIso(expiresAt + clock.offset()),
      now: toRiyadhIso(clock.now()),
    };
  }
}

function visitRoutes(app: App, { db, sealer, clock, plans }: CrewDeps): void {
  const route = routesOf(app, { tags: ['Visits'], missing: ['Visit'], params: VisitParams });

  route.get('/crew/api/day', {
    operationId: 'getCrewDay',
    summary: "Read the team's visits of today and tomorrow, in order",
    ifNoneMatch: true,
    responseHeaders: ServiceTime,
    response: { data: CrewDay },
    answer: async ({ crew }, reply) => {
      const now = clock.now();
      // Not in the body: an unchanged day has the same tag.
      reply.header('service-time', toUtcIso(now));
      return await readDay({ db, sealer }, now, crew);
    },
  });

  route.post('/crew/api/visits/:id/steps', {
    operationId: 'takeCrewStep',
    summary: 'Report a step of a visit, once or again',
    description:
      'Steps are sent in the order in which they happened, each until it is answered. A refused one has changed ' +
      'nothing, is told to the office, and need not be sent again. For 12 hours after a link has expired steps that ' +
      'happened before count; of a revoked one they are refused.',
    body: TakeStep,
    config: { crew: 'ended' },
    response: { data: StepTaken },
    answer: async ({ crew, params, body }) => {
      const now = clock.now();
      const step = { ...body, appointmentId: params.id };
      const countsUntil = crew.countsUntil === null ? null : crew.countsUntil + clock.offset();
      const { refusal, visit } = await takeCrewStep({ db, plans }, now, { ...crew, countsUntil }, step);
      return {
        outcome: refusal === null ? ('DONE' as const) : ('REFUSED' as const),
        refusal,
        visit: visit === null ? null : crewVisitView(visit, now, sealer),
      };
    },
  });
}
