import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE = 5 * 60_000; // milliseconds

/** Is the body signed with the secret, and no more than five minutes old? The same as docs/snippets/verify.ts. */
export function isGenuine(secret, headers, body, now = Date.now()) {
  const timestamp = String(headers['x-service-timestamp']);
  const age = Math.abs(now - Date.parse(timestamp));
  if (!(age <= TOLERANCE)) return false; // also when it is no time at all
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  const expected = Buffer.from(`sha256=${digest}`);
  const given = Buffer.from(String(headers['x-service-signature']));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const EVENTS = [
  'booking.created',
  'booking.updated',
  'booking.cancelled',
  'booking.payment_confirmed',
  'booking.payment_failed',
  'booking.appointment_status_changed',
];

/**
 * Sees to it that events come to `url`, and answers the secret they are signed with. A subscription from an earlier
 * start is kept and gets a new secret, because the old one is shown by nobody any more.
 */
export async function subscribe(call, url) {
  const subscriptions = await call('GET', '/webhooks/subscriptions');
  const known = subscriptions.find((subscription) => subscription.url === url);
  const { secret } = known
    ? await call('POST', `/webhooks/subscriptions/${known.id}/rotate-secret`)
    : await call('POST', '/webhooks/subscriptions', { url, events: EVENTS });
  return secret;
}
