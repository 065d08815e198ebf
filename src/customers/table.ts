import { erased, made, type TableOf } from '../db/columns.ts';
import type { PersonalTable } from '../db/personal.ts';
import { int, nullable, text, timestamptz, typed, uuid } from '../db/statement.ts';
import type { MessageKind } from '../partners/account-rules.ts';

export const MESSAGE_STATUSES = ['QUEUED', 'SENDING', 'SENT', 'FAILED', 'DROPPED', 'UNKNOWN'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

const MESSAGES = {
  id: uuid,
  booking_id: uuid,
  kind: typed<MessageKind>(text),
  /** Of the visit: a message is made once for each. */
  version: int,
  /** The start that it tells. */
  starts_at: timestamptz,
  status: typed<MessageStatus>(text),
  reason: erased(nullable(text), 'COPY'),
  due_at: timestamptz,
  tries: made(int),
  leased_until: nullable(timestamptz),
  created_at: timestamptz,
  finished_at: nullable(timestamptz),
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
