import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { findPayment } from '../src/payments/queries.ts';
import { auditedOf } from './audited.ts';
import { createWorld, type World } from './fixtures.ts';
import { type Answer, startTestService, type TestService } from './harness.ts';
import { type MoyasarServer, startMoyasar } from './moyasar-server.ts';
import { until } from './until.ts';

/** Payments in the operator API. */

export const MISSING = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
export const ACTOR = 'operator:first-token';

export type Scene = { service: TestService; world: World };

/** A partner whose customers pay by link. */
export async function scene(t: TestContext, env: Record<string, string> = {}, teams = 1): Promise<Scene> {
  const service = await startTestService(t, { env });
  const world = await createWorld(service, { teams, partner: { paymentResponsibility: 'PLATFORM' } });
  return { service, world };
}

/** The same, with every payment claimed by a worker that does nothing: it stays as the test writes it. */
export async function sceneWithClaimedPayments(t: TestContext, teams = 1): Promise<Scene> {
  const it = await scene(t, {}, teams);
  await it.service.deps.db.rows({
    text: `
      alter table payments alter lease set default gen_random_uuid(),
        alter leased_until set default '2100-01-01'`,
  });
  return it;
}

export async function withMoyasar(t: TestContext): Promise<Scene & { moyasar: MoyasarServer }> {
  const moyasar = await startMoyasar(t, () => it.service.clock.now());
  const it = await scene(t, {
    PAYMENT_GATEWAY: 'moyasar',
    MOYASAR_SECRET_KEY: moyasar.secretKey,
    MOYASAR_WEBHOOK_TOKEN: moyasar.webhookToken,
    MOYASAR_BASE_URL: moyasar.url,
  });
  return { ...it, moyasar };
}

export async function booked(world: World, overrides: Record<string, unknown> = {}): Promise<string> {
  const answer = await world.book(overrides);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.bookingId;
}

export function refused(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.body.error.code], [status, code], answer.text);
}

export async function listed(service: TestService, query: Record<string, string> = {}) {
  const answer = await service.operator('GET', `/payments?${new URLSearchParams(query)}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

export async function paymentOf(service: TestService, bookingId: string) {
  return (await listed(service, { bookingId })).data[0];
}

export async function shownBooking(service: TestService, bookingId: string) {
  const answer = await service.operator('GET', `/bookings/${bookingId}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
export type Shown = any;

/** Waits until the booking's payment matches and is not claimed, and returns it. */
export async function awaited(service: TestService, bookingId: string, is: (payment: Shown) => boolean) {
  await until(async () => {
    const payment = await paymentOf(service, bookingId);
    const { lease, due_at: dueAt } = (await findPayment(service.deps.db, payment.id))!;
    return is(payment) && lease === null && (dueAt === null || dueAt > service.clock.now());
  });
  return paymentOf(service, bookingId);
}

export const isSent = ({ sentAt }: Shown): boolean => sentAt !== null;

/** As in the audit log: without the link. */
export function recordOf({ linkUrl: _linkUrl, ...record }: Shown): Shown {
  return record;
}

export async function auditOf(service: TestService, bookingId: string) {
  const entries = await auditedOf(service.deps.db, `booking:${bookingId}`);
  return entries.filter(({ action }) => action.startsWith('payment.'));
}

export const historyOf = async (service: TestService, bookingId: string): Promise<string[]> =>
  (await shownBooking(service, bookingId)).history.map(
    ({ by, what }: { by: string; what: string }) => `${by} ${what}`,
  );

/** Sets fields of the payment, as a worker would. */
export async function write(service: TestService, bookingId: string, assignments: string): Promise<void> {
  await service.deps.db.rows({
    text: `update payments set ${assignments} where booking_id = $1`,
    values: [bookingId],
  });
}

export const MONEY = `paid_at = created_at, paid_amount = amount`;
