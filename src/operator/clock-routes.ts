import Type from 'typebox';
import { type Clock, isSandboxClock, type SandboxClock, toRiyadhIso } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { Body, Stamp } from '../http/schemas.ts';
import type { Deployment } from '../partners/keys.ts';
import type { VersionWatch } from '../runtime/versions.ts';
import type { Wakeups } from '../runtime/wakeups.ts';
import { advanceClock, resetClock } from './sandbox-clock.ts';

const AdvanceClock = Body({
  seconds: Type.Integer({
    minimum: 1,
    maximum: 31_536_000,
    description: 'Seconds to move the business clock forward; at most 10 years in total',
    examples: [3600],
  }),
});

const ClockState = Type.Object(
  {
    now: Stamp('Business time'),
    realNow: Stamp('Real time'),
    offsetSeconds: Type.Integer({
      minimum: 0,
      maximum: 400_000_000,
      description: 'Seconds that business time is ahead of real time',
      examples: [3600],
    }),
  },
  { title: 'Clock' },
);

function clockView(clock: SandboxClock) {
  const [now, offset] = [clock.now(), clock.offset()];
  return { now: toRiyadhIso(now), realNow: toRiyadhIso(now - offset), offsetSeconds: offset / 1000 };
}

/** The business clock of a sandbox; in production, or with a clock that cannot be moved, there are no such routes. */
export function clockRoutes(
  app: App,
  {
    config,
    clock,
    db,
    versions,
    wakeups,
  }: { config: { deployment: Deployment }; clock: Clock; db: Db; versions: VersionWatch; wakeups: Wakeups },
): void {
  if (config.deployment !== 'sandbox' || !isSandboxClock(clock)) return;

  const route = routesOf(app, { tags: ['Sandbox'] });

  route.get('/operator/clock', {
    operationId: 'getClock',
    summary: 'Read the business clock',
    missing: ['Route'],
    response: { data: ClockState },
    answer: async () => clockView(clock),
  });

  route.post('/operator/clock/advance', {
    operationId: 'advanceClock',
    summary: 'Move the business clock of every process forward',
    missing: ['Route'],
    body: AdvanceClock,
    response: { data: ClockState },
    answer: async ({ actor, body }) => {
      await advanceClock(db, clock.now(), actor, body.seconds);
      await versions.refresh();
      return clockView(clock);
    },
  });

  route.delete('/operator/clock', {
    operationId: 'resetClock',
    summary: 'Reset the business clock of every process to real time',
    missing: ['Route'],
    response: { data: ClockState },
    answer: async ({ actor }) => {
      const now = clock.now();
      await resetClock(db, now, now - clock.offset(), actor);
      await versions.refresh();
      wakeups.wake();
      return clockView(clock);
    },
  });
}
