import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createCluster, postgresUser } from '../chaos/cluster.ts';
import { createWorld } from './fixtures.ts';
import { afterwards, call, startTestService } from './harness.ts';
import { whyNoReplica } from './replica-pair.ts';
import { until } from './until.ts';

/** A server that answers and takes no writes, on real ones: its disk is full, or commits wait for a standby that is gone. */

/** A small disk, mounted; null: this user cannot mount any. */
function mountDisk(t: TestContext): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-disk-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'none', folder]).status !== 0) return null;
  afterwards(t, () => void execFileSync('umount', ['--lazy', folder]));
  const { uid, gid } = postgresUser();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

test('a server that takes no writes is not ready, reads go on, and it is ready by itself', {
  skip: whyNoReplica(),
}, async (t) => {
  const cluster = await createCluster({ fsync: 'off' });
  afterwards(t, cluster.remove);
  await cluster.start();
  const disk = mountDisk(t);
  if (disk !== null) await cluster.run(`create tablespace small location '${disk}'`);
  await cluster.run(`create database booking ${disk === null ? '' : 'tablespace small'}`);
  const service = await startTestService(t, { databaseUrl: cluster.url('booking') });
  const world = await createWorld(service);
  const register = () =>
    service.v1(world.key, 'POST', '/partners/contacts', { name: 'Noura', phone: '+966501234567' });
  const ready = async () => (await call(service.url, 'GET', '/readyz')).body;
  const canWrite = async (): Promise<boolean> =>
    /^database_up\{can="write"\} 1$/m.test((await call(service.url, 'GET', '/metrics')).text);
  const isUnready = async (database: string) => {
    await until(async () => (await ready()).database === database);
    assert.ok(!(await canWrite()));
    assert.equal((await service.v1(world.key, 'GET', '/partners/bookings')).status, 200);
    return 1;
  };
  const isReady = async () => {
    await until(async () => (await ready()).status === 'ok');
    assert.ok(await canWrite());
    assert.equal((await register()).status, 200);
  };
  await isReady();

  if (disk !== null)
    await t.test('its disk is full', async () => {
      const ballast = join(disk, 'ballast');
      const block = Buffer.alloc(65_536);
      assert.throws(() => writeFileSync(ballast, Buffer.alloc(64 * 2 ** 20, block)), { code: 'ENOSPC' });
      await isUnready('disk-full');
      assert.match(service.logged(), /"code":"53100".*the database takes no writes/);
      rmSync(ballast);
      await isReady();
      assert.match(service.logged(), /the database takes writes again/);
    });
  else t.diagnostic('not tried with a full disk: only root can mount one');

  await t.test(
    'commits wait for a standby that is gone, and one write waits, not one each time',
    async () => {
      await cluster.run(`alter system set synchronous_standby_names = 'gone'`);
      await cluster.run('select pg_reload_conf()');
      await isUnready('write-failed');
      const waiting = `select count(*)::int as count from pg_stat_activity where wait_event = 'SyncRep'
      and query like '%pg_logical_emit_message%'`;
      assert.deepEqual(await cluster.run(waiting), [{ count: 1 }]);
      await cluster.run('alter system reset synchronous_standby_names');
      await cluster.run('select pg_reload_conf()');
      await isReady();
    },
  );
});
