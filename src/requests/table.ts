import type { ErrorCode } from '../base/errors.ts';
import { col, type TableOf } from '../db/columns.ts';
import { pg } from '../db/statement.ts';
import type { Bodies } from './rules.ts';

const LOGGED = { personal: { holds: 'COPY', ends: 'by the slice' } } as const;

/** A row for each request (docs/decisions/request-log.md). */
export const REQUEST_LOG = {
  id: pg.bigint,
  /** Real time. */
  recorded_at: pg.timestamptz,
  answered_at: pg.timestamptz,
  request_id: pg.text,
  partner_id: pg.uuid,
  key_id: pg.uuid,
  method: pg.text,
  route: pg.nullable(pg.text),
  path: col(pg.nullable(pg.text), LOGGED),
  status: pg.int,
  code: pg.typed<ErrorCode | null>(pg.text),
  message: col(pg.nullable(pg.text), LOGGED),
  failed_check: pg.nullable(pg.text),
  reason: pg.nullable(pg.text),
  hints: col(pg.texts, LOGGED),
  ignored_parameters: col(pg.texts, LOGGED),
  details: col(pg.nullable(pg.json<Record<string, unknown>>()), LOGGED),
  duration_ms: pg.float,
  booking_id: pg.nullable(pg.uuid),
  user_agent: pg.nullable(pg.text),
  bodies: col(pg.nullable(pg.json<Bodies>()), LOGGED),
};
export type RequestLogTable = TableOf<typeof REQUEST_LOG>;
