const EVENTS = [
  'booking.created',
  'booking.updated',
  'booking.cancelled',
  'booking.payment_confirmed',
  'booking.payment_failed',
  'booking.appointment_status_changed',
];

/**
 * Subscribes `url` to the events, and returns the secret of their signatures. A subscription of an earlier start is
 * kept and gets a new secret, because the old one cannot be read.
 */
export async function subscribe({ webhooks: { subscriptions } }, url) {
  const known = (await subscriptions.list()).find((subscription) => subscription.url === url);
  const { secret } = known
    ? await subscriptions.rotateSecret(known.id)
    : await subscriptions.create({ url, events: EVENTS });
  return secret;
}
