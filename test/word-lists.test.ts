import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Selectable } from 'kysely';
import { TEXTS } from '../console/texts.ts';
import { REFUND_STATUSES } from '../src/bookings/refund.ts';
import {
  APPOINTMENT_STATUSES,
  BEGUN,
  BOOKING_STATUSES,
  type cancellationAction,
  EVENT_NAMES,
  PAYMENT_STATUSES,
} from '../src/bookings/rules.ts';
import type { ServiceTable } from '../src/catalogue/table.ts';
import type { CertificationTable } from '../src/certification/table.ts';
import { CONTACT_LANGUAGES, STOPPED_BY } from '../src/contacts/table.ts';
import { CREW_STEPS } from '../src/crew/rules.ts';
import { DROP_REASONS } from '../src/customers/message-rules.ts';
import { MESSAGE_STATUSES } from '../src/customers/table.ts';
import type { ReportKind } from '../src/db/backup-reports.ts';
import { CALL_ANSWERS } from '../src/dispatch/call-rules.ts';
import { TOPICS_OF_TARGET } from '../src/operator/changes.ts';
import { ROLES } from '../src/operator/roles.ts';
import { CHOSEN_KINDS, MESSAGE_KINDS } from '../src/partners/account-rules.ts';
import { KEY_MOVES } from '../src/partners/key-rules.ts';
import type { PartnerTable } from '../src/partners/table.ts';
import type { CheckoutState } from '../src/payments/providers/sandbox-queries.ts';
import { PAYMENT_STATES } from '../src/payments/rules.ts';
import { OUTCOMES } from '../src/policies/words.ts';
import { REQUEST_KINDS, REQUEST_STATUSES } from '../src/privacy/table.ts';
import { EVERY_WEEKS, SERIES_STATUSES, VISIT_STATES } from '../src/series/rules.ts';
import { FAULT_KINDS } from '../src/simulator/fault-rules.ts';
import {
  ACTIONS,
  CUSTOMER_SCRIPTS,
  RUN_STATUSES,
  SCRIPTS,
  STARTERS,
  STEP_STATUSES,
} from '../src/simulator/rules.ts';
import type { FaultyDeliveryTable } from '../src/simulator/table.ts';
import type { Line } from '../src/statements/lines.ts';
import { LINE_KINDS } from '../src/statements/owed.ts';
import { FILE_FORMATS } from '../src/statements/schema.ts';
import type { StatementStatus } from '../src/statements/table.ts';
import { DELIVERY_STATUSES, SUBSCRIPTION_STATUSES } from '../src/webhooks/rules.ts';
import { openTestDatabase } from './harness.ts';

/**
 * Closed lists of words that the compiler cannot compare: in the database, in sources, in guides.
 */

/** The words of a type that has no list. */
const wordsOf = <Word extends string>(words: Record<Word, true>): string[] => Object.keys(words);

const KEY_STATUSES = Object.keys(KEY_MOVES);
const KEPT_BY = wordsOf<Selectable<PartnerTable>['payment_responsibility']>({
  PARTNER: true,
  PLATFORM: true,
});

