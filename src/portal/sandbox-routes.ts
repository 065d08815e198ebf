import { linksOf } from '../bookings/links.ts';
import { type App, absentBodyIsEmpty } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import type { Deps } from '../program/deps.ts';
import { advanceBooking } from '../simulator/advance.ts';
import { clearFaults, readFaults, setFault } from '../simulator/faults.ts';
import { MAGIC_CUSTOMERS } from '../simulator/magic-customers.ts';
import { DEFAULT_EVERY } from '../simulator/rules.ts';
import { listRunningOf } from '../simulator/run-queries.ts';
import { listRuns, startRun, stopRun } from '../simulator/runs.ts';
import {
  Advance,
  AdvancedResponse,
  BookingParams,
  CustomersResponse,
  FaultsResponse,
  RunParams,
  RunResponse,
  RunsResponse,
  SetFault,
  StartRun,
  SubscriptionParams,
} from '../simulator/schema.ts';
import { advancedView, runView } from '../simulator/view.ts';

const bookings = { permission: 'partner_bookings_update' as const };
const webhooks = { permission: 'partner_webhooks_manage' as const };

type PortalSandboxDeps = Pick<Deps, 'db' | 'clock' | 'plans' | 'sealer' | 'tracking'>;

/** The simulator on the pages of a sandbox; production has no such routes. */
export function portalSandboxRoutes(app: App, deps: PortalSandboxDeps): void {
  advanceRoute(app, deps);
  runRoutes(app, deps);
  customerRoute(app);
  faultRoutes(app, deps);
}

function advanceRoute(app: App, deps: PortalSandboxDeps): void {
  app.post(
    '/sandbox/bookings/:bookingId/advance',
    {
      schema: {
        operationId: 'advanceBooking',
        summary: 'Move the appointment of a booking to its next status',
        tags: ['Sandbox'],
        errors: ['INVALID_TRANSITION'],
        params: BookingParams,
        body: Advance,
        optionalBody: true,
        response: { 200: AdvancedResponse },
      },
      config: bookings,
      preValidation: absentBodyIsEmpty,
    },
    async ({ visitor, params, body }) => {
      const booking = { partnerId: visitor.partnerId, bookingId: params.bookingId };
      const advanced = await advanceBooking(deps, deps.clock.now(), booking, body.to);
      return success(advancedView(linksOf(deps, visitor), advanced));
    },
  );
}

function runRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/sandbox/bookings/:bookingId/runs',
    {
      schema: {
        operationId: 'listRuns',
        summary: 'List the runs of a booking, newest first',
        tags: ['Sandbox'],
        params: BookingParams,
        response: { 200: RunsResponse },
      },
      config: { permission: 'partner_bookings_read' },
    },
    async ({ visitor, params }) =>
      success((await listRuns(db, visitor.partnerId, params.bookingId)).map(runView)),
  );

  app.post(
    '/sandbox/bookings/:bookingId/runs',
    {
      schema: {
        operationId: 'startRun',
        summary: 'Play a script on a booking, step by step',
        tags: ['Sandbox'],
        errors: ['INVALID_TRANSITION', 'CONFLICT'],
        params: BookingParams,
        body: StartRun,
        response: { 200: RunResponse },
      },
      config: bookings,
    },
    async ({ visitor, params, body }) => {
      const wanted = { script: body.script, everySeconds: body.everySeconds ?? DEFAULT_EVERY };
      const booking = { partnerId: visitor.partnerId, bookingId: params.bookingId };
      return success(runView(await startRun(db, clock.now(), booking, wanted)));
    },
  );

  app.get(
    '/sandbox/runs',
    {
      schema: {
        operationId: 'listRunningRuns',
        summary: 'List the runs that are under way, of all bookings, newest first',
        tags: ['Sandbox'],
        response: { 200: RunsResponse },
      },
      config: { permission: 'partner_bookings_read' },
    },
    async ({ visitor }) => success((await listRunningOf(db, visitor.partnerId)).map(runView)),
  );

  app.delete(
    '/sandbox/bookings/:bookingId/runs/:runId',
    {
      schema: {
        operationId: 'stopRun',
        summary: 'Stop a run; what it has done stays',
        tags: ['Sandbox'],
        missing: ['Booking', 'Run'],
        params: RunParams,
        response: { 200: RunResponse },
      },
      config: bookings,
    },
    async ({ visitor, params }) => {
      const booking = { partnerId: visitor.partnerId, bookingId: params.bookingId };
      return success(runView(await stopRun(db, clock.now(), booking, params.runId)));
    },
  );
}

function customerRoute(app: App): void {
  app.get(
    '/sandbox/customers',
    {
      schema: {
        operationId: 'listCustomers',
        summary: 'List the phone numbers of customers who act by themselves',
        tags: ['Sandbox'],
        response: { 200: CustomersResponse },
      },
      config: { permission: 'partner_bookings_read' },
    },
    async () =>
      success(
        MAGIC_CUSTOMERS.map(({ script, hold, ...customer }) => ({
          ...customer,
          script: script ?? hold ?? ('nothing' as const),
        })),
      ),
  );
}

function faultRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/sandbox/subscriptions/:id/faults',
    {
      schema: {
        operationId: 'listFaults',
        summary: 'List the faults that are left, and the deliveries that got one',
        tags: ['Sandbox'],
        missing: ['Webhook subscription'],
        params: SubscriptionParams,
        response: { 200: FaultsResponse },
      },
      config: webhooks,
    },
    async ({ visitor, params }) => success(await readFaults(db, visitor.partnerId, params.id)),
  );

  app.post(
    '/sandbox/subscriptions/:id/faults',
    {
      schema: {
        operationId: 'setFault',
        summary: 'Have the next deliveries lost, delayed, doubled, reordered or badly signed',
        tags: ['Sandbox'],
        missing: ['Webhook subscription'],
        params: SubscriptionParams,
        body: SetFault,
        response: { 200: FaultsResponse },
      },
      config: webhooks,
    },
    async ({ visitor, params, body }) => {
      const subscription = { partnerId: visitor.partnerId, subscriptionId: params.id };
      return success(await setFault(db, clock.now(), subscription, body));
    },
  );

  app.delete(
    '/sandbox/subscriptions/:id/faults',
    {
      schema: {
        operationId: 'clearFaults',
        summary: 'Clear the faults that are left',
        tags: ['Sandbox'],
        missing: ['Webhook subscription'],
        params: SubscriptionParams,
        response: { 200: FaultsResponse },
      },
      config: webhooks,
    },
    async ({ visitor, params }) => success(await clearFaults(db, visitor.partnerId, params.id)),
  );
}
