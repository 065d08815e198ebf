import type { PlanCache } from '../availability/plan.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { IdParams } from '../http/schemas.ts';
import { MOVES_REFUSED } from './batch-moves.ts';
import { Delay, TeamDelay } from './delay-schema.ts';
import { applyDelay, planDelay } from './delays.ts';

/** Moving the rest of the day of a team that runs late. */
export function operatorDelayRoutes(app: App, { db, clock, plans }: RouteParts & { plans: PlanCache }): void {
  const route = routesOf(app, {
    tags: ['Teams'],
    missing: ['Team', 'Appointment'],
    params: IdParams,
    config: { role: 'dispatcher' },
  });

  route.post('/operator/teams/:id/delays', {
    operationId: 'delayTeam',
    summary: 'Plan what a team that runs late has to do later on a date, or move it',
    description:
      'Without `apply` it returns a plan and changes nothing: what the team has to begin yet, with the new times and ' +
      'the customers to call. With `apply` it moves the named appointments by the minutes, all or none: only an ' +
      'overlap with another appointment is refused, and one with a slot that a customer holds, unless another team is free for it or ' +
      '`displaceHolds` names it.',
    errors: MOVES_REFUSED,
    body: Delay,
    response: { data: TeamDelay },
    answer: async ({ actor, params, body }) => {
      const now = clock.now();
      const { apply } = body;
      if (apply === undefined) {
        const plan = await planDelay(db, now, params.id, body);
        return { plan, appointments: null, groupId: null };
      }
      const done = await applyDelay({ db, plans }, now, actor, { ...body, apply, teamId: params.id });
      return { plan: null, ...done };
    },
  });
}
