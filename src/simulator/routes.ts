import type { PlanCache } from '../availability/plan.ts';
import { linksOf } from '../bookings/links.ts';
import { APPOINTMENT_MOVES } from '../bookings/rules.ts';
import type { Tracking } from '../bookings/tracking.ts';
import type { Sealer } from '../db/sealing.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { advanceBooking } from './advance.ts';
import { clearFaults, readFaults, setFault } from './faults.ts';
import { DEFAULT_EVERY } from './rules.ts';
import { listRuns, readRun, startRun, stopRun } from './runs.ts';
import {
  Advance,
  Advanced,
  BookingParams,
  Faults,
  Run,
  RunParams,
  SetFault,
  StartRun,
  SubscriptionParams,
} from './schema.ts';
import { advancedView, runView } from './view.ts';

const SANDBOX = {
  tags: ['Sandbox'],
  params: BookingParams,
  config: { permission: 'partner_bookings_update' },
  inPortal: true,
} as const;

export type SimulatorRouteDeps = RouteParts & { plans: PlanCache; sealer: Sealer; tracking: Tracking };

/** The simulator in the partners' interface; production has no such routes. */
export function simulatorRoutes(app: App, deps: SimulatorRouteDeps): void {
  advanceRoute(app, deps);
  runRoutes(app, deps);
  runRoute(app, deps);
  stopRoute(app, deps);
  faultRoutes(app, deps);
}

/** The routes shared with the portal. */
export function sandboxRoutes(app: App, deps: SimulatorRouteDeps): void {
  advanceRoute(app, deps);
  runRoutes(app, deps);
  stopRoute(app, deps);
  faultRoutes(app, deps);
}

function advanceRoute(app: App, deps: SimulatorRouteDeps): void {
  const route = routesOf(app, SANDBOX);

  route.post('/v1/partners/sandbox/bookings/:bookingId/advance', {
    operationId: 'advanceSandboxBooking',
    summary: 'Move the appointment of a booking to its next status, as the field would',
    description:
      'Sandbox only. Without `to` it is the next status on the way to `Completed`; to the status that it has is no ' +
      'change. The event and its webhooks are those of any other change. An appointment may be completed before ' +
      'its start here.',
    errors: [
      {
        code: 'INVALID_TRANSITION',
        message: 'An appointment that is Scheduled cannot become Completed',
        details: {
          from: 'Scheduled',
          to: 'Completed',
          allowed: APPOINTMENT_MOVES.Scheduled,
          bookingStatus: 'in progress',
        },
      },
    ],
    body: Advance,
    optionalBody: true,
    response: { data: Advanced },
    answer: async ({ account, params, body }) => {
      const booking = { partnerId: account.partnerId, bookingId: params.bookingId };
      const advanced = await advanceBooking(deps, deps.clock.now(), booking, body.to);
      return advancedView(linksOf(deps, account), advanced);
    },
  });
}

function runRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, SANDBOX);

  route.post('/v1/partners/sandbox/bookings/:bookingId/runs', {
    operationId: 'startSandboxRun',
    summary: 'Play a script on a booking, step by step',
    description:
      'Sandbox only. A worker makes the steps in the name of the operator, the field and the customer, and each has ' +
      'its events and webhooks. A step that the booking does not allow any more ends the run, with the reason. One ' +
      'run of a booking can be under way. The header X-Sandbox-Run starts one with the creation of the booking.',
    errors: [
      {
        code: 'INVALID_TRANSITION',
        message:
          'The script customer-pays cannot be played: the booking is in progress, its appointment Scheduled',
        details: {
          from: 'Scheduled',
          bookingStatus: 'in progress',
          allowed: [
            'complete',
            'cannot-complete',
            'late-cancel',
            'no-show',
            'revisit',
            'operator-moves',
            'operator-cancels',
          ],
        },
      },
      {
        code: 'CONFLICT',
        when: 'Another run of the booking is under way',
        message: 'Another run of this booking is under way',
        details: {
          reason: 'RUN_UNDER_WAY',
          runId: '0d3f7a52-6a1b-4a3e-8f43-5f0c2f5b8a11',
          hints: [
            'DELETE /partners/sandbox/bookings/:bookingId/runs/:runId stops it; or wait until it has ended',
          ],
        },
      },
    ],
    body: StartRun,
    response: { data: Run },
    answer: async ({ account, params, body }) => {
      const wanted = { script: body.script, everySeconds: body.everySeconds ?? DEFAULT_EVERY };
      const booking = { partnerId: account.partnerId, bookingId: params.bookingId };
      return runView(await startRun(db, clock.now(), booking, wanted));
    },
  });

  route.get('/v1/partners/sandbox/bookings/:bookingId/runs', {
    operationId: 'listSandboxRuns',
    summary: 'List the runs of a booking, newest first',
    description:
      'Sandbox only. With those that the header X-Sandbox-Run or the phone number of the customer started; 100 at ' +
      'most.',
    config: { permission: 'partner_bookings_read' },
    response: { list: Run },
    answer: async ({ account, params }) => {
      const runs = await listRuns(db, account.partnerId, params.bookingId);
      return runs.map(runView);
    },
  });
}

function stopRoute(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, SANDBOX);

  route.delete('/v1/partners/sandbox/bookings/:bookingId/runs/:runId', {
    operationId: 'stopSandboxRun',
    summary: 'Stop a run; what it has done stays',
    description: 'Sandbox only. A run that has ended stays as it is.',
    missing: ['Booking', 'Run'],
    params: RunParams,
    response: { data: Run },
    answer: async ({ account, params }) => {
      const booking = { partnerId: account.partnerId, bookingId: params.bookingId };
      return runView(await stopRun(db, clock.now(), booking, params.runId));
    },
  });
}

function runRoute(app: App, { db }: RouteParts): void {
  const route = routesOf(app, {
    tags: ['Sandbox'],
    missing: ['Booking', 'Run'],
    params: RunParams,
    config: { permission: 'partner_bookings_read' },
  });

  route.get('/v1/partners/sandbox/bookings/:bookingId/runs/:runId', {
    operationId: 'getSandboxRun',
    summary: 'Read a run with its steps',
    description: 'Sandbox only.',
    response: { data: Run },
    answer: async ({ account, params }) =>
      runView(await readRun(db, account.partnerId, params.bookingId, params.runId)),
  });
}

function faultRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, {
    tags: ['Sandbox'],
    missing: ['Webhook subscription'],
    params: SubscriptionParams,
    config: { permission: 'partner_webhooks_manage' },
    inPortal: true,
  });

  route.post('/v1/partners/sandbox/webhooks/subscriptions/:id/faults', {
    operationId: 'setSandboxFault',
    summary: 'Have the next deliveries of a subscription lost, delayed, doubled, reordered or badly signed',
    description:
      'Sandbox only. It counts deliveries whose first attempt is yet to come; each gets one fault at most, of the ' +
      'kind that was set first. `count` replaces what is left of the same kind, so the request may be repeated.',
    body: SetFault,
    response: { data: Faults },
    answer: async ({ account, params, body }) => {
      const subscription = { partnerId: account.partnerId, subscriptionId: params.id };
      return await setFault(db, clock.now(), subscription, body);
    },
  });

  route.get('/v1/partners/sandbox/webhooks/subscriptions/:id/faults', {
    operationId: 'listSandboxFaults',
    summary: 'List the faults that are left, and the deliveries that got one',
    description: 'Sandbox only.',
    response: { data: Faults },
    answer: async ({ account, params }) => await readFaults(db, account.partnerId, params.id),
  });

  route.delete('/v1/partners/sandbox/webhooks/subscriptions/:id/faults', {
    operationId: 'clearSandboxFaults',
    summary: 'Clear the faults that are left',
    description: 'Sandbox only. A delivery that is delayed or held already is sent when its time has come.',
    response: { data: Faults },
    answer: async ({ account, params }) => await clearFaults(db, account.partnerId, params.id),
  });
}
