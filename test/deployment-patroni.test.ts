import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
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
  const members = [...etcd.matchAll(/(\w+)=https:\/\/([\d.]+):2380/g)].filter(([, name]) => name !== 'URLS');
  assert.deepEqual(
    members.filter(([, name]) => /^db\d$/.test(name!)).map(([, , address]) => `${address}:2379`),
    patroni.etcd3.hosts,
  );
  const backup = readDeploy('pgbackrest/pgbackrest.conf');
  const [, stanza] = /--stanza=(\w+)/.exec(patroni.bootstrap.dcs.postgresql.parameters.archive_command)!;
  const [, section, folder] = /^\[(\w+)\]\npg1-path=(.*)$/m.exec(backup)!;
  assert.deepEqual([stanza, folder], [section, patroni.postgresql.data_dir]);
});

test('the timers run backup.py as the guide installs it', () => {
  for (const [name, command] of [
    ['booking-backup', 'backup'],
    ['booking-archive-check', 'check'],
  ]) {
    const unit = readDeploy(`pgbackrest/${name}.service`);
    assert.match(unit, new RegExp(`^ExecStart=/usr/local/bin/booking-backup ${command}$`, 'm'));
    assert.match(unit, /^User=postgres$/m);
    assert.match(readDeploy(`pgbackrest/${name}.timer`), /^OnCalendar=/m);
  }
});

test('certificates are valid for the machines and a local proxy; HAProxy accepts the settings with them', {
  skip: hasNo('openssl') || hasNo('haproxy'),
}, async (t) => {
  const folder = temporaryFolder(t);
  await run(pathOf('patroni/certificates.sh'), ['db1=10.0.0.1', 'db2=10.0.0.2'], { cwd: folder });
  for (const [name, address] of [
    ['db1', '10.0.0.1'],
    ['db2', '127.0.0.1'],
  ] as const)
    for (const purpose of ['sslserver', 'sslclient']) {
      const ofMachine = ['-purpose', purpose, '-verify_ip', address, `${name}.crt`];
      await run('openssl', ['verify', '-CAfile', 'ca.crt', ...ofMachine], { cwd: folder });
    }
  const ca = readFileSync(join(folder, 'ca.crt'), 'utf8');
  await run(pathOf('patroni/certificates.sh'), ['db3=10.0.0.3'], { cwd: folder });
  assert.equal(readFileSync(join(folder, 'ca.crt'), 'utf8'), ca, 'a later machine is of the same authority');
  const settings = join(folder, 'haproxy.cfg');
  writeFileSync(
    settings,
    readDeploy('patroni/haproxy.cfg').replace('/etc/haproxy/booking-ca.crt', join(folder, 'ca.crt')),
  );
  await run('haproxy', ['-c', '-f', settings]);
});

test('nothing between the machines is without TLS', () => {
  assert.doesNotMatch(readDeploy('patroni/etcd.env'), /http:/);
  for (const line of patroni.postgresql.pg_hba) assert.match(line, /^(?:local|hostssl) /);
  for (const { sslmode } of Object.values<{ sslmode: string }>(patroni.postgresql.authentication))
    assert.equal(sslmode, 'verify-full');
  const files = readDeploy('patroni/patroni.yml').match(/\/etc\/booking-tls\/\S+/g)!;
  assert.deepEqual([...new Set(files)].toSorted(), [
    '/etc/booking-tls/ca.crt',
    '/etc/booking-tls/server.crt',
    '/etc/booking-tls/server.key',
  ]);
});

/** backup.py between stand-ins of psql and pgBackRest, whose answers are files. Returns its output and its report. */
function startBackups(
  t: TestContext,
  archived: string[],
  given: { standby?: boolean; verify?: string } = {},
) {
  const folder = temporaryFolder(t);
  const program = (name: string, lines: string[]): void => {
    writeFileSync(join(folder, name), ['#!/bin/sh', ...lines].join('\n'));
    chmodSync(join(folder, name), 0o755);
  };
  const now = Math.floor(Date.now() / 1000);
  const backup = (type: string, start: string, age: number) => ({
    type,
    error: false,
    archive: { start },
    timestamp: { stop: now - age },
  });
  // Timeline 2 began within segment 5, timeline 3 with segment 8; segment 10 is being written, 9 waits.
  program('psql', [
    'read -r statement',
    'case "$statement" in',
    `*is_in_recovery*) echo ${given.standby ? 't' : 'f'} ;;`,
    '*wal_segment_size*) echo 16777216 ;;',
    `*data_directory*) echo ${folder} ;;`,
    '*pg_walfile_name*) echo 00000003000000000000000A ;;',
    "*pg_read_file*00000003.history*) printf '1\\t0/5123456\\tno recovery target specified\\n\\n2\\t0/8000000\\tno recovery target specified\\n' ;;",
    '*archive_statusdir*) echo 000000030000000000000009 ;;',
    `*report_backup*) echo "$statement" >> ${folder}/reports ;;`,
    'esac',
  ]);
  program('pgbackrest', [
    'case "$*" in',
    `*info*) cat ${folder}/info ;;`,
    `*repo-ls*) cat ${folder}/archived ;;`,
    `*verify*) printf '${given.verify ?? ''}' ;;`,
    `*backup*) echo "$*" >> ${folder}/made ;;`,
    'esac',
  ]);
  writeFileSync(join(folder, 'reports'), '');
  writeFileSync(join(folder, 'made'), '');
  const statuses = join(folder, 'pg_wal/archive_status');
  mkdirSync(statuses, { recursive: true });
  const dated = (fullAge: number) =>
    writeFileSync(
      join(folder, 'info'),
      JSON.stringify([
        {
          status: { code: 0 },
          backup: [
            backup('full', '000000010000000000000001', fullAge),
            backup('incr', '000000010000000000000003', 60),
          ],
        },
      ]),
    );
  dated(86_400);
  writeFileSync(
    join(folder, 'archived'),
    archived.map((name) => `15-1/${name.slice(0, 16)}/${name}-${'0'.repeat(40)}.gz\n`).join(''),
  );
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return {
    dated,
    /** pgBackRest succeeds, and says this of the repository. */
    spoil(message: string): void {
      const status = { code: 99, message };
      writeFileSync(
        join(folder, 'info'),
        JSON.stringify([{ backup: [], repo: [{ status }], status }]).replaceAll('\\u0001', '\u0001'),
      );
    },
    /** The server has the segment, and takes it for archived. */
    holds(segment: string): void {
      writeFileSync(join(folder, 'pg_wal', segment), '');
      writeFileSync(join(statuses, `${segment}.done`), '');
    },
    statuses: () => readdirSync(statuses),
    made: () => read('made'),
    async run(...command: string[]): Promise<string> {
      const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
      const done = await run('python3', [pathOf('pgbackrest/backup.py'), ...command], { env }).catch(
        (error) => error,
      );
      return `${done.stdout}${read('reports')}`;
    },
  };
}

