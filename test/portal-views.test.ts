import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';
import { partnerRows } from '../src/partners/account-queries.ts';
import { keyRows } from '../src/partners/key-queries.ts';
import { portalKeyView, portalPartnerView } from '../src/portal/account-view.ts';
import { errorsByRoute, findRequest, listRequests } from '../src/requests/queries.ts';
import { bodiesView, errorGroupView, requestView } from '../src/requests/view.ts';
import { createPartnerKey, createWorld } from './fixtures.ts';
import { startTestService, TEST_NOW } from './harness.ts';
import { makeLink, portal, refused, signIn } from './portal-fixtures.ts';

/** Views and permissions of the portal. */

test("a session of a key shows that key's requests, one of a link all", async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const own = await createPartnerKey(service, world.partnerId, ['partner_bookings_read']);
  // Of a route that the key may not call, with a customer in it.
  await service.v1(world.key, 'POST', '/partners/contacts', { name: 'Noura', phone: '+966501234567' });
  await service.v1(world.key, 'GET', '/partners/bookings?limit=0');
  await service.v1(own.key, 'GET', '/partners/bookings');
  await service.v1(own.key, 'GET', '/partners/services');

  const byLink = await signIn(service, { link: (await makeLink(service, world.partnerId)).token });
  const byKey = await signIn(service, { key: own.key });
  const listed = async (token: string, query = ''): Promise<{ id: string; keyId: string; route: string }[]> =>
    (await portal(service, token, 'GET', `/requests${query}`)).body.data;
  const all = await listed(byLink);
  assert.deepEqual(new Set(all.map(({ keyId }) => keyId)), new Set([world.keyId, own.keyId]));
  const routes = ['/v1/partners/services', '/v1/partners/bookings'];
  for (const query of ['', `?keyId=${world.keyId}`, '?limit=2'])
    assert.deepEqual(
      (await listed(byKey, query)).map(({ route }) => route),
      routes,
      query,
    );
  for (const { id, keyId } of all) {
    const byTheKey = await portal(service, byKey, 'GET', `/requests/${id}`);
    if (keyId === own.keyId) assert.equal(byTheKey.body.data.keyId, own.keyId);
    else refused(byTheKey, 404, 'RESOURCE_NOT_FOUND');
    assert.equal((await portal(service, byLink, 'GET', `/requests/${id}`)).status, 200);
  }

  const usage = async (token: string) => (await portal(service, token, 'GET', '/usage')).body.data;
  const [ofAll, ofKey] = [await usage(byLink), await usage(byKey)];
  assert.deepEqual(ofAll.errors.map(({ status }: { status: number }) => status).sort(), [400, 403]);
  assert.deepEqual(
    ofKey.errors.map(({ status, count }: Record<string, number>) => [status, count]),
    [[403, 1]],
  );
  refused(
    await portal(
      service,
      byKey,
      'GET',
      `/requests/${ofAll.errors.find((one: { status: number }) => one.status === 400).lastId}`,
    ),
    404,
    'RESOURCE_NOT_FOUND',
  );
  assert.equal(ofAll.peaks.length, 2);
  assert.deepEqual(
    ofKey.peaks.map(({ keyId }: { keyId: string }) => keyId),
    [own.keyId],
  );

  const keys = async (token: string): Promise<string[]> =>
    (await portal(service, token, 'GET', '/account')).body.data.keys.map(({ id }: { id: string }) => id);
  assert.deepEqual(new Set(await keys(byLink)), new Set([world.keyId, own.keyId]));
  assert.deepEqual(await keys(byKey), [own.keyId]);
});

