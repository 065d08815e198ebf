import { viewBy } from '../http/fields.ts';
import type { Terms } from './rules.ts';
import { Policy } from './schema.ts';
import type { PolicyRow } from './table.ts';
import { policyTexts } from './texts.ts';

/** A version of a policy as partners see it. */
export function shownPolicy(id: string, terms: Terms) {
  return { id, ...policyTexts(terms), ...terms };
}

/** The same of columns; null: no policy holds. */
export const policyOf = (id: string | null, terms: Terms | null) =>
  id === null || terms === null ? null : shownPolicy(id, terms);

/** A policy in the operator's interface and the audit log: its newest version, or the one that was asked for. */
export const policyView = (row: PolicyRow) =>
  viewBy(Policy, row, {
    id: row.policy_id,
    versionId: row.id,
    ...row.terms,
    assignments: row.assignments.map(({ partner_id, service_id }) => ({
      partnerId: partner_id,
      serviceId: service_id,
    })),
    ...policyTexts(row.terms),
  });
