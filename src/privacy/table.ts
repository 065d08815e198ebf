import type { Selectable } from 'kysely';
import { col, kept, type TableOf } from '../db/columns.ts';
import { bytea, nullable, text, timestamptz, typed, uuid } from '../db/statement.ts';

export const REQUEST_KINDS = ['ACCESS', 'CORRECTION', 'ERASURE', 'RETENTION'] as const;
/** RETENTION: erased because the contact was not used for CONTACT_RETENTION_MONTHS. */
export type RequestKind = (typeof REQUEST_KINDS)[number];
export const REQUEST_STATUSES = ['OPEN', 'DONE', 'REFUSED'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** The register of what people asked for about their data (docs/privacy.md). */
export const PRIVACY_REQUESTS = {
  id: uuid,
  kind: typed<RequestKind>(text),
  status: typed<RequestStatus>(text),
  /** null: of the number, with every partner. */
  partner_id: nullable(uuid),
  /** E.164, while it is open: finishing the request removes it. */
  phone: col(nullable(text), { personal: { holds: 'PHONE', ends: 'when it is finished' } }),
  /** Keyed (`phoneHash`). */
  phone_hash: kept(bytea, 'COPY', 'a keyed hash, by which her finished request is found'),
  received_at: timestamptz,
  due_at: timestamptz,
  received_by: text,
  reason: kept(nullable(text), 'TEXT', 'names nobody: a note that does is refused'),
  finished_at: nullable(timestamptz),
  finished_by: nullable(text),
  answer: kept(nullable(text), 'TEXT', 'names nobody: a note that does is refused'),
};
export type PrivacyRequestTable = TableOf<typeof PRIVACY_REQUESTS>;

export type PrivacyRequestRow = Selectable<PrivacyRequestTable>;
