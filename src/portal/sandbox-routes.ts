import type { PlanCache } from '../availability/plan.ts';
import { linksOf } from '../bookings/links.ts';
import type { Tracking } from '../bookings/tracking.ts';
import type { Sealer } from '../db/sealing.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { advanceBooking } from '../simulator/advance.ts';
import { clearFaults, readFaults, setFault } from '../simulator/faults.ts';
import { DEFAULT_EVERY } from '../simulator/rules.ts';
import { listRunningOf } from '../simulator/run-queries.ts';
import { listRuns, startRun, stopRun } from '../simulator/runs.ts';
import {
  Advance,
  Advanced,
  BookingParams,
  Customers,
  Faults,
  Run,
  RunParams,
  SetFault,
  StartRun,
  SubscriptionParams,
} from '../simulator/schema.ts';
import { SCRIPTED_CUSTOMERS } from '../simulator/scripted-customers.ts';
import { advancedView, runView } from '../simulator/view.ts';

type PortalSandboxDeps = RouteParts & { plans: PlanCache; sealer: Sealer; tracking: Tracking };

/** The simulator on the pages of a sandbox; production has no such routes. */
export function portalSandboxRoutes(app: App, deps: PortalSandboxDeps): void {
  advanceRoute(app, deps);
  runRoutes(app, deps);
  customerRoute(app);
  faultRoutes(app, deps);
}

function advanceRoute(app: App, deps: PortalSandboxDeps): void {
  const route = routesOf(app, {
    tags: ['Sandbox'],
    params: BookingParams,
    config: { permission: 'partner_bookings_update' },
  });

  route.post('/portal/api/sandbox/bookings/:bookingId/advance', {
    operationId: 'advanceBooking',
    summary: 'Move the appointment of a booking to its next status',
    errors: ['INVALID_TRANSITION'],
    body: Advance,
    optionalBody: true,
    response: { data: Advanced },
    answer: async ({ visitor, params, body }) => {
      const booking = { partnerId: visitor.partnerId, bookingId: params.bookingId };
      const advanced = await advanceBooking(deps, deps.clock.now(), booking, body.to);
      return advancedView(linksOf(deps, visitor), advanced);
    },
  });
}

function runRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, {
    tags: ['Sandbox'],
    params: BookingParams,
    config: { permission: 'partner_bookings_read' },
  });

  route.get('/portal/api/sandbox/bookings/:bookingId/runs', {
    operationId: 'listRuns',
    summary: 'List the runs of a booking, newest first',
    response: { list: Run },
    answer: async ({ visitor, params }) =>
      (await listRuns(db, visitor.partnerId, params.bookingId)).map(runView),
  });

  route.post('/portal/api/sandbox/bookings/:bookingId/runs', {
    operationId: 'startRun',
    summary: 'Play a script on a booking, step by step',
    errors: ['INVALID_TRANSITION', 'CONFLICT'],
    body: StartRun,
    config: { permission: 'partner_bookings_update' },
    response: { data: Run },
    answer: async ({ visitor, params, body }) => {
      const wanted = { script: body.script, everySeconds: body.everySeconds ?? DEFAULT_EVERY };
      const booking = { partnerId: visitor.partnerId, bookingId: params.bookingId };
      return runView(await startRun(db, clock.now(), booking, wanted));
    },
  });

  route.get('/portal/api/sandbox/runs', {
    operationId: 'listRunningRuns',
    summary: 'List the runs that are under way, of all bookings, newest first',
    response: { list: Run },
    answer: async ({ visitor }) => (await listRunningOf(db, visitor.partnerId)).map(runView),
  });

  route.delete('/portal/api/sandbox/bookings/:bookingId/runs/:runId', {
    operationId: 'stopRun',
    summary: 'Stop a run; what it has done stays',
    missing: ['Booking', 'Run'],
    params: RunParams,
    config: { permission: 'partner_bookings_update' },
    response: { data: Run },
    answer: async ({ visitor, params }) => {
      const booking = { partnerId: visitor.partnerId, bookingId: params.bookingId };
      return runView(await stopRun(db, clock.now(), booking, params.runId));
    },
  });
}

function customerRoute(app: App): void {
  const route = routesOf(app, { tags: ['Sandbox'], config: { permission: 'partner_bookings_read' } });

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

function faultRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, {
    tags: ['Sandbox'],
    missing: ['Webhook subscription'],
    params: SubscriptionParams,
    config: { permission: 'partner_webhooks_manage' },
  });

  route.get('/portal/api/sandbox/subscriptions/:id/faults', {
    operationId: 'listFaults',
    summary: 'List the faults that are left, and the deliveries that got one',
    response: { data: Faults },
    answer: async ({ visitor, params }) => await readFaults(db, visitor.partnerId, params.id),
  });

  route.post('/portal/api/sandbox/subscriptions/:id/faults', {
    operationId: 'setFault',
    summary: 'Have the next deliveries lost, delayed, doubled, reordered or badly signed',
    body: SetFault,
    response: { data: Faults },
    answer: async ({ visitor, params, body }) => {
      const subscription = { partnerId: visitor.partnerId, subscriptionId: params.id };
      return await setFault(db, clock.now(), subscription, body);
    },
  });

  route.delete('/portal/api/sandbox/subscriptions/:id/faults', {
    operationId: 'clearFaults',
    summary: 'Clear the faults that are left',
    response: { data: Faults },
    answer: async ({ visitor, params }) => await clearFaults(db, visitor.partnerId, params.id),
  });
}
