import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { INFRASTRUCTURE, LAYERS } from './layers.ts';

/**
 * Each table has an owner: the slice that writes it. Others write it only where that is listed here, and a slice reads
 * tables of slices above it only where that is listed: both lists are to become shorter.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const OWNERS: Record<string, readonly string[]> = {
  db: [
    'audit_log',
    'audit_texts',
    'backup_reports',
    'change_counters',
    'histories',
    'schema_functions',
    'schema_migrations',
    'sealing_check',
  ],
  http: ['page_files'],
  partners: ['api_keys', 'partners', 'partner_services'],
  policies: ['policies', 'policy_assignments'],
  requests: ['request_log'],
  catalogue: ['categories', 'services', 'zones', 'zone_overlaps', 'zone_services'],
  contacts: ['addresses', 'contacts'],
  pricing: ['pricing_tiers'],
  teams: [
    'schedule_periods',
    'schedules',
    'team_services',
    'team_shifts',
    'team_time_off',
    'team_zones',
    'teams',
  ],
  reasons: ['cancellation_reasons'],
  statements: [
    'statement_accounts',
    'statement_files',
    'statement_lines',
    'statement_payments',
    'statement_settings',
    'statements',
  ],
  series: ['series', 'series_visits'],
  bookings: ['appointments', 'booking_access', 'bookings', 'events', 'holds', 'idempotency_keys'],
  payments: ['gateway_payments', 'payments', 'sandbox_checkouts'],
  webhooks: ['webhook_deliveries', 'webhook_pending', 'webhook_subscriptions'],
  events: ['event_places', 'unplaced_events'],
  dispatch: ['visit_calls'],
  crew: ['crew_links', 'crew_sessions', 'crew_steps'],
  customers: ['customer_messages', 'customer_messages_cursor', 'tracking_keys'],
  privacy: ['privacy_requests'],
  simulator: ['simulator_runs', 'simulator_steps', 'webhook_faults', 'webhook_faulty_deliveries'],
  certification: ['certifications'],
  portal: ['portal_links', 'portal_sessions'],
  operator: [
    'operator_enrolments',
    'operator_links',
    'operator_sessions',
    'operator_tokens',
    'sandbox_clock',
  ],
};
const OWNER = new Map(
  Object.entries(OWNERS).flatMap(([owner, tables]) => tables.map((table) => [table, owner])),
);

/** From the top down. */
const FLOORS: readonly (readonly string[])[] = [...LAYERS, ...INFRASTRUCTURE];
const floorOf = (slice: string): number => FLOORS.findIndex((floor) => floor.includes(slice));

/** Foreign writers of a table, with reasons. */
const FOREIGN_WRITERS: Record<string, string> = {
  'payments: bookings': "a trigger: a change of a payment is one of its booking's",
  'bookings: payments': "a trigger: a booking's end is one of its payment's",
  'events: webhook_deliveries': 'a trigger: deliveries are made with the place of their event',
  'simulator: webhook_deliveries': 'makes a delivery due again, late or twice, in a sandbox',
  'simulator: webhook_pending': 'as its deliveries',
  'webhooks: webhook_faulty_deliveries': 'ends with its delivery',
};

/** Readers of a table of a slice above them, with reasons. */
const UPWARD_READERS: Record<string, string> = {
  'availability: appointments': 'what is free depends on what is taken',
  'availability: bookings': 'the service of a visit, for its buffers',
  'availability: holds': 'what is free depends on what is held',
  'catalogue: appointments': 'uses of a zone, and visits on changed ground',
  'catalogue: bookings': 'uses of a service',
  'catalogue: teams': 'whether there is any set-up, for the version of the catalogue',
  'contacts: appointments': 'the zone of the last visit, which an erased address becomes',
  'contacts: bookings': 'whether anything was booked at an address',
  'contacts: privacy_requests': 'when a contact was erased',
  'contacts: series': 'whether a series is for an address',
  'db: bookings': 'whether the audit log lacks texts because their customer was erased',
  'db: contacts': 'as bookings',
  'db: event_places': 'the place from which a new history goes on',
  'db: operator_tokens': 'names of actors',
  'db: teams': 'names of actors',
  'dispatch: operator_tokens': 'the name of who called a customer',
  'partners: services': 'names of the services of a partner',
  'reasons: bookings': 'uses of a reason',
  'runtime: sandbox_clock': 'the offset, read with the versions',
  'teams: appointments': 'uses of a team, and visits in the way of a change',
  'teams: bookings': 'the service of a visit, which a team must know',
  'webhooks: webhook_faulty_deliveries': 'ends with its delivery',
};

