import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockCatalogue } from '../src/catalogue/queries.ts';
import { connectPostgres } from '../src/db/connection.ts';
import { SetupRefusal } from '../src/setup/files.ts';
import { createWorld } from './fixtures.ts';
import {
  afterwards,
  createPostgresDatabase,
  OPERATOR_TOKEN,
  onServer,
  openTestDatabase,
  startTestService,
} from './harness.ts';
import {
  apply,
  company,
  type Document,
  example,
  exported,
  exportedDocument,
  square,
} from './setup-fixtures.ts';
import { runToEnd } from './terminal.ts';
import { until } from './until.ts';

/** A company's set-up as a file: the same anywhere, changes by id or name, told before they are made. */

/** The entry of the name. */
const named = (entries: Document[], name: string): Document =>
  entries.find((one) => (one.name ?? one.nameEn) === name);

const refusalOf = async (work: Promise<unknown>): Promise<readonly string[]> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof SetupRefusal) return error.faults;
    throw error;
  }
  return assert.fail('it was not refused');
};

test('a company is the same bytes in a second deployment, and nothing differs when it is applied again', async (t) => {
  const [first, second] = [await openTestDatabase(t), await openTestDatabase(t)];
  for (const files of [
    { 'company.json': company() },
    { 'company.json': example('forty-crews/company.json'), 'zones.json': example('forty-crews/zones.json') },
  ]) {
    const { differences } = await apply(first, files, { hasGateway: true });
    assert.ok(differences.filter((text) => text.startsWith('new ')).length > 15);
  }
  const text = await exported(first);
  await apply(second, { 'copy.json': text }, { hasGateway: true });
  assert.equal(await exported(second), text);
  assert.deepEqual((await apply(second, { 'copy.json': text }, { hasGateway: true })).differences, []);
  const { teams, zones, partners, state } = JSON.parse(text);
  assert.deepEqual([teams.length, zones.length, partners.length], [43, 15, 7]);
  assert.match(state, /^[0-9a-f]{64}$/);
  assert.equal(named(teams, 'Team 2').phone, '+966501234567');
  assert.deepEqual(named(zones, 'Airport').confirmedOverlaps, ['North']);
  assert.doesNotMatch(text, /createdAt|updatedAt|webhook.*hosts|allowedWebhookDomains/);
  // A confirmation that outlived its overlap does not travel.
  await apply(first, { 'away.json': { format: 1, zones: [{ name: 'Airport', area: square(48, 24) }] } });
  const apart = await exported(first);
  const third = await openTestDatabase(t);
  await apply(third, { 'copy.json': apart }, { hasGateway: true });
  assert.equal(await exported(third), apart);
  const actors = await second.rows<{ actor: string }>({ text: 'select distinct actor from audit_log' });
  assert.deepEqual(actors, [{ actor: 'cli:test' }]);
});

