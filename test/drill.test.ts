import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBackups } from '../src/cli/doctor-server.ts';
import { type BackupReport, readBackupReports, reportBackup } from '../src/db/backup-reports.ts';
import { createWorld, randomPhone } from './fixtures.ts';
import {
  createEmptyDatabase,
  createPostgresDatabase,
  OPERATOR_TOKEN,
  onServer,
  SECRETS_KEY,
  startTestService,
} from './harness.ts';
import { runToEnd } from './terminal.ts';

/** Restore drills, and what doctor says of backups. deploy/pgbackrest: `npm run failover`. */

test(
  'a drill restores, verifies, erases again and compares; a fault is reported',
  onServer('needs pg_dump'),
  async (t) => {
    const databaseUrl = await createPostgresDatabase(t);
    const service = await startTestService(t, { databaseUrl });
    const { db } = service.deps;
    const world = await createWorld(service, { teams: 2 });
    await world.book();
    const phone = randomPhone();
    const erased = (await world.contact({ phone, name: 'Haifa Zq93' })).body.data;
    const drill = async (restore: string, ...options: string[]) => {
      const restored = await createEmptyDatabase(t, "encoding 'UTF8'");
      const command = restore.replaceAll('$NEW', `'${restored}'`);
      const env = { DATABASE_URL: databaseUrl, DEPLOYMENT: 'sandbox', OPERATOR_TOKEN, SECRETS_KEY };
      const given = ['--url', restored, '--within', '0', ...(restore === '' ? [] : ['--restore', command])];
      return { ...(await runToEnd(['drill', ...given, ...options], env)), restored };
    };
    const reported = async () => (await readBackupReports(db)).find(({ kind }) => kind === 'DRILL')!;
    const dump = `pg_dump --format=custom --dbname='${databaseUrl}' | pg_restore --no-owner --exit-on-error --dbname=$NEW`;

    assert.equal((await reported()).hasSucceeded, false);
    const good = await drill(dump);
    assert.equal(good.code, 0, good.stderr);
    assert.match(good.stdout, /^restored in \d+\.\d s$/m);
    assert.match(good.stdout, /^1 of 1 bookings$/m);
    assert.match(good.stdout, /^ok: the drill took /m);
    const { age, ...rest } = await reported();
    assert.deepEqual(rest, { kind: 'DRILL', hasSucceeded: true, fault: null });
    assert.ok(age < 600);

    // A backup from before an erasure and a booking.
    const { restored } = await drill(dump);
    const body = { kind: 'ERASURE', phone };
    const { id } = (await service.operator('POST', '/privacy-requests', body)).body.data;
    await service.operator('POST', `/privacy-requests/${id}/complete`);
    await world.book();
    const old = await drill(
      `pg_dump --format=custom --dbname='${restored}' | pg_restore --no-owner --dbname=$NEW`,
    );
    assert.equal(old.code, 1);
    assert.match(old.stdout, /^1 erased again/m);
    assert.match(old.stdout, /^1 of 2 bookings$/m);
    assert.match(old.stderr, /not all was restored of bookings, .*hole in the archive/);
    assert.equal(typeof erased.id, 'string');
    assert.match((await reported()).fault!, /^not all was restored/);

    const failed = await drill('echo no space left >&2; exit 3', '--remove', 'true');
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /exit 3 \(3\): no space left/);
    assert.match((await reported()).fault!, /no space left/);

    const changed = await drill(
      `${dump} && psql --quiet --dbname=$NEW --command="alter table audit_log disable trigger user" --command="update audit_log set actor = 'x' where number = 2"`,
    );
    assert.match(changed.stderr, /the audit log is not as it was written, at entry 2/);
  },
);

test('a drill never touches the running database', onServer('needs two databases'), async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const service = await startTestService(t, { databaseUrl });
  const env = { DATABASE_URL: databaseUrl, DEPLOYMENT: 'sandbox', OPERATOR_TOKEN, SECRETS_KEY };
  // Another spelling of its address.
  const url = databaseUrl.replace('127.0.0.1', 'localhost');
  const { code, stderr } = await runToEnd(['drill', '--url', url], env);
  assert.equal(code, 1);
  assert.match(stderr, /--url is the running database/);
  assert.equal((await service.operator('GET', '/me')).status, 200);
});

test('doctor knows the last verified backup, a hole in the archive, and the last drill', () => {
  const HOUR = 3600;
  const verdict = (kind: BackupReport['kind'], hours: number, change: Partial<BackupReport> = {}): string => {
    const [found] = checkBackups([{ kind, age: hours * HOUR, hasSucceeded: true, fault: null, ...change }]);
    const { ok, warns, detail } = found!;
    return `${ok ? (warns ? 'warn' : 'ok') : 'WRONG'} ${detail}`;
  };
  assert.equal(verdict('BACKUP', 29.5), 'ok the last backup that was verified was 29 h ago');
  assert.match(verdict('BACKUP', 31), /^WRONG the last .* 31 h ago; see docs/);
  assert.match(
    verdict('BACKUP', 1, { hasSucceeded: false }),
    /^warn there was no backup that was verified yet/,
  );
  assert.match(verdict('BACKUP', 31, { hasSucceeded: false }), /^WRONG there was no backup/);
  assert.match(
    verdict('ARCHIVE', 0.5, { fault: '3 segments are missing' }),
    /^WRONG 3 segments are missing; /,
  );
  assert.match(verdict('ARCHIVE', 2), /^WRONG/);
  assert.match(verdict('DRILL', 36 * 24), /^warn the last restore drill was 864 h ago/);
});

test(
  'a report of a backup is kept until the next, with the last success',
  onServer('is what a server has'),
  async (t) => {
    const databaseUrl = await createPostgresDatabase(t);
    const service = await startTestService(t, { databaseUrl, env: { OPERATOR_PORT: '0' } });
    const { db } = service.deps;
    const env = { DATABASE_URL: databaseUrl, DEPLOYMENT: 'sandbox', OPERATOR_TOKEN, SECRETS_KEY };
    const metrics = async () =>
      [
        ...(await (await fetch(`${service.operatorUrl}/metrics`)).text()).matchAll(/^backup_failed\{.*$/gm),
      ].join('\n');
    assert.equal(await metrics(), 'backup_failed{kind="backup"} 0\nbackup_failed{kind="drill"} 0');
    assert.equal((await runToEnd(['backup-report'], env)).code, 0);
    await reportBackup(db, 'ARCHIVE', 'segments are missing');
    assert.equal((await runToEnd(['backup-report', '--fault', 'no space'], env)).code, 0);
    const reports = await readBackupReports(db);
    assert.deepEqual(reports.map(({ kind, hasSucceeded, fault }) => [kind, hasSucceeded, fault]).toSorted(), [
      ['ARCHIVE', false, 'segments are missing'],
      ['BACKUP', true, 'no space'],
      ['DRILL', false, null],
    ]);
    assert.match(await metrics(), /backup_failed\{kind="archive"\} 1/);
  },
);
