import assert from 'node:assert/strict';
import { test } from 'node:test';
import { data, reasonOf } from './fee-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { createPostgresDatabase, OPERATOR_TOKEN, onServer, startTestService } from './harness.ts';
import { openAccount, SETTINGS } from './statement-fixtures.ts';
import { runToEnd } from './terminal.ts';

/** Issuing while visits are completed and cancelled, by two processes, and with its connection killed. */

const IN_DECEMBER = Date.parse('2026-12-02T12:00:00+03:00');
const VISITS = 24;

test(
  'what is completed, cancelled and issued at once is on one statement or the next, once',
  onServer('several connections need PostgreSQL'),
  async (t) => {
    const shared = { databaseUrl: await createPostgresDatabase(t) };
    const service = await startTestService(t, shared);
    const other = await startTestService(t, shared);
    const world = await createWorld(service, { teams: VISITS });
    const { partnerId, key } = world;
    data(await service.operator('PUT', '/statement-settings', SETTINGS));
    await openAccount(service, world, '2026-11-01');
    const made = await Promise.all(Array.from({ length: VISITS }, () => world.book()));
    const bookings = made.map((answer) => data(answer));
    const { db } = service.deps;
    await db.rows({ text: `update appointments set status = 'Finished'`, values: [] });
    const draft = data(await service.operator('POST', '/statements', { partnerId, month: '2026-11' }));
    for (const one of [service, other]) one.clock.set(IN_DECEMBER);
    const reasonId = await reasonOf({ service });
    const complete = ({ appointmentId }: { appointmentId: string }) =>
      service.operator('PATCH', `/appointments/${appointmentId}`, { status: 'Completed' });
    const cancel = ({ bookingId }: { bookingId: string }, index: number) =>
      index % 2 === 0
        ? service.v1(key, 'PATCH', `/partners/bookings/${bookingId}/cancel`, { reasonId })
        : other.operator('POST', `/bookings/${bookingId}/cancel`, { reasonId });
    const issue = (one: typeof service) => one.operator('POST', `/statements/${draft.id}/issue`);
    const [ours, theirs] = await Promise.all([
      issue(service),
      issue(other),
      ...bookings.map((one, index) => (index % 3 === 0 ? complete(one) : cancel(one, index))),
    ]);
    assert.deepEqual(data(ours!), data(theirs!), 'two that issue at once make one');
    const end = Date.parse('2027-01-02T12:00:00+03:00');
    for (const one of [service, other]) one.clock.set(end);
    const next = data(await service.operator('POST', '/statements', { partnerId, month: '2026-12' }));
    if (next.totals.lines > 0) data(await service.operator('POST', `/statements/${next.id}/issue`));
    // Cancelled by the operator: nothing is owed.
    const owed = bookings.filter((_, index) => index % 3 === 0 || index % 2 === 0).length * 150;
    const [told] = await db.rows<{ sum: string }>({ text: 'select sum(gross) as sum from statement_lines' });
    assert.equal(Number(told!.sum), owed);
    const check = data(await service.operator('GET', '/statements/check'));
    assert.deepEqual([check.isSound, check.partners[0].differing], [true, 0]);
  },
);

test(
  'an issue whose connection is killed is none, or whole; the next one has its number',
  onServer('connections are killed on PostgreSQL'),
  async (t) => {
    const service = await startTestService(t);
    const world = await createWorld(service, { teams: VISITS });
    data(await service.operator('PUT', '/statement-settings', SETTINGS));
    await openAccount(service, world, '2026-11-01');
    await Promise.all(Array.from({ length: VISITS }, () => world.book()));
    const { db } = service.deps;
    await db.rows({ text: `update appointments set status = 'Finished'`, values: [] });
    const body = { partnerId: world.partnerId, month: '2026-11' };
    const draft = data(await service.operator('POST', '/statements', body));
    service.clock.set(IN_DECEMBER);
    // Killed at each of its statements, one after the other, until it gets through.
    let kills = 0;
    for (;;) {
      const text = `
        create or replace function kill_issue() returns trigger language plpgsql as $$
        begin
          perform pg_terminate_backend(pg_backend_pid());
          return null;
        end $$`;
      const places = [
        'after delete on statement_lines',
        'after insert on statement_lines',
        'after insert on statement_files',
        'after update on statements',
        'after insert on audit_log',
      ];
      const place = places[kills];
      if (place !== undefined) {
        await db.rows({ text });
        await db.rows({
          text: `create trigger kill_issue ${place} for each statement execute function kill_issue()`,
        });
      }
      const { status, body: answer } = await service.operator('POST', `/statements/${draft.id}/issue`);
      if (place === undefined) {
        assert.equal(status, 200);
        assert.equal(answer.data.number, 'ST-2026-000001');
        break;
      }
      assert.equal(status, 500, place);
      const table = place.split(' on ')[1]!;
      await db.rows({ text: `drop trigger kill_issue on ${table}` });
      const [state] = await db.rows<{ status: string; lines: number; files: number }>({
        text: `select status, (select count(*) from statement_lines)::int as lines,
          (select count(*) from statement_files)::int as files from statements`,
      });
      assert.deepEqual(state, { status: 'DRAFT', lines: VISITS, files: 0 }, place);
      kills++;
    }
    assert.equal(kills, 5);
  },
);

