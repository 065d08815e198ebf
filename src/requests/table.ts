import type { ErrorCode } from '../base/errors.ts';
import { col, type TableOf } from '../db/columns.ts';
import {
  bigint,
  float,
  int,
  json,
  nullable,
  text,
  texts,
  timestamptz,
  typed,
  uuid,
} from '../db/statement.ts';
import type { Bodies } from './rules.ts';

const LOGGED = { personal: { holds: 'COPY', ends: 'by the slice' } } as const;

/** A row for each request (docs/decisions/request-log.md). */
export const REQUEST_LOG = {
  id: bigint,
  /** Real time. */
  recorded_at: timestamptz,
  answered_at: timestamptz,
  request_id: text,
  partner_id: uuid,
  key_id: uuid,
  method: text,
  route: nullable(text),
  path: col(nullable(text), LOGGED),
  status: int,
  code: typed<ErrorCode | null>(text),
  message: col(nullable(text), LOGGED),
  failed_check: nullable(text),
  reason: nullable(text),
  hints: col(texts, LOGGED),
  ignored_parameters: col(texts, LOGGED),
  details: col(nullable(json<Record<string, unknown>>()), LOGGED),
  duration_ms: float,
  booking_id: nullable(uuid),
  user_agent: nullable(text),
  bodies: col(nullable(json<Bodies>()), LOGGED),
};
export type RequestLogTable = TableOf<typeof REQUEST_LOG>;
