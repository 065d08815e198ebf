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
export async function subscribe({ webhooks: { subscriptions } }, url) {
  const known = (await subscriptions.list()).find((subscription) => subscription.url === url);
  const { secret } = known
    ? await subscriptions.rotateSecret(known.id)
    : await subscriptions.create({ url, events: EVENTS });
  return secret;
}
