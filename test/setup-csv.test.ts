import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCsv, readDate, readMoney, readTime, rowsOf } from '../src/http/csv-tables.ts';
import { readCustomers } from '../src/series/import.ts';
import { readTables } from '../src/setup/csv.ts';
import { encoded } from './spreadsheets.ts';

/** Teams and prices as spreadsheets save them, sound ones and broken ones. */

const TEAMS = 'name;phone;zones;home zone;services;travel buffer;days;from;to';
const PRICES = 'partner,service,price,from';
const TEAM = 'Team 1;0501234567;North|Centre;North;Home|Sofa;30;Sun-Thu;08:00;17:00';
const file = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'));
const teams = (...lines: string[]) => readTables('teams.csv', file(TEAMS, ...lines));
const prices = (...lines: string[]) => readTables('prices.csv', file(PRICES, ...lines));

test('a team has a row for each of its hours', () => {
  const { entries, faults } = teams(
    TEAM,
    'Team 1;;;;;;Sat;٢:٠٠ م;24:00',
    ';;;;;;;;',
    'team 2;;North | North;;;;;;',
    ';;;;;;;;',
  );
  assert.deepEqual(faults, []);
  const hours = { startAt: '08:00', endAt: '17:00' };
  assert.deepEqual(entries, [
    {
      kind: 'teams',
      place: 'teams.csv, rows 2 and 3',
      entry: {
        name: 'Team 1',
        phone: '+966501234567',
        zones: ['North', 'Centre'],
        homeZone: 'North',
        services: ['Home', 'Sofa'],
        travelBufferMinutes: 30,
        shifts: [
          ...[7, 1, 2, 3, 4].map((weekday) => ({ weekday, ...hours })),
          { weekday: 6, startAt: '14:00', endAt: '00:00' },
        ],
      },
    },
    { kind: 'teams', place: 'teams.csv, row 5', entry: { name: 'team 2', zones: ['North'] } },
  ]);
});

