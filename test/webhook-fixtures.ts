import assert from 'node:assert/strict';
import { type Instant, toUtcIso } from '../src/base/clock.ts';
import { createWorld, type World, type WorldOptions } from './fixtures.ts';
import { TEST_NOW, type TestService } from './harness.ts';

/** Fixtures of webhooks. */

export const HOOK = 'https://hooks.example.sa/in';

/** A world whose partner may send webhooks to example.sa and to this machine (where the deployment permits it). */
export function createHookWorld(service: TestService, options: WorldOptions = {}): Promise<World> {
  const partner = { allowedWebhookDomains: ['example.sa', '127.0.0.1'], ...options.partner };
  return createWorld(service, { ...options, partner });
}

export type MadeSubscription = { id: string; secret: string; url: string; updatedAt: string };

/** POSTs a subscription of the key's partner. */
export async function subscribe(
  service: TestService,
  key: string,
  body: Record<string, unknown> = {},
): Promise<MadeSubscription> {
  const answer = await service.v1(key, 'POST', '/partners/webhooks/subscriptions', {
    url: HOOK,
    events: ['booking.updated'],
    ...body,
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

/** The state of created deliveries: failed then, or due then. */
type Made = { failedAt: Instant; error?: string } | { dueAt: Instant };

/**
 * Writes events of a booking; the deliveries of the partner's active subscriptions get the given state in the same
 * transaction, so that no worker can claim them. Returns the deliveries' ids.
 */
export async function makeDeliveries(
  service: TestService,
  bookingId: string,
  count: number,
  made: Made,
  event = 'booking.updated',
): Promise<string[]> {
  const at = toUtcIso(TEST_NOW);
  return service.deps.db.transaction(async (tx) => {
    const events = await tx.rows<{ id: string }>({
      text: `
        with booking as (
          update bookings set event_count = event_count + $2 where id = $1
          returning id, partner_id, event_count - $2 as before
        )
        insert into events (id, partner_id, booking_id, sequence, event, payload, created_at, actor)
        select gen_random_uuid(), partner_id, id, before + number, $3, jsonb_build_object('bookingId', id, 'reason', 'Number ' || number), $4, 'test'
        from booking, generate_series(1, $2::integer) as number
        returning id`,
      values: [bookingId, count, event, at],
    });
    const rows = await tx.rows<{ id: string }>({
      text:
        'failedAt' in made
          ? `update webhook_deliveries set status = 'FAILED', due_at = null, finished_at = $2, error = $3,
              status_code = 500, attempt_count = 4, retries = 3
            where event_id = any ($1::uuid[]) returning id`
          : `update webhook_deliveries set due_at = $2, error = $3, status_code = 500, attempt_count = 1, retries = 1
            where event_id = any ($1::uuid[]) returning id`,
      values: [
        events.map(({ id }) => id),
        toUtcIso('failedAt' in made ? made.failedAt : made.dueAt),
        ('failedAt' in made && made.error) || 'STATUS_NOT_2XX',
      ],
    });
    return rows.map(({ id }) => id);
  });
}
