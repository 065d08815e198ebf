import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../src/base/clock.ts';
import { reportLateness } from '../src/bookings/late-queries.ts';
import { createTracking, TRACKING_KEY_BYTES } from '../src/bookings/tracking.ts';
import { openTrackingKey } from '../src/customers/key-queries.ts';
import { textOn } from '../src/customers/rules.ts';
import { createSealer } from '../src/db/sealing.ts';
import { resealAll } from '../src/program/secrets.ts';
import { type Booked, booked, patched } from './appointment-fixtures.ts';
import { withPolicy } from './fee-fixtures.ts';
import { createWorld, type World } from './fixtures.ts';
import { openTestDatabase, startTestService, TEST_NOW, type TestService } from './harness.ts';
import { becomes, cancel, linkOf, use } from './payment-flows.ts';
import { createHookWorld, subscribe } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

/**
 * The page of a booking for its customer, and its address in everything that a partner reads.
 */

type Page = { status: number; headers: Headers; text: string };

async function open(url: string, headers: Record<string, string> = {}): Promise<Page> {
  const response = await fetch(url, {
    headers: { 'accept-language': 'en', accept: 'text/html', ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The heading of the page, and the text of its first section. */
const headingOf = ({ text }: Page): string => /<h1>(.*?)<\/h1>/.exec(text)![1]!;
const stateOf = ({ text }: Page): string =>
  /<section id="state"[^>]*>([\s\S]*?)<\/section>/
    .exec(text)![1]!
    .replace(/<[^>]+>/g, '')
    .trim();

const WITH_PAGE = { trackingPage: true } as const;

async function readBooking(service: TestService, { key }: World, { bookingId }: Booked) {
  return (await service.v1(key, 'GET', `/partners/bookings/${bookingId}/status`)).body.data;
}

test('every booking of a partner with pages has its address, of others it is null', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createHookWorld(service);
  await subscribe(service, world.key, {
    url: receiver.url,
    events: ['booking.created', 'booking.cancelled'],
  });
  const before = await booked(world);
  assert.equal(before.trackingUrl, null);
  await receiver.arrived(1);
  assert.equal(receiver.received[0]!.json.payload.trackingUrl, null);

  const set = await service.operator('PATCH', `/partners/${world.partnerId}`, WITH_PAGE);
  assert.equal(set.body.data.trackingPage, true);
  // Also of a booking from before, in every response, in the feed and in webhooks.
  const url: string = (await readBooking(service, world, before)).trackingUrl;
  assert.match(url, new RegExp(`^${service.url}/t/[\\w-]{54}$`));
  const { body: list } = await service.v1(world.key, 'GET', '/partners/bookings');
  assert.equal(list.data[0].trackingUrl, url);
  const made = await booked(world, '14:00');
  assert.notEqual(made.trackingUrl, url);
  const canceled = await cancel({ service, world }, made.bookingId);
  assert.equal(canceled.body.data.trackingUrl, made.trackingUrl);
  const { body: feed } = await service.v1(world.key, 'GET', '/partners/events?limit=100');
  assert.deepEqual(
    feed.data.map(({ event, payload }: { event: string; payload: { trackingUrl?: string } }) => [
      event,
      payload.trackingUrl,
    ]),
    [
      ['booking.created', url],
      ['booking.created', made.trackingUrl],
      ['booking.cancelled', made.trackingUrl],
      ['booking.appointment_status_changed', made.trackingUrl],
    ],
  );
  await receiver.arrived(3);
  for (const { json } of receiver.received.slice(1)) assert.equal(json.payload.trackingUrl, made.trackingUrl);
  const { body: sent } = await service.v1(world.key, 'GET', '/partners/webhooks/deliveries');
  const detail = await service.v1(world.key, 'GET', `/partners/webhooks/deliveries/${sent.data[0].id}`);
  assert.equal(detail.body.data.payload.trackingUrl, made.trackingUrl);

  // Nothing of it is stored: neither in payloads nor in the audit log.
  const token = url.split('/').at(-1)!;
  const stored = await service.deps.db.rows<{ text: string }>({
    text: 'select e::text as text from events e union all select a::text from audit_log a union all select b::text from bookings b',
  });
  assert.ok(stored.every(({ text }) => !text.includes(token)));
  assert.ok(!service.logged().includes(token));
});

test('the page names the visit, the team and the partner, in both languages', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, {
    partner: {
      ...WITH_PAGE,
      pageColour: '#0b6b46',
      contactTextEn: 'Sunday to Thursday',
      contactTextAr: 'من الأحد إلى الخميس',
      contactNumber: '920001234',
    },
    service: { name: 'Deep cleaning', nameAr: 'تنظيف عميق' },
    team: { name: 'Team Noor', nameAr: 'فريق نور' },
  });
  const booking = await booked(world);
  const { trackingUrl: url } = booking;
  const english = await open(url);
  assert.equal(english.status, 200);
  assert.equal(headingOf(english), 'Your visit is booked');
  for (const text of [
    'Deep cleaning',
    'Monday',
    '10:00',
    '12:00',
    'Team Noor',
    booking.trackingReference,
    'Sunday to Thursday',
    'href="tel:920001234"',
    '--brand:#0b6b46;--on-brand:#fff',
  ])
    assert.ok(english.text.includes(text), text);
  const arabic = await open(url, { 'accept-language': 'ar' });
  assert.match(arabic.text, /<html lang="ar" dir="rtl">/);
  assert.equal(headingOf(arabic), 'تم حجز موعدك');
  assert.ok(arabic.text.includes('فريق نور') && !arabic.text.includes('Team Noor'));
  assert.ok(arabic.text.includes('تنظيف عميق') && arabic.text.includes('من الأحد إلى الخميس'));
  assert.equal((await open(`${url}?lang=ar`)).text, arabic.text);
  // Nothing about the customer: an address may be passed on.
  const { contact } = (await service.operator('GET', `/bookings/${booking.bookingId}`)).body.data;
  for (const page of [english, arabic])
    assert.ok(!page.text.includes(contact.name) && !page.text.includes(contact.phone.slice(1)));

  const { headers } = english;
  assert.equal(headers.get('cache-control'), 'private, no-cache');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.equal(headers.get('x-robots-tag'), 'noindex');
  assert.match(english.text, /<meta name="robots" content="noindex">/);
  assert.match(
    headers.get('content-security-policy')!,
    /^default-src 'none'; style-src 'sha256-[^;]+; img-src data:; script-src 'sha256-[^;]+; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  );
  // An open page asks for changes only.
  const again = await open(url, { 'if-none-match': headers.get('etag')! });
  assert.deepEqual([again.status, again.text], [304, '']);
});

test('each state has its sentence, and what has begun its time', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { partner: WITH_PAGE, team: { name: 'Team Noor' } });
  const booking = await booked(world);
  const look = async (): Promise<Page> => open((await readBooking(service, world, booking)).trackingUrl);
  const say = async (text: string): Promise<void> => {
    const found = stateOf(await look());
    assert.ok(found.startsWith(text), `${found} is not ${text}`);
  };
  await patched(service, booking, { status: 'Confirmed' });
  await say('Your visit is confirmed');
  service.clock.set(Date.parse('2026-11-23T09:40:00+03:00'));
  await patched(service, booking, { status: 'In The Way' });
  service.clock.advance(10 * MINUTE);
  await say('The team is on the way\nOn the way since 09:40');
  await patched(service, booking, { status: 'In The location' });
  await say('The team has arrived\nArrived at 09:50');
  await patched(service, booking, { status: 'In Progress' });
  await say('The work is under way\nBegun at 09:50');
  await patched(service, booking, { status: 'Finished' });
  await say('The work is done');
  service.clock.set(Date.parse('2026-11-23T12:00:00+03:00'));
  await patched(service, booking, { status: 'Completed' });
  await say('The work is done');

  const other = await booked(world, '15:00');
  const moved = await service.v1(world.key, 'PATCH', `/partners/bookings/${other.bookingId}`, {
    timeslot: { startAt: '16:00', endAt: '18:00' },
  });
  assert.equal(moved.status, 200, moved.text);
  const page = await open(other.trackingUrl);
  assert.match(
    stateOf(page),
    /^Your visit is booked[\s\S]*at first it was Monday\D* 23 November 2026, 15:00/,
  );
  assert.ok(page.text.includes('16:00') && page.text.includes('Team Noor'));
  service.clock.set(Date.parse('2026-11-23T19:30:00+03:00'));
  assert.equal(headingOf(await open(other.trackingUrl)), 'The time of this visit has passed');
  await cancel({ service, world }, other.bookingId);
  const canceled = await open(other.trackingUrl);
  assert.equal(headingOf(canceled), 'This booking was cancelled');
  assert.ok(!canceled.text.includes('Team Noor'));
});

