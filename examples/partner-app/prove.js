import { createClient } from 'partner-booking-sdk';
import { openShop } from './shop.js';

/**
 * Lets the sandbox certify the running shop: starts a certification, does the partner's steps through the shop, and
 * waits until every point is decided. Exits with 1 unless all of them are passed.
 */
const {
  PARTNER_BOOKING_URL = 'http://127.0.0.1:3000/v1',
  PARTNER_BOOKING_KEY,
  WEBHOOK_URL = 'http://localhost:4000/hooks',
} = process.env;
if (!PARTNER_BOOKING_KEY) {
  console.error('PARTNER_BOOKING_KEY is not set: it is the API key of the partner');
  process.exit(1);
}
const DAY = 86_400_000;

const client = createClient({ apiKey: PARTNER_BOOKING_KEY, baseUrl: PARTNER_BOOKING_URL });

/** Calls the shop's API, as its page does. */
async function ask(method, path, body) {
  const response = await fetch(new URL(path, WEBHOOK_URL), {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { ok: response.ok, body: await response.json() };
}

/** A customer, a service, and the first free time from the day after tomorrow on. */
async function choose() {
  const { body: contact } = await ask('POST', '/api/customers', {
    name: 'Noura Al-Qahtani',
    phone: '+966501234567',
    latitude: '24.7136',
    longitude: '46.6753',
  });
  const { body: categories } = await ask('GET', `/api/services?addressId=${contact.addressId}`);
  const { id: serviceId, name: title } = categories[0].services[0];
  const wanted = { contactId: contact.id, addressId: contact.addressId, serviceId, title };
  for (let day = 2; day < 14; day++) {
    const date = new Date(Date.now() + day * DAY).toISOString().slice(0, 10);
    const query = new URLSearchParams({ addressId: contact.addressId, serviceId, date });
    const { body } = await ask('GET', `/api/timeslots?${query}`);
    if (body.slots.length > 0) return { ...wanted, date, timeslot: body.slots[0] };
  }
  throw new Error('nothing is free within two weeks');
}

const subscription = (await client.webhooks.subscriptions.list()).find(({ url }) => url === WEBHOOK_URL);
if (subscription === undefined)
  throw new Error(`nothing is delivered to ${WEBHOOK_URL}: start the shop first`);
let certification = await client.sandbox.certifications.start({ subscriptionId: subscription.id });

const wanted = await choose();
const { body: ordered } = await ask('POST', '/api/orders', wanted);

// The shop's state after a lost response: it knows the order, and no booking yet.
const known = new Map([[ordered.reference, { ...ordered, booking: null }]]);
const forgetful = openShop(client, {
  get: (id) => known.get(id),
  put: (order) => known.set(order.reference, order),
});
const { booking } = await forgetful.complete(ordered.reference);
if (booking.bookingId !== ordered.booking.bookingId) throw new Error('booked twice');

// A time that is not offered, and then an alternative from the refusal; not the first order's, which would look like a
// repetition. The sandbox moves bookings meanwhile, so an alternative may be taken: then it tries the next ones.
let answer = await ask('POST', '/api/orders', { ...wanted, timeslot: { startAt: '03:10', endAt: '05:10' } });
for (let tries = 0; !answer.ok && tries < 5; tries++) {
  const { date, startAt, endAt } = answer.body.details.alternatives.find(
    (one) => one.date !== wanted.date || one.startAt !== wanted.timeslot.startAt,
  );
  answer = await ask('POST', '/api/orders', { ...wanted, date, timeslot: { startAt, endAt } });
}
if (!answer.ok) throw new Error(answer.body.message);

// The rest is between the service and the shop.
while (certification.status === 'RUNNING') {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  certification = await client.sandbox.certifications.get(certification.id);
}
for (const { id, state, found } of certification.points) console.log(`${state} ${id}: ${found}`);
const { score, pageUrl } = certification;
console.log(`${score.passed} of ${score.of} points, ${pageUrl}`);
process.exitCode = score.passed === score.of ? 0 : 1;
