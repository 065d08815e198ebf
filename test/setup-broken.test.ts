import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SetupRefusal } from '../src/setup/files.ts';
import { openTestDatabase } from './harness.ts';
import { apply, company, type Document, exported, exportedDocument, square } from './setup-fixtures.ts';

/**
 * Broken set-up files: each is refused whole, with the place of every fault. One transaction makes it so, also when the
 * program is killed between two statements: the database ends it.
 */

const NEW_ID = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
const team = { name: 'Team 9', zones: ['North'], services: ['Two hours'] };
const hours = (startAt: string, endAt: string, weekday = 1) => ({ weekday, startAt, endAt });
const doc = (kinds: Document): Document => ({ format: 1, ...kinds });
const teams = (...all: Document[]): Document => doc({ teams: all });
const zone = (fields: Document): Document =>
  doc({ zones: [{ name: 'West', area: square(46.3, 24.1), ...fields }] });

/** What the file is, its content (`here`: an export of the deployment), and the beginnings of all its faults. */
type Case = [what: string, file: unknown | ((here: Document) => unknown), ...faults: string[]];
const CASES: Case[] = [
  ['an empty file', '', 'x.json: must be an object with "format": 1'],
  ['truncated', '{"format":1,"teams":[{"name":"Te', 'x.json: file must be valid JSON'],
  ['no JSON', 'format: 1\n', 'x.json: file must be valid JSON'],
  ['UTF-16', Buffer.from('\ufeff{"format":1}', 'utf16le'), 'x.json: file must be valid UTF-8'],
  [
    'a field twice',
    '{"format":1,"teams":[{"name":"A","name":"B"}]}',
    'x.json: property teams.0.name must not be repeated',
  ],
  ['an array', [team], 'x.json: must be an object with "format": 1'],
  ['a text', '"format"', 'x.json: must be an object with "format": 1'],
  ['another format', { format: 2, teams: [team] }, 'x.json: format must be 1'],
  ['without a format', { teams: [team] }, 'x.json: format must be 1'],
  ['a bad state', { format: 1, state: 'new' }, 'x.json: state must be as it was exported'],
  ['an unknown list', doc({ crews: [team] }), 'x.json: property crews should not exist'],
  ['an object for a list', doc({ teams: team }), 'x.json: teams must be an array'],
  ['too large', Buffer.alloc(10 * 2 ** 20, ' '), 'x.json: is larger than 8 MB'],
  [
    'too many',
    teams(...Array.from({ length: 5_001 }, (_, index) => ({ name: `T ${index}` }))),
    'there are 5002 entries',
  ],
  ['a number for an entry', teams(team, 7 as never), 'x.json, teams 2: must be an object'],
  [
    'an unknown field',
    teams({ ...team, colour: 'red' }),
    'x.json, teams 1 "Team 9": property colour should not exist',
  ],
  [
    'a field of the interface',
    teams({ ...team, zoneIds: [NEW_ID] }),
    'x.json, teams 1 "Team 9": property zoneIds should not exist',
  ],
  [
    'a wrong type',
    teams({ ...team, travelBufferMinutes: '30' }),
    'x.json, teams 1 "Team 9": travelBufferMinutes must be an integer',
  ],
  [
    'a list for a text',
    doc({ services: [{ nameEn: 'X', category: ['home'], durationMinutes: 1, defaultPrice: 1 }] }),
    'x.json, services 1 "X": category must be a name or an id',
  ],
  ['a name that is missing', teams({ zones: [] }), 'x.json, teams 1: name should not be empty'],
  [
    'a price that is missing',
    doc({ services: [{ nameEn: 'X', category: 'home', durationMinutes: 60 }] }),
    'x.json, services 1 "X": defaultPrice must be a number',
  ],
  [
    'an unknown reference',
    teams({ ...team, zones: ['North', 'Nowhere'] }),
    'x.json, teams 1 "Team 9": zones.1: there is no zone "Nowhere"',
  ],
  [
    'an ambiguous reference',
    doc({
      services: [1, 2].map((n) => ({
        id: NEW_ID.replace('10', `1${n}`),
        nameEn: 'Twin',
        category: 'home',
        durationMinutes: 60,
        defaultPrice: n,
      })),
      teams: [{ ...team, services: ['Twin'] }],
    }),
    'x.json, teams 1 "Team 9": services.0: several are called "Twin": give the id',
  ],
  [
    'a name twice',
    teams(team, { ...team, name: 'team 9' }),
    'x.json, teams 2 "team 9": is the same team as teams 1',
  ],
  [
    'an id twice',
    teams({ ...team, id: NEW_ID }, { ...team, name: 'Team 10', id: NEW_ID }),
    'x.json, teams 2 "Team 10": is the same team as teams 1',
  ],
  ['no id', teams({ ...team, id: 'team-9' }), 'x.json, teams 1 "Team 9": id must be a UUID'],
  [
    'the id of another kind',
    (here: Document) => teams({ ...team, id: here.zones[0].id }),
    'x.json, teams 1 "Team 9": id is that of a zone',
  ],
  [
    'the name of another one',
    (here: Document) => teams({ id: here.teams[0].id, name: 'Team 2' }),
    'x.json, teams 1 "Team 2": name is already used by another team',
  ],
  [
    'zones that overlap',
    zone({ area: square(47.65, 24.75) }),
    'x.json, zones 1 "West": overlaps East, North: give one another priority, or name it in confirmedOverlaps',
  ],
  [
    'a ring that is open',
    zone({ area: { type: 'Polygon', coordinates: [square(46.3, 24.1).coordinates[0]!.slice(0, 4)] } }),
    'x.json, zones 1 "West": area.coordinates.0 must end where it begins',
  ],
  [
    'a ring that crosses itself',
    zone({
      area: {
        type: 'Polygon',
        coordinates: [
          [
            [46, 24],
            [46.1, 24.1],
            [46.1, 24],
            [46, 24.1],
            [46, 24],
          ],
        ],
      },
    }),
    'x.json, zones 1 "West": area must not cross or touch itself',
  ],
  [
    'several areas',
    {
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          properties: { name: 'West' },
          geometry: { type: 'MultiPolygon', coordinates: [] },
        },
      ],
    },
    'x.json, zones 1 "West": area.type must be one of the following values: Polygon',
  ],
  [
    'a feature without an area',
    {
      type: 'FeatureCollection',
      features: [{ type: 'Feature', properties: { name: 'West' }, geometry: null }],
    },
    'x.json, zones 1 "West": area must be an object',
  ],
  [
    'shifts that overlap',
    teams({ ...team, shifts: [hours('08:00', '16:00'), hours('15:00', '20:00')] }),
    'x.json, teams 1 "Team 9": shifts must not overlap',
  ],
  [
    'a shift at no time',
    teams({ ...team, shifts: [hours('8', '16:00')] }),
    'x.json, teams 1 "Team 9": shifts.0.startAt must be a valid time',
  ],
  [
    'a shift that is none',
    teams({ ...team, shifts: [null] }),
    'x.json, teams 1 "Team 9": shifts.0 must be an object',
  ],
  [
    'prices that are none',
    doc({ partners: [{ name: 'App', prices: 5 }] }),
    'x.json, partners 1 "App": prices must be an array',
  ],
  [
    'a price that is none',
    doc({ partners: [{ name: 'App', prices: [null] }] }),
    'x.json, partners 1 "App": prices.0.service must be a name or an id',
  ],
  [
    'a text for references',
    teams({ ...team, zones: 'North' }),
    'x.json, teams 1 "Team 9": zones must be an array',
  ],
  [
    'a number for a reference',
    teams({ ...team, zones: [7] }),
    'x.json, teams 1 "Team 9": zones.0: there is no zone 7',
  ],
  [
    'a shift on no day',
    teams({ ...team, shifts: [hours('08:00', '16:00', 8)] }),
    'x.json, teams 1 "Team 9": shifts.0.weekday must not be greater than 7',
  ],
  [
    'a telephone',
    teams({ ...team, phone: '0501234567' }),
    'x.json, teams 1 "Team 9": phone must be a valid phone number',
  ],
  [
    'tiers that overlap',
    doc({ tiers: [{ minMinutes: 100, maxMinutes: 200, factor: 1 }] }),
    'x.json, tiers 1 "100 to 200 minutes": The minutes overlap those of another tier',
  ],
  [
    'bounds the wrong way',
    doc({ tiers: [{ minMinutes: 50, maxMinutes: 10, factor: 1 }] }),
    'x.json, tiers 1 "50 to 10 minutes": maxMinutes must not be less than minMinutes',
  ],
  [
    'an end of what is active',
    teams({ name: 'Team 1', isActive: false }),
    'x.json, teams 1 "Team 1": isActive: it is active here',
  ],
  [
    'a partner to suspend',
    doc({ partners: [{ name: 'Homes', status: 'SUSPENDED' }] }),
    'x.json, partners 1 "Homes": status: it is active here',
  ],
  [
    'a price of yesterday',
    doc({ services: [{ nameEn: 'Two hours', comingPrices: [{ from: '2026-11-21', price: 1 }] }] }),
    'x.json, services 1 "Two hours": comingPrices.0.from must be after today',
  ],
  [
    "a partner's price of yesterday",
    doc({
      partners: [
        {
          name: 'Desk',
          prices: [{ service: 'Two hours', comingPrices: [{ from: '2026-11-21', price: 1 }] }],
        },
      ],
    }),
    'x.json, partners 1 "Desk": prices.0.comingPrices.0.from must be after today',
  ],
  [
    'a price twice',
    doc({
      partners: [
        {
          name: 'Desk',
          prices: [
            { service: 'Two hours', price: 1 },
            { service: 'two hours', price: 2 },
          ],
        },
      ],
    }),
    'x.json, partners 1 "Desk": prices.1.service must not be listed twice',
  ],
  [
    'a gateway that is missing',
    doc({ partners: [{ name: 'App', paymentResponsibility: 'PLATFORM' }] }),
    'x.json, partners 1 "App": paymentResponsibility must be PARTNER while there is no payment gateway',
  ],
  [
    'a notifier that is missing',
    doc({ partners: [{ name: 'App', customerMessages: ['BOOKED'] }] }),
    'x.json, partners 1 "App": customerMessages must be empty',
  ],
  [
    'hosts of webhooks',
    doc({ partners: [{ name: 'App', allowedWebhookDomains: ['example.sa'] }] }),
    'x.json, partners 1 "App": property allowedWebhookDomains should not exist',
  ],
  [
    'a step in two ways',
    doc({
      policies: [{ nameEn: 'Hard', nameAr: 'صارمة', cancel: [{ hoursBefore: 3, percent: 5, amount: 5 }] }],
    }),
    'x.json, policies 1 "Hard": cancel.0 must have percent or amount, and not both',
  ],
  [
    'a second policy',
    doc({ policies: [{ nameEn: 'Hard', nameAr: 'صارمة', assignments: [{ partner: 'Homes' }] }] }),
    'x.json, policies 1 "Hard": Another policy is assigned to the same partner and service',
  ],
  [
    'a schedule without hours',
    doc({ schedules: [{ nameEn: 'Eid', nameAr: 'عيد', from: '2027-03-09' }] }),
    'x.json, schedules 1 "Eid": closed, weekly or breaks must be given',
  ],
  [
    'a schedule that ends first',
    doc({
      schedules: [{ nameEn: 'Eid', nameAr: 'عيد', from: '2027-03-09', to: '2027-03-01', closed: true }],
    }),
    'x.json, schedules 1 "Eid": to must not be before from',
  ],
];

