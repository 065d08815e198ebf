import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { Timestamp } from '../db/tables.ts';
import type { Shift } from './rules.ts';
import type { Break, SchedulePeriod, Yearly } from './schedule-rules.ts';

export type TeamTable = {
  id: Generated<string>;
  /** Small and stable: a part of the key of the advisory lock of a team's day. */
  lock_number: GeneratedAlways<number>;
  /** English. */
  name: string;
  /** null: the English name is used instead. */
  name_ar: string | null;
  /** Of its crew, E.164; null: none. */
  phone: Generated<string | null>;
  travel_buffer_minutes: Generated<number>;
  is_active: Generated<boolean>;
  /** The zone under which the board lists it; null: the first one that it serves, by name. */
  home_zone_id: Generated<string | null>;
  /** Counts changes, those of its lists included. */
  version: Generated<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
};

export type TeamZoneTable = { team_id: string; zone_id: string };
export type TeamServiceTable = { team_id: string; service_id: string };

/** Minutes after midnight; an end not after the start is on the next day. */
export type TeamShiftTable = { team_id: string; weekday: number; start_minute: number; end_minute: number };

export type TimeOffTable = {
  id: Generated<string>;
  team_id: string;
  starts_at: Timestamp;
  ends_at: Timestamp;
  reason: Generated<string>;
  created_at: Timestamp;
};

/** Ids sorted, shifts by weekday and start. */
export type TeamLists = { zone_ids: string[]; service_ids: string[]; shifts: Shift[] };
export type TeamRow = Selectable<TeamTable> & TeamLists;
export type TimeOffRow = Selectable<TimeOffTable>;

type Json<Value, Null = never> = ColumnType<Value | Null, string | Null, string | Null>;

export type ScheduleTable = {
  id: string;
  name_en: string;
  name_ar: string;
  zone_ids: string[] | null;
  team_ids: string[] | null;
  weekly: Json<Shift[], null>;
  breaks: Json<Break[]>;
  priority: number;
  yearly: Json<Yearly, null>;
  version: Generated<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
};

export type SchedulePeriodTable = { schedule_id: string; first_date: string; last_date: string | null };

/** Periods by date. */
export type ScheduleRow = Selectable<ScheduleTable> & { periods: SchedulePeriod[] };