test(
  'after a restore all is read again, and numbers that may have been lost are left out',
  onServer('histories are of PostgreSQL'),
  async (t) => {
    const service = await startTestService(t);
    const world = await createWorld(service, { teams: 4 });
    data(await service.operator('PUT', '/statement-settings', SETTINGS));
    await openAccount(service, world, '2026-11-01');
    const { bookingId } = data(await world.book());
    data(await world.book({ date: '2026-12-10' }));
    const { db } = service.deps;
    await db.rows({ text: `update appointments set status = 'Finished'`, values: [] });
    const issue = async (month: string, now: string) => {
      service.clock.set(Date.parse(`${now}T12:00:00+03:00`));
      const { id } = data(
        await service.operator('POST', '/statements', { partnerId: world.partnerId, month }),
      );
      return data(await service.operator('POST', `/statements/${id}/issue`));
    };
    assert.equal((await issue('2026-11', '2026-12-02')).number, 'ST-2026-000001');
    // Of another cluster, whose transactions were counted further.
    await db.rows({ text: 'select begin_history(true, 5)' });
    data(
      await service.operator('POST', `/bookings/${bookingId}/cancel`, {
        reasonId: await reasonOf({ service }),
      }),
    );
    await db.rows({
      text: `update bookings set updated_at = now() where id = $1`,
      values: [bookingId],
    });
    const next = await issue('2026-12', '2027-01-02');
    assert.deepEqual([next.number, next.totals.gross, next.totals.lines], ['ST-2026-000102', 0, 2]);
    const check = data(await service.operator('GET', '/statements/check'));
    assert.deepEqual(
      [check.isSound, check.gaps],
      [true, [{ from: 'ST-2026-000002', to: 'ST-2026-000101', restored: true }]],
    );
  },
);

test(
  'a month on the command line: drafts, issues, checks, and doctor',
  onServer('an embedded database is in the process'),
  async (t) => {
    const databaseUrl = await createPostgresDatabase(t);
    const service = await startTestService(t, { databaseUrl });
    const run = (...args: string[]) =>
      runToEnd(args, { DATABASE_URL: databaseUrl, DEPLOYMENT: 'sandbox', OPERATOR_TOKEN });
    // The command line has the clock of the database, and so a month that is over.
    const past = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10);
    const month = past.slice(0, 7);
    assert.match((await run('statements', 'draft', '--month', month)).stderr, /no partner gets statements/);
    const world = await createWorld(service);
    await openAccount(service, world, `${month}-01`);
    data(await world.book());
    const { db } = service.deps;
    await db.rows({ text: 'update bookings set service_date = $1', values: [past] });
    await db.rows({ text: `update appointments set status = 'Finished'`, values: [] });
    const draft = await run('statements', 'draft', '--month', month);
    assert.match(draft.stdout, /1 lines, 150\.00 SAR, of that VAT 19\.57/);
    const early = await run('statements', 'issue', '--month', month);
    assert.deepEqual([early.code, /refused: Who issues/.test(early.stdout)], [1, true], early.stdout);
    data(await service.operator('PUT', '/statement-settings', SETTINGS));
    const issued = await run('statements', 'issue', '--month', month);
    assert.deepEqual([issued.code, /ST-\d{4}-000001/.test(issued.stdout)], [0, true], issued.stdout);
    assert.equal((await run('statements', 'check')).code, 0);
    assert.match((await run('doctor')).stdout, /ok {5}statements +1 partners' statements add up/);
    // A line that no booking has.
    await db.rows({ text: 'alter table bookings disable trigger bookings_stamp_change' });
    await db.rows({ text: 'update bookings set amount = 100', values: [] });
    const wrong = await run('statements', 'check');
    assert.deepEqual([wrong.code, /told 150, owed 100: WRONG/.test(wrong.stdout)], [1, true], wrong.stdout);
    assert.match((await run('doctor')).stdout, /WRONG {2}statements/);
    const named = await run('statements', 'draft', '--month', month, '--partner', 'Nobody');
    assert.match(named.stderr, /no partner Nobody gets statements/);
  },
);