test('an id wins over the name, and a reference is by what the file calls things, else by what they are called here', async (t) => {
  const db = await openTestDatabase(t);
  await apply(db, { 'company.json': company() });
  const before = await exportedDocument(db);
  const { id } = named(before.zones, 'North');
  const team = { name: 'Team 4', zones: ['North', 'Northern'], services: ['Two hours'] };
  // Both names are the one zone: the old one is what it is called here.
  const twice = await refusalOf(
    apply(db, { 'a.json': { format: 1, zones: [{ id, name: 'Northern' }], teams: [team] } }),
  );
  assert.match(twice.join(), /teams 1 "Team 4": All zones's elements must be unique/);
  const { differences } = await apply(db, {
    'a.json': { format: 1, zones: [{ id, name: 'Northern' }], teams: [{ ...team, zones: ['North'] }] },
  });
  assert.deepEqual(differences, ['zone "North": name "North" becomes "Northern"', 'new team "Team 4"']);
  const after = await exportedDocument(db);
  assert.deepEqual(named(after.teams, 'Team 1').zones, ['Airport', 'Northern']);
  assert.deepEqual(named(after.teams, 'Team 4').zones, ['Northern']);
  // A name that the same file frees is a new zone's, which references then mean.
  const renamed = { id, name: 'Far north' };
  const moved = { name: 'Northern', area: square(46.4, 24.6), services: [] };
  const freed = { format: 1, zones: [renamed, moved], teams: [{ name: 'Team 4', zones: ['Northern'] }] };
  assert.deepEqual((await apply(db, { 'b.json': freed })).differences, [
    'zone "Northern": name "Northern" becomes "Far north"',
    'new zone "Northern"',
    'team "Team 4": zones + "Northern", - "Far north"',
  ]);
  // An id of another deployment finds its own by name.
  const strange = { id: '0b7e7a52-3a3a-4d53-8b1c-9d1e62a8a001', name: 'team 4', travelBufferMinutes: 45 };
  assert.deepEqual((await apply(db, { 'c.json': { format: 1, teams: [strange] } })).differences, [
    'team "Team 4": name "Team 4" becomes "team 4"; travel buffer minutes 0 becomes 45',
  ]);
});

test('what shares its name with another one, or is called like its code, is referred to by id', async (t) => {
  const [first, second] = [await openTestDatabase(t), await openTestDatabase(t)];
  const ids = ['5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b11', '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b12'];
  const twin = (id: string, category: string) => ({
    id,
    nameEn: 'Twin',
    category,
    durationMinutes: 60,
    defaultPrice: 1,
  });
  await apply(first, {
    'a.json': {
      format: 1,
      // The code of one is the name of the other, and goes before it.
      categories: [
        { code: 'Deep', nameEn: 'Usual', nameAr: 'عادي' },
        { code: 'other', nameEn: 'Deep', nameAr: 'عميق' },
      ],
      services: [twin(ids[0]!, 'deep'), twin(ids[1]!, 'other')],
      teams: [{ name: 'Team', services: ids }],
    },
  });
  const { services, teams, categories } = await exportedDocument(first);
  assert.deepEqual(teams[0].services, ids);
  const deep = named(categories, 'Deep').id;
  assert.deepEqual(services.map(({ category }: Document) => category).sort(), [deep, 'Usual'].sort());
  const text = await exported(first);
  await apply(second, { 'copy.json': text });
  assert.equal(await exported(second), text);
  const faults = await refusalOf(
    apply(second, { 'b.json': { format: 1, services: [{ nameEn: 'twin', defaultPrice: 2 }] } }),
  );
  assert.match(faults.join(), /services 1 "twin": several have this name/);
});

test('changes are told in sentences; what is left out stays', async (t) => {
  const db = await openTestDatabase(t);
  await apply(db, { 'company.json': company() });
  const area = square(47.7, 24.75);
  const changes = {
    format: 1,
    services: [{ nameEn: 'Sofa cleaning', defaultPrice: 219, comingPrices: [], category: 'home' }],
    zones: [{ name: 'East', area, services: ['Sofa cleaning'] }],
    teams: [
      {
        name: 'Team 1',
        phone: '+966509999999',
        zones: ['North', 'East'],
        shifts: [
          { weekdays: [1, 2, 3, 4], startAt: '08:00', endAt: '20:00' },
          { weekday: 5, startAt: '14:00', endAt: '22:00' },
        ],
      },
    ],
    partners: [{ name: 'Homes', prices: [{ service: 'Sofa cleaning', price: 150 }] }],
    policies: [{ nameEn: 'Standard', graceMinutes: 15, cancel: [] }],
  };
  const { differences, conflicts } = await apply(db, { 'a.json': changes });
  assert.deepEqual(differences, [
    'service "Sofa cleaning": category "Furnishings" becomes "Home"; default price 199 becomes 219; coming prices - 209 from 2027-01-01',
    'zone "East": area changed (4 positions); services + "Sofa cleaning", - "Two hours"',
    'team "Team 1": phone changed; zones + "East", - "Airport"; shifts + Fri 14:00 to 22:00, - Sun 08:00 to 20:00',
    'partner "Homes": + price of "Sofa cleaning" 150',
    'policy "Standard": grace minutes 0 becomes 15; cancel - {"percent":25,"hoursBefore":12}',
  ]);
  assert.equal(conflicts.total, 0);
  const after = await exportedDocument(db);
  assert.deepEqual(
    named(after.partners, 'Homes').prices.map(({ service, price }: Document) => [service, price]),
    [
      ['Sofa cleaning', 150],
      ['Two hours', 89.5],
    ],
  );
  assert.equal(named(after.partners, 'Homes').restricted, true);
  assert.equal(named(after.teams, 'Team 1').homeZone, 'North');
});

test('names, codes, bounds and assignments are swapped, and borders move, in any order', async (t) => {
  const db = await openTestDatabase(t);
  await apply(db, { 'company.json': company() });
  const swapped = await exportedDocument(db);
  const swap = (entries: Document[], ...fields: string[]) => {
    const [one, other] = entries;
    for (const field of fields) [one[field], other[field]] = [other[field], one[field]];
  };
  swap([named(swapped.zones, 'North'), named(swapped.zones, 'East')], 'name');
  swap(swapped.teams, 'name');
  swap(swapped.partners, 'name');
  swap(swapped.tiers, 'minMinutes', 'maxMinutes');
  named(swapped.categories, 'Furnishings').code = 'home';
  named(swapped.categories, 'Home').code = 'house';
  const { differences } = await apply(db, { 'a.json': swapped });
  assert.ok(differences.includes('zone "North": name "North" becomes "East"'), differences.join('\n'));
  assert.ok(differences.some((text) => text.startsWith('team "Team 1": name "Team 1" becomes "Team 2"')));
  assert.ok(differences.includes('category "Furnishings": code none becomes "home"'), differences.join('\n'));
  assert.equal(differences.filter((text) => text.startsWith('tier')).length, 2);
  // Each gives the other a part: one after the other would overlap.
  const west = square(46.1, 24.1);
  const east = square(46.2, 24.1);
  const pair = (one: unknown, other: unknown) => ({
    'b.json': {
      format: 1,
      zones: [
        { name: 'West', area: one },
        { name: 'Far', area: other },
      ],
    },
  });
  await apply(db, pair(west, east));
  assert.equal((await apply(db, pair(east, west))).differences.length, 2);
});

test('a file that was exported is refused once the deployment has changed, unless it only adds', async (t) => {
  const db = await openTestDatabase(t);
  await apply(db, { 'company.json': company() });
  const old = await exportedDocument(db);
  await apply(db, { 'a.json': { format: 1, teams: [{ name: 'Team 1', travelBufferMinutes: 20 }] } });
  const changed = await exported(db);
  const faults = await refusalOf(apply(db, { 'old.json': old }));
  assert.match(faults[0]!, /^old\.json: this deployment has changed since the export\..*--over-changes/);
  assert.deepEqual(faults.slice(1), ['team "Team 1": travel buffer minutes 20 becomes 0']);
  assert.equal(await exported(db), changed);
  const { differences } = await apply(db, {
    'old.json': { ...old, teams: [{ name: 'Team 9', zones: [], services: [] }] },
  });
  assert.deepEqual(differences, ['new team "Team 9"']);
  await apply(db, { 'old.json': old }, { isOverChanges: true });
  assert.equal(named((await exportedDocument(db)).teams, 'Team 1').travelBufferMinutes, 0);
});

test('several files are one set-up: a later entry changes what an earlier one makes', async (t) => {
  const db = await openTestDatabase(t);
  const { zones, teams, ...rest } = company();
  const features = zones.map(({ area: geometry, ...properties }: Document) => ({
    type: 'Feature',
    properties: { ...properties, stroke: '#ff0000' },
    geometry,
  }));
  const [first, ...others] = teams;
  const { differences } = await apply(db, {
    // Of a service that only a later file makes.
    'prices.json': { format: 1, services: [{ nameEn: 'Two hours', defaultPrice: 95 }] },
    'phones.json': { format: 1, teams: [{ name: 'Team 1', phone: '+966501111111' }, ...others] },
    'zones.geojson': { type: 'FeatureCollection', features },
    'rest.json': rest,
    'teams.json': { format: 1, teams: [{ ...first, travelBufferMinutes: 15 }] },
  });
  assert.equal(differences.length, 18);
  const team = named((await exportedDocument(db)).teams, 'Team 1');
  assert.deepEqual([team.phone, team.travelBufferMinutes, team.homeZone], ['+966501111111', 15, 'North']);
  assert.equal(named((await exportedDocument(db)).services, 'Two hours').defaultPrice, 95);
});

test('prices from a spreadsheet are of partners that are there: a mistyped name makes none', async (t) => {
  const db = await openTestDatabase(t);
  await apply(db, { 'company.json': company() });
  const before = await exported(db);
  const table = 'partner,service,price\nHomes,Two hours,85\nHoms,Two hours,85\n';
  assert.deepEqual(await refusalOf(apply(db, { 'prices.csv': table })), [
    'prices.csv, row 3: there is no partner "Homs"',
  ]);
  assert.equal(await exported(db), before);
  const { differences } = await apply(db, { 'prices.csv': table.replace('Homs', 'Desk') });
  assert.deepEqual(differences, [
    'partner "Desk": + price of "Two hours" 85',
    'partner "Homes": + price of "Two hours" 85, - price of "Two hours" 89.5',
  ]);
});

test('the tables of the example are of its company', async (t) => {
  const db = await openTestDatabase(t);
  await apply(
    db,
    { 'company.json': example('company.json'), 'zones.json': example('zones.json') },
    { hasGateway: true },
  );
  const tables = { 'teams.csv': example('teams.csv'), 'prices.csv': example('prices.csv') };
  const { differences } = await apply(db, tables);
  // The tables name home zones too.
  assert.deepEqual(
    differences.filter((text) => !/^team "[^"]+": home zone none becomes/.test(text)),
    ['service "Sofa cleaning": coming prices + 209 from 2027-03-01'],
  );
});

test('a check names the sold visits that are hit, and changes nothing', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { trackingReference } = (await world.book()).body.data;
  const { db } = service.deps;
  const before = await exported(db);
  const log = () => db.first({ text: 'select count(*) as entries from audit_log' });
  const entries = await log();
  const { services, zones, teams } = JSON.parse(before);
  const cases: [Document, ...reasons: string[]][] = [
    [{ teams: [{ ...teams[0], shifts: [] }] }, 'OFF_SHIFT'],
    [
      { zones: [{ ...zones[0], services: [] }], teams: [{ ...teams[0], services: [] }] },
      'NOT_OFFERED_IN_ZONE',
      'NO_SKILL',
    ],
    [{ schedules: [{ nameEn: 'Closed', nameAr: 'مغلق', from: '2026-11-23', closed: true }] }, 'OFF_SHIFT'],
    [{ services: [{ id: services[0].id, defaultPrice: 1 }] }],
  ];
  for (const [changes, ...reasons] of cases) {
    const { differences, conflicts } = await apply(
      db,
      { 'a.json': { format: 1, ...changes } },
      { isCheck: true },
    );
    assert.notEqual(differences.length, 0);
    assert.deepEqual(
      conflicts.rows.map((row) => [row.trackingReference, [...row.reasons].sort()]),
      reasons.length === 0 ? [] : [[trackingReference, reasons.sort()]],
    );
  }
  assert.equal(await exported(db), before);
  assert.deepEqual(await log(), entries);
});

