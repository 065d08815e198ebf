import Type from 'typebox';
import { type Clock, TIME_ZONE, toRiyadhIso } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { Choice, Nullable, Stamp, Text, Uuid } from '../http/schemas.ts';
import type { Deployment } from '../partners/keys.ts';
import { ROLES } from './roles.ts';
import { tokenName } from './tokens.ts';

const Me = Type.Object(
  {
    role: Choice([...ROLES], 'What the token may do: each role also what those before it may'),
    name: Nullable(Text('Name of the token; null: the first one, OPERATOR_TOKEN', 'Dispatch desk')),
    actor: Text('How the audit log and histories name it', 'operator:first-token'),
    session: Nullable(
      Type.Object(
        {
          id: Uuid('Session'),
          expiresAt: Stamp('When it ends, in real time'),
        },
        { description: 'The session of the cookie; null: the request has a bearer token' },
      ),
    ),
    deployment: Choice(['sandbox', 'production'], 'Kind of deployment'),
    now: Stamp("The service's time; a sandbox's may be ahead of real time"),
    timeZone: Text('Time zone of all dates and times of day', TIME_ZONE, 50),
  },
  { title: 'Me' },
);

/** The caller's token, and the deployment. */
export function meRoutes(
  app: App,
  { config, clock, db }: { config: { deployment: Deployment }; clock: Clock; db: Db },
): void {
  const route = routesOf(app, { tags: ['Operator tokens'] });

  route.get('/operator/me', {
    operationId: 'getMe',
    summary: 'Read whose token or session it is, what it may do, and the time and kind of the deployment',
    response: { data: Me },
    answer: async ({ actor, role, tokenId, session }) => ({
      role,
      name: await tokenName(db, tokenId),
      actor,
      session: session && { id: session.id, expiresAt: toRiyadhIso(session.expiresAt) },
      deployment: config.deployment,
      now: toRiyadhIso(clock.now()),
      timeZone: TIME_ZONE,
    }),
  });
}
