import type { Selectable } from 'kysely';
import type { Location } from '../availability/slots.ts';
import type { Instant } from '../base/clock.ts';
import { each } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page, Window } from '../db/pages.ts';
import { first, hotStatement, pg, type Row, rows } from '../db/statement.ts';
import { firstOf, instant, pageOf, rowsOf, tablesOf } from '../db/tables.ts';
import { policyFor } from '../policies/queries.ts';
import type { ClaimOutcome } from './claim-queries.ts';
import { HOLDS, type HoldTable } from './table.ts';

/**
 * Slots that are held. The row of a hold is locked before its appointment, and the lock of a team before both
 * (docs/decisions/holds.md). It has an appointment while `ended_at` is null.
 */

const COLUMNS = each(HOLDS, (name) => `h.${name}`);
/** Of what it holds; null: it holds no team any more. */
const HELD = { team_id: pg.nullable(pg.uuid), zone_id: pg.nullable(pg.uuid) };

export const FIND_HOLD = hotStatement({
  name: 'find-hold',
  takes: { id: pg.uuid, partnerId: pg.nullable(pg.uuid) },
  returns: { ...HOLDS, ...HELD },
  text: `
    select ${COLUMNS}, a.team_id, a.zone_id from holds h left join appointments a on a.id = h.id
    where h.id = :id and (:partnerId::uuid is null or h.partner_id = :partnerId)`,
});
export type HoldRow = Row<typeof FIND_HOLD>;

/** The hold of the partner (null: of any); null: there is none. */
export function findHold(db: Queryable, partnerId: string | null, id: string): Promise<HoldRow | null> {
  return first(db, FIND_HOLD, { id, partnerId });
}

export const FIND_DISPLACED_HOLD = hotStatement({
  name: 'find-displaced-hold',
  takes: {
    contactId: pg.uuid,
    serviceId: pg.uuid,
    startsAt: pg.timestamptz,
    endsAt: pg.timestamptz,
    now: pg.timestamptz,
  },
  returns: { ...HOLDS, ...HELD },
  // Holds last half an hour at the most.
  text: `
    select ${COLUMNS}, null::uuid as team_id, null::uuid as zone_id from holds h
    where h.booking_id is null and h.ended_at > :now::timestamptz - interval '30 minutes' and h.displaced_at is not null
      and h.expires_at > :now and h.contact_id = :contactId and h.service_id = :serviceId
      and h.starts_at = :startsAt and h.ends_at = :endsAt
    order by h.created_at desc limit 1`,
});

/** The customer's hold of this very slot that gave way to a sold visit and whose price holds yet; null: there is none. */
export function findDisplacedHold(
  db: Queryable,
  now: Instant,
  slot: { contactId: string; serviceId: string; startsAt: Instant; endsAt: Instant },
): Promise<HoldRow | null> {
  return first(db, FIND_DISPLACED_HOLD, { ...slot, now });
}

export const LOCK_HOLDER = hotStatement({
  name: 'lock-holder',
  takes: { partnerId: pg.uuid },
  returns: { max_holds: pg.int },
  text: `select max_holds from partners where id = :partnerId for no key update`,
});

/** Locks the partner, so that its holds are made one after the other; returns how many it may have. */
export async function lockHolder(tx: Tx, partnerId: string): Promise<number> {
  return (await first(tx, LOCK_HOLDER, { partnerId }))!.max_holds;
}

type NewHold = Omit<
  HoldRow,
  'ended_at' | 'displaced_at' | 'booking_id' | 'policy_id' | 'team_id' | 'zone_id' | 'created_at'
>;

export const COUNT_OTHER_HOLDS = hotStatement({
  name: 'count-other-holds',
  takes: { partnerId: pg.uuid, contactId: pg.nullable(pg.uuid), serviceId: pg.uuid, now: pg.timestamptz },
  returns: { total: pg.bigint, places: pg.bigint },
  text: `
    select count(*) as total, count(*) filter (where contact_id is null) as places from holds
    where partner_id = :partnerId and ended_at is null and expires_at > :now
      and (contact_id = :contactId and service_id = :serviceId) is not true`,
});