/** The words of every column that a check limits to some. */
const CHECKED: Record<string, readonly string[]> = {
  'api_keys.status': KEY_STATUSES,
  'appointments.outcome': OUTCOMES,
  // `Held` is not shown: an appointment of a hold.
  'appointments.status': [...APPOINTMENT_STATUSES, 'Held'],
  'appointments.work_reached': BEGUN,
  'backup_reports.kind': wordsOf<ReportKind>({ BACKUP: true, ARCHIVE: true, DRILL: true }),
  'bookings.cancellation_action': wordsOf<ReturnType<typeof cancellationAction>>({
    CANCEL_AND_REFUND: true,
    CANCEL_ONLY: true,
  }),
  'bookings.payment_responsibility': KEPT_BY,
  'bookings.payment_status': PAYMENT_STATUSES,
  'bookings.status': BOOKING_STATUSES,
  'certifications.status': wordsOf<Selectable<CertificationTable>['status']>({
    RUNNING: true,
    FINISHED: true,
  }),
  'contacts.language': CONTACT_LANGUAGES,
  'contacts.messages_stopped': STOPPED_BY,
  'crew_steps.status': CREW_STEPS,
  'customer_messages.kind': MESSAGE_KINDS,
  'customer_messages.status': MESSAGE_STATUSES,
  'operator_tokens.role': ROLES,
  'operator_tokens.status': KEY_STATUSES,
  'partners.customer_messages': CHOSEN_KINDS,
  'partners.language': wordsOf<Selectable<PartnerTable>['language']>({ en: true, ar: true }),
  'partners.payment_responsibility': KEPT_BY,
  'partners.status': wordsOf<Selectable<PartnerTable>['status']>({ ACTIVE: true, SUSPENDED: true }),
  'payments.refund_status': REFUND_STATUSES,
  'payments.status': PAYMENT_STATES,
  'privacy_requests.kind': REQUEST_KINDS,
  'privacy_requests.status': REQUEST_STATUSES,
  'sandbox_checkouts.state': wordsOf<CheckoutState>({ open: true, paid: true, failed: true, closed: true }),
  'series.every_weeks': EVERY_WEEKS.map(String),
  'series.status': SERIES_STATUSES,
  'series_visits.state': VISIT_STATES,
  'services.assignment': wordsOf<Selectable<ServiceTable>['assignment']>({ instant: true, deferred: true }),
  'services.zero_price_means': wordsOf<Selectable<ServiceTable>['zero_price_means']>({
    free: true,
    deferred: true,
  }),
  'simulator_runs.script': [...SCRIPTS, ...CUSTOMER_SCRIPTS],
  'simulator_runs.started_by': STARTERS,
  'simulator_runs.status': RUN_STATUSES,
  'simulator_steps.action': ACTIONS,
  'simulator_steps.status': STEP_STATUSES,
  'statement_files.format': FILE_FORMATS,
  'statement_lines.document': wordsOf<NonNullable<Line['document']>>({ INVOICE: true, CREDIT: true }),
  'statement_lines.kind': LINE_KINDS,
  'statements.status': wordsOf<StatementStatus>({ DRAFT: true, ISSUED: true }),
  'webhook_deliveries.status': DELIVERY_STATUSES,
  'webhook_faults.kind': FAULT_KINDS,
  'webhook_faulty_deliveries.state': wordsOf<FaultyDeliveryTable['state']>({
    HELD: true,
    TAKEN: true,
    DONE: true,
  }),
  'webhook_subscriptions.status': SUBSCRIPTION_STATUSES,
  'visit_calls.answer': CALL_ANSWERS,
};

test('the checks of the database allow the words of the program', async (t) => {
  const db = await openTestDatabase(t);
  const checks = await db.rows<{ table: string; check: string }>({
    text: `
      select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as "check" from pg_constraint
      where contype = 'c' and coninhcount = 0`,
  });
  const found = checks.flatMap(({ table, check }): [string, string[]][] => {
    const [, column, words] = /^CHECK \(\((\w+) (?:= ANY|<@) \(?ARRAY\[([^\]]*)\]\)+$/.exec(check) ?? [];
    if (column === undefined) return [];
    // A partition has the check of its table.
    return [
      [
        `${table.replace(/_(?:default|\d{8})$/, '')}.${column}`,
        [...words!.matchAll(/'([^']*)'|(\d+)/g)].map(([, word, number]) => word ?? number!),
      ],
    ];
  });
  const sorted = (lists: [string, readonly string[]][]) =>
    Object.fromEntries(lists.map(([column, words]) => [column, [...words].sort()]));
  assert.deepEqual(sorted(found), sorted(Object.entries(CHECKED)));
});

const SOURCES = globSync('src/**/*.ts').filter((path) => !path.endsWith('.test.ts'));
const inSources = (pattern: RegExp): Set<string> =>
  new Set(
    SOURCES.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(pattern)].map(([, word]) => word!)),
  );

test('every event that a subscription may name is written by a use case', () => {
  // As a NewEvent, or with its booking; test/openapi.test.ts receives each of them.
  assert.deepEqual([...inSources(/\b(?:name|event): '(booking\.\w+)'/g)].sort(), [...EVENT_NAMES].sort());
});

/** Targets of the audit log whose changes no page shows but the log. */
const LOGGED_ONLY = ['address', 'alerts', 'contact', 'crew-link', 'history', 'privacy-request'];

test('every target of the audit log has its topics in the stream of changes', () => {
  const targets = inSources(
    /(?:\btarget(?::| =) [`'](?=[\w-]+:)|\bauditOf\('|\bauditedRows\(\w+, \{\s*kind: ')([\w-]+)/gi,
  );
  assert.deepEqual([...targets].sort(), [...Object.keys(TOPICS_OF_TARGET), ...LOGGED_ONLY].sort());
});

test('every reason why a message was not sent has a text', () => {
  for (const reason of DROP_REASONS) assert.ok(`customers.not.${reason}` in TEXTS, reason);
  for (const kind of MESSAGE_KINDS) assert.ok(`customers.${kind}` in TEXTS, kind);
});

test('the guide of operators names every concern', () => {
  const { components } = JSON.parse(readFileSync('openapi/operator.json', 'utf8'));
  const { at: _at, ...concerns } = components.schemas.Attention.properties;
  const guide = readFileSync('docs/operating.md', 'utf8');
  const [, table = ''] = /\n\| Concern \|[^\n]*\n\|[ -|]*\n((?:\|.*\n)+)/.exec(guide) ?? [];
  const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(named, Object.keys(concerns));
});
