import type { Instant } from '../base/clock.ts';
import type { Tx } from '../db/connection.ts';
import { first, hotStatement, pg, type Row, rows } from '../db/statement.ts';
import { canDo } from '../teams/visit-queries.ts';
import type { ClaimOutcome } from './claim-queries.ts';

export const TAKE_HOLDS_OUT = hotStatement({
  name: 'take-holds-out',
  takes: {
    teamId: pg.uuid,
    startsAt: pg.timestamptz,
    endsAt: pg.timestamptz,
    contactId: pg.uuid,
    serviceId: pg.uuid,
    now: pg.timestamptz,
  },
  returns: {
    id: pg.uuid,
    zone_id: pg.uuid,
    service_id: pg.uuid,
    starts_at: pg.timestamptz,
    ends_at: pg.timestamptz,
    expires_at: pg.timestamptz,
    partner_name: pg.text,
  },
  text: `
    select h.id, taken.zone_id, h.service_id, h.starts_at, h.ends_at, h.expires_at, p.name as partner_name
    from take_holds_out(:teamId, :startsAt, :endsAt, :now, :contactId, :serviceId) taken
    join holds h on h.id = taken.id join partners p on p.id = h.partner_id
    order by h.starts_at, h.id`,
});
/** A hold that has no team until `giveOtherTeam`. */
export type TakenHold = Row<typeof TAKE_HOLDS_OUT>;

type InTheWay = { teamId: string; startsAt: Instant; endsAt: Instant; contactId: string; serviceId: string };

/**
 * Takes the live holds that are in the way of a customer's visit out of the team's day, by start; not her own. The transaction
 * gives each another team, or ends it, or rolls back.
 */
export function takeHoldsOut(tx: Tx, now: Instant, visit: InTheWay): Promise<TakenHold[]> {
  return rows(tx, TAKE_HOLDS_OUT, { ...visit, now });
}

export const GIVE_OTHER_TEAM = hotStatement({
  name: 'give-other-team',
  takes: {
    id: pg.uuid,
    zoneId: pg.uuid,
    serviceId: pg.uuid,
    startsAt: pg.timestamptz,
    endsAt: pg.timestamptz,
    now: pg.timestamptz,
  },
  returns: { outcome: pg.typed<ClaimOutcome>(pg.text) },
  text: `
    with v as materialized (
      select :startsAt::timestamptz as starts_at, :endsAt::timestamptz as ends_at, :zoneId::uuid as zone_id
    ), able as materialized (
      select array(select t.id from v, teams t where ${canDo('v', ':serviceId')} order by t.lock_number) as ids
    ), claimed as materialized (
      select c.* from able, claim_team(p_catalogue_version => null, p_team_ids => able.ids, p_starts_at => :startsAt,
        p_ends_at => :endsAt, p_waits => false, p_now => :now) c
    ), held as (
      insert into appointments (id, team_id, zone_id, status, starts_at, ends_at, busy_until, created_at, updated_at)
      select :id, team_id, :zoneId, 'Held', :startsAt, :endsAt, busy_until, :now, :now from claimed where outcome = 'CLAIMED'
    )
    select outcome from claimed`,
});

/** Gives a hold that was taken out another team that is free for its slot; false: there is none. It waits for nobody. */
export async function giveOtherTeam(tx: Tx, now: Instant, hold: TakenHold): Promise<boolean> {
  const { id, zone_id: zoneId, service_id: serviceId, starts_at: startsAt, ends_at: endsAt } = hold;
  const given = await first(tx, GIVE_OTHER_TEAM, { id, zoneId, serviceId, startsAt, endsAt, now });
  return given!.outcome === 'CLAIMED';
}

export const DISPLACE_HOLD = hotStatement({
  name: 'displace-hold',
  takes: { id: pg.uuid, now: pg.timestamptz },
  returns: {},
  text: 'update holds set ended_at = :now, displaced_at = :now where id = :id',
});

/** Ends a hold that was taken out, in favour of a sold visit. */
export async function displaceHold(tx: Tx, now: Instant, id: string): Promise<void> {
  await rows(tx, DISPLACE_HOLD, { id, now });
}