test('the page says what is so now: late, not reported, past its end, and whom to call', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, {
    partner: { ...WITH_PAGE, contactNumber: '920001234' },
    teams: 2,
  });
  const { db, clock } = service.deps;
  const [booking, other] = [await booked(world), await booked(world)];
  const { name } = (await service.operator('GET', `/partners/${world.partnerId}`)).body.data;
  const at = (time: string) => service.clock.set(Date.parse(`2026-11-23T${time}:00+03:00`));
  const say = async (text: string, { trackingUrl }: Booked = booking): Promise<void> => {
    const page = await open(trackingUrl);
    assert.equal(stateOf(page).split('\n').slice(0, 3).join(' / '), text);
    assert.ok(page.text.includes('href="tel:920001234"'));
  };
  at('09:59');
  await say('Your visit is booked / The team comes at the time below.');
  at('10:00');
  const contact = `If nobody has come, please contact ${name}.`;
  await say(`The team has not reported yet / It was expected at 10:00. ${contact}`);
  await reportLateness(db, booking.bookingId, 40, clock.now());
  await say('The team is late / It comes at about 10:40.');
  at('10:40');
  await say(`The team has not reported yet / It was expected at 10:40. ${contact}`);
  await patched(service, booking, { status: 'Confirmed' });
  await patched(service, booking, { status: 'In The Way' });
  await say('The team is on the way / On the way since 10:40 / It is late, and expected at about 10:40.');
  at('12:00');
  const over = `If nobody came, or something is still to be done, please contact ${name}.`;
  await say(`The time of this visit has passed / ${over}`, other);
  // The end is as much later as the start.
  assert.equal(headingOf(await open(booking.trackingUrl)), 'The team is on the way');
  at('12:40');
  assert.equal(headingOf(await open(booking.trackingUrl)), 'The time of this visit has passed');
  await patched(service, booking, { status: 'In The location' });
  await patched(service, booking, { status: 'In Progress' });
  assert.equal(headingOf(await open(booking.trackingUrl)), 'The work is under way');
  service.clock.advance(12 * HOUR);
  assert.equal(headingOf(await open(booking.trackingUrl)), 'The time of this visit has passed');
  // A move ends the delay.
  const third = await booked(world, '16:00', { date: '2026-11-25' });
  await reportLateness(db, third.bookingId, 40, clock.now());
  assert.equal(headingOf(await open(third.trackingUrl)), 'The team is late');
  await patched(service, third, { timeslot: { startAt: '14:00', endAt: '16:00' } });
  assert.equal(headingOf(await open(third.trackingUrl)), 'Your visit is booked');
});

