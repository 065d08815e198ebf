import type { Instant } from '../base/clock.ts';
import type { Tx } from '../db/connection.ts';
import {
  bigint,
  first,
  hotStatement,
  int,
  type Row,
  text,
  timestamps,
  timestamptz,
  typed,
  uuid,
  uuids,
} from '../db/statement.ts';

export const FIND_TEAM_BUFFER = hotStatement({
  name: 'find-team-buffer',
  takes: { teamId: uuid },
  returns: { catalogue_version: bigint, travel_buffer_minutes: int },
  text: `
    select (select version from change_counters where name = 'catalogue') as catalogue_version,
      travel_buffer_minutes
    from teams where id = :teamId`,
});

/** A team's travel buffer (minutes) and the version of the catalogue it is from; null: there is no such team. */
export function findTeamBuffer(tx: Tx, teamId: string): Promise<Row<typeof FIND_TEAM_BUFFER> | null> {
  return first(tx, FIND_TEAM_BUFFER, { teamId });
}

export type Move = {
  catalogueVersion: number;
  candidates: { teamId: string; busyUntil: Instant }[];
  appointmentId: string;
  zoneId: string;
  startsAt: Instant;
  endsAt: Instant;
};

export const MOVE_APPOINTMENT = hotStatement({
  name: 'move-appointment',
  takes: {
    catalogueVersion: bigint,
    teamIds: uuids,
    busyUntil: timestamps,
    appointmentId: uuid,
    zoneId: uuid,
    startsAt: timestamptz,
    endsAt: timestamptz,
    now: timestamptz,
  },
  returns: { outcome: typed<'MOVED' | 'TAKEN' | 'STALE'>(text) },
  text: `
    select move_appointment(p_catalogue_version => :catalogueVersion, p_team_ids => :teamIds,
      p_busy_until => :busyUntil, p_appointment_id => :appointmentId, p_zone_id => :zoneId, p_starts_at => :startsAt,
      p_ends_at => :endsAt, p_now => :now) as outcome`,
});

/** Holds one of the teams for the new time instead of the old (move_appointment in functions.sql). */
export async function moveAppointment(
  tx: Tx,
  now: Instant,
  { candidates, ...move }: Move,
): Promise<'MOVED' | 'TAKEN' | 'STALE'> {
  const result = await first(tx, MOVE_APPOINTMENT, {
    ...move,
    teamIds: candidates.map(({ teamId }) => teamId),
    busyUntil: candidates.map(({ busyUntil }) => busyUntil),
    now,
  });
  return result!.outcome;
}
