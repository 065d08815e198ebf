import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createBookingInserts } from '../src/bookings/create.ts';
import { rollAll } from '../src/series/place.ts';
import { createWorld, type WorldOptions } from './fixtures.ts';
import { type Answer, startTestService, type TestService } from './harness.ts';

/** The first Sunday from TEST_NOW on, which is a Sunday itself, 08:00. */
export const SUNDAY = '2026-11-29';

/** A partner that collects itself, its customer and a reason for cancelling. */
export async function openSeries(
  t: TestContext,
  options: WorldOptions = {},
  env: Record<string, string> = {},
) {
  const service = await startTestService(t, { env });
  return clientOf(
    service,
    await createWorld(service, {
      ...options,
      partner: { paymentResponsibility: 'PARTNER', ...options.partner },
    }),
  );
}

export async function clientOf(service: TestService, world: Awaited<ReturnType<typeof createWorld>>) {
  const { key, contactId, addressId, serviceId } = world;
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.v1(key, method, `/partners/series${path}`, body);
  const ok = (answer: Answer) => {
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const reason = ok(
    await service.operator('POST', '/cancellation-reasons', { nameEn: 'Plans changed', nameAr: 'تغيّر' }),
  );
  return {
    service,
    world,
    ok,
    call,
    reasonId: reason.id as string,
    create: (more: Record<string, unknown> = {}) =>
      call('POST', '', { contactId, addressId, serviceId, firstDate: SUNDAY, startAt: '09:00', ...more }),
    read: async (id: string) => ok(await call('GET', `/${id}`)),
    booking: async (id: string) => ok(await service.v1(key, 'GET', `/partners/bookings/${id}/status`)),
  };
}

type Visit = { index: number; date: string; startAt: string; state: string };
/** `3 2026-12-13 09:00 PLACED` of each. */
export const lines = ({ dates }: { dates: Visit[] }, ...states: string[]): string[] =>
  dates
    .filter(({ state }) => states.length === 0 || states.includes(state))
    .map(({ index, date, startAt, state }) => `${index} ${date} ${startAt} ${state}`);

/** As the worker does each minute. */
export const roll = ({ deps, clock }: TestService): Promise<void> =>
  rollAll({ ...deps, insert: createBookingInserts(deps.db) }, clock);

/** `2026-12-13` at 08:00. */
export const morningOf = (date: string): number => Date.parse(`${date}T08:00:00+03:00`);
