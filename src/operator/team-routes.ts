import {
  createTeam,
  createTimeOff,
  listTeams,
  listTimeOff,
  readTeam,
  removeTeam,
  removeTimeOff,
  updateTeam,
} from '../availability/admin.ts';
import {
  CreateTeam,
  CreateTimeOff,
  TeamResponse,
  TeamsQuery,
  TeamsResponse,
  TimeOffParams,
  TimeOffResponse,
  TimesOffQuery,
  TimesOffResponse,
  UpdateTeam,
} from '../availability/admin-schema.ts';
import { teamView, timeOffWithAppointmentsView } from '../availability/admin-view.ts';
import { IdParams } from '../catalogue/admin-schema.ts';
import type { Deps } from '../deps.ts';
import { success, successPage } from '../platform/envelope.ts';
import type { App } from '../platform/http.ts';
import { Removed, Success } from '../platform/schemas.ts';

/** Teams and their time off in the operator's interface. */
export function teamRoutes(app: App, deps: Deps): void {
  teamResourceRoutes(app, deps);
  timeOffRoutes(app, deps);
}

function teamResourceRoutes(app: App, { db, clock }: Deps): void {
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
        errors: [{ code: 'CONFLICT', message: 'name is already used by another team' }],
        body: CreateTeam,
        response: { 201: TeamResponse },
      },
    },
    async ({ actor, body }, reply) => {
      const row = await createTeam(db, clock.now(), actor, body);
      reply.code(201);
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
      },
    },
    async ({ params }) => success(teamView(await readTeam(db, params.id))),
  );

  app.patch(
    '/teams/:id',
    {
      schema: {
        operationId: 'updateTeam',
        summary: 'Change fields of a team',
        tags: ['Teams'],
        missing: ['Team'],
        errors: [{ code: 'CONFLICT', message: 'name is already used by another team' }],
        params: IdParams,
        body: UpdateTeam,
        response: { 200: TeamResponse },
      },
    },
    async ({ actor, params, body }) => {
      const row = await updateTeam(db, clock.now(), actor, params.id, body);
      return success(teamView(row));
    },
  );

  app.delete(
    '/teams/:id',
    {
      schema: {
        operationId: 'removeTeam',
        summary: 'Remove a team that nothing uses',
        tags: ['Teams'],
        missing: ['Team'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'The team is in use: deactivate it instead',
            details: { usedBy: { appointments: 2 } },
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

function timeOffRoutes(app: App, { db, clock }: Deps): void {
  app.get(
    '/teams/:id/time-off',
    {
      schema: {
        operationId: 'listTimeOff',
        summary: 'List the time off of a team and the appointments it hits',
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
        summary: 'Take a team off for a while',
        tags: ['Teams'],
        missing: ['Team'],
        params: IdParams,
        body: CreateTimeOff,
        response: { 201: TimeOffResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params, body }, reply) => {
      const row = await createTimeOff(db, clock.now(), actor, params.id, body);
      reply.code(201);
      return success(timeOffWithAppointmentsView(row));
    },
  );

  app.delete(
    '/teams/:id/time-off/:timeOffId',
    {
      schema: {
        operationId: 'removeTimeOff',
        summary: 'Remove a time off',
        tags: ['Teams'],
        missing: ['Team', 'Time off'],
        params: TimeOffParams,
        response: { 200: Success(Removed) },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params }) => {
      const { id: teamId, timeOffId } = params;
      const { id } = await removeTimeOff(db, clock.now(), actor, { teamId, timeOffId });
      return success({ id, removed: true as const });
    },
  );
}
