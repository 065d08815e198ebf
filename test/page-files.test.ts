import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY } from '../src/base/clock.ts';
import { connectPostgres } from '../src/db/connection.ts';
import { bundlePages } from '../src/http/page-bundle.ts';
import { findPageFile, forgetPageFiles, keepBuild } from '../src/http/page-files.ts';
import {
  afterwards,
  alsoOnServer,
  createPostgresDatabase,
  onPostgres,
  startTestService,
  TEST_NOW,
  type TestService,
} from './harness.ts';
import { folderOf, startPages } from './page-builds.ts';

/** Files of a page whose build another process has, or none any more. */

const PAGES = { base: '/pages', entry: 'main.ts' };

const sourcesOf = (text: string) => ({
  'main.ts': `import './main.css';\nvoid import('./later.ts').then(({ later }) => console.log(later));\n`,
  'main.css': `body::before { content: '${text}'; }\n`,
  'later.ts': `export const later = '${text}';\n`,
});

/** The addresses of the files that a page names. */
async function filesOf(base: string): Promise<string[]> {
  const page = await (await fetch(`${base}/pages`)).text();
  return [...page.matchAll(/(?:href|src)="(\/pages\/assets\/[^"]+)"/g)].map(([, path]) => path!);
}

const stored = async ({ deps }: TestService): Promise<string[]> => {
  const rows = await deps.db.rows<{ file: string }>({
    text: `select base || ' ' || name as file from page_files order by file`,
  });
  return rows.map(({ file }) => file);
};

test('each of two builds serves the files of the other, as its own', async (t) => {
  const { deps } = await startTestService(t);
  const [one, other] = (await Promise.all(
    ['one', 'other'].map((text) => startPages(t, deps, folderOf(t, sourcesOf(text)), PAGES)),
  )) as [string, string];
  const files = [await filesOf(one), await filesOf(other)] as const;
  assert.notDeepEqual(files[0], files[1]);
  for (const [own, foreign, paths] of [
    [one, other, files[0]],
    [other, one, files[1]],
  ] as const) {
    assert.equal(paths.length, 2);
    for (const path of paths) {
      const [first, second] = await Promise.all([own, foreign].map((base) => fetch(base + path)));
      assert.deepEqual([first!.status, second!.status], [200, 200], path);
      const headersOf = ({ headers }: Response) =>
        Object.fromEntries([...headers].filter(([name]) => !/date|request-id|trace/.test(name)));
      assert.deepEqual(headersOf(second!), headersOf(first!));
      assert.match(second!.headers.get('cache-control')!, /immutable/);
      assert.match(second!.headers.get('content-security-policy')!, /^default-src 'none'; frame-ancestors/);
      const [text, foreignText] = await Promise.all([first!.text(), second!.text()]);
      assert.equal(foreignText, text);
      const again = await fetch(foreign + path, {
        headers: { 'if-none-match': second!.headers.get('etag')! },
      });
      assert.equal(again.status, 304);
    }
  }
});

test('the files are stored before the page is served, also those that are loaded later', async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  const order: string[] = [];
  const slow = {
    ...db,
    async rows(statement: Parameters<typeof db.rows>[0]) {
      const found = await db.rows(statement);
      await sleep(100);
      order.push(statement.name!);
      return found;
    },
  } as typeof db;
  const base = await startPages(t, { ...service.deps, db: slow }, folderOf(t, sourcesOf('later')), PAGES);
  await fetch(`${base}/pages`);
  order.push('served');
  assert.deepEqual(order, ['note-page-files', 'insert-page-files', 'served']);
  const names = await stored(service);
  assert.equal(names.length, 3);
  assert.ok(
    names.some((name) => name.startsWith('/pages later-')),
    String(names),
  );
});

test('hostile names, names without a hash and other kinds of files find nothing', async (t) => {
  const { deps } = await startTestService(t);
  const base = await startPages(t, deps, folderOf(t, sourcesOf('x')), PAGES);
  const names = [
    'main.js',
    'worker.js',
    'main-ABCDEFGH.html',
    'main-abcdefgh.js',
    'x/main-ABCDEFGH.js',
    'main-ABCDEFGH.js',
  ];
  await deps.db.rows({
    text: `insert into page_files (base, name, body, used_at) select b, n, 'alert(1)', $2
      from unnest($1::text[]) n, unnest(array['/pages', '/other']) b where (b, n) <> ('/pages', 'main-ABCDEFGH.js')`,
    values: [names, new Date(TEST_NOW).toISOString()],
  });
  const hostile = [
    '..%2f..%2fpackage.json',
    'main-ABCDEFGH.js%00',
    "'%20or%20true--ABCDEFGH.js",
    'a'.repeat(3_000),
    '%ff',
  ];
  for (const name of [...names.map(encodeURIComponent), ...hostile]) {
    const { status } = await fetch(`${base}/pages/assets/${name}`);
    assert.ok([400, 404, 414].includes(status), `${name}: ${status}`);
  }
});

test('processes of one build start at once', alsoOnServer, async (t) => {
  const service = await startTestService(t);
  const names = ['main', 'later', 'chunk'].map((name) => `${name}-AAAAAAAA.js`);
  const build = new Map(names.map((name) => [name, { body: Buffer.from(name) }]));
  const keepers = names.map(() => keepBuild(service.deps, '/pages'));
  await Promise.all(keepers.map((keeper) => keeper.keep(build)));
  await Promise.all(keepers.map((keeper) => keeper.close()));
  assert.deepEqual(await stored(service), names.map((name) => `/pages ${name}`).sort());
  assert.doesNotMatch(service.logged(), /could not be kept/);
});

