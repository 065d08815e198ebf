import type { ErrorCode } from '../base/errors.ts';
import type { Timestamp } from '../db/tables.ts';
import type { Bodies } from './rules.ts';

/** A row for each request (docs/decisions/request-log.md). */
export type RequestLogTable = {
  id: number;
  /** Real time. */
  recorded_at: Timestamp;
  answered_at: Timestamp;
  request_id: string;
  partner_id: string;
  key_id: string;
  method: string;
  route: string | null;
  path: string | null;
  status: number;
  code: ErrorCode | null;
  message: string | null;
  failed_check: string | null;
  reason: string | null;
  hints: string[];
  ignored_parameters: string[];
  details: Record<string, unknown> | null;
  duration_ms: number;
  booking_id: string | null;
  user_agent: string | null;
  bodies: Bodies | null;
};
