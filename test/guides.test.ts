import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERROR_STATUS, type ErrorCode } from '../src/errors.ts';
import { WINDOW } from '../src/runtime/rate-limit.ts';
import { createWorld } from './fixtures.ts';
import { startTestService } from './harness.ts';

/** The same on every database. */

/** What the guides promise, against the service. */
const DOCS = new URL('../docs/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, DOCS), 'utf8');

/** Codes that a page pairs with another status than theirs, or that do not exist. */
function wrongCodes(page: string): string[] {
  const pairs = [...page.matchAll(/\b([45]\d\d) `([A-Z]+_[A-Z_]+|UNAUTHORIZED|FORBIDDEN|CONFLICT)`/g)];
  return pairs
    .filter(([, status, code]) => ERROR_STATUS[code as ErrorCode] !== Number(status))
    .map(([pair]) => pair);
}

test('guides name codes that exist, with their statuses', () => {
  const pages = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
  assert.deepEqual(
    pages.flatMap((name) => wrongCodes(read(name))),
    [],
  );
});

test('Arabic guides use the terms of Arabic documentation of interfaces', () => {
  const pages = readdirSync(DOCS).filter((name) => name.endsWith('.ar.md'));
  assert.ok(pages.length >= 5);
  for (const name of pages) {
    assert.doesNotMatch(read(name), /إجاب|شاغر/, name);
    // A guide that is there in Arabic is what an Arabic one leads to, but for the English page named as such.
    const links = [...read(name).matchAll(/\[([^\]]+)\]\((introduction|quick-start|portal|errors)\.md/g)];
    assert.deepEqual(
      links.filter(([, text]) => !text!.includes('بالإنجليزية')),
      [],
      name,
    );
  }
});

test('a wrong code is caught', () => {
  assert.deepEqual(wrongCodes('gets 409 `DUPLICATE_EXTERNAL_REFERENCE` or 404 `SERVICE_NOT_ALLOWED`'), []);
  assert.deepEqual(wrongCodes('gets 422 `DUPLICATE_EXTERNAL_REFERENCE` or 404 `NOT_FOUND`'), [
    '422 `DUPLICATE_EXTERNAL_REFERENCE`',
    '404 `NOT_FOUND`',
  ]);
});

test('docs/retries.md: what is sent a second time does no harm', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const v1 = (method: string, path: string, body?: unknown) => service.v1(world.key, method, path, body);
  const twice = async (method: string, path: string, body?: unknown) => [
    await v1(method, path, body),
    await v1(method, path, body),
  ];

  const customer = { name: 'Noura', phone: '+966501234567', latitude: '24.7', longitude: '46.7' };
  const [contact, same] = await twice('POST', '/partners/contacts', customer);
  assert.deepEqual(same!.body.data, { ...contact!.body.data, isNewContact: false });

  const wanted = { externalReference: 'ORDER-2026-000123' };
  const [booked, again] = [await world.book(wanted), await world.book(wanted)];
  assert.equal(booked.status, 200, booked.text);
  assert.deepEqual([again.status, again.body.error.code], [409, 'DUPLICATE_EXTERNAL_REFERENCE']);
  const [, query] = /"\$BASE\/bookings\?([^"]+)"/.exec(read('retries.md'))!;
  const found = await v1('GET', `/partners/bookings?${query}`);
  assert.deepEqual(found.body.data, [booked.body.data], 'the look-up of the guide finds it');

  const path = `/partners/bookings/${booked.body.data.bookingId}`;
  const [changed, unchanged] = await twice('PATCH', path, { externalReference: 'ORDER-2026-000124' });
  assert.deepEqual(unchanged!.body.data, changed!.body.data);
  const [, paidAgain] = await twice('POST', `${path}/confirm-payment`, {});
  assert.equal(paidAgain!.body.error.code, 'PAYMENT_ALREADY_CONFIRMED');
  assert.equal(paidAgain!.body.error.details.paymentStatus, 'PAID');
  const reason = { nameEn: 'Booked by mistake', nameAr: 'خطأ' };
  const { id: reasonId } = (await service.operator('POST', '/cancellation-reasons', reason)).body.data;
  const [, goneAgain] = await twice('PATCH', `${path}/cancel`, { reasonId });
  assert.equal(goneAgain!.body.error.code, 'BOOKING_ALREADY_CANCELLED');

  const taken = await world.book({ externalReference: 'ORDER-2026-000124' });
  assert.equal(taken.status, 409, 'a canceled booking keeps its reference');
});

test('docs/rate-limits.md: the headers of its 429, and the window', async (t) => {
  assert.equal(WINDOW, 60_000);
  const page = read('rate-limits.md');
  const service = await startTestService(t);
  const { key } = await createWorld(service, { partner: { rateLimitPerMinute: 60 } });
  const ask = () => service.v1(key, 'GET', '/partners/bookings/cancellation-reasons');
  for (let request = 0; request < 60; request++) {
    const answer = await ask();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('ratelimit-remaining'), String(59 - request));
  }
  service.clock.advance(48_000);
  const refused = await ask();
  assert.equal(refused.status, 429);
  const [, ...shown] = /```http\n([\s\S]*?)\n```/.exec(page)![1]!.split('\n');
  assert.equal(shown.length, 4);
  for (const line of shown) {
    const [name, value] = line.split(': ');
    assert.equal(refused.headers.get(name!), value, name!);
    assert.ok(page.includes(`| \`${name}\` |`), name!);
  }
  assert.equal(refused.body.error.details.retryAfter, 12);
  service.clock.advance(12_000);
  assert.equal((await ask()).status, 200, 'after Retry-After there is room');
});