test('the visit goes into a calendar, and the policy is told in words', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, {
    partner: WITH_PAGE,
    service: { name: 'Deep, deep; cleaning', nameAr: 'تنظيف عميق جدًا لكل أرجاء المنزل والمطبخ والنوافذ' },
  });
  await withPolicy({ service, world });
  const booking = await booked(world);
  const { tracking } = service.deps;
  const url = tracking.shortUrlOf({
    booking_id: booking.bookingId,
    appointment_name: booking.trackingReference,
  });
  const page = await open(url);
  assert.equal(headingOf(page), 'Your visit is booked');
  assert.match(page.text, /Changing or cancelling<\/h2>\n<p>[^<]*Cancelling: from/);
  const [, path] = /href="([^"]*visit\.ics[^"]*)"/.exec(page.text)!;
  const read = async (lang: string) => {
    const answer = await fetch(new URL(path!.replace(/lang=\w+/, `lang=${lang}`), url));
    assert.equal(answer.headers.get('content-type'), 'text/calendar; charset=utf-8');
    const text = await answer.text();
    assert.ok(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75));
    return text.replaceAll('\r\n ', '').split('\r\n');
  };
  const english = await read('en');
  for (const line of ['DTSTART:20261123T070000Z', 'DTEND:20261123T090000Z', `URL:${url}`, 'STATUS:CONFIRMED'])
    assert.ok(english.includes(line), english.join('\n'));
  assert.ok(english.some((line) => line.startsWith('SUMMARY:Deep\\, deep\\; cleaning - ')));
  assert.ok(
    (await read('ar')).some((line) =>
      line.startsWith('SUMMARY:تنظيف عميق جدًا لكل أرجاء المنزل والمطبخ والنوافذ - '),
    ),
  );
  const sequence = (lines: string[]) => Number(lines.find((line) => line.startsWith('SEQUENCE:'))!.slice(9));
  await patched(service, booking, { timeslot: { startAt: '14:00', endAt: '16:00' } });
  const moved = await read('en');
  assert.ok(sequence(moved) > sequence(english) && moved.includes('DTSTART:20261123T110000Z'));
  assert.equal(
    moved.find((line) => line.startsWith('UID:')),
    english.find((line) => line.startsWith('UID:')),
  );
  await cancel({ service, world }, booking.bookingId);
  assert.ok(!(await open(url)).text.includes('visit.ics'));
});

