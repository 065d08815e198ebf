import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { createPostgresDatabase, OPERATOR_TOKEN, onPostgres, startTestService } from './harness.ts';
import { runToEnd } from './terminal.ts';
import { until } from './until.ts';

const skip = !onPostgres && 'copies from one PostgreSQL database to another';

test('a partner and its keys are copied to the deployment of another city', { skip }, async (t) => {
  const [fromUrl, toUrl] = [await createPostgresDatabase(t), await createPostgresDatabase(t)];
  const riyadh = await startTestService(t, { databaseUrl: fromUrl });
  const jeddah = await startTestService(t, { databaseUrl: toUrl });
  const world = await createWorld(riyadh, { partner: { maxHolds: 7, language: 'ar' } });
  const env = { DATABASE_URL: fromUrl, OPERATOR_TOKEN, DEPLOYMENT: 'sandbox' };
  const cli = (...args: string[]) => runToEnd(['partners', 'copy', ...args], env);
  const copies = async (...lines: string[]): Promise<void> => {
    const { code, stdout, stderr } = await cli(world.partnerId, '--to', toUrl);
    assert.deepEqual([code, stderr, stdout], [0, '', lines.map((line) => `${line}\n`).join('')]);
  };
  const { data: partner } = (await riyadh.operator('GET', `/partners/${world.partnerId}`)).body;
  const said = (verb: string, created: number, changed: number) =>
    `${verb} partner ${partner.id} (${partner.name}); keys created: ${created}, changed: ${changed}`;
  const statusOf = async (key: string): Promise<number> =>
    (await jeddah.v1(key, 'GET', '/partners/bookings')).status;
  /** A running process sees changes of another one with its next look at the versions. */
  const answers = (key: string, status: number): Promise<true> =>
    until(async () => (await statusOf(key)) === status);

  assert.equal(await statusOf(world.key), 401);
  await copies(said('created', 1, 0));
  await answers(world.key, 200);
  const { data: copy } = (await jeddah.operator('GET', `/partners/${partner.id}`)).body;
  const { createdAt: _, updatedAt: __, ...settings } = partner;
  const { createdAt: ___, updatedAt: ____, ...copied } = copy;
  assert.deepEqual(copied, settings);

  // A repetition changes nothing, and is not in the audit log.
  const entries = async (): Promise<number> => (await jeddah.operator('GET', '/audit')).body.meta.total;
  const before = await entries();
  await copies(said('updated', 0, 0));
  assert.equal(await entries(), before);

  const list = async (): Promise<{ id: string }[]> =>
    (await riyadh.operator('GET', `/partners/${partner.id}/keys`)).body.data;
  const [{ id }] = (await list()) as [{ id: string }];
  const rotated = (await riyadh.operator('POST', `/keys/${id}/rotate`, { overlapMinutes: 10 })).body.data.key;
  await riyadh.operator('PATCH', `/partners/${partner.id}`, { rateLimitPerMinute: 500 });
  await copies(said('updated', 0, 1));
  await answers(rotated, 200);
  assert.equal(await statusOf(world.key), 200, 'both, for ten minutes');
  jeddah.clock.advance(11 * 60_000);
  await answers(world.key, 401);
  assert.equal(await statusOf(rotated), 200);
  assert.equal((await jeddah.operator('GET', `/partners/${partner.id}`)).body.data.rateLimitPerMinute, 500);
  const actions = (await jeddah.operator('GET', '/audit?limit=2')).body.data;
  assert.deepEqual(
    actions.map(({ action, actor }: { action: string; actor: string }) => [action, actor.split(':')[0]]),
    [
      ['key.update', 'cli'],
      ['partner.update', 'cli'],
    ],
  );

  // Services are chosen where they are.
  const restricted = await createWorld(riyadh);
  const none = { restricted: true, services: [] };
  assert.equal(
    (await riyadh.operator('PUT', `/partners/${restricted.partnerId}/services`, none)).status,
    200,
  );
  const { stdout } = await cli(restricted.partnerId, '--to', toUrl);
  assert.match(stdout, /\nit may book no service there until you choose them\n$/);

  // A revoked key stays revoked, and a suspension is copied.
  await jeddah.operator('PATCH', `/keys/${id}`, { status: 'REVOKED' });
  await riyadh.operator('PATCH', `/keys/${id}`, { name: 'Renamed' });
  await copies(said('updated', 0, 0), 'keys that were revoked there, and stay so: 1');
  await answers(rotated, 401);
  await riyadh.operator('PATCH', `/partners/${partner.id}`, { status: 'SUSPENDED' });
  await copies(said('updated', 0, 0), 'keys that were revoked there, and stay so: 1');
  assert.equal((await jeddah.operator('GET', `/partners/${partner.id}`)).body.data.status, 'SUSPENDED');
});

test('a copy is refused whole: a taken name, an old database, no database', { skip }, async (t) => {
  const [fromUrl, toUrl] = [await createPostgresDatabase(t), await createPostgresDatabase(t)];
  const riyadh = await startTestService(t, { databaseUrl: fromUrl });
  const jeddah = await startTestService(t, { databaseUrl: toUrl });
  const world = await createWorld(riyadh);
  const env = { DATABASE_URL: fromUrl, OPERATOR_TOKEN, DEPLOYMENT: 'sandbox' };
  const refused = async (to: string, why: RegExp): Promise<void> => {
    const { code, stdout, stderr } = await runToEnd(['partners', 'copy', world.partnerId, '--to', to], env);
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, why);
  };
  const { name } = (await riyadh.operator('GET', `/partners/${world.partnerId}`)).body.data;
  await jeddah.operator('POST', '/partners', { name: name.toUpperCase() });
  await refused(toUrl, /^error: Another partner has this name\n$/);
  assert.equal((await jeddah.operator('GET', `/partners/${world.partnerId}`)).status, 404);
  await jeddah.deps.db.rows({ text: "delete from schema_migrations where name like '%erasure_checks'" });
  await refused(
    toUrl,
    /^error: the database lacks migration \d+_erasure_checks: run partner-booking migrate\n$/,
  );
  await refused('mysql://127.0.0.1/x', /^error: the database must be a URL such as postgres:/);
  const unknown = await runToEnd(['partners', 'copy', 'nobody', '--to', toUrl], env);
  assert.match(unknown.stderr, /^error: Partner not found/);
});