/** The partner's holds at the moment, without the one that the new hold replaces; and how many of them are of places. */
export async function countOtherHolds(
  tx: Tx,
  now: Instant,
  hold: NewHold,
): Promise<Row<typeof COUNT_OTHER_HOLDS>> {
  const { partner_id: partnerId, contact_id: contactId, service_id: serviceId } = hold;
  return (await first(tx, COUNT_OTHER_HOLDS, { partnerId, contactId, serviceId, now }))!;
}

export const INSERT_HOLD = hotStatement({
  name: 'insert-hold',
  takes: {
    id: pg.uuid,
    partnerId: pg.uuid,
    contactId: pg.nullable(pg.uuid),
    addressId: pg.nullable(pg.uuid),
    latitude: pg.nullable(pg.numeric),
    longitude: pg.nullable(pg.numeric),
    reference: pg.nullable(pg.text),
    serviceId: pg.uuid,
    startsAt: pg.timestamptz,
    endsAt: pg.timestamptz,
    price: pg.numeric,
    expiresAt: pg.timestamptz,
    now: pg.timestamptz,
    catalogueVersion: pg.bigint,
    teamIds: pg.typed<readonly string[]>(pg.uuids),
    zoneId: pg.uuid,
  },
  returns: { outcome: pg.typed<ClaimOutcome>(pg.text), policy_id: pg.nullable(pg.uuid) },
  text: `
    with claimed as materialized (
      select outcome, team_id, busy_until from claim_team(p_catalogue_version => :catalogueVersion, p_team_ids => :teamIds,
        p_starts_at => :startsAt, p_ends_at => :endsAt, p_now => :now, p_contact_id => :contactId, p_service_id => :serviceId)
    ), hold as (
      insert into holds (id, partner_id, contact_id, address_id, latitude, longitude, reference, service_id, starts_at, ends_at,
        price, expires_at, created_at, policy_id)
      select :id::uuid, :partnerId::uuid, :contactId, :addressId::uuid, :latitude::numeric, :longitude::numeric, :reference::text,
        :serviceId, :startsAt, :endsAt, :price::numeric, :expiresAt::timestamptz, :now, ${policyFor(':partnerId', ':serviceId')}
      from claimed where outcome = 'CLAIMED'
      returning id, policy_id
    ), held as (
      insert into appointments (id, team_id, zone_id, status, starts_at, ends_at, busy_until, created_at, updated_at)
      select id, team_id, :zoneId, 'Held', :startsAt, :endsAt, busy_until, :now, :now from hold, claimed
    )
    select outcome, policy_id from claimed left join hold on true`,
});

/**
 * Claims one of the teams and holds the slot, under the policy of the moment, in place of the customer's other hold for the
 * service. The partner must be locked. A reference that another live hold has raises holds_reference_key.
 */
export async function insertHold(
  tx: Tx,
  now: Instant,
  hold: NewHold,
  claim: { catalogueVersion: number; teamIds: readonly string[]; zoneId: string },
): Promise<Row<typeof INSERT_HOLD>> {
  const inserted = await first(tx, INSERT_HOLD, {
    id: hold.id,
    partnerId: hold.partner_id,
    contactId: hold.contact_id,
    addressId: hold.address_id,
    latitude: hold.latitude,
    longitude: hold.longitude,
    reference: hold.reference,
    serviceId: hold.service_id,
    startsAt: hold.starts_at,
    endsAt: hold.ends_at,
    price: hold.price,
    expiresAt: hold.expires_at,
    now,
    ...claim,
  });
  return inserted!;
}

/** SQL: the latest end of a hold: it is held for a while in all, and never beyond its start. */
const LATEST = 'least(h.created_at + make_interval(secs => :most::integer), h.starts_at)';