test('a visit that waits for payment leads to it, as long as it can be paid', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, {
    partner: { ...WITH_PAGE, paymentResponsibility: 'PLATFORM' },
    teams: 2,
  });
  const it = { service, world };
  const booking = await booked(world);
  const link = await linkOf(it, booking.bookingId);
  const page = await open(booking.trackingUrl);
  assert.equal(headingOf(page), 'Waiting for your payment');
  assert.ok(page.text.includes(`<a class="pay" href="${service.url}${link}">`));
  await use(it, link, 'paid');
  await becomes(it, booking.bookingId, ['in progress', 'PAID']);
  const paid = await open(booking.trackingUrl);
  assert.equal(headingOf(paid), 'Your visit is booked');
  assert.ok(!paid.text.includes('class="pay"'));

  const unpaid = await booked(world, '14:00');
  await linkOf(it, unpaid.bookingId);
  service.clock.advance(2 * DAY);
  await becomes(it, unpaid.bookingId, ['failed', 'FAILED']);
  const failed = await open(unpaid.trackingUrl);
  assert.equal(headingOf(failed), 'This booking did not go through');
  assert.ok(!failed.text.includes('class="pay"'));
});

test('guesses, ended and withdrawn addresses are one page, and count as failed authentications', async (t) => {
  const maxAuthFailures = 13;
  const service = await startTestService(t, { env: { TRUSTED_PROXIES: '127.0.0.1' }, maxAuthFailures });
  const world = await createWorld(service, { partner: WITH_PAGE });
  const stranger = await createWorld(service);
  const booking = await booked(world);
  const url: string = booking.trackingUrl;
  const withToken = (change: (token: string) => string): string =>
    url.replace(/[\w-]{54}$/, (token) => change(token));
  // The token of a booking whose partner has no pages is well formed.
  const withoutPage = await booked(stranger);
  const { bookingId: hidden } = withoutPage;
  const numbered = ({ bookingId, trackingReference }: Booked) => ({
    booking_id: bookingId,
    appointment_name: trackingReference,
  });
  const short = service.deps.tracking.shortUrlOf(numbered(booking));
  const ofStranger = numbered(withoutPage);
  const guesses = [
    withToken((token) => `${token[0] === 'A' ? 'B' : 'A'}${token.slice(1)}`),
    // Another text of the same bytes.
    withToken((token) => `${token.slice(0, -1)}${String.fromCharCode(token.charCodeAt(53) + 1)}`),
    withToken((token) => token.slice(0, 40)),
    withToken((token) => `${token.slice(0, 22)}${'A'.repeat(32)}`),
    withToken((token) => `${token}A`),
    withToken(() => 'nonsense'),
    withToken(() => '%00'),
    service.deps.tracking.urlOf(hidden),
    short.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    short.replace(/\d+-/, (number) => `${Number(number.slice(0, -1)) + 1}-`.padStart(5, '0')),
    service.deps.tracking.shortUrlOf(ofStranger),
    service.deps.tracking.urlOf('5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10'),
  ];
  const texts = new Set<string>();
  const from = (address: string) => ({ 'x-forwarded-for': address });
  for (const guess of guesses) {
    const page = await open(guess, from('203.0.113.7'));
    assert.equal(page.status, 404, guess);
    assert.equal(headingOf(page), 'This page is not available');
    assert.equal(page.headers.get('x-robots-tag'), 'noindex');
    texts.add(page.text);
  }
  assert.equal(texts.size, 1);
  await open(guesses[0]!, from('203.0.113.7'));
  assert.equal((await open(guesses[0]!, from('203.0.113.7'))).status, 429);
  assert.equal((await open(guesses[0]!, from('203.0.113.8'))).status, 404);
  for (let count = 0; count <= maxAuthFailures; count++)
    assert.equal((await open(url, from('203.0.113.7'))).status, 200);

  // Until seven days after the end, to the second.
  const end = Date.parse('2026-11-23T12:00:00+03:00') + 7 * DAY;
  service.clock.set(end - 1);
  assert.equal((await open(url)).status, 200);
  service.clock.set(end);
  assert.equal((await open(url)).status, 404);
  service.clock.set(TEST_NOW);
  await service.operator('PATCH', `/partners/${world.partnerId}`, { trackingPage: false });
  assert.equal((await open(url)).status, 404);
});

