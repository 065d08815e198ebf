import type { App } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { type SimulatorRouteDeps, sandboxRoutes } from '../simulator/routes.ts';
import { listRunningOf } from '../simulator/run-queries.ts';
import { Customers, Run } from '../simulator/schema.ts';
import { SCRIPTED_CUSTOMERS } from '../simulator/scripted-customers.ts';
import { runView } from '../simulator/view.ts';

/** The simulator on the pages of a sandbox; production has no such routes. */
export function portalSandboxRoutes(app: App, deps: SimulatorRouteDeps): void {
  const route = routesOf(app, { tags: ['Sandbox'], config: { permission: 'partner_bookings_read' } });

  sandboxRoutes(app, deps);

  route.get('/portal/api/sandbox/runs', {
    operationId: 'listRunningRuns',
    summary: 'List the runs that are under way, of all bookings, newest first',
    response: { list: Run },
    answer: async ({ visitor }) => (await listRunningOf(deps.db, visitor.partnerId)).map(runView),
  });

  route.get('/portal/api/sandbox/customers', {
    operationId: 'listCustomers',
    summary: 'List the phone numbers of customers who act by themselves',
    response: { list: Customers },
    answer: async () =>
      SCRIPTED_CUSTOMERS.map(({ script, hold, ...customer }) => ({
        ...customer,
        script: script ?? hold ?? ('nothing' as const),
      })),
  });
}