export const EXTEND_HOLD = hotStatement({
  name: 'extend-hold',
  takes: {
    id: pg.uuid,
    partnerId: pg.uuid,
    seconds: pg.nullable(pg.int),
    until: pg.nullable(pg.timestamptz),
    most: pg.int,
    now: pg.timestamptz,
  },
  returns: { id: pg.uuid },
  text: `
    update holds h set expires_at = greatest(expires_at, coalesce(:until::timestamptz, expires_at + make_interval(secs => :seconds::integer)))
    where id = :id and partner_id = :partnerId and ended_at is null and expires_at > :now
      and coalesce(:until::timestamptz, expires_at + make_interval(secs => :seconds::integer)) <= ${LATEST}
    returning id`,
});

/** An extension of a hold: so many seconds more, or until an instant. */
export type Extension = { seconds: number } | { until: Instant };

/** Holds it longer; false: it is over, or would be held beyond `most` seconds in all or its start. */
export async function extendHoldRow(
  db: Queryable,
  now: Instant,
  { extension, ...hold }: { id: string; partnerId: string; extension: Extension; most: number },
): Promise<boolean> {
  return (await first(db, EXTEND_HOLD, { ...hold, seconds: null, until: null, ...extension, now })) !== null;
}

const REPEAT = {
  partnerId: pg.uuid,
  serviceId: pg.uuid,
  startsAt: pg.timestamptz,
  endsAt: pg.timestamptz,
  until: pg.timestamptz,
  most: pg.int,
  now: pg.timestamptz,
};
/** SQL: holds the slot longer, if the hold is this one. */
const repeated = (isThis: string, { from = '', sets = '' } = {}): string => `
    update holds h set expires_at = greatest(h.expires_at, least(:until::timestamptz, ${LATEST}))${sets}${from}
    where ${isThis} and h.service_id = :serviceId and h.starts_at = :startsAt and h.ends_at = :endsAt
      and h.ended_at is null and h.expires_at > :now
    returning ${COLUMNS}, null::uuid as team_id, null::uuid as zone_id`;

export const REPEAT_HOLD = hotStatement({
  name: 'repeat-hold',
  takes: {
    ...REPEAT,
    addressId: pg.uuid,
    contactId: pg.nullable(pg.uuid),
    reference: pg.nullable(pg.text),
  },
  returns: { ...HOLDS, ...HELD },
  text: repeated(
    `a.id = :addressId and a.partner_id = :partnerId and h.contact_id = a.contact_id and h.address_id = a.id
      and (:contactId::uuid is null or h.contact_id = :contactId)`,
    { from: ' from addresses a', sets: ', reference = coalesce(:reference::text, h.reference)' },
  ),
});

/** SQL: a live hold with the reference. */
const IS_REFERENCED = `h.partner_id = :partnerId and h.reference = :reference and h.ended_at is null`;
/** SQL: it is of this place. */
const IS_THERE = `h.contact_id is null and h.latitude = :latitude::numeric and h.longitude = :longitude::numeric`;

export const REPEAT_PLACE_HOLD = hotStatement({
  name: 'repeat-place-hold',
  takes: { ...REPEAT, latitude: pg.numeric, longitude: pg.numeric, reference: pg.text },
  returns: { ...HOLDS, ...HELD },
  text: repeated(`${IS_REFERENCED} and ${IS_THERE}`),
});

type SlotToHold = Location & {
  partnerId: string;
  /** Must agree with the address. */
  contactId: string | null;
  reference: string | null;
  serviceId: string;
  startsAt: Instant;
  endsAt: Instant;
};

/**
 * The hold of this very slot, held until the instant if that is later and allowed: the customer's, which takes the reference too; of
 * a place the one with the reference. null: there is none.
 */
export async function repeatHoldRow(
  db: Queryable,
  now: Instant,
  { contactId, reference, ...slot }: SlotToHold,
  ends: { until: Instant; most: number },
): Promise<HoldRow | null> {
  if ('addressId' in slot) return first(db, REPEAT_HOLD, { ...slot, contactId, reference, ...ends, now });
  return reference === null ? null : first(db, REPEAT_PLACE_HOLD, { ...slot, reference, ...ends, now });
}