test('a sandbox whose clock moves on sees the end of the page', async (t) => {
  const service = await startTestService(t, { sandboxClock: true });
  const { clock } = service.deps;
  const world = await createWorld(service, { partner: WITH_PAGE });
  const date = new Date(clock.now() + 3 * DAY).toISOString().slice(0, 10);
  const { trackingUrl: url } = await booked(world, '10:00', { date });
  assert.equal((await open(url)).status, 200);
  const seconds = (11 * DAY + HOUR) / 1_000;
  await service.operator('POST', '/clock/advance', { seconds });
  assert.equal((await open(url)).status, 404);
});

test('names are text', async (t) => {
  const service = await startTestService(t);
  const hostile = `</style></script><script>alert('1')</script>"'&`;
  const world = await createWorld(service, {
    partner: { ...WITH_PAGE, contactTextEn: hostile, contactTextAr: hostile },
    service: { name: hostile },
    team: { name: hostile },
  });
  await service.operator('PATCH', `/partners/${world.partnerId}`, { name: hostile });
  const { trackingUrl: url } = await booked(world);
  for (const lang of ['en', 'ar']) {
    const page = await open(`${url}?lang=${lang}`);
    assert.equal(page.status, 200);
    assert.equal(page.text.match(/<script/g)!.length, 1, 'its own');
    assert.ok(!page.text.includes('alert(&#39;1&#39;)</script>'));
  }
});

test('the settings of pages are checked, and colours have readable text', async (t) => {
  const service = await startTestService(t);
  const { partnerId } = await createWorld(service);
  const set = (body: unknown) => service.operator('PATCH', `/partners/${partnerId}`, body);
  for (const bad of [
    { pageColour: 'red' },
    { pageColour: '#12345' },
    { contactNumber: 'javascript:' },
    { contactTextEn: '  ' },
  ])
    assert.equal((await set(bad)).status, 400, JSON.stringify(bad));
  const kept = await set({
    contactTextEn: '  Ring us  ',
    pageColour: '#ffffff',
    contactNumber: '+966112345678',
  });
  assert.equal(kept.body.data.contactTextEn, 'Ring us');
  assert.equal((await set({ contactTextEn: null, pageColour: null })).body.data.contactTextEn, null);
  const luminance = (colour: string): number =>
    [1, 3, 5]
      .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at]!, 0);
  for (let shade = 0; shade < 0x1000; shade++) {
    const colour = `#${shade.toString(16).padStart(3, '0').replace(/./g, '$&$&')}`;
    const both = [luminance(colour), textOn(colour) === '#000' ? 0 : 1].sort((a, b) => b - a);
    assert.ok((both[0]! + 0.05) / (both[1]! + 0.05) >= 4.5, colour);
  }
});

test('addresses survive a rotation of the key of secrets, and end with a key that is lost', async (t) => {
  const db = await openTestDatabase(t);
  const [old, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const key = await openTrackingKey(db, createSealer([old]));
  assert.equal(key.length, TRACKING_KEY_BYTES);
  assert.deepEqual(await openTrackingKey(db, createSealer([old])), key);
  // Several processes start on a new database at once.
  await db.rows({ text: 'delete from tracking_keys' });
  const made = await Promise.all([1, 2, 3, 4].map(() => openTrackingKey(db, createSealer([old]))));
  assert.equal(new Set(made.map((one) => one.toString('hex'))).size, 1);

  const both = createSealer([next, old]);
  await resealAll(db, both);
  assert.deepEqual(await openTrackingKey(db, createSealer([next])), made[0]);
  const stored = await db.first<{ value: string }>({ text: 'select value from tracking_keys' });
  assert.ok(!stored!.value.includes(made[0]!.toString('base64url')));

  const lost = await openTrackingKey(db, createSealer([Buffer.alloc(32, 3)]));
  assert.notDeepEqual(lost, made[0]);
  const tokenOf = (one: Buffer): string => {
    const tracking = createTracking(() => '');
    tracking.useKey(one);
    return tracking.urlOf('5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10');
  };
  assert.notEqual(tokenOf(lost), tokenOf(made[0]!));
});
