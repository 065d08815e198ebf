import type { PlanCache } from '../availability/plan.ts';
import type { ProposedFirst } from '../availability/proposals.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { IdParams } from '../http/schemas.ts';
import { MOVES_REFUSED } from './batch-moves.ts';
import { reportDone } from './done.ts';
import { DoneReport, ReportDone } from './done-schema.ts';
import { Reassign, ReassignChosen, Reassignments, Undo, UndoReassignments } from './reassignment-schema.ts';
import {
  applyChosen,
  applyReassignments,
  planChosen,
  planReassignments,
  undoReassignments,
} from './reassignments.ts';

/** Moving the appointments of a team that is away, and chosen ones, and back; and completing many. */
export function operatorReassignmentRoutes(
  app: App,
  { db, clock, plans, config }: RouteParts & { plans: PlanCache; config: { proposedFirst: ProposedFirst } },
): void {
  const planning = { db, first: config.proposedFirst };
  const route = routesOf(app, {
    tags: ['Appointments'],
    missing: ['Team'],
    params: IdParams,
    config: { role: 'dispatcher' },
  });

  route.post('/operator/teams/:id/reassignments', {
    operationId: 'reassignAppointments',
    summary: 'Plan where the appointments of a team that is away could go, or move them there',
    description:
      'Without `apply` it returns a plan and changes nothing: for each appointment of the team in this time the ' +
      'place that suits best, and others: on its own date before later ones, and there first at its own time with another team, or ' +
      'with the team itself when it is back, as PROPOSED_FIRST says. With `apply` it makes the chosen ' +
      'moves, one after the other; a row whose appointment has changed since is refused, and the others go on. It ' +
      'can be sent again safely.',
    tags: ['Teams'],
    body: Reassign,
    response: { data: Reassignments },
    answer: async ({ actor, params, body }) => {
      const now = clock.now();
      const { apply } = body;
      if (apply === undefined)
        return {
          plan: await planReassignments(planning, now, params.id, body),
          results: null,
          groupId: null,
        };
      const done = await applyReassignments({ db, plans }, now, actor, { ...body, apply, teamId: params.id });
      return { plan: null, ...done };
    },
  });

  route.post('/operator/appointments/reassignments', {
    operationId: 'reassignChosen',
    summary: 'Plan where chosen appointments could go, or move them there',
    description:
      'As for a team that is away, for appointments of any teams: those that lie outside of the hours of a season, ' +
      'for instance. With ' +
      '`apply` it makes the chosen moves, one after the other; it can be sent again safely.',
    missing: ['Appointment'],
    body: ReassignChosen,
    response: { data: Reassignments },
    answer: async ({ actor, body }) => {
      const now = clock.now();
      const { appointmentIds, apply } = body;
      if (apply === undefined)
        return { plan: await planChosen(planning, now, appointmentIds), results: null, groupId: null };
      const done = await applyChosen({ db, plans }, now, actor, { appointmentIds, apply });
      return { plan: null, ...done };
    },
  });

  route.post('/operator/appointments/done', {
    operationId: 'reportDone',
    summary: 'Complete visits that were done, with the real times that their crews told by telephone',
    description:
      'Each visit passes the statuses that are left until `Completed`: `changedAt` of `Finished` and `Completed` is `end`, of those ' +
      'before them `begin`. Events, fees and statements follow as for single changes; the customer is not told that somebody is ' +
      'on the way. One that is refused does not hold up the others: times in the future (`FUTURE`), more than 12 hours from ' +
      'those of the visit (`OTHER_DAY`) or before its present status (`BEFORE_STATUS`), or a status or payment that does not allow ' +
      'it. Later steps of the crew are repeats. It can be sent again safely.',
    body: ReportDone,
    missing: [],
    response: { data: DoneReport },
    answer: async ({ actor, body }) => await reportDone({ db, plans }, clock.now(), actor, body),
  });

  route.post('/operator/appointments/reassignments/undo', {
    operationId: 'undoReassignments',
    summary: 'Move reassigned appointments back',
    description:
      'Moves the named appointments back and, if `timeOff` is sent, removes it, all or none: one that has changed ' +
      'since, or whose old time another one has taken, is refused with everything else as it was. Other rules ' +
      'do not count. Time off that is removed already is no obstacle.',
    missing: ['Appointment'],
    errors: MOVES_REFUSED,
    body: UndoReassignments,
    response: { data: Undo },
    answer: async ({ actor, body }) => await undoReassignments({ db, plans }, clock.now(), actor, body),
  });
}
