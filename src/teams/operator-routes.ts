import type { App } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import {
  EtagHeader,
  EtagOfNew,
  IfMatchHeader,
  ifMatchRules,
  STALE,
  tagged,
  wantedVersions,
} from '../http/if-match.ts';
import { IdParams, Removed, Success } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import {
  ChangedTeamResponse,
  CreateTeam,
  CreateTimeOff,
  TeamResponse,
  TeamsQuery,
  TeamsResponse,
  TimeOffParams,
  TimeOffResponse,
  TimesOffBetweenQuery,
  TimesOffBetweenResponse,
  TimesOffQuery,
  TimesOffResponse,
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

/** Teams and their time off in the operator's interface. */
export function teamRoutes(app: App, deps: Pick<Deps, 'db' | 'clock'>): void {
  teamResourceRoutes(app, deps);
  timeOffRoutes(app, deps);
}

function teamResourceRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/teams',
    {
      schema: {
        operationId: 'listTeams',
        summary: 'List teams',
        tags: ['Teams'],
        querystring: TeamsQuery,
        response: { 200: TeamsResponse },
      },
    },
    async ({ query }) => successPage(query, await listTeams(db, query), teamView),
  );

  app.post(
    '/teams',
    {
      schema: {
        operationId: 'createTeam',
        summary: 'Create a team',
        tags: ['Teams'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'name is already used by another team',
            details: { reason: 'NAME_TAKEN' },
          },
        ],
        body: CreateTeam,
        response: { 201: TeamResponse },
        responseHeaders: EtagOfNew,
      },
    },
    async ({ actor, body }, reply) => {
      const row = await db.transaction((tx) => createTeam(tx, clock.now(), actor, body));
      reply.code(201);
      tagged(reply, row.version);
      return success(teamView(row));
    },
  );

  app.get(
    '/teams/:id',
    {
      schema: {
        operationId: 'getTeam',
        summary: 'Read a team',
        tags: ['Teams'],
        missing: ['Team'],
        params: IdParams,
        response: { 200: TeamResponse },
        responseHeaders: EtagHeader,
      },
    },
    async ({ params }, reply) => {
      const row = await readTeam(db, params.id);
      tagged(reply, row.version);
      return success(teamView(row));
    },
  );

  app.patch(
    '/teams/:id',
    {
      schema: {
        operationId: 'updateTeam',
        summary: 'Update a team, and read which appointments this takes from it',
        tags: ['Teams'],
        missing: ['Team'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'name is already used by another team',
            details: { reason: 'NAME_TAKEN' },
          },
          STALE,
        ],
        params: IdParams,
        headers: IfMatchHeader,
        body: UpdateTeam,
        response: { 200: ChangedTeamResponse },
        responseHeaders: EtagHeader,
      },
      config: { rules: ifMatchRules },
    },
    async (request, reply) => {
      const { actor, params, body } = request;
      const wanted = wantedVersions(request);
      const row = await db.transaction((tx) =>
        updateTeam(tx, clock.now(), actor, { id: params.id, changes: body, wanted }),
      );
      tagged(reply, row.version);
      return success(changedTeamView(row));
    },
  );

  app.delete(
    '/teams/:id',
    {
      schema: {
        operationId: 'removeTeam',
        summary: 'Remove an unused team',
        tags: ['Teams'],
        missing: ['Team'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'The team is in use: deactivate it instead',
            details: { reason: 'IN_USE', usedBy: { appointments: 2 } },
          },
        ],
        params: IdParams,
        response: { 200: Success(Removed) },
      },
    },
    async ({ actor, params }) => {
      const { id } = await removeTeam(db, clock.now(), actor, params.id);
      return success({ id, removed: true as const });
    },
  );
}

function timeOffRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/time-off',
    {
      schema: {
        operationId: 'listTimeOffOfTeams',
        summary: 'List the time off of all teams on some dates and the appointments it affects, by start',
        tags: ['Teams'],
        querystring: TimesOffBetweenQuery,
        response: { 200: TimesOffBetweenResponse },
      },
    },
    async ({ query }) =>
      successPage(query, await listTimeOffOfTeams(db, query), ({ team_name, team_name_ar, ...row }) => ({
        ...timeOffWithAppointmentsView(row),
        teamName: team_name,
        teamNameAr: team_name_ar,
      })),
  );

  app.get(
    '/teams/:id/time-off',
    {
      schema: {
        operationId: 'listTimeOff',
        summary: 'List the time off of a team and the appointments it affects',
        tags: ['Teams'],
        missing: ['Team'],
        params: IdParams,
        querystring: TimesOffQuery,
        response: { 200: TimesOffResponse },
      },
    },
    async ({ params, query }) =>
      successPage(query, await listTimeOff(db, params.id, query), timeOffWithAppointmentsView),
  );

  app.post(
    '/teams/:id/time-off',
    {
      schema: {
        operationId: 'createTimeOff',
        summary: 'Add time off for a team',
        tags: ['Teams'],
        missing: ['Team'],
        params: IdParams,
        body: CreateTimeOff,
        response: { 201: TimeOffResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params, body }, reply) => {
      const row = await createTimeOff(db, clock.now(), actor, { ...body, teamId: params.id });
      reply.code(201);
      return success(timeOffWithAppointmentsView(row));
    },
  );

  app.delete(
    '/teams/:id/time-off/:timeOffId',
    {
      schema: {
        operationId: 'removeTimeOff',
        summary: 'Remove time off',
        tags: ['Teams'],
        missing: ['Team', 'Time off'],
        params: TimeOffParams,
        response: { 200: Success(Removed) },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params }) => {
      const { id: teamId, timeOffId } = params;
      const now = clock.now();
      const { id } = await db.transaction((tx) => removeTimeOff(tx, now, actor, { teamId, timeOffId }));
      return success({ id, removed: true as const });
    },
  );
}