export const FIND_REFERENCED = hotStatement({
  name: 'find-referenced-hold',
  takes: {
    partnerId: pg.uuid,
    reference: pg.text,
    contactId: pg.nullable(pg.uuid),
    latitude: pg.nullable(pg.numeric),
    longitude: pg.nullable(pg.numeric),
    serviceId: pg.uuid,
    startsAt: pg.timestamptz,
    endsAt: pg.timestamptz,
    now: pg.timestamptz,
  },
  returns: { id: pg.uuid },
  text: `
    select h.id from holds h
    where ${IS_REFERENCED} and h.expires_at > :now and (h.service_id = :serviceId and (h.contact_id = :contactId
      or ${IS_THERE} and h.starts_at = :startsAt and h.ends_at = :endsAt)) is not true`,
});

/** The live hold that has the reference for something else: neither the same hold, nor the customer's other one, which is replaced. */
export async function findReferenced(
  db: Queryable,
  now: Instant,
  { reference, ...slot }: SlotToHold & { reference: string },
): Promise<string | null> {
  const place = { latitude: null, longitude: null, ...slot };
  return (await first(db, FIND_REFERENCED, { ...place, reference, now }))?.id ?? null;
}

export const FREE_REFERENCE = hotStatement({
  name: 'free-reference',
  takes: { partnerId: pg.uuid, reference: pg.text, now: pg.timestamptz },
  returns: { id: pg.uuid },
  text: `
    with ended as (
      update holds h set ended_at = :now where ${IS_REFERENCED} and h.expires_at <= :now returning h.id
    )
    delete from appointments a using ended where a.id = ended.id returning a.id`,
});

/** Ends the hold with the reference, if its time is over. */
export async function freeReference(
  db: Queryable,
  now: Instant,
  partnerId: string,
  reference: string,
): Promise<void> {
  await rows(db, FREE_REFERENCE, { partnerId, reference, now });
}

export const RELEASE_HOLD = hotStatement({
  name: 'release-hold',
  takes: { id: pg.uuid, now: pg.timestamptz },
  returns: { id: pg.uuid },
  text: `
    with ended as (
      update holds set ended_at = :now where id = :id and ended_at is null returning id
    )
    delete from appointments a using ended where a.id = ended.id returning a.id`,
});

/** Frees the team; false: it was free already. */
export async function releaseHoldRow(db: Queryable, now: Instant, id: string): Promise<boolean> {
  return (await first(db, RELEASE_HOLD, { id, now })) !== null;
}

export const SWEEP_HOLDS = hotStatement({
  name: 'sweep-holds',
  takes: { now: pg.timestamptz, madeBefore: pg.timestamptz, batch: pg.int },
  returns: { id: pg.uuid },
  text: `
    with due as (
      select id from holds where ended_at is null and (expires_at <= :now or created_at > :madeBefore)
      limit :batch::integer for update skip locked
    ), ended as (
      update holds set ended_at = :now from due where holds.id = due.id returning holds.id
    )
    delete from appointments a using ended where a.id = ended.id returning a.id`,
});

/** Ends holds whose time is over, or that were made after `madeBefore`; returns their number, `batch` at most. */
export async function sweepHoldRows(
  db: Queryable,
  now: Instant,
  { madeBefore, batch }: { madeBefore: Instant; batch: number },
): Promise<number> {
  return (await rows(db, SWEEP_HOLDS, { now, madeBefore, batch })).length;
}

const tables = tablesOf<{
  holds: HoldTable;
  appointments: { id: string; team_id: string; zone_id: string };
  teams: { id: string; name: string; name_ar: string | null };
  partners: { id: string; name: string };
  services: { id: string; name: string; name_ar: string | null };
  contacts: { id: string; name: string };
}>();

const withNames = () =>
  tables
    .selectFrom('holds')
    .innerJoin('appointments', 'appointments.id', 'holds.id')
    .innerJoin('teams', 'teams.id', 'appointments.team_id')
    .innerJoin('partners', 'partners.id', 'holds.partner_id')
    .innerJoin('services', 'services.id', 'holds.service_id')
    .leftJoin('contacts', 'contacts.id', 'holds.contact_id')
    .selectAll('holds')
    .select([
      'appointments.team_id',
      'appointments.zone_id',
      'teams.name as team_name',
      'teams.name_ar as team_name_ar',
      'partners.name as partner_name',
      'services.name as service_name',
      'services.name_ar as service_name_ar',
      'contacts.name as contact_name',
    ]);