test(
  'a database that takes no writes: pages are served, and stored once it does',
  alsoOnServer,
  async (t) => {
    const databaseUrl = onPostgres ? await createPostgresDatabase(t) : undefined;
    const service = await startTestService(t, databaseUrl === undefined ? {} : { databaseUrl });
    // One connection, which the test makes read-only.
    const db = databaseUrl === undefined ? service.deps.db : connectPostgres(databaseUrl, 1, assert.fail);
    if (db !== service.deps.db) afterwards(t, () => db.close());
    let faults: Record<string, string> = {};
    const deps = { ...service.deps, db, faults: () => faults };
    const start = () => startPages(t, deps, folderOf(t, sourcesOf('read-only')), PAGES);
    const readOnly = (value: 'on' | 'off') =>
      db.rows({ text: `set default_transaction_read_only = ${value}` });
    // Before the process knows.
    await readOnly('on');
    const unaware = await start();
    assert.equal((await fetch(`${unaware}/pages`)).status, 200);
    assert.match(service.logged(), /the files of \/pages could not be kept/);
    assert.deepEqual(await stored(service), []);
    faults = { database: 'read-only' };
    const aware = await start();
    assert.equal((await fetch(`${aware}/pages`)).status, 200);
    await readOnly('off');
    faults = {};
    assert.equal((await fetch(`${aware}/pages`)).status, 200);
    assert.equal((await stored(service)).length, 3);
  },
);

test('a stop waits until the files are stored, and stores none afterwards', async (t) => {
  const { deps } = await startTestService(t);
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
  const order: string[] = [];
  const db = {
    ...deps.db,
    async rows(statement: Parameters<typeof deps.db.rows>[0]) {
      await allowed;
      order.push(statement.name!);
      return await deps.db.rows(statement);
    },
  } as typeof deps.db;
  const keepers = ['/pages', '/later'].map((base) => keepBuild({ ...deps, db }, base));
  const build = new Map([['main-AAAAAAAA.js', { body: Buffer.from('main') }]]);
  const kept = keepers[0]!.keep(build);
  const stops = keepers.map((keeper) => keeper.close().then(() => order.push('stopped')));
  await stops[1];
  await keepers[1]!.keep(build);
  allow();
  await Promise.all([kept, ...stops]);
  assert.deepEqual(order, ['stopped', 'note-page-files', 'insert-page-files', 'stopped']);
});

test('a database that answers nothing does not keep the page back', async (t) => {
  const { deps } = await startTestService(t);
  const { promise: silence, reject: end } = Promise.withResolvers<never>();
  const silent = { ...deps, db: { ...deps.db, rows: () => silence } };
  const base = await startPages(t, silent, folderOf(t, sourcesOf('silent')), PAGES);
  // The connection is closed by then.
  afterwards(t, () => end(new Error('no response within the time limit of statements')));
  assert.equal((await fetch(`${base}/pages`)).status, 200);
});

test('a file is kept for seven days after the last process that had it', async (t) => {
  const { deps } = await startTestService(t);
  const at = (days: number) => ({ ...deps, clock: { now: () => TEST_NOW + days * DAY, offset: () => 0 } });
  const keep = async (days: number, names: string[]): Promise<void> => {
    const keeper = keepBuild(at(days), '/pages');
    await keeper.keep(new Map(names.map((name) => [name, { body: Buffer.from(name) }])));
    await keeper.close();
  };
  const left = async (days: number): Promise<(string | undefined)[]> => {
    await forgetPageFiles(deps.db, at(days).clock);
    const found = ['old-AAAAAAAA.js', 'both-BBBBBBBB.js'].map((name) =>
      findPageFile(deps.db, '/pages', name),
    );
    return (await Promise.all(found)).map((body) => body?.toString());
  };
  await keep(0, ['old-AAAAAAAA.js', 'both-BBBBBBBB.js']);
  await keep(6, ['both-BBBBBBBB.js']);
  await keep(5, ['both-BBBBBBBB.js']);
  assert.deepEqual(await left(7), ['old-AAAAAAAA.js', 'both-BBBBBBBB.js']);
  assert.deepEqual(await left(7.5), [undefined, 'both-BBBBBBBB.js']);
  assert.deepEqual(await left(13), [undefined, 'both-BBBBBBBB.js']);
  assert.deepEqual(await left(13.5), [undefined, undefined]);
});

test('every file of the real pages is stored', async (t) => {
  const service = await startTestService(t);
  const entries = { '/console': 'main.tsx', '/portal': 'portal.tsx', '/crew': 'crew.tsx' };
  const expected: string[] = [];
  for (const [base, entry] of Object.entries(entries)) {
    assert.equal((await fetch(service.url + base)).status, 200);
    const browsers = base === '/crew' ? 'old' : 'current';
    const { files } = await bundlePages(new URL(`../console/${entry}`, import.meta.url), browsers);
    expected.push(...[...files.keys()].map((name) => `${base} ${name}`));
  }
  assert.deepEqual((await stored(service)).sort(), expected.sort());
});
