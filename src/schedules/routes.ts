import type { App } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import { EtagHeader, IfMatchHeader, ifMatchRules, STALE, tagged, wantedVersions } from '../http/if-match.ts';
import { IdParams } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import {
  CreateSchedule,
  ScheduleResponse,
  SchedulesQuery,
  SchedulesResponse,
  UpdateSchedule,
} from '../teams/schedule-schema.ts';
import { allTemplates, templatesOf } from '../teams/schedule-templates.ts';
import { scheduleView } from '../teams/schedule-view.ts';
import { listSchedules, readSchedule } from '../teams/schedules.ts';
import { saveSchedule } from './schedules.ts';
import {
  PreviewQuery,
  ScheduleChangeResponse,
  TeamHoursQuery,
  TeamHoursResponse,
  TemplatesQuery,
  TemplatesResponse,
  ZoneHoursResponse,
} from './schema.ts';
import { readTeamHours, readZoneHours } from './team-hours.ts';

const PREVIEW =
  'The response says which appointments now lie outside of their team’s hours, whom to call, and how the hours of each ' +
  'zone change; with `preview=true` nothing is kept.';

/** Schedules: the hours of teams on certain dates; and a team's hours as they are. */
export function scheduleRoutes(app: App, deps: Pick<Deps, 'db' | 'clock'>): void {
  readRoutes(app, deps);
  changeRoutes(app, deps);
}

function readRoutes(app: App, { db }: Pick<Deps, 'db'>): void {
  app.get(
    '/schedules',
    {
      schema: {
        operationId: 'listSchedules',
        summary: 'List schedules: hours on certain dates, closures, breaks',
        tags: ['Teams'],
        querystring: SchedulesQuery,
        response: { 200: SchedulesResponse },
      },
    },
    async ({ query }) => successPage(query, await listSchedules(db, query), scheduleView),
  );

  app.get(
    '/schedules/templates',
    {
      schema: {
        operationId: 'listScheduleTemplates',
        summary:
          'Show Ramadan, both Eids and the national days of a Hijri year, or all, as schedules to confirm',
        tags: ['Teams'],
        querystring: TemplatesQuery,
        response: { 200: TemplatesResponse },
      },
    },
    async ({ query: { year } }) => success(year === undefined ? allTemplates() : templatesOf(year)),
  );

  app.get(
    '/schedules/:id',
    {
      schema: {
        operationId: 'getSchedule',
        summary: 'Read a schedule',
        tags: ['Teams'],
        missing: ['Schedule'],
        params: IdParams,
        response: { 200: ScheduleResponse },
        responseHeaders: EtagHeader,
      },
    },
    async ({ params }, reply) => {
      const row = await readSchedule(db, params.id);
      tagged(reply, row.version);
      return success(scheduleView(row));
    },
  );

  app.get(
    '/teams/:id/hours',
    {
      schema: {
        operationId: 'getTeamHours',
        summary: 'Show the hours of a team on some dates, and the schedules that they come from',
        tags: ['Teams'],
        missing: ['Team'],
        params: IdParams,
        querystring: TeamHoursQuery,
        response: { 200: TeamHoursResponse },
      },
    },
    async ({ params, query }) => success(await readTeamHours(db, params.id, query)),
  );

  app.get(
    '/zones/:id/hours',
    {
      schema: {
        operationId: 'getZoneHours',
        summary: 'Show the hours of the teams of a zone on some dates, and the schedules that they come from',
        tags: ['Catalogue'],
        missing: ['Zone'],
        params: IdParams,
        querystring: TeamHoursQuery,
        response: { 200: ZoneHoursResponse },
      },
    },
    async ({ params, query }) => success(await readZoneHours(db, params.id, query)),
  );
}

function changeRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.post(
    '/schedules',
    {
      schema: {
        operationId: 'createSchedule',
        summary: 'Create a schedule, or preview what would come of it',
        description: PREVIEW,
        tags: ['Teams'],
        querystring: PreviewQuery,
        body: CreateSchedule,
        response: { 200: ScheduleChangeResponse },
      },
    },
    async ({ actor, body, query }) => {
      const change = { kind: 'create' as const, input: body };
      return success(
        await saveSchedule(db, clock.now(), actor, { change, isPreview: query.preview === 'true' }),
      );
    },
  );

  app.patch(
    '/schedules/:id',
    {
      schema: {
        operationId: 'updateSchedule',
        summary: 'Change a schedule, or preview what would come of it',
        description: PREVIEW,
        tags: ['Teams'],
        missing: ['Schedule'],
        errors: [STALE],
        params: IdParams,
        headers: IfMatchHeader,
        querystring: PreviewQuery,
        body: UpdateSchedule,
        response: { 200: ScheduleChangeResponse },
        responseHeaders: EtagHeader,
      },
      config: { rules: ifMatchRules },
    },
    async (request, reply) => {
      const { actor, params, body, query } = request;
      const wanted = wantedVersions(request);
      const change = { kind: 'update' as const, id: params.id, input: body, wanted };
      const isPreview = query.preview === 'true';
      const saved = await saveSchedule(db, clock.now(), actor, { change, isPreview });
      if (!isPreview) tagged(reply, saved.schedule!.version);
      return success(saved);
    },
  );

  app.delete(
    '/schedules/:id',
    {
      schema: {
        operationId: 'removeSchedule',
        summary: 'Remove a schedule, or preview what would come of it',
        description: PREVIEW,
        tags: ['Teams'],
        missing: ['Schedule'],
        errors: [STALE],
        params: IdParams,
        headers: IfMatchHeader,
        querystring: PreviewQuery,
        response: { 200: ScheduleChangeResponse },
      },
      config: { rules: ifMatchRules },
    },
    async (request) => {
      const { actor, params, query } = request;
      const change = { kind: 'remove' as const, id: params.id, wanted: wantedVersions(request) };
      return success(
        await saveSchedule(db, clock.now(), actor, { change, isPreview: query.preview === 'true' }),
      );
    },
  );
}