test("a column added to the operator's view is not in the portal", async (t) => {
  const service = await startTestService(t);
  const { db, clock } = service.deps;
  const world = await createWorld(service);
  const { partnerId, keyId, key } = world;
  await world.book();
  await service.v1(key, 'GET', '/partners/services');
  await service.deps.requestLog!.flush();

  // To the rows as they are read.
  const added = { internalNote: 'needle', internal_note: 'needle' };
  const partner = { ...(await partnerRows.find(db, partnerId))!, ...added };
  const keyRow = { ...(await keyRows.find(db, keyId))!, ...added };
  const { requests } = await listRequests(db, { partnerId }, { limit: 1 });
  const request = { ...(await findRequest(db, partnerId, requests[0]!.id))!, ...added };
  const [group] = await errorsByRoute(db, partnerId, { from: TEST_NOW - 1, to: TEST_NOW + 60_000 });
  const shown = [
    portalPartnerView(partner),
    portalKeyView(keyRow, clock.now()),
    requestView(request, new Map([[keyId, { ...keyRow, ...added }]])),
    bodiesView({ ...request.bodies!, ...added }),
    errorGroupView({ ...group!, ...added }),
  ];
  for (const view of shown) assert.ok(!/needle|internal/i.test(JSON.stringify(view)), JSON.stringify(view));

  // To every table.
  const tables = await db.rows<{ name: string }>({
    text: `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p') and not c.relispartition`,
    values: [],
  });
  for (const { name } of tables)
    await db.rows({
      text: `alter table "${name}" add column internal_note text default 'needle'`,
      values: [],
    });
  const token = await signIn(service, { link: (await makeLink(service, partnerId)).token });
  const document = JSON.parse(readFileSync('openapi/portal.json', 'utf8'));
  const lists = Object.keys(document.paths).filter(
    (path) => document.paths[path].get !== undefined && !path.includes('{'),
  );
  assert.ok(lists.length >= 8, lists.join());
  const { body: bookings } = await portal(service, token, 'GET', '/bookings');
  for (const path of [...lists, `/requests/${request.id}`, `/bookings/${bookings.data[0].bookingId}`]) {
    const answer = await portal(service, token, 'GET', path);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(!/needle|internal_?note/i.test(answer.text), path);
  }
});

const SRC = resolve('src');
type Imports = { file: string; names: string; from: string }[];

function importsOf(folder: string, isLookedAt: (name: string) => boolean): Imports {
  return readdirSync(join(SRC, folder))
    .filter((name) => name.endsWith('.ts') && isLookedAt(name))
    .flatMap((name) =>
      [
        ...readFileSync(join(SRC, folder, name), 'utf8').matchAll(
          /import (?:type )?\{([^}]*)\} from '(\.[^']+)'/g,
        ),
      ].map(([, names = '', from = '']) => ({
        file: `${folder}/${name}`,
        names,
        from: resolve(SRC, folder, from),
      })),
    );
}

/** Routes have whole paths. */
const isForPartners = (slice: string, name: string): boolean =>
  !name.startsWith('operator') && /'\/v1\/partners\//.test(readFileSync(join(SRC, slice, name), 'utf8'));

/** The log of requests: its views list their fields, as the test above proves. */
const OF_BOTH = ['requests/schema.ts', 'requests/view.ts'].map((name) => join(SRC, name));

/**
 * Views and schemas used by the portal that partners do not get under /v1. Queries and parameters are not responses.
 */
function taken(imports: Imports, shownToPartners: ReadonlySet<string>): string[] {
  return imports
    .filter(({ from }) => /(?:view|schema)\.ts$/.test(from) && !from.startsWith(join(SRC, 'portal')))
    .filter(({ from }) => !from.startsWith(join(SRC, 'http')) && !shownToPartners.has(from))
    .filter(({ names }) =>
      names.split(',').some((name) => name.trim() !== '' && !/(?:Query|Params)$/.test(name.trim())),
    )
    .map(({ file, from }) => `${file} takes ${basename(resolve(from, '..'))}/${basename(from)}`);
}

test('the portal responds with its own views, or with those of the partner API', () => {
  const slices = readdirSync(SRC, { withFileTypes: true }).flatMap((one) =>
    one.isDirectory() ? [one.name] : [],
  );
  const shownToPartners = new Set([
    ...OF_BOTH,
    ...slices
      .filter((slice) => slice !== 'operator' && slice !== 'portal')
      .flatMap((slice) =>
        importsOf(slice, (name) => name.endsWith('routes.ts') && isForPartners(slice, name)),
      )
      .map(({ from }) => from)
      .filter((from) => !basename(from).startsWith('operator')),
  ]);
  const portalImports = importsOf('portal', (name) => name !== 'operator-routes.ts' && name !== 'links.ts');
  assert.deepEqual(taken(portalImports, shownToPartners), []);
  assert.ok(shownToPartners.has(join(SRC, 'bookings/schema.ts')));

  const wrong = { file: 'portal/x.ts', names: ' keyView ', from: join(SRC, 'partners/view.ts') };
  const operators = { file: 'portal/x.ts', names: 'Row', from: join(SRC, 'webhooks/operator-view.ts') };
  assert.equal(taken([wrong, operators], shownToPartners).length, 2);
});
