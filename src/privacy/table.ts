import type { Selectable } from 'kysely';
import type { NullableTimestamp, Timestamp } from '../db/tables.ts';

export const REQUEST_KINDS = ['ACCESS', 'CORRECTION', 'ERASURE', 'RETENTION'] as const;
/** RETENTION: erased because the contact was not used for CONTACT_RETENTION_MONTHS. */
export type RequestKind = (typeof REQUEST_KINDS)[number];
export const REQUEST_STATUSES = ['OPEN', 'DONE', 'REFUSED'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** The register of what people asked for about their data (docs/privacy.md). */
export type PrivacyRequestTable = {
  id: string;
  kind: RequestKind;
  status: RequestStatus;
  /** null: of the number, with every partner. */
  partner_id: string | null;
  /** E.164, while it is open. */
  phone: string | null;
  /** Keyed (`phoneHash`). */
  phone_hash: Buffer;
  received_at: Timestamp;
  due_at: Timestamp;
  received_by: string;
  reason: string | null;
  finished_at: NullableTimestamp;
  finished_by: string | null;
  answer: string | null;
};

export type PrivacyRequestRow = Selectable<PrivacyRequestTable>;
