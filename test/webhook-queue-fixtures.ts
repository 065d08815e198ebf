import { randomUUID } from 'node:crypto';
import { manualClock } from '../src/base/clock.ts';
import type { Db } from '../src/db/connection.ts';
import { sandboxFaults } from '../src/simulator/faults.ts';
import { NO_FAULTS } from '../src/webhooks/queue.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type MadeAttempt,
  type SettledDelivery,
  settleDeliveries,
} from '../src/webhooks/queue-queries.ts';
import { type AttemptFault, MAX_PER_WORKER } from '../src/webhooks/rules.ts';
import { TEST_NOW } from './harness.ts';

/** A partner whose events become deliveries, and the statements of the queue without a worker. */

export const iso = (at: number): string => new Date(at).toISOString();

/** A booking whose customer has to pay by link. */
export const WAITS_FOR_PAYMENT = { status: 'waiting payment', paymentResponsibility: 'PLATFORM' };
const IN_PROGRESS = { status: 'in progress', paymentResponsibility: 'PARTNER' };

/** A partner with one booking; returns functions that subscribe it and write events. */
export async function createPartner(db: Db, { status, paymentResponsibility } = IN_PROGRESS) {
  const row = await db.first<{ partner_id: string; booking_id: string }>({
    text: `
      with partner as (
        insert into partners (name, created_at, updated_at) values ($1, $2, $2) returning id
      ), category as (
        insert into categories (name_en, name_ar, created_at, updated_at) values ($1, $1, $2, $2) returning id
      ), service as (
        insert into services (category_id, name, duration_minutes, default_price, created_at, updated_at)
        select id, $1, 60, 100, $2, $2 from category returning id
      ), contact as (
        insert into contacts (partner_id, phone, name, utm_source, created_at)
        select id, '+966501234567', 'Customer', 'x', $2 from partner returning id, partner_id
      ), address as (
        insert into addresses (contact_id, partner_id, city_name, created_at)
        select id, partner_id, 'Riyadh', $2 from contact returning id, contact_id, partner_id
      )
      insert into bookings (id, partner_id, contact_id, address_id, service_id, status, payment_status,
        payment_responsibility, amount, service_date, created_at, updated_at)
      select gen_random_uuid(), address.partner_id, address.contact_id, address.id, service.id, $3, 'PENDING', $4, 100,
        '2026-11-23', $2, $2
      from address, service returning partner_id, id as booking_id`,
    values: [`Partner ${randomUUID()}`, iso(TEST_NOW), status, paymentResponsibility],
  });
  const { partner_id: partnerId, booking_id: bookingId } = row!;
  return {
    partnerId,
    bookingId,
    async subscribe(): Promise<string> {
      const subscription = await db.first<{ id: string }>({
        text: `
          insert into webhook_subscriptions (partner_id, url, events, secret, created_at, updated_at)
          values ($1, 'https://example.com/', array['booking.updated'], 'whsec_x', $2, $2) returning id`,
        values: [partnerId, iso(TEST_NOW)],
      });
      return subscription!.id;
    },
    async writeEvents(count: number, at = TEST_NOW): Promise<void> {
      await db.rows({
        text: `
          with booking as (
            update bookings set event_count = event_count + $2 where id = $1 returning *
          )
          insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
          select gen_random_uuid(), partner_id, id, event_count - $2 + number, 'booking.updated', '{}', $3
          from booking, generate_series(1, $2::integer) as number`,
        values: [bookingId, count, iso(at)],
      });
    },
  };
}

export type TestPartner = Awaited<ReturnType<typeof createPartner>>;

type ClaimOptions = { at?: number; results?: SettledDelivery[]; room?: number; withFaults?: boolean };

/** Saves the results of attempts and claims due deliveries, as a worker's turn does. */
export async function claim(
  db: Db,
  { at = TEST_NOW, results = [], room = MAX_PER_WORKER, withFaults = false }: ClaimOptions = {},
): Promise<(ClaimedDelivery & { fault: AttemptFault | null })[]> {
  const faults = withFaults ? sandboxFaults(db, manualClock(at)) : NO_FAULTS;
  if (results.length > 0) await faults.settled((await settleDeliveries(db, at, results)).map(({ id }) => id));
  if (room === 0) return [];
  const claimed = await claimDeliveries(db, at, randomUUID(), room);
  // Leases must not expire on a slow machine.
  await db.rows({
    text: `update webhook_pending set leased_until = leased_until + interval '1 hour' where delivery_id = any ($1::uuid[])`,
    values: [claimed.map(({ id }) => id)],
  });
  const faulty = await faults.take(claimed);
  return claimed.flatMap((delivery) => {
    const fault = faulty.get(delivery.id) ?? null;
    return fault === 'kept' ? [] : [{ ...delivery, fault }];
  });
}

/** Ends all leases, as if nothing had been claimed. */
export const releaseAll = (db: Db) =>
  db.rows({ text: 'update webhook_pending set lease = null, leased_until = null' });

/** As if nothing had renewed them. */
export const endLeases = (db: Db) =>
  db.rows({ text: `update webhook_pending set leased_until = leased_until - interval '1 day'` });

const settledBy =
  (result: MadeAttempt['result']) =>
  ({ id, lease }: ClaimedDelivery): SettledDelivery => ({
    id,
    lease,
    attempts: [{ attemptedAt: TEST_NOW, result }],
  });
export const succeeded = settledBy({ statusCode: 200, error: null, durationMs: 5, responseBody: 'ok' });
export const failed = settledBy({
  statusCode: null,
  error: 'TIMEOUT',
  durationMs: 10_000,
  responseBody: '',
});

export const tallyBy = (claimed: ClaimedDelivery[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { subscription_id: id } of claimed) counts[id] = (counts[id] ?? 0) + 1;
  return counts;
};
