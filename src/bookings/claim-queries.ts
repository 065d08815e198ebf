import type { Instant } from '../base/clock.ts';
import type { Tx } from '../db/connection.ts';
import { first, hotStatement, pg } from '../db/statement.ts';

/** TAKEN: none of the teams is free. STALE: the catalogue has changed since the teams were chosen. */
export type ClaimOutcome = 'CLAIMED' | 'TAKEN' | 'STALE';

export type Claim = {
  /** Version of the plan from which the teams were chosen; null: any. */
  catalogueVersion: number | null;
  /** In order of preference. */
  teamIds: readonly string[];
  startsAt: Instant;
  endsAt: Instant;
};

const CLAIM = {
  catalogueVersion: pg.nullable(pg.bigint),
  teamIds: pg.typed<readonly string[]>(pg.uuids),
  startsAt: pg.timestamptz,
  endsAt: pg.timestamptz,
};

export const MOVE_APPOINTMENT = hotStatement({
  name: 'move-appointment',
  takes: { ...CLAIM, appointmentId: pg.uuid, zoneId: pg.uuid, now: pg.timestamptz },
  returns: { outcome: pg.typed<ClaimOutcome>(pg.text) },
  text: `
    with sold as (
      select b.id, b.contact_id, b.service_id from appointments a join bookings b on b.id = a.booking_id
      where a.id = :appointmentId
    ), claimed as materialized (
      select outcome, team_id, busy_until from sold, claim_team(p_catalogue_version => :catalogueVersion, p_team_ids => :teamIds,
        p_starts_at => :startsAt, p_ends_at => :endsAt, p_moving => :appointmentId, p_now => :now, p_contact_id => sold.contact_id,
        p_service_id => sold.service_id, p_booking_id => sold.id)
    ), moved as (
      update appointments a set team_id = claimed.team_id, zone_id = :zoneId, starts_at = :startsAt, ends_at = :endsAt,
        busy_until = claimed.busy_until, updated_at = :now, version = version + 1
      from claimed where a.id = :appointmentId and claimed.outcome = 'CLAIMED'
    )
    select outcome from claimed`,
});

/**
 * Moves the appointment's hold to one of the teams at the new time, which takes the customer's own hold for that slot. The
 * transaction must have locked the booking.
 */
export async function moveAppointment(
  tx: Tx,
  now: Instant,
  move: Claim & { appointmentId: string; zoneId: string },
): Promise<ClaimOutcome> {
  return (await first(tx, MOVE_APPOINTMENT, { ...move, now }))!.outcome;
}
