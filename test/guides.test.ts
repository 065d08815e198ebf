import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERROR_STATUS, type ErrorCode } from '../src/base/errors.ts';
import { GUIDES, twinOf } from '../src/developer-docs/guides.ts';
import { renderGuide } from '../src/developer-docs/render.ts';
import { WINDOW } from '../src/runtime/rate-limit.ts';
import { createWorld } from './fixtures.ts';
import { startTestService } from './harness.ts';

/** Statements of the guides, compared with the service. */
const DOCS = new URL('../docs/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, DOCS), 'utf8');

/** Codes that a page pairs with another status than theirs, or that do not exist. */
function wrongCodes(page: string): string[] {
  const pairs = [...page.matchAll(/\b([45]\d\d) `([A-Z]+_[A-Z_]+|UNAUTHORIZED|FORBIDDEN|CONFLICT)`/g)];
  return pairs
    .filter(([, status, code]) => ERROR_STATUS[code as ErrorCode] !== Number(status))
    .map(([pair]) => pair);
}

test('guides name existing codes, with their statuses', () => {
  const pages = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
  assert.deepEqual(
    pages.flatMap((name) => wrongCodes(read(name))),
    [],
  );
});

test('Arabic guides use the terms of Arabic API documentation', () => {
  const pages = readdirSync(DOCS).filter((name) => name.endsWith('.ar.md'));
  assert.ok(pages.length >= 11);
  for (const name of pages) {
    assert.doesNotMatch(read(name), /إجاب|شاغر/, name);
    // Links of an Arabic guide lead to Arabic ones where they exist, except to the English page named as such.
    const links = [...read(name).matchAll(/\[([^\]]+)\]\(([\w-]+)\.md/g)].filter(([, , target]) =>
      pages.includes(`${target}.ar.md`),
    );
    assert.deepEqual(
      links.filter(([, text]) => !text!.includes('بالإنجليزية')),
      [],
      name,
    );
  }
});

/** The structure of a page: headings, code, tables, lists, links. */
function outlineOf(text: string) {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  const count = (pattern: RegExp): number => prose.match(pattern)?.length ?? 0;
  return {
    headings: prose.match(/^#+(?= )/gm),
    code: text.match(/^```[\s\S]*?^```$/gm),
    tables: prose.match(/^\|.*/gm)?.map((row) => row.split('|').length),
    lists: [count(/^- /gm), count(/^\d+\. /gm)],
    links: [...prose.matchAll(/\]\(([^)]+)\)/g)].map(([, href]) => href!.replace('.ar.md', '.md')).sort(),
  };
}

/** Anchors of the page: those before headings, else the headings' own. */
async function anchorsOf(text: string, source: string): Promise<string[]> {
  const html = await renderGuide(text, source);
  return [...html.matchAll(/(?:<a id="([^"]+)"><\/a><\/p>\n)?<h[2-6] id="([^"]+)"/g)].map(
    ([, before, own]) => before ?? own!,
  );
}

/** The differences of the Arabic page. */
async function differences(english: string, arabic: string): Promise<string[]> {
  const [one, other] = [outlineOf(english), outlineOf(arabic)];
  const parts = Object.keys(one) as (keyof typeof one)[];
  const [anchors, others] = [await anchorsOf(english, 'docs/x.md'), await anchorsOf(arabic, 'docs/x.ar.md')];
  return [
    ...parts.filter((part) => JSON.stringify(one[part]) !== JSON.stringify(other[part])),
    ...(anchors.join() === others.join() ? [] : ['anchors']),
  ];
}

/** Rows that the page shows as text, because they are apart from their table. */
const rawRows = async (page: string): Promise<string[]> => {
  const shown = (await renderGuide(page, 'docs/x.md')).replaceAll(
    /<pre[\s\S]*?<\/pre>|<code>.*?<\/code>/g,
    '',
  );
  return shown.match(/^(?:<p>)?\|.*$/gm) ?? [];
};

test('every table of the guides is one', async () => {
  for (const { source } of GUIDES)
    assert.deepEqual(await rawRows(readFileSync(new URL(`../${source}`, DOCS), 'utf8')), [], source);
  const table = '| a | b |\n| --- | --- |\n| `c` | d |\n';
  assert.deepEqual(await rawRows(table), []);
  assert.equal((await rawRows(`${table}\n| \`e\` | f |\n`)).length, 1);
});

test('Arabic guides have the same structure as the English ones', async () => {
  const twins = GUIDES.filter(({ language }) => language === 'ar');
  for (const guide of twins) {
    const english = twinOf(guide)!;
    assert.equal(guide.source, english.source.replace('.md', '.ar.md'));
    // To the English page that details.docUrl leads to.
    const arabic = read(guide.source.slice('docs/'.length)).replace(
      '[صفحة الأخطاء بالإنجليزية](errors.md)',
      '',
    );
    assert.deepEqual(await differences(read(english.source.slice('docs/'.length)), arabic), [], guide.name);
  }
  const ONLY_ENGLISH = ['states', 'sdk', 'sdk-python', 'partner-app'];
  const alone = GUIDES.filter((guide) => guide.about !== null && twinOf(guide) === undefined);
  assert.deepEqual(
    alone.map(({ name }) => name),
    ONLY_ENGLISH,
  );
});

test('the pages of the operator have the same structure in Arabic, and no partner is served them', async () => {
  for (const name of ['console', 'privacy', 'data-breach']) {
    assert.deepEqual(await differences(read(`${name}.md`), read(`${name}.ar.md`)), [], name);
    for (const page of [name, `${name}.ar`]) {
      assert.ok(!GUIDES.some(({ source }) => source === `docs/${page}.md`), page);
      assert.deepEqual(await rawRows(read(`${page}.md`)), [], page);
    }
  }
});

test('a heading, a link, a row or a line of code that one of both lacks is found', async () => {
  const page =
    '# A\n\n## B\n\n[x](errors.md#b)\n\n- a\n\n| a | b |\n| - | - |\n| c | d |\n\n```sh\nls\n```\n';
  const arabic = page.replace('## B', '<a id="b"></a>\n\n## ب').replace('errors.md', 'errors.ar.md');
  assert.deepEqual(await differences(page, arabic), []);
  for (const [part, spoilt] of [
    ['headings', arabic.replace('## ب', '### ب')],
    ['links', arabic.replace('#b)', '#c)')],
    ['tables', arabic.replace('| c | d |\n', '')],
    ['lists', arabic.replace('- a', 'a')],
    ['code', arabic.replace('ls', 'ls -l')],
    ['anchors', arabic.replace('<a id="b"></a>', '')],
  ])
    assert.deepEqual(await differences(page, spoilt!), [part]);
});

test('a wrong code is found', () => {
  assert.deepEqual(wrongCodes('gets 409 `DUPLICATE_EXTERNAL_REFERENCE` or 404 `SERVICE_NOT_ALLOWED`'), []);
  assert.deepEqual(wrongCodes('gets 422 `DUPLICATE_EXTERNAL_REFERENCE` or 404 `NOT_FOUND`'), [
    '422 `DUPLICATE_EXTERNAL_REFERENCE`',
    '404 `NOT_FOUND`',
  ]);
});

test('docs/retries.md: repeating a request is harmless', async (t) => {
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
