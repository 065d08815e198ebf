import type { Selectable } from 'kysely';
import type { Timestamp } from '../db/tables.ts';
import type { FailureCount } from './packing.ts';
import type { SecondCounts } from './rules.ts';

/** Up to 1,000 requests of a partner, packed (packing.ts). */
export type RequestBatchTable = {
  id: number;
  partner_id: string;
  /** Real time. */
  recorded_at: Timestamp;
  first_at: Timestamp;
  last_at: Timestamp;
  key_ids: string[];
  /** Each with its method. */
  routes: string[];
  statuses: number[];
  codes: string[];
  request_ids: string;
  booking_ids: string | null;
  failures: FailureCount[] | null;
  seconds: SecondCounts;
  entries: Buffer;
  bodies: Buffer | null;
};

export type BatchRow = Pick<
  Selectable<RequestBatchTable>,
  'id' | 'partner_id' | 'first_at' | 'key_ids' | 'request_ids' | 'booking_ids' | 'entries'
>;
