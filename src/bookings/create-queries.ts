import type { Instant } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import {
  bigint,
  bigints,
  boolean,
  booleans,
  dates,
  hotStatement,
  jsonbs,
  nullable,
  numerics,
  rows,
  text,
  texts,
  timestamps,
  typed,
  uuid,
  uuids,
} from '../db/statement.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
import { policyFor } from '../policies/queries.ts';
import type { Claim, ClaimOutcome } from './claim-queries.ts';
import type { BookingRow } from './queries.ts';

export type NewBooking = {
  row: BookingRow;
  partnerId: string;
  zoneId: string;
  paymentResponsibility: PaymentResponsibility;
  notes: string | null;
  /** The hold that it takes, whose policy it has unless the hold was over when it was read. */
  hold: { id: string; isOver: boolean } | null;
  claim: Pick<Claim, 'teamIds'> & { catalogueVersion: number };
  event: { id: string; name: string; payload: unknown };
};

// Parameters are selected: otherwise PostgreSQL would plan again for each list.
export const BOOK_APPOINTMENTS = hotStatement({
  name: 'book-appointments',
  writesEvent: true,
  takes: {
    bookingIds: uuids,
    partnerIds: uuids,
    contactIds: uuids,
    addressIds: uuids,
    serviceIds: uuids,
    externalReferences: typed<(string | null)[]>(texts),
    statuses: texts,
    paymentStatuses: texts,
    paymentResponsibilities: texts,
    amounts: numerics,
    notes: typed<(string | null)[]>(texts),
    serviceDates: dates,
    appointmentIds: uuids,
    zoneIds: uuids,
    appointmentStatuses: texts,
    catalogueVersions: bigints,
    /** Of each booking, joined by commas: an array of arrays would need equal lengths. */
    teamIds: texts,
    startsAt: timestamps,
    endsAt: timestamps,
    madeAt: timestamps,
    eventIds: uuids,
    events: texts,
    payloads: jsonbs,
    holdIds: typed<(string | null)[]>(uuids),
    areHoldsOver: booleans,
    waits: boolean,
  },
  returns: {
    place: bigint,
    outcome: typed<ClaimOutcome>(text),
    name: nullable(text),
    policy_id: nullable(uuid),
  },
  text: `
    with wanted as materialized (
      select * from unnest((select :bookingIds::uuid[]), (select :partnerIds::uuid[]), (select :contactIds::uuid[]),
        (select :addressIds::uuid[]), (select :serviceIds::uuid[]), (select :externalReferences::text[]),
        (select :statuses::text[]), (select :paymentStatuses::text[]), (select :paymentResponsibilities::text[]),
        (select :amounts::numeric[]), (select :notes::text[]), (select :serviceDates::date[]), (select :appointmentIds::uuid[]),
        (select :zoneIds::uuid[]), (select :appointmentStatuses::text[]), (select :catalogueVersions::bigint[]),
        (select :teamIds::text[]), (select :startsAt::timestamptz[]), (select :endsAt::timestamptz[]),
        (select :madeAt::timestamptz[]), (select :eventIds::uuid[]), (select :events::text[]),
        (select :payloads::jsonb[]), (select :holdIds::uuid[]),
        (select :areHoldsOver::boolean[])) with ordinality
        as w (booking_id, partner_id, contact_id, address_id, service_id, external_reference, status, payment_status,
          payment_responsibility, amount, notes, service_date, appointment_id, zone_id, appointment_status, catalogue_version,
          team_ids, starts_at, ends_at, made_at, event_id, event, payload, hold_id, is_hold_over, place)
    ), claimed as materialized (
      select w.*, c.outcome, c.team_id, c.busy_until,
        case when c.outcome = 'CLAIMED' then nextval('appointment_number')::text end as number
      from wanted w, claim_team(p_catalogue_version => w.catalogue_version,
        p_team_ids => string_to_array(w.team_ids, ',')::uuid[], p_starts_at => w.starts_at, p_ends_at => w.ends_at,
        p_waits => :waits, p_now => w.made_at, p_contact_id => w.contact_id, p_service_id => w.service_id,
        p_booking_id => w.booking_id, p_hold_id => w.hold_id, p_hold_is_over => w.is_hold_over) c
    ), named as materialized (
      select *, 'SA-' || lpad(number, greatest(4, length(number)), '0') as name,
        case when hold_id is null or is_hold_over then ${policyFor('claimed.partner_id', 'claimed.service_id')}
          else (select h.policy_id from holds h where h.id = hold_id) end as policy_id
      from claimed where number is not null
    ), booking as (
      insert into bookings (id, partner_id, contact_id, address_id, service_id, external_reference, status,
        payment_status, payment_responsibility, amount, notes, service_date, event_count, created_at, updated_at,
        policy_id, sold_name, sold_name_ar)
      select booking_id, partner_id, contact_id, address_id, service_id, external_reference, status, payment_status,
        payment_responsibility, amount, notes, service_date, 1, made_at, made_at, policy_id, s.name, s.name_ar
      from named join services s on s.id = service_id
    ), appointment as (
      insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until,
        created_at, updated_at)
      select appointment_id, booking_id, team_id, zone_id, name, appointment_status, starts_at, ends_at, busy_until,
        made_at, made_at
      from named
    ), event as (
      insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
      select event_id, partner_id, booking_id, 1, event,
        jsonb_set(payload || jsonb_build_object('trackingReference', name, 'policyId', policy_id), '{appointment,name}', to_jsonb(name)), made_at
      from named
    )
    select claimed.place, claimed.outcome, named.name, named.policy_id from claimed left join named on named.place = claimed.place`,
});