const WHOLE = [3, 4]
  .map((place) => `00000001000000000000000${place}`)
  .concat(
    [5, 6, 7].map((place) => `00000002000000000000000${place}`),
    ['000000030000000000000008'],
  );
const REPORTED = (kind: string, fault: string): string => `select report_backup('${kind}', ${fault})\n`;

test('an archive without holes, over changes of timeline', { skip: hasNo('python3') }, async (t) => {
  const whole = startBackups(t, WHOLE);
  assert.equal(await whole.run('check'), `ok\n${REPORTED('ARCHIVE', 'null')}`);
  // Older than the last backup, or of a timeline that ended before.
  for (const needless of ['000000010000000000000001', '000000010000000000000005'])
    assert.match(await startBackups(t, [...WHOLE, needless]).run('check'), /^ok$/m);
});

test('each missing segment after the last backup is a hole', { skip: hasNo('python3') }, async (t) => {
  for (const missing of WHOLE) {
    const fault = `1 segments of WAL since the last backup are not in the archive, from ${missing} on: make a backup`;
    const archive = startBackups(
      t,
      WHOLE.filter((name) => name !== missing),
    );
    assert.equal(await archive.run('check'), `${fault}\n${REPORTED('ARCHIVE', `'${fault}'`)}`);
  }
  const ofOld = startBackups(t, [...WHOLE.filter((name) => !name.endsWith('5')), '000000010000000000000005']);
  assert.match(await ofOld.run('check'), /from 000000020000000000000005 on/);
});

test('a new leader archives again what the repository lacks, and nothing else', {
  skip: hasNo('python3'),
}, async (t) => {
  for (const command of [['check'], ['on_role_change', 'master', 'booking']]) {
    const [lost, gone] = ['000000010000000000000004', '000000020000000000000006'];
    const leader = startBackups(
      t,
      WHOLE.filter((name) => name !== lost),
    );
    for (const segment of WHOLE) leader.holds(segment);
    assert.match(await leader.run(...command), /^ok$/m);
    assert.deepEqual(
      leader.statuses().filter((name) => name.endsWith('.ready')),
      [`${lost}.ready`],
    );
    const other = startBackups(
      t,
      WHOLE.filter((name) => name !== lost && name !== gone),
    );
    other.holds(lost);
    assert.match(await other.run(...command), new RegExp(`^1 segments .* from ${gone} on`));
  }
  const standby = startBackups(t, [], { standby: true });
  assert.equal(await standby.run('on_role_change', 'replica', 'booking'), 'a standby: nothing to do\n');
  assert.equal(patroni.postgresql.callbacks.on_role_change, '/usr/local/bin/booking-backup');
});

test('a backup is verified, full each week, and made by the leader alone', {
  skip: hasNo('python3'),
}, async (t) => {
  const leader = startBackups(t, WHOLE);
  assert.match(await leader.run('backup'), /^ok\nselect report_backup\('BACKUP', null\)$/m);
  leader.dated(7 * 86_400);
  await leader.run('backup');
  assert.deepEqual(leader.made().match(/--type=\w+/g), ['--type=incr', '--type=full']);
  const damaged = startBackups(t, WHOLE, { verify: 'stanza: booking\\nstatus: error\\n  backup: invalid' });
  const said = await damaged.run('backup');
  assert.match(said, /report_backup\('BACKUP', 'the repository is damaged: stanza: booking status: error/);
  const standby = startBackups(t, [], { standby: true });
  assert.equal(await standby.run('backup'), 'a standby: nothing to do\n');
  assert.equal(standby.made(), '');
});

test('a repository that cannot be read is a fault, whatever its bytes', {
  skip: hasNo('python3'),
}, async (t) => {
  for (const command of ['backup', 'check']) {
    const leader = startBackups(t, WHOLE);
    leader.spoil("[FormatError] it's \u0001é");
    const fault = "'the repository cannot be read: [FormatError] it''s ??'";
    const said = await leader.run(command);
    assert.ok(said.endsWith(REPORTED(command === 'backup' ? 'BACKUP' : 'ARCHIVE', fault)), said);
    assert.equal(leader.made(), '');
  }
});