/** A slot that is held now, as the operator sees it. */
export type NamedHoldRow = HoldRow & {
  team_id: string;
  team_name: string;
  team_name_ar: string | null;
  partner_name: string;
  service_name: string;
  service_name_ar: string | null;
  /** null: there is no customer yet. */
  contact_name: string | null;
};

export type HoldFilter = { partnerId?: string; teamId?: string; from?: Instant; until?: Instant };

/** The slots that are held at the moment, by start. */
export function listHoldRows(
  db: Queryable,
  now: Instant,
  { partnerId, teamId, from, until }: HoldFilter,
  page: Window,
): Promise<Page<NamedHoldRow>> {
  const query = withNames()
    .where('holds.ended_at', 'is', null)
    .where('holds.expires_at', '>', instant(now))
    .$if(partnerId !== undefined, (found) => found.where('holds.partner_id', '=', partnerId!))
    .$if(teamId !== undefined, (found) => found.where('appointments.team_id', '=', teamId!))
    .$if(from !== undefined, (found) => found.where('holds.ends_at', '>', instant(from!)))
    .$if(until !== undefined, (found) => found.where('holds.starts_at', '<', instant(until!)));
  return pageOf(db, query.orderBy('holds.starts_at').orderBy('holds.id'), page);
}

/** The slots that are held at the moment, of all partners. */
export function listHeldPeriods(
  db: Queryable,
  now: Instant,
): Promise<Pick<HoldRow, 'starts_at' | 'ends_at'>[]> {
  const query = tables.selectFrom('holds').select(['starts_at', 'ends_at']);
  return rowsOf(db, query.where('ended_at', 'is', null).where('expires_at', '>', instant(now)));
}

/** The partner's holds that have not ended or did so after the instant, newest first, with the service's name. */
export function listRecentHolds(
  db: Queryable,
  partnerId: string,
  { endedAfter, limit }: { endedAfter: Instant; limit: number },
): Promise<(HoldRow & { service_name: string })[]> {
  const query = tables
    .selectFrom('holds')
    .innerJoin('services', 'services.id', 'holds.service_id')
    .leftJoin('appointments', 'appointments.id', 'holds.id')
    .selectAll('holds')
    .select(['appointments.team_id', 'appointments.zone_id', 'services.name as service_name'])
    .where('holds.partner_id', '=', partnerId)
    .where((hold) =>
      hold.or([hold('holds.ended_at', 'is', null), hold('holds.ended_at', '>', instant(endedAfter))]),
    )
    .orderBy('holds.created_at', 'desc')
    .orderBy('holds.id');
  return rowsOf(db, query.limit(limit));
}

/** The partner's first hold since the instant; null: none. */
export function findFirstHoldSince(
  db: Queryable,
  partnerId: string,
  since: Instant,
): Promise<Selectable<HoldTable> | null> {
  const query = tables
    .selectFrom('holds')
    .selectAll()
    .where('partner_id', '=', partnerId)
    .where('created_at', '>=', instant(since))
    .where((hold) => hold.or([hold('ended_at', 'is', null), hold('ended_at', '>=', instant(since))]));
  return firstOf(db, query.orderBy('created_at').orderBy('id').limit(1));
}

export const FORGET_HOLDS = hotStatement({
  name: 'forget-holds',
  takes: { endedBefore: pg.timestamptz },
  returns: { id: pg.uuid },
  text: `delete from holds where ended_at < :endedBefore and booking_id is null returning id`,
});

/** Deletes holds that ended before the instant without a booking. */
export async function forgetHolds(db: Queryable, endedBefore: Instant): Promise<void> {
  await rows(db, FORGET_HOLDS, { endedBefore });
}
