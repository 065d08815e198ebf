import type { Generated, Selectable } from 'kysely';
import type { AppointmentStatus } from '../bookings/rules.ts';
import type { Actor } from '../db/audit.ts';
import { erased, made, type TableOf } from '../db/columns.ts';
import type { PersonalTable } from '../db/personal.ts';
import { pg } from '../db/statement.ts';
import type { NullableTimestamp, Timestamp } from '../db/tables.ts';
import type { CrewReason, CrewStep, Refusal } from './rules.ts';

export type CrewLinkTable = {
  id: Generated<string>;
  team_id: string;
  /** SHA-256 of the token. */
  hash: Buffer;
  /** SHA-256 of the token with the PIN; null: none is asked for. */
  pin_hash: Buffer | null;
  /** Wrong PINs since the last right one. */
  pin_failures: Generated<number>;
  created_by: Actor;
  created_at: Timestamp;
  /** null: when it is revoked. */
  expires_at: NullableTimestamp;
  revoked_at: NullableTimestamp;
};

/** A telephone that opened a link. It ends with the link. */
export type CrewSessionTable = {
  id: Generated<string>;
  link_id: string;
  /** SHA-256 of the token. */
  hash: Buffer;
  browser: string | null;
  system: string | null;
  created_at: Timestamp;
  last_seen_at: Timestamp;
};

const CREW_STEPS = {
  team_id: pg.uuid,
  /** Of the telephone's making. */
  key: pg.uuid,
  link_id: pg.uuid,
  appointment_id: pg.uuid,
  status: pg.typed<CrewStep>(pg.text),
  reason: pg.typed<CrewReason | null>(pg.text),
  notes: erased(pg.nullable(pg.text), 'TEXT'),
  /** The visit's start that the telephone showed; null: a step of before it was kept. */
  starts_at: pg.nullable(pg.timestamptz),
  /** In business time, by the telephone's account. */
  happened_at: pg.timestamptz,
  received_at: pg.timestamptz,
  /** null: done. */
  refusal: pg.typed<Refusal | null>(pg.text),
  /** Of a delay: by how much; 0: on time after all. */
  late_minutes: made(pg.nullable(pg.int)),
  /** Whether the telephone's clock was set between the step and its sending. */
  is_time_uncertain: made(pg.boolean),
  /** What the office did with a refused step; null: nothing. */
  decision: made(pg.typed<'TAKEN' | 'LEFT' | null>(pg.text)),
};
export type CrewStepTable = TableOf<typeof CREW_STEPS>;

export const PERSONAL_STEPS: PersonalTable = {
  table: 'crew_steps',
  columns: CREW_STEPS,
  what: 'what a crew wrote about a visit',
  until: '90 days',
  hers: 'appointment_id in (select a.id from appointments a where a.booking_id = any (:bookings))',
};

/** All columns but the hashes. */
export const LINK_COLUMNS = [
  'id',
  'team_id',
  'created_by',
  'created_at',
  'expires_at',
  'revoked_at',
  'pin_failures',
] as const satisfies (keyof CrewLinkTable)[];

export type CrewLinkRow = Pick<Selectable<CrewLinkTable>, (typeof LINK_COLUMNS)[number]> & {
  has_pin: boolean;
  telephones: number;
  last_seen_at: number | null;
};

export type CrewStepRow = Selectable<CrewStepTable> & {
  team_name: string;
  team_name_ar: string | null;
  appointment_name: string;
  booking_id: string;
  appointment_status: AppointmentStatus;
};
