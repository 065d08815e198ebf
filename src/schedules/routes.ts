import { PREVIEWED } from '../catalogue/conflicts.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { EtagHeader, tagged } from '../http/if-match.ts';
import { routesOf } from '../http/routes.ts';
import { IdParams } from '../http/schemas.ts';
import { listSchedules } from '../teams/schedule-queries.ts';
import {
  CreateSchedule,
  ScheduleResource,
  SchedulesQuery,
  UpdateSchedule,
} from '../teams/schedule-schema.ts';
import { allTemplates, templatesOf } from '../teams/schedule-templates.ts';
import { scheduleView } from '../teams/schedule-view.ts';
import { readSchedule } from '../teams/schedules.ts';
import { saveSchedule } from './schedules.ts';
import {
  DayOfTeam,
  HoursOfTeam,
  ScheduleChange,
  ScheduleTemplate,
  TeamHoursQuery,
  TemplatesQuery,
} from './schema.ts';
import { readTeamHours, readZoneHours } from './team-hours.ts';

const PREVIEW =
  'The response says which appointments now lie outside of their team’s hours, whom to call, and how the hours of each ' +
  'zone change; with `preview=true` nothing is kept.';

/** Schedules: the hours of teams on certain dates; and a team's hours as they are. */
export function scheduleRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Teams'], missing: ['Schedule'], params: IdParams });

  route.get('/operator/schedules', {
    operationId: 'listSchedules',
    summary: 'List schedules: hours on certain dates, closures, breaks',
    query: SchedulesQuery,
    response: { page: ScheduleResource },
    answer: async ({ query }) => pageOf(await listSchedules(db, query), scheduleView),
  });

  route.get('/operator/schedules/templates', {
    operationId: 'listScheduleTemplates',
    summary: 'Show Ramadan, both Eids and the national days of a Hijri year, or all, as schedules to confirm',
    query: TemplatesQuery,
    response: { list: ScheduleTemplate },
    answer: async ({ query: { year } }) => (year === undefined ? allTemplates() : templatesOf(year)),
  });

  route.get('/operator/schedules/:id', {
    operationId: 'getSchedule',
    summary: 'Read a schedule',
    etag: true,
    response: { data: ScheduleResource },
    answer: async ({ params }) => scheduleView(await readSchedule(db, params.id)),
  });

  route.get('/operator/teams/:id/hours', {
    operationId: 'getTeamHours',
    summary: 'Show the hours of a team on some dates, and the schedules that they come from',
    missing: ['Team'],
    query: TeamHoursQuery,
    response: { list: DayOfTeam },
    answer: async ({ params, query }) => await readTeamHours(db, params.id, query),
  });

  route.get('/operator/zones/:id/hours', {
    operationId: 'getZoneHours',
    summary: 'Show the hours of the teams of a zone on some dates, and the schedules that they come from',
    tags: ['Catalogue'],
    missing: ['Zone'],
    query: TeamHoursQuery,
    response: { list: HoursOfTeam },
    answer: async ({ params, query }) => await readZoneHours(db, params.id, query),
  });

  route.post('/operator/schedules', {
    operationId: 'createSchedule',
    summary: 'Create a schedule, or preview what would come of it',
    description: PREVIEW,
    ...PREVIEWED,
    body: CreateSchedule,
    response: { data: ScheduleChange },
    answer: async ({ actor, body, query }) => {
      const change = { kind: 'create' as const, input: body };
      return await saveSchedule(db, clock.now(), actor, { ...query, change });
    },
  });

  route.patch('/operator/schedules/:id', {
    operationId: 'updateSchedule',
    summary: 'Change a schedule, or preview what would come of it',
    description: PREVIEW,
    ...PREVIEWED,
    body: UpdateSchedule,
    ifMatch: true,
    responseHeaders: EtagHeader,
    response: { data: ScheduleChange },
    answer: async ({ actor, params, body, query, wanted }, reply) => {
      const change = { kind: 'update' as const, id: params.id, input: body, wanted };
      const saved = await saveSchedule(db, clock.now(), actor, { ...query, change });
      if (saved.isApplied) tagged(reply, saved.schedule!.version);
      return saved;
    },
  });

  route.delete('/operator/schedules/:id', {
    operationId: 'removeSchedule',
    summary: 'Remove a schedule, or preview what would come of it',
    description: PREVIEW,
    ...PREVIEWED,
    ifMatch: true,
    response: { data: ScheduleChange },
    answer: async ({ actor, params, query, wanted }) => {
      const change = { kind: 'remove' as const, id: params.id, wanted };
      return await saveSchedule(db, clock.now(), actor, { ...query, change });
    },
  });
}
