import type { Selectable } from 'kysely';
import type { Timestamp } from '../db/tables.ts';
import type { Terms } from './rules.ts';

/** A version of a policy; it never changes. */
export type PolicyTable = {
  id: string;
  /** The id of the first version. */
  policy_id: string;
  version: number;
  name_en: string;
  name_ar: string;
  terms: Terms;
  created_by: string;
  created_at: Timestamp;
};

/** For whom the newest version of a policy holds. */
export type PolicyAssignmentTable = {
  policy_id: string;
  version_id: string;
  /** null: every partner. */
  partner_id: string | null;
  /** null: every service. */
  service_id: string | null;
};

export type Assignment = Pick<PolicyAssignmentTable, 'partner_id' | 'service_id'>;
/** The newest version of a policy with its assignments. */
export type PolicyRow = Selectable<PolicyTable> & {
  assignments: Assignment[];
  /** The name that its token has now; null: it has none. */
  created_by_name: string | null;
};
export type NewVersion = Omit<PolicyRow, 'created_at' | 'created_by_name'>;
