import type { Selectable } from 'kysely';
import { col, kept, type TableOf } from '../db/columns.ts';
import { pg } from '../db/statement.ts';

export const REQUEST_KINDS = ['ACCESS', 'CORRECTION', 'ERASURE', 'RETENTION'] as const;
/** RETENTION: erased because the contact was not used for CONTACT_RETENTION_MONTHS. */
export type RequestKind = (typeof REQUEST_KINDS)[number];
export const REQUEST_STATUSES = ['OPEN', 'DONE', 'REFUSED'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** The register of what people asked for about their data (docs/privacy.md). */
export const PRIVACY_REQUESTS = {
  id: pg.uuid,
  kind: pg.typed<RequestKind>(pg.text),
  status: pg.typed<RequestStatus>(pg.text),
  /** null: of the number, with every partner. */
  partner_id: pg.nullable(pg.uuid),
  /** E.164, while it is open: finishing the request removes it. */
  phone: col(pg.nullable(pg.text), { personal: { holds: 'PHONE', ends: 'when it is finished' } }),
  /** Keyed (`phoneHash`). */
  phone_hash: kept(pg.bytea, 'COPY', 'a keyed hash, by which her finished request is found'),
  received_at: pg.timestamptz,
  due_at: pg.timestamptz,
  received_by: pg.text,
  reason: kept(pg.nullable(pg.text), 'TEXT', 'names nobody: a note that does is refused'),
  finished_at: pg.nullable(pg.timestamptz),
  finished_by: pg.nullable(pg.text),
  answer: kept(pg.nullable(pg.text), 'TEXT', 'names nobody: a note that does is refused'),
};
export type PrivacyRequestTable = TableOf<typeof PRIVACY_REQUESTS>;

export type PrivacyRequestRow = Selectable<PrivacyRequestTable>;