test('what takes too long is taken back whole', async (t) => {
  const db = await openTestDatabase(t);
  const late = new AbortController();
  late.abort();
  const faults = await refusalOf(apply(db, { 'company.json': company() }, { late: late.signal }));
  assert.match(faults.join(), /more than 30 seconds/);
  assert.equal((await exportedDocument(db)).categories.length, 0);
});

test('two that apply at once do it one after the other', onServer('two connections'), async (t) => {
  const url = await createPostgresDatabase(t);
  const open = () => {
    const db = connectPostgres(url, 2, (error) => assert.fail(error));
    afterwards(t, () => db.close());
    return db;
  };
  const [one, other] = [open(), open()];
  const file = { 'company.json': company() };
  const answers = await Promise.all([apply(one, file), apply(other, file)]);
  assert.deepEqual(answers.map(({ differences }) => differences.length).sort(), [0, 18]);
  const text = await exported(one);
  const change = (travelBufferMinutes: number) => {
    const document = JSON.parse(text);
    document.teams[0].travelBufferMinutes = travelBufferMinutes;
    return { 'a.json': document };
  };
  const outcomes = await Promise.allSettled([apply(one, change(10)), apply(other, change(20))]);
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test(
  'it waits for a change of a partner, which may wait for the catalogue',
  onServer('two connections'),
  async (t) => {
    const db = connectPostgres(await createPostgresDatabase(t), 3, (error) => assert.fail(error));
    afterwards(t, () => db.close());
    await apply(db, { 'company.json': company() });
    const isWaiting = async (): Promise<boolean> =>
      (await db.first({
        text: `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      })) !== null;
    const partners = [{ name: 'Homes', prices: [{ service: 'Two hours', price: 80 }] }];
    let applied: ReturnType<typeof apply> | undefined;
    await db.transaction(async (tx) => {
      // As a change of its services begins, and goes on.
      await tx.rows({ text: `select from partners where name = 'Homes' for no key update` });
      applied = apply(db, { 'prices.json': { format: 1, partners } });
      await until(isWaiting);
      await lockCatalogue(tx);
    });
    assert.equal((await applied!).differences.length, 1);
  },
);

test(
  'the command line exports, checks and applies',
  onServer('the command line opens its own connection'),
  async (t) => {
    const urls = [await createPostgresDatabase(t), await createPostgresDatabase(t)];
    const folder = mkdtempSync(join(tmpdir(), 'pbs-setup-'));
    afterwards(t, () => rmSync(folder, { recursive: true }));
    const file = join(folder, 'company.json');
    const copy = join(folder, 'copy.json');
    const cli = (database: number, ...args: string[]) =>
      runToEnd(['setup', ...args], { DATABASE_URL: urls[database]!, DEPLOYMENT: 'sandbox', OPERATOR_TOKEN });
    const ok = async (...args: Parameters<typeof cli>): Promise<string> => {
      const { code, stdout, stderr } = await cli(...args);
      assert.deepEqual([code, stderr], [0, ''], stdout);
      return stdout;
    };
    writeFileSync(file, JSON.stringify(company()));
    assert.match(await ok(0, 'check', file), /^this would change:\n {2}new category "Furnishings"\n/);
    assert.match(
      await ok(0, 'apply', file),
      /^changed:\n[\s\S]*\nnot in such files: keys and secrets, hosts of webhooks/,
    );
    assert.match(await ok(0, 'apply', file), /^nothing differs\n/);
    assert.match(await ok(0, 'export', copy), /^written to .*\nnot in such files/);
    assert.equal(statSync(copy).mode & 0o777, 0o600);
    await ok(1, 'apply', copy);
    assert.equal(await ok(1, 'export'), readFileSync(copy, 'utf8'));
    chmodSync(copy, 0o644);
    await ok(1, 'export', copy);
    assert.equal(statSync(copy).mode & 0o777, 0o600);
    const other = join(folder, 'package.json');
    writeFileSync(other, '{"name":"else"}');
    assert.deepEqual(await cli(1, 'export', other), {
      code: 1,
      stdout: '',
      stderr: `error: ${other} is there and is no set-up: choose another name\n`,
    });
    assert.deepEqual(readdirSync(folder).sort(), ['company.json', 'copy.json', 'package.json']);

    writeFileSync(
      file,
      JSON.stringify({ format: 1, teams: [{ name: 'A' }, { name: 'B', zones: ['Nowhere'], phone: '1' }] }),
    );
    const { code, stdout, stderr } = await cli(0, 'apply', file);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /^company\.json, teams 2 "B": zones\.0: there is no zone "Nowhere"; phone must be a valid phone number \(.*\)\nerror: nothing was changed\n$/,
    );
    assert.match(
      (await cli(0, 'apply', join(folder, 'none.json'))).stderr,
      /^error: .*none\.json cannot be read/,
    );
    assert.equal(
      await ok(0, 'schema'),
      readFileSync(new URL('../docs/setup.schema.json', import.meta.url), 'utf8'),
    );
  },
);
