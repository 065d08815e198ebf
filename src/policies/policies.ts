import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '../base/clock.ts';
import { orNotFound, throwIfInvalid } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Actor } from '../db/audit.ts';
import { auditOf, type New } from '../db/audited-rows.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { conflictOnDuplicate } from '../db/constraint-errors.ts';
import { assertWanted, type WantedVersions } from '../http/if-match.ts';
import { type AssignmentInput, assignmentFaults, stepFaults, toStep } from './faults.ts';
import { findPolicy, findVersion, insertVersion, knownAmong, listVersions, lockPolicy } from './queries.ts';
import type { Terms } from './rules.ts';
import type { CreatePolicy, UpdatePolicy } from './schema.ts';
import type { Assignment, NewVersion, PolicyRow } from './table.ts';
import { policyView, shownPolicy } from './view.ts';

/** The newest version. Throws RESOURCE_NOT_FOUND. */
export function readPolicy(db: Queryable, id: string): Promise<PolicyRow> {
  return orNotFound(findPolicy(db, id.toLowerCase()), 'Policy');
}

/** A version as partners see it; null: there is none. */
export async function readShownPolicy(db: Queryable, versionId: string | null) {
  const version = versionId === null ? null : await findVersion(db, versionId);
  return version && shownPolicy(version.id, version.terms);
}

/** All versions, the newest first. Throws RESOURCE_NOT_FOUND. */
export async function readVersions(db: Queryable, id: string): Promise<PolicyRow[]> {
  const { policy_id } = await readPolicy(db, id);
  return listVersions(db, policy_id);
}

const record = auditOf('policy', policyView);

const NO_FEES: Terms = {
  graceMinutes: 0,
  cancel: [],
  reschedule: [],
  afterStartPercent: 100,
  noShowPercent: 100,
  maxReschedules: null,
};

type Fields = Pick<PolicyRow, 'name_en' | 'name_ar' | 'terms' | 'assignments'>;

/** Creates a policy. Throws VALIDATION_ERROR (steps, unknown partner or service) and CONFLICT (another policy is assigned). */
export async function createPolicy(
  tx: Tx,
  now: Instant,
  actor: Actor,
  input: New<CreatePolicy>,
): Promise<PolicyRow> {
  await assertPossible(tx, input);
  const { id = newId(now) } = input;
  const empty: Fields = { name_en: '', name_ar: '', terms: NO_FEES, assignments: [] };
  const row = { id, policy_id: id, version: 1, created_by: actor, ...changed(empty, input) };
  await insert(tx, now, row);
  const after = await readPolicy(tx, id);
  await record(tx, now, { actor, after });
  return after;
}

/**
 * Changes the given fields by a new version; without a difference there is none. What was sold keeps its version. Throws
 * RESOURCE_NOT_FOUND, VALIDATION_ERROR, and CONFLICT (another policy is assigned, or another version than those wanted).
 */
export async function changePolicy(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { id, changes, wanted = null }: { id: string; changes: UpdatePolicy; wanted?: WantedVersions },
): Promise<PolicyRow> {
  const { id: policyId } = await orNotFound(lockPolicy(tx, id), 'Policy');
  const before = await readPolicy(tx, policyId);
  await assertWanted(wanted, before.version, () => policyView(before));
  await assertPossible(tx, changes);
  const fields = changed(before, changes);
  if (isDeepStrictEqual({ ...before, ...fields }, { ...before })) return before;
  const row = { id: newId(now), policy_id: policyId, version: before.version + 1, created_by: actor };
  await insert(tx, now, { ...row, ...fields });
  const after = await readPolicy(tx, policyId);
  await record(tx, now, { actor, before, after });
  return after;
}

const insert = (tx: Tx, now: Instant, row: NewVersion): Promise<void> =>
  conflictOnDuplicate(
    'policy_assignments_key',
    {
      reason: 'POLICY_ASSIGNED',
      message: 'Another policy is assigned to the same partner and service',
    },
    insertVersion(tx, now, row),
  );

function changed(before: Fields, input: UpdatePolicy): Fields {
  const { terms } = before;
  const stepsOf = (name: 'cancel' | 'reschedule') =>
    input[name]?.map(toStep).sort((a, b) => b.hoursBefore - a.hoursBefore) ?? terms[name];
  return {
    name_en: input.nameEn?.trim() ?? before.name_en,
    name_ar: input.nameAr?.trim() ?? before.name_ar,
    terms: {
      graceMinutes: input.graceMinutes ?? terms.graceMinutes,
      cancel: stepsOf('cancel'),
      reschedule: stepsOf('reschedule'),
      afterStartPercent: input.afterStartPercent ?? terms.afterStartPercent,
      noShowPercent: input.noShowPercent ?? terms.noShowPercent,
      maxReschedules: input.maxReschedules === undefined ? terms.maxReschedules : input.maxReschedules,
    },
    assignments: input.assignments?.map(toAssignment).sort(byIds) ?? before.assignments,
  };
}

const toAssignment = ({ partnerId, serviceId }: AssignmentInput): Assignment => ({
  partner_id: partnerId?.toLowerCase() ?? null,
  service_id: serviceId?.toLowerCase() ?? null,
});

/** As PostgreSQL sorts them: null comes last. */
function byIds(a: Assignment, b: Assignment): number {
  const keyOf = ({ partner_id, service_id }: Assignment): string =>
    `${partner_id ?? '~'} ${service_id ?? '~'}`;
  return keyOf(a) < keyOf(b) ? -1 : 1;
}

async function assertPossible(tx: Tx, input: UpdatePolicy): Promise<void> {
  const { assignments = [] } = input;
  throwIfInvalid([...stepFaults(input), ...assignmentFaults(input)]);
  const faultsOf = async (field: 'partnerId' | 'serviceId', kind: 'partners' | 'services', what: string) => {
    const ids = assignments.flatMap((one) => one[field] ?? []);
    const known = await knownAmong(tx, kind, ids);
    return assignments.flatMap((one, index) =>
      one[field] == null || known.has(one[field].toLowerCase())
        ? []
        : [`assignments.${index}.${field} must be the id of ${what}`],
    );
  };
  throwIfInvalid([
    ...(await faultsOf('partnerId', 'partners', 'a partner')),
    ...(await faultsOf('serviceId', 'services', 'a service')),
  ]);
}