test('days in either language, hours over midnight, and names of columns in Arabic', () => {
  const header = 'الاسم\tالاسم بالعربية\tالمناطق\tالخدمات\tالأيام\tمن\tإلى';
  const shiftsOf = (days: string) => {
    const { entries, faults } = readTables('x.csv', file(header, `A\tأ\tN\tS\t${days}\t16:00\t1:00`));
    assert.deepEqual(faults, [], days);
    const { shifts } = entries[0]!.entry as { shifts: { weekday: number; startAt: string; endAt: string }[] };
    assert.ok(shifts.every(({ startAt, endAt }) => startAt === '16:00' && endAt === '01:00'));
    return shifts.map(({ weekday }) => weekday);
  };
  assert.deepEqual(shiftsOf('daily'), [1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(shiftsOf('كل يوم'), [1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(shiftsOf('الأحد - الثلاثاء'), [7, 1, 2]);
  assert.deepEqual(shiftsOf('السبت|الإثنين، الأربعاء'), [6, 1, 3]);
  assert.deepEqual(shiftsOf('الخميس إلى السبت'), [4, 5, 6]);
  assert.deepEqual(shiftsOf('Saturday to Monday Friday'), [6, 7, 1, 5]);
  assert.deepEqual(shiftsOf('Sat-Thu'), [6, 7, 1, 2, 3, 4]);
});

test('prices of a partner are one entry, and those of a default', () => {
  const { entries, faults } = prices(
    'Demo,Home,"99,50",',
    'demo,home,٨٩٫٥,01/03/2027',
    ',Home,100,',
    'Demo,Home,,2027-06-01',
    'Demo,Sofa,,',
    ',Sofa,199.99,2027-01-01',
  );
  assert.deepEqual(faults, []);
  assert.deepEqual(entries, [
    { kind: 'services', entry: { nameEn: 'Home', defaultPrice: 100 }, place: 'prices.csv, row 4' },
    {
      kind: 'services',
      entry: { nameEn: 'Sofa', comingPrices: [{ from: '2027-01-01', price: 199.99 }] },
      place: 'prices.csv, row 7',
    },
    {
      kind: 'partners',
      entry: {
        name: 'Demo',
        prices: [
          {
            service: 'Home',
            price: 99.5,
            comingPrices: [
              { from: '2027-03-01', price: 89.5 },
              { from: '2027-06-01', price: null },
            ],
          },
          { service: 'Sofa', price: null },
        ],
      },
      isChange: true,
      place: 'prices.csv, rows 2, 3, 5 and 6',
    },
  ]);
});

const at = (row: number, column: string, why: string): string =>
  `teams.csv, row ${row}, column ${column}: ${why}`;
const PHONE = 'must be a Saudi number, such as 0501234567, in a cell of the format Text';
const AMOUNT = 'must be an amount with at most two decimals, such as 1234.50 or 1234,50';
const QUOTE = 'a quote is not closed, or stands alone: write "" for one that is meant';
const ALL_OR_NONE = 'days, from and to must all be filled, or none';
const NO_DAY = 'is no day; days are such as Sun-Thu, Sat, daily, or الأحد-الخميس';
const ofTeams = (lines: string[], ...faults: string[]) => ({ ...teams(...lines), expected: faults });
const ofPrices = (lines: string[], ...faults: string[]) => ({ ...prices(...lines), expected: faults });
const ofFile = (bytes: Buffer, ...faults: (string | RegExp)[]) => ({
  ...readTables('teams.csv', bytes),
  expected: faults,
});

const BROKEN: Record<string, { entries: unknown[]; faults: string[]; expected: (string | RegExp)[] }> = {
  'an empty file': ofFile(
    Buffer.alloc(0),
    /^teams\.csv: must have the names of columns, and rows below them$/,
  ),
  'only a header': ofFile(file(TEAMS, ';;;'), /^teams\.csv: must have the names of columns, and rows/),
  'a workbook': ofFile(
    Buffer.from('PK\u0003\u0004\0\0'),
    /^teams\.csv: is no CSV: save it in Excel as "CSV UTF-8/,
  ),
  'UTF-16 without a mark': ofFile(Buffer.from(TEAMS, 'utf16le'), /is no CSV/),
  'UTF-8 that breaks off': ofFile(Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xd8]), /begins as UTF-8, and is not/),
  'UTF-8 taken for Windows-1256': ofFile(
    Buffer.from(new TextDecoder('windows-1256').decode(file('الاسم;المناطق;الخدمات', 'أ;ب;ج'))),
    /its Arabic cannot be read/,
  ),
  'too many rows': ofFile(file(TEAMS, ...Array<string>(20_001).fill(TEAM)), /at most 20000 rows/),
  'too many bytes': ofFile(Buffer.alloc(10_000_001, 'a'), /at most 10 MB/),
  'columns of nothing known': ofFile(
    file('colour,size', 'red,3'),
    at(1, 'colour', 'is not known'),
    at(1, 'size', 'is not known'),
    ...['name', 'zones', 'services', 'days', 'from', 'to'].map(
      (column) => `teams.csv, row 1: the column ${column} is missing`,
    ),
  ),
  'prices without their columns': ofFile(
    file('PRICE;size', '1;3'),
    at(1, 'size', 'is not known'),
    'teams.csv, row 1: the column partner is missing',
    'teams.csv, row 1: the column service is missing',
  ),
  'a missing column': ofFile(
    file('name;zones;services;from;to', 'A;B;C;;'),
    'teams.csv, row 1: the column days is missing',
  ),
  'a column twice': ofFile(file(`${TEAMS};الهاتف`, `${TEAM};`), at(1, 'الهاتف', 'is there twice')),
  'an unknown column': ofFile(file(`${TEAMS};Colour`, `${TEAM};red`), at(1, 'Colour', 'is not known')),
  'more cells than columns': ofTeams([TEAM, `${TEAM};x`], at(3, '10', 'has no name in row 1')),
  'a quote that is not closed': ofTeams([TEAM, 'Team 2;"050'], `teams.csv: row 3: ${QUOTE}`),
  'a quote inside of a cell': ofTeams([TEAM, 'Team "2";;;;;;;;', TEAM], `teams.csv: row 3: ${QUOTE}`),
  'no name': ofTeams([TEAM, TEAM.slice('Team 1'.length)], at(3, 'name', 'must not be empty')),
  'days of no week': ofTeams(
    ['A;;;;;;Sunday-Thursdy;08:00;17:00', 'B;;;;;;Sun-Tue-Thu;08:00;17:00'],
    at(2, 'days', `Thursdy ${NO_DAY}`),
    at(3, 'days', 'Sun-Tue-Thu is no range of days, such as Sun-Thu'),
  ),
  'times of no day': ofTeams(
    ['A;;;;;;Sun;8;25:00', 'B;;;;;;Sun;13:00 PM;24:30'],
    at(2, 'from', 'must be a time, such as 09:00 or 14:30'),
    at(2, 'to', 'must be a time, such as 09:00 or 14:30'),
    at(3, 'from', 'must be a time, such as 09:00 or 14:30'),
    at(3, 'to', 'must be a time, such as 09:00 or 14:30'),
  ),
  'hours without days, and days without': ofTeams(
    ['A;;;;;;;08:00;17:00', 'B;;;;;;Sun;;17:00'],
    `teams.csv, row 2: ${ALL_OR_NONE}`,
    `teams.csv, row 3: ${ALL_OR_NONE}`,
  ),
  'hours that overlap': ofTeams(
    ['A;;;;;;daily;20:00;04:00', 'A;;;;;;Mon;03:00;09:00'],
    'teams.csv, rows 2 and 3: the hours of A overlap',
  ),
  'two rows that contradict': ofTeams(
    ['A;0501234567;N;;;;Sun;08:00;09:00', 'B;;;;;;;;', 'A;0501234568;N;;;;Mon;08:00;09:00'],
    'teams.csv, rows 2 and 4, column phone: must be the same, or empty',
  ),
  telephones: ofTeams(
    ['A;12345;;;;;;;', 'B;9.66501E+11;;;;;;;', 'C;+1 212 555 0100;;;;;;;'],
    ...[2, 3, 4].map((row) => at(row, 'phone', PHONE)),
  ),
  'a buffer': ofTeams(['A;;;;;1 hour;;;'], at(2, 'travel buffer', 'must be a whole number from 0 to 480')),
  amounts: ofPrices(
    ['D,A,"1,234.50",', 'D,B,"1,234",', 'D,C,9.999,', 'D,D,-5,', 'D,E,99 SAR,', ',F,,'],
    `prices.csv, row 2, column price: 1,234.50 seems to have a separator of thousands: ${AMOUNT}`,
    `prices.csv, row 3, column price: 1,234 seems to have a separator of thousands: ${AMOUNT}`,
    `prices.csv, row 4, column price: 9.999 seems to have a separator of thousands: ${AMOUNT}`,
    `prices.csv, row 5, column price: ${AMOUNT}`,
    `prices.csv, row 6, column price: ${AMOUNT}`,
    'prices.csv, row 7, column price: a default must not be empty',
  ),
  dates: ofPrices(
    ['D,A,1,31/02/2027', 'D,B,1,12/25/2026', 'D,C,1,2027-13-01', 'D,D,1,soon', 'D,E,1,1/2/27'],
    'prices.csv, row 2, column from: there is no date 31/02/2027',
    'prices.csv, row 3, column from: there is no date 12/25/2026: the day stands before the month',
    'prices.csv, row 4, column from: there is no date 2027-13-01',
    'prices.csv, row 5, column from: must be a date, such as 2026-12-06 or 06/12/2026',
    'prices.csv, row 6, column from: must be a date, such as 2026-12-06 or 06/12/2026',
  ),
  'two prices of a day': ofPrices(
    ['D,A,1,', 'D,A,2,', ',B,3,2027-01-01', ',B,4,01/01/2027'],
    'prices.csv, rows 4 and 5: B has two prices for all from 2027-01-01 on',
    'prices.csv, rows 2 and 3: A has two prices for D from now on',
  ),
};

for (const [what, { entries, faults, expected }] of Object.entries(BROKEN))
  test(`refused whole, with its rows: ${what}`, () => {
    assert.deepEqual(entries, []);
    assert.equal(faults.length, expected.length, faults.join('\n'));
    for (const [index, wanted] of expected.entries())
      if (typeof wanted === 'string') assert.equal(faults[index], wanted);
      else assert.match(faults[index]!, wanted);
  });

test('customers of a file with other columns are not imported, nor those beside a date with the month first', () => {
  const columns = 'name,phone,latitude,longitude,service,first visit,start';
  const faultsOf = (...lines: string[]) => readCustomers('c.csv', file(...lines)).faults;
  const sound = 'Sara,0501234567,"24,7",46.7,Home,06/12/2026,9:00';
  assert.deepEqual(faultsOf(columns, sound, 'Huda,1,,46.7,,2026-12-06,25:00'), [], 'each row has its own');
  assert.deepEqual(faultsOf(`${columns},colour`, `${sound},`), ['c.csv, row 1, column colour: is not known']);
  assert.deepEqual(faultsOf('name,phone', 'Sara,0501234567'), [
    ...['latitude', 'longitude', 'service', 'first visit', 'start'].map(
      (column) => `c.csv, row 1: the column ${column} is missing`,
    ),
  ]);
  assert.deepEqual(faultsOf(columns, sound, sound.replace('06/12', '12/25')), [
    'c.csv, row 3, column first visit: there is no date 12/25/2026: the day stands before the month',
  ]);
});

test('rows are numbered as a spreadsheet does', () => {
  const text =
    'sep=;\r\nname;zones;services;days;from;to\r\n"Line\r\nbreak";;;;;\r\n;;;;;\r\nB;;;Nowhere;;\r\n';
  assert.deepEqual(readTables('t.csv', Buffer.from(text)).faults, [
    `t.csv, row 4, column days: Nowhere ${NO_DAY}`,
  ]);
});

test('the separator is that of the first line, or else the one that parts most names', () => {
  assert.deepEqual(readCsv('x', file('sep=;', 'a,b,c;d', '1,2;3')).table!.header, ['a,b,c', 'd']);
  assert.deepEqual(readCsv('x', file('a,b;c;d', '1')).table!.header, ['a,b', 'c', 'd']);
});

test('cells are read without guessing', () => {
  assert.equal(readMoney('99,5'), 99.5);
  assert.equal(readMoney('0.10'), 0.1);
  assert.equal(readMoney('٩٩٫٥٠'), 99.5);
  assert.equal(readDate('6/1/2027'), '2027-01-06');
  assert.equal(readDate('٠٦/١٢/٢٠٢٦'), '2026-12-06');
  assert.equal(readDate('2026/12/06'), '2026-12-06');
  assert.deepEqual(['9:00', '12:00 AM', '12:30 pm', '1:05 م'].map(readTime), [
    '09:00',
    '00:00',
    '12:30',
    '13:05',
  ]);
  const [row] = rowsOf(readCsv('x', file('a,b', "'+966,\u200f x\u00a0")).table!, {
    a: { names: ['A'] },
    b: { names: [' b '] },
  }).rows;
  assert.deepEqual(
    row!.values,
    { a: '+966', b: 'x' },
    'as our own files write it, and without marks around it',
  );
});

test('what is read depends neither on the separator, the encoding nor the ends of lines', () => {
  const name = fc
    .string({ unit: fc.constantFrom(...'abcابتسين '), minLength: 1, maxLength: 6 })
    .map((text) => text.trim() || 'x');
  const cell = fc
    .string({ unit: fc.constantFrom(...'ab 1,;\t"\nالعربية-.|'), maxLength: 8 })
    .map((text) => text.trim());
  const table = fc.integer({ min: 2, max: 5 }).chain((width) =>
    fc.record({
      header: fc.array(name, { minLength: width, maxLength: width }),
      rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
    }),
  );
  const way = fc.record({
    separator: fc.constantFrom(',', ';', '\t'),
    end: fc.constantFrom('\r\n', '\n', '\r'),
    encoding: fc.constantFrom('utf-8', 'utf-8 with a mark', 'utf-16', 'windows-1256' as const),
    quotesAll: fc.boolean(),
    tells: fc.boolean(),
    blank: fc.boolean(),
  });
  fc.assert(
    fc.property(table, way, ({ header, rows }, { separator, end, encoding, quotesAll, tells, blank }) => {
      const write = (cells: string[]): string =>
        cells
          .map((text) =>
            quotesAll || /[,;\t"\n]/.test(text)
              ? `"${text.replaceAll('"', '""').replaceAll('\n', end)}"`
              : text,
          )
          .concat(blank ? ['', ''] : [])
          .join(separator);
      const lines = [
        ...(tells ? [`sep=${separator}`] : []),
        ...[header, ...rows].map(write),
        ...(blank ? ['', ''] : []),
      ];
      const read = readCsv('x.csv', encoded(lines.join(end) + end, encoding));
      const filled = rows
        .map((cells, index) => ({ row: index + 2, cells }))
        .filter(({ cells }) => cells.some((text) => text !== ''));
      if (filled.length === 0) return assert.equal(read.table, null);
      assert.deepEqual(read.faults, []);
      const width = header.length;
      assert.deepEqual(
        {
          header: read.table!.header.slice(0, width),
          rows: read.table!.rows.map(({ row, cells }) => ({ row, cells: cells.slice(0, width) })),
        },
        { header, rows: filled },
      );
    }),
    { numRuns: 300 },
  );
});

test('the weekly customers of the example are read', () => {
  const read = (name: string): Buffer => readFileSync(new URL(`../examples/riyadh/${name}`, import.meta.url));
  const weekly = readCustomers('customers.csv', read('customers.csv'));
  assert.deepEqual([weekly.faults, weekly.customers.flatMap((row) => row.faults)], [[], []]);
  const company: { services: { nameEn: string }[] } = JSON.parse(read('company.json').toString());
  const services = company.services.map(({ nameEn }) => nameEn);
  assert.ok(weekly.customers.every(({ values }) => services.includes(values.service!)));
});
