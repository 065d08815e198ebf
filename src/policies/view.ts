import { toRiyadhIso } from '../base/clock.ts';
import type { Terms } from './rules.ts';
import type { PolicyRow } from './table.ts';
import { policyTexts } from './texts.ts';

/** A version of a policy as partners see it. */
export function shownPolicy(id: string, terms: Terms) {
  return { id, ...policyTexts(terms), ...terms };
}

/** A policy in the operator's interface and the audit log: its newest version, or the one that was asked for. */
export function policyView(row: PolicyRow) {
  return {
    id: row.policy_id,
    versionId: row.id,
    version: row.version,
    nameEn: row.name_en,
    nameAr: row.name_ar,
    ...row.terms,
    assignments: row.assignments.map(({ partner_id, service_id }) => ({
      partnerId: partner_id,
      serviceId: service_id,
    })),
    ...policyTexts(row.terms),
    createdBy: row.created_by,
    createdByName: row.created_by_name,
    createdAt: toRiyadhIso(row.created_at),
  };
}
