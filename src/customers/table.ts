import { erased, made, type TableOf } from '../db/columns.ts';
import type { PersonalTable } from '../db/personal.ts';
import { pg } from '../db/statement.ts';
import type { MessageKind } from '../partners/account-rules.ts';

export const MESSAGE_STATUSES = ['QUEUED', 'SENDING', 'SENT', 'FAILED', 'DROPPED', 'UNKNOWN'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

export const MESSAGES = {
  id: pg.uuid,
  booking_id: pg.uuid,
  kind: pg.typed<MessageKind>(pg.text),
  /** Counts the messages of its booking. */
  version: pg.int,
  /** The start that it tells. */
  starts_at: pg.timestamptz,
  /** The delay that LATE tells, and the departure that ON_THE_WAY tells. */
  late_minutes: pg.nullable(pg.int),
  left_at: pg.nullable(pg.timestamptz),
  status: pg.typed<MessageStatus>(pg.text),
  reason: erased(pg.nullable(pg.text), 'COPY'),
  due_at: pg.timestamptz,
  tries: made(pg.int),
  leased_until: pg.nullable(pg.timestamptz),
  created_at: pg.timestamptz,
  finished_at: pg.nullable(pg.timestamptz),
};
export type MessageTable = TableOf<typeof MESSAGES>;

export const PERSONAL_MESSAGES: PersonalTable = {
  table: 'customer_messages',
  columns: MESSAGES,
  what: 'what the provider of messages said; neither text nor number',
  until: '90 days',
  hers: 'booking_id = any (:bookings)',
  also: `finished_at = case when status = 'QUEUED' then :now::timestamptz else finished_at end,
    status = case when status = 'QUEUED' then 'DROPPED' else status end`,
};
