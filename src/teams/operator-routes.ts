import type { App, RouteParts } from '../http/edge.ts';
import { pageOf, removed } from '../http/envelope.ts';
import { inUse, routesOf, taken } from '../http/routes.ts';
import { IdParams, Removed } from '../http/schemas.ts';
import {
  ChangedTeam,
  CreateTeam,
  CreateTimeOff,
  Team,
  TeamsQuery,
  TimeOff,
  TimeOffOfTeam,
  TimeOffParams,
  TimesOffBetweenQuery,
  TimesOffQuery,
  UpdateTeam,
} from './schema.ts';
import {
  createTeam,
  createTimeOff,
  listTeams,
  listTimeOff,
  listTimeOffOfTeams,
  readTeam,
  removeTeam,
  removeTimeOff,
  updateTeam,
} from './teams.ts';
import { changedTeamView, teamView, timeOffWithAppointmentsView } from './view.ts';

const TEAMS = { tags: ['Teams'], missing: ['Team'], params: IdParams };

/** Teams and their time off in the operator's interface. */
export function teamRoutes(app: App, deps: RouteParts): void {
  teamResourceRoutes(app, deps);
  timeOffRoutes(app, deps);
}

function teamResourceRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, TEAMS);

  route.get('/operator/teams', {
    operationId: 'listTeams',
    summary: 'List teams',
    query: TeamsQuery,
    response: { page: Team },
    answer: async ({ query }) => pageOf(await listTeams(db, query), teamView),
  });

  route.post('/operator/teams', {
    operationId: 'createTeam',
    summary: 'Create a team',
    errors: [taken('name', 'team')],
    body: CreateTeam,
    status: 201,
    etag: true,
    response: { data: Team },
    answer: async ({ actor, body }) =>
      teamView(await db.transaction((tx) => createTeam(tx, clock.now(), actor, body))),
  });

  route.get('/operator/teams/:id', {
    operationId: 'getTeam',
    summary: 'Read a team',
    etag: true,
    response: { data: Team },
    answer: async ({ params }) => teamView(await readTeam(db, params.id)),
  });

  route.patch('/operator/teams/:id', {
    operationId: 'updateTeam',
    summary: 'Update a team, and read which appointments this takes from it',
    errors: [taken('name', 'team')],
    body: UpdateTeam,
    ifMatch: true,
    etag: true,
    response: { data: ChangedTeam },
    answer: async ({ actor, params, body, wanted }) => {
      return changedTeamView(
        await db.transaction((tx) =>
          updateTeam(tx, clock.now(), actor, { id: params.id, changes: body, wanted }),
        ),
      );
    },
  });

  route.delete('/operator/teams/:id', {
    operationId: 'removeTeam',
    summary: 'Remove an unused team',
    errors: [inUse('team', { appointments: 2 })],
    response: { data: Removed },
    answer: async ({ actor, params }) => removed(await removeTeam(db, clock.now(), actor, params.id)),
  });
}

function timeOffRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, TEAMS);

  route.get('/operator/time-off', {
    operationId: 'listTimeOffOfTeams',
    summary: 'List the time off of all teams on some dates and the appointments it affects, by start',
    query: TimesOffBetweenQuery,
    response: { page: TimeOffOfTeam },
    answer: async ({ query }) =>
      pageOf(await listTimeOffOfTeams(db, query), ({ team_name, team_name_ar, ...row }) => ({
        ...timeOffWithAppointmentsView(row),
        teamName: team_name,
        teamNameAr: team_name_ar,
      })),
  });

  route.get('/operator/teams/:id/time-off', {
    operationId: 'listTimeOff',
    summary: 'List the time off of a team and the appointments it affects',
    query: TimesOffQuery,
    response: { page: TimeOff },
    answer: async ({ params, query }) =>
      pageOf(await listTimeOff(db, params.id, query), timeOffWithAppointmentsView),
  });

  route.post('/operator/teams/:id/time-off', {
    operationId: 'createTimeOff',
    summary: 'Add time off for a team',
    body: CreateTimeOff,
    config: { role: 'dispatcher' },
    status: 201,
    response: { data: TimeOff },
    answer: async ({ actor, params, body }) =>
      timeOffWithAppointmentsView(
        await createTimeOff(db, clock.now(), actor, { ...body, teamId: params.id }),
      ),
  });

  route.delete('/operator/teams/:id/time-off/:timeOffId', {
    operationId: 'removeTimeOff',
    summary: 'Remove time off',
    missing: ['Team', 'Time off'],
    params: TimeOffParams,
    config: { role: 'dispatcher' },
    response: { data: Removed },
    answer: async ({ actor, params }) => {
      const { id: teamId, timeOffId } = params;
      const now = clock.now();
      return removed(await db.transaction((tx) => removeTimeOff(tx, now, actor, { teamId, timeOffId })));
    },
  });
}
