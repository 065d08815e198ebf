import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { hasNo, pathOf, readDeploy, run, temporaryFolder } from './deploy-files.ts';

/** The files of the database's failover. */

const patroni = parseAllDocuments(readDeploy('patroni/patroni.yml'), { strict: true })[0]!.toJS();

test('the files of Patroni, HAProxy, etcd and pgBackRest agree', () => {
  const { ttl, loop_wait: loop, retry_timeout: retry, synchronous_mode: mode } = patroni.bootstrap.dcs;
  assert.ok(ttl >= loop + 2 * retry, 'Patroni changes the values otherwise');
  assert.equal(mode, true);
  const proxy = readDeploy('patroni/haproxy.cfg');
  const [, apiPort] = patroni.restapi.listen.split(':');
  const servers = [...proxy.matchAll(/^ {2}server (\w+) ([\d.]+):5432 check port (\d+)$/gm)];
  assert.ok(servers.length > 1 && servers.every(([, , , port]) => port === apiPort));
  assert.equal(servers.find(([, name]) => name === patroni.name)?.[2], patroni.restapi.listen.split(':')[0]);
  const etcd = readDeploy('patroni/etcd.env');
  const members = [...etcd.matchAll(/(\w+)=http:\/\/([\d.]+):2380/g)].filter(([, name]) => name !== 'URLS');
  assert.deepEqual(
    members.filter(([, name]) => /^db\d$/.test(name!)).map(([, , address]) => `${address}:2379`),
    patroni.etcd3.hosts,
  );
  const backup = readDeploy('patroni/pgbackrest.conf');
  const [, stanza] = /--stanza=(\w+)/.exec(patroni.bootstrap.dcs.postgresql.parameters.archive_command)!;
  const [, section, folder] = /^\[(\w+)\]\npg1-path=(.*)$/m.exec(backup)!;
  assert.deepEqual([stanza, folder], [section, patroni.postgresql.data_dir]);
});

test('HAProxy accepts the settings', { skip: hasNo('haproxy') }, async () => {
  await run('haproxy', ['-c', '-f', pathOf('patroni/haproxy.cfg')]);
});

test('a new leader archives again what the repository lacks, and nothing else', {
  skip: hasNo('pgbackrest'),
}, async (t) => {
  const folder = temporaryFolder(t);
  const [data, repository] = [join(folder, 'data'), join(folder, 'repository')];
  const [wal, statuses] = [join(data, 'pg_wal'), join(data, 'pg_wal/archive_status')];
  const archive = join(repository, 'archive/booking/15-1');
  const segment = (timeline: number, place: number): string =>
    [timeline, 0, place].map((part) => part.toString(16).toUpperCase().padStart(8, '0')).join('');
  const [kept, lost, older, gone] = [segment(1, 10), segment(1, 11), segment(2, 12), segment(1, 9)];
  for (const path of [statuses, join(archive, kept.slice(0, 16)), join(archive, older.slice(0, 16))])
    mkdirSync(path, { recursive: true });
  writeFileSync(join(archive, kept.slice(0, 16), `${kept}-${'0'.repeat(40)}.gz`), '');
  for (const name of [kept, lost, older, `${kept}.partial`, '00000002.history'])
    writeFileSync(join(wal, name), '');
  for (const name of [kept, lost, older, gone, `${kept}.partial`, '00000002.history'])
    writeFileSync(join(statuses, `${name}.done`), '');
  const settings = join(folder, 'pgbackrest.conf');
  writeFileSync(
    settings,
    `[global]\nrepo1-path=${repository}\nlock-path=${folder}\nlog-level-file=off\n[booking]\npg1-path=${data}\n`,
  );
  const become = (role: string) =>
    run('env', [
      `PGBACKREST_CONFIG=${settings}`,
      pathOf('patroni/archive-again.sh'),
      data,
      'on_role_change',
      role,
      'booking',
    ]);
  const ready = () => readdirSync(statuses).filter((name) => name.endsWith('.ready'));
  await become('replica');
  assert.deepEqual(ready(), []);
  await become('primary');
  assert.deepEqual(ready().toSorted(), [`${lost}.ready`, `${older}.ready`]);
  const [command, path] = patroni.postgresql.callbacks.on_role_change.split(' ');
  assert.deepEqual([command, path], ['/etc/patroni/archive-again.sh', patroni.postgresql.data_dir]);
});
