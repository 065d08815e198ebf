import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  areaOf,
  type Corner,
  crossesItself,
  fromText,
  overlapOf,
  ringOf,
  toText,
} from '../console/map/outlines.ts';
import {
  APPOINTMENT_MOVES,
  CANCELLABLE,
  CLOSED,
  correctionsOf,
  FAILABLE,
  MOVABLE,
  UNPAID,
} from '../console/states.ts';
import { TEXTS } from '../console/texts.ts';
import * as rules from '../src/bookings/rules.ts';
import { startTestService } from './harness.ts';

/**
 * Files of the console that the service sends; console.browser.test.ts has its looks and behaviour.
 */

const SCRIPT = /<script type="module" src="(\/console\/assets\/main-[A-Z0-9]+\.js)"><\/script>/;
const STYLES = /<link rel="stylesheet" href="(\/console\/assets\/main-[A-Z0-9]+\.css)">/;

test('the console is one page at every path, with a strict policy and cached files', async (t) => {
  const service = await startTestService(t, { env: { OPERATOR_PORT: '0' } });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(service.operatorUrl + path, { headers });
  const first = await get('/console');
  assert.equal(first.status, 200);
  assert.equal(first.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(first.headers.get('cache-control'), 'no-cache');
  const policy = first.headers.get('content-security-policy')!;
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  const page = await first.text();
  assert.match(page, /data-deployment="sandbox"/);
  for (const path of ['/console/bookings', '/console/bookings/1/x?y=z'])
    assert.equal(await (await get(path)).text(), page, path);
  const again = await get('/console', { 'if-none-match': first.headers.get('etag')! });
  assert.equal(again.status, 304);

  for (const path of [SCRIPT.exec(page)![1]!, STYLES.exec(page)![1]!]) {
    const file = await get(path, { 'accept-encoding': 'identity' });
    assert.equal(file.status, 200, path);
    assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.match(
      file.headers.get('content-type')!,
      path.endsWith('.js') ? /^text\/javascript;/ : /^text\/css;/,
    );
    assert.equal(file.headers.get('vary'), 'accept-encoding');
    const small = await get(path, { 'accept-encoding': 'br' });
    assert.equal(small.headers.get('content-encoding'), 'br');
    assert.equal(await small.text(), await file.text());
  }
  const unknown = await get('/console/assets/main-00000000.js');
  assert.equal(unknown.status, 404);
  assert.equal(((await unknown.json()) as { error: { code: string } }).error.code, 'RESOURCE_NOT_FOUND');
  // Partners reach the other listener.
  for (const path of ['/console', '/console/bookings', SCRIPT.exec(page)![1]!])
    assert.equal((await fetch(service.url + path)).status, 404, path);
});

test("images come from the host of the map's tiles only", async (t) => {
  const env = {
    CONSOLE_TILES_URL: 'https://tiles.example.com/{z}/{x}/{y}.png',
    CONSOLE_TILES_ATTRIBUTION: '© "Tiles"',
  };
  const service = await startTestService(t, { env });
  const answer = await fetch(`${service.operatorUrl}/console`);
  assert.match(
    answer.headers.get('content-security-policy')!,
    /; img-src 'self' data: https:\/\/tiles\.example\.com;/,
  );
  const page = await answer.text();
  assert.ok(page.includes('data-tiles="https://tiles.example.com/{z}/{x}/{y}.png"'), page);
  assert.ok(page.includes('data-tiles-attribution="© &quot;Tiles&quot;"'), page);
});

test('valid outlines, and their overlaps', () => {
  const square = (x: number, y: number): Corner[] => [
    [x, y],
    [x + 2, y],
    [x + 2, y + 2],
    [x, y + 2],
  ];
  assert.equal(crossesItself(square(0, 0)), false);
  const bowTie: Corner[] = [
    [0, 0],
    [2, 2],
    [2, 0],
    [0, 2],
  ];
  assert.equal(crossesItself(bowTie), true);
  assert.equal(crossesItself([...square(0, 0), [0, 3]]), true, 'a spike');
  assert.equal(crossesItself(square(0, 0).slice(2)), true);
  assert.deepEqual(overlapOf(square(0, 0), square(2, 0)), [], 'a shared border is no overlap');
  const [shared, ...others] = overlapOf(square(0, 0), square(1, 1));
  assert.deepEqual(others, []);
  assert.deepEqual(new Set(shared!.map(String)), new Set(['1,1', '2,1', '2,2', '1,2']));
  assert.deepEqual(fromText(toText(square(46, 24))), square(46, 24));
  assert.equal(fromText('24.7, east'), null);
  assert.deepEqual(ringOf(areaOf(square(1, 2))), square(1, 2));
});

test('both languages of a text have the same placeholders', () => {
  const gaps = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const [key, { en, ar }] of Object.entries(TEXTS)) assert.deepEqual(gaps(ar), gaps(en), key);
});

test('in Arabic no noun follows a number placeholder: it would have six forms', () => {
  const counted =
    /\{(?:\w*[cC]ount|minutes|hours|days|seconds|total)\} (?:دقيق|دقائق|ساع|يوم|أيام|ثاني|ثوان)/;
  assert.match('{minutes} دقيقة', counted);
  for (const [key, { ar }] of Object.entries(TEXTS)) assert.doesNotMatch(ar, counted, key);
});

test('the console offers the actions that the states permit', () => {
  assert.deepEqual(APPOINTMENT_MOVES, rules.APPOINTMENT_MOVES);
  assert.deepEqual(MOVABLE, rules.MOVABLE_BY_OPERATOR);
  for (const status of rules.APPOINTMENT_STATUSES)
    assert.deepEqual(correctionsOf(status), rules.correctionsOf(status), status);
  assert.deepEqual(UNPAID, rules.UNPAID_APPOINTMENT);
  assert.deepEqual(CLOSED, rules.CLOSED_BOOKINGS);
  assert.deepEqual([...CANCELLABLE].sort(), rules.statusesFor('cancel').sort());
  assert.deepEqual([...FAILABLE].sort(), rules.statusesFor('fail').sort());
});
