import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import { actorName } from '../db/actors.ts';
import type { AuditRow, AuditTable } from '../db/audit.ts';
import { AUDIT_TEXTS, withTexts } from '../db/audit-texts.ts';
import type { Queryable } from '../db/connection.ts';
import type { Page, Sorting, Window } from '../db/pages.ts';
import { contains, instant, pageOf, rowsOf, tablesOf } from '../db/tables.ts';
import type { TokenTable } from './table.ts';

const tables = tablesOf<{
  audit_log: AuditTable;
  operator_tokens: TokenTable;
}>();

/** The names that the token or the crew of an entry and its target have now; null: there is none, or it was removed. */
export type NamedAuditRow = AuditRow & {
  actor_name: string | null;
  holder_name: string | null;
  target_name: string | null;
};

const ID = '([0-9a-f-]{36})$';
/** Of a link or a token the target, of a session its holder. */
const HOLDER = sql<string>`coalesce(substring(target from ${sql.lit(`^token:${ID}`)}),
  substring(before ->> 'holder' from ${sql.lit(`^operator-token:${ID}`)}))::uuid`;

const idIn = (value: RawBuilder<unknown>) => sql`substring(${value} from ${sql.lit(ID)})::uuid`;
const idOf = (kind: string) => sql`substring(target from ${sql.lit(`^${kind}:${ID}`)})::uuid`;
const stated = (field: string) =>
  idIn(sql`coalesce(after ->> ${sql.lit(field)}, before ->> ${sql.lit(field)})`);

/** Erasing a customer changes it, because it is looked up. */
const TARGET_NAME = sql<string | null>`coalesce(
  (select name from appointments where id = ${idOf('appointment')}),
  (select name from appointments where booking_id = ${idOf('booking')}),
  (select name from contacts where id = coalesce(${idOf('contact')}, ${stated('contactId')},
    (select contact_id from addresses where id = ${idOf('address')}))),
  (select string_agg(distinct name, ', ') from contacts
    where phone = (select phone from privacy_requests where id = ${idOf('privacy-request')})
      or id = any (array(select jsonb_array_elements_text(after -> 'contactIds'))::uuid[])),
  (select name from teams where id = coalesce(${idOf('team')}, ${stated('teamId')})),
  (select name from partners where id = coalesce(${idOf('partner')}, ${stated('partnerId')},
    (select partner_id from webhook_subscriptions where id = ${idOf('subscription')}))))`;

/** The ids of actor and target, of the bookings, customers, teams and partners in the states, and of the target's partner. */
const NAMED_IDS = sql.join([
  ...['actor', 'target', `before ->> 'holder'`].map((value) => sql.raw(`right(${value}, 36)`)),
  ...['before', 'after'].flatMap((state) => [
    ...['bookingId', 'contactId', 'partnerId', 'teamId'].map((field) => sql.raw(`${state} ->> '${field}'`)),
    sql.raw(`${state} #>> '{team,id}'`),
  ]),
  ...['booking', 'contact'].map(
    (kind) => sql`(select partner_id::text from ${sql.table(`${kind}s`)} where id = ${idOf(kind)})`,
  ),
]);

/** Whether the entry is about one of the ids. */
const names = (ids: readonly string[]) => sql<boolean>`(after -> 'contactIds' ?| ${ids}::text[]
  or exists (select from unnest(array[${NAMED_IDS}]) as named where named = any (${ids}::text[])))`;

export const AUDIT_ORDERS = ['at'] as const;

export type AuditFilter = Sorting<(typeof AUDIT_ORDERS)[number]> & {
  actor?: string;
  action?: string;
  target?: string;
  groupId?: string;
  /** A part of the action or the target, case-insensitive, or what the entry names. */
  search?: string;
  /** Of what the texts stand for. */
  ids: { actor: string[]; target: string[]; search: string[] };
  /** Inclusive. */
  from?: Instant;
  /** Exclusive. */
  to?: Instant;
};

/** Audit entries with their texts, newest first unless sorted otherwise, by position: a sandbox's clock may go back. */
export async function listAuditRows(
  db: Queryable,
  { actor, action, target, groupId, search, ids, from, to, sortOrder }: AuditFilter,
  page: Window,
): Promise<Page<NamedAuditRow>> {
  const named = tables.selectFrom('operator_tokens as t').select('t.name');
  const query = tables
    .selectFrom('audit_log')
    .select(['id', 'at', 'actor', 'action', 'target', 'before', 'after', 'group_id'])
    .select([
      actorName('actor').as('actor_name'),
      named.where('t.id', '=', HOLDER).as('holder_name'),
      TARGET_NAME.as('target_name'),
      AUDIT_TEXTS,
    ])
    .$if(actor !== undefined, (found) => found.where(isActor(actor!, ids.actor)))
    .$if(action !== undefined, (found) => found.where('action', '=', action!))
    .$if(target !== undefined, (found) =>
      found.where(ids.target.length === 0 ? isTarget(target!) : names(ids.target)),
    )
    .$if(groupId !== undefined, (found) => found.where('group_id', '=', groupId!))
    .$if(search !== undefined, (found) =>
      found.where((row) =>
        row.or([
          contains('action', search!),
          contains('target', search!),
          isActor(search!, ids.search),
          names(ids.search),
        ]),
      ),
    )
    .$if(from !== undefined, (found) => found.where('at', '>=', instant(from!)))
    .$if(to !== undefined, (found) => found.where('at', '<', instant(to!)))
    .orderBy('position', sortOrder === 'ASC' ? 'asc' : 'desc');
  const { rows, total } = await pageOf(db, query, page);
  return { rows: rows.map(withTexts), total };
}

/** By ids, or as it stands in the log: `operator:first-token`, also without its kind, or as the console names it. */
const isActor = (
  text: string,
  ids: string[],
) => sql<boolean>`(actor = ${/^operator_token$/i.test(text.trim()) ? 'operator:first-token' : text} or right(actor, 36) = any (${ids}::text[])
  or search_fold(split_part(actor, ':', 2)) = search_fold(${text}))`;

/** Of a booking also the entries about its visit. */
const isTarget = (target: string) => sql<boolean>`target = any (array(
  select ${target} union select 'appointment:' || id from appointments
  where booking_id = substring(${target} from ${sql.lit(`^booking:${ID}`)})::uuid))`;

/** The ids of operators' tokens with a part of the name, of the contacts' addresses, and of open privacy requests. */
export async function findBeside(
  db: Queryable,
  text: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const found = sql<{ id: string }>`(select id from operator_tokens where ${contains('name', text)}
    union all select id from addresses where contact_id = any (${contactIds}::uuid[])
    union all select id from privacy_requests
      where phone in (select phone from contacts where id = any (${contactIds}::uuid[])))`;
  return (await rowsOf(db, tables.selectFrom(found.as('found')).select('id'))).map(({ id }) => id);
}
