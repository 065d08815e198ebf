import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { hasNo, pathOf, readDeploy, run } from './deploy-files.ts';

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