type Source = { path: string; text: string };
type Access = { slice: string; table: string };

const sources: Source[] = globSync('src/**/*.{ts,sql}', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(`${ROOT}${path}`, 'utf8') }));

const WRITES = [
  /\b(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?(\w+)/gi,
  /(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)/g,
];
const READS = [/\b(?:from|join)\s+(?:only\s+)?(\w+)/gi, /(?:selectFrom|innerJoin|leftJoin)\(\s*'(\w+)/g];

/** The tables that the sources name after these words, with the slices. Comments are not read. */
function accesses(files: readonly Source[], patterns: readonly RegExp[]): Access[] {
  const found = new Map<string, Access>();
  for (const { path, text } of files) {
    const slice = dirname(path).split('/')[1] ?? '';
    const comments = path.endsWith('.sql') ? /--[^\n]*/g : /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g;
    const code = text.replace(comments, ' ');
    for (const pattern of patterns)
      for (const [, table] of code.matchAll(pattern))
        if (OWNER.has(table!)) found.set(`${slice} ${table}`, { slice, table: table! });
  }
  return [...found.values()];
}

const nameOf = ({ slice, table }: Access): string => `${slice}: ${table}`;

/** Accesses that no list has, and entries that nothing needs any more. */
const faultsOf = (found: readonly Access[], listed: Record<string, string>): string[] => [
  ...found
    .map(nameOf)
    .filter((name) => listed[name] === undefined)
    .map((name) => `${name} is not listed`),
  ...Object.keys(listed)
    .filter((name) => !found.map(nameOf).includes(name))
    .map((name) => `${name} is listed, and is not so`),
];

const foreign = (files: readonly Source[]): Access[] =>
  accesses(files, WRITES).filter(({ slice, table }) => OWNER.get(table) !== slice);

const upward = (files: readonly Source[]): Access[] =>
  accesses(files, READS).filter(
    ({ slice, table }) => floorOf(slice) >= 0 && floorOf(slice) > floorOf(OWNER.get(table)!),
  );

test('every table has an owner', () => {
  const schema = readFileSync(`${ROOT}docs/schema.sql`, 'utf8');
  const tables = [...schema.matchAll(/^CREATE TABLE public\.(\w+)/gm)].map(([, table]) => table!);
  const whole = tables.filter((table) => !table.endsWith('_default'));
  assert.ok(whole.length > 50);
  assert.deepEqual(whole.toSorted(), [...OWNER.keys()].toSorted());
});

test('a table is written by its owner alone, but for those that are listed', () => {
  assert.deepEqual(faultsOf(foreign(sources), FOREIGN_WRITERS), []);
});

test('a slice reads the tables of its own floor and below, but for those that are listed', () => {
  assert.deepEqual(faultsOf(upward(sources), UPWARD_READERS), []);
});

test('a foreign writer, an upward reader and a stale entry are found', () => {
  const files = [
    { path: 'src/teams/queries.ts', text: `tables.updateTable('bookings'); // update zones` },
    { path: 'src/teams/visit-queries.ts', text: 'select 1 from bookings join teams on true' },
    { path: 'src/operator/queries.ts', text: `tables.selectFrom('bookings as b')` },
    { path: 'src/teams/functions.sql', text: '-- delete from zones\nselect 1 from zones' },
  ];
  assert.deepEqual(foreign(files).map(nameOf), ['teams: bookings']);
  assert.deepEqual(upward(files).map(nameOf), ['teams: bookings']);
  assert.deepEqual(faultsOf([], { 'teams: bookings': 'no longer' }), [
    'teams: bookings is listed, and is not so',
  ]);
});