test('broken files are refused whole, each with its place', async (t) => {
  const db = await openTestDatabase(t);
  await apply(db, { 'company.json': company() });
  const before = await exported(db);
  const here = await exportedDocument(db);
  for (const [what, file, ...faults] of CASES) {
    const content: Document = typeof file === 'function' ? file(here) : file;
    // A good entry beside the broken one is not written either.
    const isDocument = content?.format === 1 && Object.keys(content).length > 1;
    const whole = isDocument ? { ...content, reasons: [{ nameEn: 'New', nameAr: 'جديد' }] } : content;
    const error = await apply(db, { 'x.json': whole }).then(
      () => assert.fail(`${what} is not refused`),
      (refusal) => refusal,
    );
    assert.ok(error instanceof SetupRefusal, `${what}: ${error.stack}`);
    assert.ok(
      faults.every((fault) => error.faults.some((told: string) => told.startsWith(fault))),
      `${what}: ${error.faults.join('\n')}`,
    );
  }
  assert.equal(await exported(db), before);
});

test('the faults of all entries are told together, and those that only wait for a broken one are not', async (t) => {
  const db = await openTestDatabase(t);
  const broken = company();
  broken.services[0].durationMinutes = 0;
  broken.zones[1].area.coordinates[0].pop();
  broken.teams[1].phone = 'none';
  broken.partners[0].rateLimitPerMinute = -1;
  const before = await exported(db);
  await assert.rejects(
    apply(db, { 'a.json': broken, 'b.json': teams({ name: 'Team 8', homeZone: 'Nowhere' }) }),
    ({ faults }) => {
      assert.deepEqual(
        faults.map((fault: string) => fault.replace(/ \(.*/, '')),
        [
          'a.json, services 1 "Two hours": durationMinutes must not be less than 1',
          'a.json, zones 2 "East": area.coordinates.0 must end where it begins',
          'a.json, teams 2 "Team 2": phone must be a valid phone number',
          'b.json, teams 1 "Team 8": homeZone: there is no zone "Nowhere"',
          'a.json, partners 1 "Homes": rateLimitPerMinute must not be less than 1',
        ],
      );
      return true;
    },
  );
  assert.equal(await exported(db), before);
});
