import { WithConflicts } from '../catalogue/conflict-schema.ts';
import { PREVIEWED, previewedBy } from '../catalogue/conflicts.ts';
import { audit } from '../db/audit.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { pageOf, removed } from '../http/envelope.ts';
import { resourceRoutes } from '../http/resource-routes.ts';
import { routesOf, taken } from '../http/routes.ts';
import { IdParams, Removed } from '../http/schemas.ts';
import { listTeams } from './queries.ts';
import {
  ChangedTeam,
  CreateTeam,
  CreateTimeOff,
  RevealedTeamPhone,
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
  listTimeOff,
  listTimeOffOfTeams,
  readTeam,
  removeTeam,
  removeTimeOff,
  updateTeam,
} from './teams.ts';
import { changedTeamView, teamView, timeOffWithAppointmentsView } from './view.ts';
import { listTeamConflicts } from './visit-queries.ts';

/** Teams and their time off in the operator's interface. */
export function teamRoutes(app: App, deps: RouteParts): void {
  resourceRoutes(app, deps, {
    path: '/operator/teams',
    tags: ['Teams'],
    name: 'Team',
    plural: 'Teams',
    errors: [taken('name', 'team')],
    usedBy: { appointments: 2 },
    versioned: true,
    query: TeamsQuery,
    shown: Team,
    given: CreateTeam,
    changes: UpdateTeam,
    previewed: previewedBy(listTeamConflicts),
    changed: {
      summary: 'Update a team, and read which appointments this takes from it',
      shown: ChangedTeam,
      view: changedTeamView,
    },
    view: teamView,
    list: listTeams,
    read: readTeam,
    create: createTeam,
    update: updateTeam,
    remove: removeTeam,
  });
  timeOffRoutes(app, deps);
  const { db, clock } = deps;
  const route = routesOf(app, { tags: ['Teams'], missing: ['Team'], params: IdParams });
  route.post('/operator/teams/:id/reveal', {
    operationId: 'revealTeamPhone',
    summary: 'Read the phone of a team, which viewers see masked; the audit log has each call',
    config: { role: 'viewer', showsPhone: true },
    response: { data: RevealedTeamPhone },
    answer: ({ actor, params }) =>
      db.transaction(async (tx) => {
        const { phone } = await readTeam(tx, params.id);
        await audit(tx, clock.now(), { actor, action: 'team.reveal', target: `team:${params.id}` });
        return { phone };
      }),
  });
}

function timeOffRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Teams'], missing: ['Team'], params: IdParams });

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
    summary: 'Add time off for a team, or preview what would come of it',
    ...PREVIEWED,
    body: CreateTimeOff,
    config: { role: 'dispatcher' },
    status: 201,
    response: { data: WithConflicts(TimeOff, 'AddedTimeOff') },
    answer: async ({ actor, params, body, query }) => {
      const input = { ...body, teamId: params.id, asked: query };
      const { result, isApplied, conflicts } = await createTimeOff(db, clock.now(), actor, input);
      const told = Object.keys(query).length > 0 && { isApplied, conflicts };
      return { ...timeOffWithAppointmentsView(result), ...told };
    },
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