export type Booked = { outcome: ClaimOutcome; name: string | null; policy_id: string | null };

/**
 * For each booking, in their order: claims one of its teams and inserts it, its appointment and its first event, or
 * nothing; all in one statement. The appointment gets its name here, also in the event. A team that another transaction
 * is claiming is waited for if there is one booking; of several, none may have a team of another one (`withTeamsApart`).
 * A taken external reference raises bookings_external_reference_key.
 */
export async function insertBookings(
  db: Queryable,
  bookings: readonly (NewBooking & { now: Instant })[],
): Promise<Booked[]> {
  const rowsOf = bookings.map(({ row }) => row);
  const events = bookings.map(({ event }) => event);
  const found = await rows(db, BOOK_APPOINTMENTS, {
    bookingIds: rowsOf.map(({ id }) => id),
    partnerIds: bookings.map(({ partnerId }) => partnerId),
    contactIds: rowsOf.map(({ contact_id }) => contact_id),
    addressIds: rowsOf.map(({ address_id }) => address_id),
    serviceIds: rowsOf.map(({ service_id }) => service_id),
    externalReferences: rowsOf.map(({ external_reference }) => external_reference),
    statuses: rowsOf.map(({ status }) => status),
    paymentStatuses: rowsOf.map(({ payment_status }) => payment_status),
    paymentResponsibilities: bookings.map(({ paymentResponsibility }) => paymentResponsibility),
    amounts: rowsOf.map(({ amount }) => amount),
    notes: bookings.map(({ notes }) => notes),
    serviceDates: rowsOf.map(({ service_date }) => service_date),
    appointmentIds: rowsOf.map(({ appointment_id }) => appointment_id),
    zoneIds: bookings.map(({ zoneId }) => zoneId),
    appointmentStatuses: rowsOf.map(({ appointment_status }) => appointment_status),
    catalogueVersions: bookings.map(({ claim }) => claim.catalogueVersion),
    teamIds: bookings.map(({ claim }) => claim.teamIds.join(',')),
    startsAt: rowsOf.map(({ starts_at }) => starts_at),
    endsAt: rowsOf.map(({ ends_at }) => ends_at),
    madeAt: bookings.map(({ now }) => now),
    eventIds: events.map(({ id }) => id),
    events: events.map(({ name }) => name),
    payloads: events.map(({ payload }) => JSON.stringify(payload)),
    holdIds: bookings.map(({ hold }) => hold?.id ?? null),
    areHoldsOver: bookings.map(({ hold }) => hold?.isOver ?? false),
    waits: bookings.length === 1,
  });
  const byPlace = new Map(found.map(({ place, ...booked }) => [place, booked]));
  return bookings.map((_, index) => byPlace.get(index + 1)!);
}
