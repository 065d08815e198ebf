import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PERSONAL, PRIVACY_PAGES, privacyPage } from '../scripts/print-privacy.ts';
import ARABIC from '../scripts/privacy-arabic.json' with { type: 'json' };
import { col, type Personal } from '../src/db/columns.ts';
import type { Db } from '../src/db/connection.ts';
import { erasureOf } from '../src/db/personal.ts';
import { pg } from '../src/db/statement.ts';
import { createWorld } from './fixtures.ts';
import { startTestService, type TestService } from './harness.ts';
import { tablesWith } from './needle.ts';

/**
 * The map of personal data has every column that may hold something of a customer, and docs/privacy.md tells them.
 */

/** Of tables with nothing of a customer: their columns that can say anything. */
const NOT_PERSONAL: Record<string, readonly string[]> = {
  // Outcomes of programs: names of segments and tables.
  backup_reports: ['kind', 'fault'],
  api_keys: ['name', 'hash', 'prefix', 'last4', 'previous_hash', 'permissions', 'ip_allowlist', 'status'],
  appointments: ['name', 'status', 'outcome', 'work_reached'],
  cancellation_reasons: ['name_en', 'name_ar'],
  categories: ['code', 'name_en', 'name_ar', 'description_en', 'description_ar'],
  change_counters: ['name'],
  crew_links: ['hash', 'pin_hash', 'created_by'],
  crew_sessions: ['hash', 'browser', 'system'],
  histories: ['id', 'origin'],
  operator_enrolments: ['hash', 'pin_hash'],
  operator_links: ['hash'],
  operator_sessions: ['first_hash', 'hash', 'browser', 'system'],
  operator_tokens: ['name', 'role', 'hash', 'prefix', 'last4', 'status'],
  page_files: ['base', 'name', 'body'],
  partners: [
    'name',
    'status',
    'payment_responsibility',
    'allowed_domains',
    'sandbox_domains',
    'allowed_webhook_domains',
    'language',
    'page_colour',
    'contact_text_en',
    'contact_text_ar',
    'contact_number',
    'customer_messages',
  ],
  partner_services: ['coming_prices'],
  policies: ['name_en', 'name_ar', 'terms', 'created_by'],
  portal_links: ['hash', 'created_by'],
  portal_sessions: ['key_hash', 'hash'],
  sandbox_checkouts: ['token', 'state'],
  schedules: ['name_en', 'name_ar', 'weekly', 'breaks', 'yearly'],
  schema_functions: ['name', 'hash', 'headers', 'release'],
  schema_migrations: ['name', 'compatible_since'],
  sealing_check: ['value'],
  series_visits: ['state', 'reason'],
  services: [
    'name',
    'zero_price_means',
    'assignment',
    'name_ar',
    'name_before',
    'name_ar_before',
    'coming_prices',
  ],
  simulator_runs: ['script', 'started_by', 'status', 'reason_code', 'reason_message'],
  simulator_steps: ['action', 'appointment_status', 'slot', 'status'],
  statement_accounts: ['buyer'],
  statement_payments: ['reference', 'marked_by'],
  statement_settings: ['seller', 'vat_rates', 'categories'],
  statements: ['status', 'issued_by', 'seller', 'buyer', 'totals', 'created_by'],
  team_time_off: ['reason'],
  teams: ['name', 'name_ar', 'phone'],
  tracking_keys: ['value'],
  webhook_faults: ['kind'],
  webhook_faulty_deliveries: ['kind', 'state'],
  webhook_subscriptions: ['url', 'events', 'status', 'secret', 'previous_secret'],
  visit_calls: ['answer', 'called_by'],
  zones: ['name', 'area_geojson', 'name_ar'],
};

/** Types whose values can say anything. */
const FREE = ['text', 'text[]', 'character varying', 'json', 'jsonb', 'bytea'];

/** Columns that are on neither side of the map, on both, or do not exist. */
async function faultsOf(db: Db): Promise<string[]> {
  const columns = await db.rows<{ table: string; column: string; type: string }>({
    text: `
      select c.relname::text as table, a.attname::text as column, format_type(a.atttypid, null) as type
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped`,
  });
  const known = new Set(columns.map(({ table, column }) => `${table}.${column}`));
  const personal = namesOf(PERSONAL.map(({ table, columns }) => [table, Object.keys(columns)]));
  const others = namesOf(Object.entries(NOT_PERSONAL));
  const tables = new Set(PERSONAL.map(({ table }) => table));
  return [
    ...columns
      .filter(({ table, type }) => tables.has(table) || FREE.includes(type))
      .map(({ table, column }) => `${table}.${column}`)
      .filter((name) => !personal.has(name) && !others.has(name))
      .map((name) => `${name} is not classified`),
    ...[...personal].filter((name) => others.has(name)).map((name) => `${name} is classified twice`),
    ...[...personal, ...others].filter((name) => !known.has(name)).map((name) => `${name} does not exist`),
  ];
}

