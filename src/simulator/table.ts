import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { AppointmentStatus } from '../bookings/rules.ts';
import type { NullableTimestamp, Timestamp } from '../db/tables.ts';
import type { FaultKind } from './fault-rules.ts';
import type { Action, RunScript, RunStatus, Starter, StepStatus } from './rules.ts';

export type RunTable = {
  id: Generated<string>;
  partner_id: string;
  booking_id: string;
  script: RunScript;
  every_seconds: number;
  started_by: Starter;
  status: Generated<RunStatus>;
  /** The reason of an end before the last step. */
  reason_code: string | null;
  reason_message: string | null;
  created_at: Timestamp;
  finished_at: NullableTimestamp;
  /** By start. */
  position: GeneratedAlways<number>;
};

export type StepTable = {
  run_id: string;
  /** From 1. */
  number: number;
  action: Action;
  /** The new status of the appointment; null: another action. */
  appointment_status: AppointmentStatus | null;
  /** The chosen slot of a move. */
  slot: ColumnType<ChosenSlot | null, string | null, string | null>;
  status: Generated<StepStatus>;
  due_at: Timestamp;
  done_at: NullableTimestamp;
  tries: Generated<number>;
  lease: string | null;
  leased_until: NullableTimestamp;
};

export type ChosenSlot = { date: string; startAt: string; endAt: string };

export type RunRow = Selectable<RunTable>;
export type StepRow = Selectable<StepTable>;
export type RunWithSteps = RunRow & { steps: StepRow[] };

export type FaultTable = {
  subscription_id: string;
  kind: FaultKind;
  remaining: number;
  /** null unless the kind is delay. */
  delay_seconds: number | null;
  set_at: Timestamp;
};

export type FaultyDeliveryTable = {
  delivery_id: string;
  subscription_id: string;
  booking_id: string;
  kind: FaultKind;
  state: 'HELD' | 'TAKEN' | 'DONE';
  overtaken_by: string | null;
  treated_at: Timestamp;
  position: GeneratedAlways<number>;
};

export type FaultRow = Selectable<FaultTable>;
