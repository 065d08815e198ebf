import { sql } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import { actorName } from '../db/actors.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { contains, firstOf, isOneOf, nameOrder, pageOf, rowsOf, sortedBy, tablesOf } from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import type { Terms } from './rules.ts';
import type { PoliciesQuery } from './schema.ts';
import type { Assignment, NewVersion, PolicyAssignmentTable, PolicyRow, PolicyTable } from './table.ts';

/** SQL: the version of the policy that a booking of the service is made under, or null. The most special one wins. */
export const policyFor = (partnerId: string, serviceId: string) => `(
  select x.version_id from policy_assignments x
  where (x.partner_id = ${partnerId} or x.partner_id is null) and (x.service_id = ${serviceId} or x.service_id is null)
  order by x.partner_id is null, x.service_id is null limit 1)`;

/** SQL: the terms of a version, or null. */
export const termsOf = (policyId: string) =>
  `case when ${policyId} is not null then (select v.terms from policies v where v.id = ${policyId}) end`;

const tables = tablesOf<{
  policies: PolicyTable;
  policy_assignments: PolicyAssignmentTable;
  partners: { id: string };
  services: { id: string };
}>();

const policies = tables
  .selectFrom('policies')
  .selectAll()
  .select(
    sql<Assignment[]>`(
      select coalesce(json_agg(json_build_object('partner_id', a.partner_id, 'service_id', a.service_id)
        order by a.partner_id, a.service_id), '[]')
      from policy_assignments a where a.policy_id = policies.policy_id)`.as('assignments'),
  )
  .select(actorName('policies.created_by').as('created_by_name'));

const IS_NEWEST = sql<boolean>`policies.version = (
  select max(v.version) from policies v where v.policy_id = policies.policy_id)`;

/** The newest version; null: there is no such policy. */
export function findPolicy(db: Queryable, policyId: string): Promise<PolicyRow | null> {
  return firstOf(db, policies.where('policy_id', '=', policyId).orderBy('version', 'desc').limit(1));
}

/** The terms of a version; null: there is no such version. */
export function findVersion(db: Queryable, id: string): Promise<{ id: string; terms: Terms } | null> {
  return firstOf(db, tables.selectFrom('policies').select(['id', 'terms']).where('id', '=', id));
}

/** Locks the policy, so that its versions are made one after the other; null: there is none. */
export function lockPolicy(tx: Tx, policyId: string): Promise<{ id: string } | null> {
  const first = tables.selectFrom('policies').select('id').where('id', '=', policyId).forNoKeyUpdate();
  return firstOf(tx, first.where('policy_id', '=', policyId));
}

const ORDERS = {
  nameEn: [nameOrder('name_en')],
  nameAr: [nameOrder('name_ar')],
  createdAt: ['created_at'],
};

/** A page of the newest versions, by name unless sorted otherwise; `search` is a part of a name. */
export function listPolicies(db: Queryable, { search, ...sorting }: PoliciesQuery): Promise<Page<PolicyRow>> {
  const query = policies
    .where(IS_NEWEST)
    .$if(search !== undefined, (found) => found.where(contains(['name_en', 'name_ar'], search!)));
  return pageOf(db, sortedBy(query, ORDERS, sorting, { by: 'nameEn', order: 'ASC' }), paging(sorting));
}

/** All versions of a policy, the newest first. */
export function listVersions(db: Queryable, policyId: string): Promise<PolicyRow[]> {
  return rowsOf(db, policies.where('policy_id', '=', policyId).orderBy('version', 'desc'));
}

/** Inserts a version and makes it the one of all assignments. A taken one raises policy_assignments_key. */
export async function insertVersion(
  tx: Tx,
  now: Instant,
  { assignments, terms, ...row }: NewVersion,
): Promise<void> {
  const values = { ...row, terms: JSON.stringify(terms), created_at: toUtcIso(now) };
  // The terms are written as JSON text.
  await rowsOf(tx, tables.insertInto('policies').values(values as never));
  await rowsOf(tx, tables.deleteFrom('policy_assignments').where('policy_id', '=', row.policy_id));
  const assigned = assignments.map((one) => ({ ...one, policy_id: row.policy_id, version_id: row.id }));
  if (assigned.length > 0) await rowsOf(tx, tables.insertInto('policy_assignments').values(assigned));
}

/** Those of the ids that are partners or services. */
export async function knownAmong(
  db: Queryable,
  kind: 'partners' | 'services',
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await rowsOf(db, tables.selectFrom(kind).select('id').where(isOneOf('id', ids)));
  return new Set(rows.map(({ id }) => id));
}