const namesOf = (tables: (readonly [string, readonly string[]])[]): Set<string> =>
  new Set(tables.flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`)));

test('every column is on the map of personal data, also a new one', async (t) => {
  const { db } = (await startTestService(t)).deps;
  assert.deepEqual(await faultsOf(db), []);
  await db.rows({ text: 'alter table contacts add born_on date' });
  await db.rows({ text: 'alter table teams add remarks text' });
  await db.rows({ text: 'alter table teams add size integer' });
  await db.rows({ text: 'create table diary (entry jsonb)' });
  await db.rows({ text: 'alter table addresses drop column directions' });
  assert.deepEqual((await faultsOf(db)).sort(), [
    'addresses.directions does not exist',
    'contacts.born_on is not classified',
    'diary.entry is not classified',
    'teams.remarks is not classified',
  ]);
});

test("a customer's name, phone and address lie in the tables of contacts and addresses alone", async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  const world = await createWorld(service);
  const [name, phone, street] = ['Haifa Zq81', '+966509998881', 'Wadi Zq82 Street'];
  const made = await world.contact({ name, phone, streetName: street, directions: 'Zq83 gate' });
  const { id: contactId, addressId } = made.body.data;
  const booked = await world.book({ contactId, addressId });
  assert.equal(booked.status, 200, booked.text);
  const { bookingId, appointmentId } = booked.body.data;
  const change = async (body: object) => {
    const answer = await service.operator('PATCH', `/appointments/${appointmentId}`, body);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.data.contact.name, name);
  };
  await change({ status: 'Confirmed' });
  await change({ date: '2026-12-02', timeslot: { startAt: '13:00', endAt: '15:00' } });
  const cancelled = await service.operator('POST', `/bookings/${bookingId}/cancel`, await reasonOf(service));
  assert.equal(cancelled.status, 200, cancelled.text);
  const audited = (await service.operator('GET', '/audit?action=appointment.update')).body.data;
  assert.equal(audited.length, 2);
  // A sandbox's request log has names in bodies, when it is written: phones and directions are masked there.
  const found = async (text: string) =>
    (await tablesWith(db, text)).filter((table) => !table.startsWith('request_log'));
  assert.deepEqual(await found(name), ['contacts']);
  assert.deepEqual(await found(street), ['addresses']);
  assert.deepEqual(await tablesWith(db, phone.slice(1)), ['contacts']);
  assert.deepEqual(await tablesWith(db, 'Zq83'), ['addresses']);
});

async function reasonOf(service: TestService): Promise<{ reasonId: string }> {
  const names = { nameEn: 'Moved', nameAr: 'انتقل' };
  return { reasonId: (await service.operator('POST', '/cancellation-reasons', names)).body.data.id };
}

test('the page about privacy has the tables of the columns, in both languages', () => {
  for (const language of ['en', 'ar'] as const) {
    const page = readFileSync(PRIVACY_PAGES[language], 'utf8');
    assert.equal(privacyPage(page, language), page, 'npm run generate');
    for (const { table } of PERSONAL) assert.match(page, new RegExp(`^\\| \`${table}\` \\|`, 'm'));
    for (const [english, arabic] of Object.entries(ARABIC))
      assert.ok(page.includes(language === 'en' ? english : arabic), `nothing says: ${english}`);
  }
});

test('a column whose end nothing carries out is refused', () => {
  const table = { table: 'diary', what: 'entries', until: 'for good' };
  const column = (personal: Personal) => ({ ...table, columns: { entry: col(pg.text, { personal }) } });
  const erased = column({ holds: 'TEXT', erased: 'null' });
  assert.throws(() => erasureOf(erased), /diary: whose a row is, is not said/);
  assert.throws(
    () => erasureOf(column({ holds: 'TEXT', ends: 'by the slice' })),
    /diary: nothing erases entry/,
  );
  assert.equal(erasureOf(column({ holds: 'TEXT', kept: 'names nobody' })), null);
  assert.equal(
    erasureOf({ ...erased, hers: 'contact_id = :contact' }),
    'update diary set entry = null where contact_id = :contact and (entry) is distinct from (null)',
  );
});
