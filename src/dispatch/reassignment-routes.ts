import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import { IdParams } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import { Reassign, ReassignResponse } from './reassignment-schema.ts';
import { applyReassignments, planReassignments } from './reassignments.ts';

/** Moving the appointments of a team that is away. */
export function operatorReassignmentRoutes(
  app: App,
  { db, clock, plans }: Pick<Deps, 'db' | 'clock' | 'plans'>,
): void {
  app.post(
    '/teams/:id/reassignments',
    {
      schema: {
        operationId: 'reassignAppointments',
        summary: 'Plan where the appointments of a team that is away could go, or move them there',
        description:
          'Without `apply` it returns a plan and changes nothing: for each appointment of the team in this time the ' +
          'place that suits best: at its own time with another team, else with the team itself when it is back, else ' +
          'with another team at another time. With `apply` it makes the chosen ' +
          'moves, one after the other; a row whose appointment has changed since is refused, and the others go on. It ' +
          'can be sent again safely.',
        tags: ['Teams'],
        missing: ['Team'],
        params: IdParams,
        body: Reassign,
        response: { 200: ReassignResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params, body }) => {
      const now = clock.now();
      const { apply } = body;
      if (apply === undefined)
        return success({
          plan: await planReassignments(db, now, params.id, body),
          results: null,
          groupId: null,
        });
      const done = await applyReassignments({ db, plans }, now, actor, { ...body, apply, teamId: params.id });
      return success({ plan: null, ...done });
    },
  );
}
