import { each, listed } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { hotStatement, pg, type RowOf, rowList, rows } from '../db/statement.ts';
import { policyFor } from '../policies/queries.ts';
import type { ClaimOutcome } from './claim-queries.ts';
import type { EventName } from './rules.ts';
import { BOOKINGS } from './table.ts';

const CREATED = listed(BOOKINGS, 'create');
export type CreatedColumns = RowOf<typeof CREATED>;

const WANTED_COLUMNS = {
  ...CREATED,
  appointment_id: pg.uuid,
  appointment_status: pg.text,
  zone_id: pg.uuid,
  starts_at: pg.timestamptz,
  ends_at: pg.timestamptz,
  /** Joined by commas: an array of arrays would need equal lengths. */
  team_ids: pg.text,
  catalogue_version: pg.bigint,
  /** Whether the hold that it takes was over when it was read; else it has the hold's policy. */
  is_hold_over: pg.boolean,
  event_id: pg.uuid,
  event: pg.typed<EventName>(pg.text),
  payload: pg.jsonb<unknown>(),
};
const WANTED = rowList(WANTED_COLUMNS);

export const BOOK_APPOINTMENTS = hotStatement({
  name: 'book-appointments',
  writesEvent: true,
  takes: { ...WANTED.takes, waits: pg.boolean },
  returns: {
    place: pg.bigint,
    outcome: pg.typed<ClaimOutcome>(pg.text),
    name: pg.nullable(pg.text),
    policy_id: pg.nullable(pg.uuid),
  },
  text: `
    with wanted as materialized (
      select * from ${WANTED.as('w')}
    ), claimed as materialized (
      select w.*, c.outcome, c.team_id, c.busy_until,
        case when c.outcome = 'CLAIMED' then nextval('appointment_number')::text end as number
      from wanted w, claim_team(p_catalogue_version => w.catalogue_version,
        p_team_ids => string_to_array(w.team_ids, ',')::uuid[], p_starts_at => w.starts_at, p_ends_at => w.ends_at,
        p_waits => :waits, p_now => w.created_at, p_contact_id => w.contact_id, p_service_id => w.service_id,
        p_booking_id => w.id, p_hold_id => w.hold_id, p_hold_is_over => w.is_hold_over) c
    ), named as materialized (
      select *, 'SA-' || lpad(number, greatest(4, length(number)), '0') as name,
        case when hold_id is null or is_hold_over then ${policyFor('claimed.partner_id', 'claimed.service_id')}
          else (select h.policy_id from holds h where h.id = hold_id) end as policy_id
      from claimed where number is not null
    ), booking as (
      insert into bookings (${each(CREATED)}, event_count, policy_id, sold_name, sold_name_ar)
      select ${each(CREATED, (name) => `named.${name}`)}, 1, policy_id, s.name, s.name_ar
      from named join services s on s.id = service_id
    ), appointment as (
      insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until,
        created_at, updated_at)
      select appointment_id, id, team_id, zone_id, name, appointment_status, starts_at, ends_at, busy_until,
        created_at, updated_at
      from named
    ), event as (
      insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
      select event_id, partner_id, id, 1, event,
        jsonb_set(payload || jsonb_build_object('trackingReference', name, 'policyId', policy_id), '{appointment,name}', to_jsonb(name)),
        created_at
      from named
    )
    select claimed.place, claimed.outcome, named.name, named.policy_id from claimed left join named on named.place = claimed.place`,
});

/** A booking to insert, with its first event. The teams are claimed in their order. */
export type NewBooking = Omit<RowOf<typeof WANTED_COLUMNS>, 'team_ids'> & { teamIds: readonly string[] };

export type Booked = { outcome: ClaimOutcome; name: string | null; policy_id: string | null };

/**
 * For each booking, in their order: claims one of its teams and inserts it, its appointment and its first event, or
 * nothing; all in one statement. The appointment gets its name here, also in the event. A team that another transaction
 * is claiming is waited for if there is one booking; of several, none may have a team of another one (`partitionTeams`).
 * A taken external reference raises bookings_external_reference_key.
 */
export async function insertBookings(db: Queryable, bookings: readonly NewBooking[]): Promise<Booked[]> {
  const wanted = bookings.map(({ teamIds, ...columns }) => ({ ...columns, team_ids: teamIds.join(',') }));
  const values = { ...WANTED.valuesOf(wanted), waits: bookings.length === 1 };
  const found = await rows(db, BOOK_APPOINTMENTS, values);
  const byPlace = new Map(found.map(({ place, ...booked }) => [place, booked]));
  return bookings.map((_, index) => byPlace.get(index + 1)!);
}

export const ATTRIBUTE_FIRST_EVENT = hotStatement({
  name: 'attribute-first-event',
  takes: { bookingId: pg.uuid, actor: pg.text },
  returns: {},
  text: 'update events set actor = :actor where booking_id = :bookingId and sequence = 1',
});

/** Sets the actor of the booking's first event, in the transaction of the creation. */
export async function attributeFirstEvent(tx: Tx, bookingId: string, actor: string): Promise<void> {
  await rows(tx, ATTRIBUTE_FIRST_EVENT, { bookingId, actor });
}
