import type { Instant } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { hotStatement, pg, type RowOf, rows } from '../db/statement.ts';
import type { ConflictCause } from './conflict-schema.ts';
import { zoneAt } from './queries.ts';

export const CONFLICT = {
  id: pg.uuid,
  name: pg.text,
  booking_id: pg.uuid,
  starts_at: pg.timestamptz,
  ends_at: pg.timestamptz,
  status: pg.text,
  /** Nobody is on the way to it yet. */
  is_planned: pg.boolean,
  zone_id: pg.uuid,
  zone_name: pg.text,
  zone_name_ar: pg.nullable(pg.text),
  team_id: pg.uuid,
  team_name: pg.text,
  team_name_ar: pg.nullable(pg.text),
  contact_name: pg.text,
  phone: pg.text,
  series_id: pg.nullable(pg.uuid),
  reasons: pg.typed<ConflictCause[]>(pg.texts),
};
export type ConflictRow = RowOf<typeof CONFLICT>;

/**
 * SQL: the unfinished visits that have reasons, by start. `reasons` is a text[] over rows `a` of appointments, `b` of
 * bookings and `t` of teams, `condition` says which visits are looked at.
 */
export function conflictsBy(reasons: string, condition: string): string {
  // A check of the table bounds the length of appointments, so the index on starts_at is used.
  return `
    select a.id, a.name, a.booking_id, a.starts_at, a.ends_at, a.status,
      a.status in ('New', 'Scheduled', 'Confirmed') as is_planned,
      z.id as zone_id, z.name as zone_name, z.name_ar as zone_name_ar,
      t.id as team_id, t.name as team_name, t.name_ar as team_name_ar, c.name as contact_name, c.phone, b.series_id, r.reasons
    from appointments a
    join bookings b on b.id = a.booking_id
    join contacts c on c.id = b.contact_id
    join zones z on z.id = a.zone_id
    join teams t on t.id = a.team_id
    cross join lateral (select ${reasons} as reasons offset 0) r
    where a.starts_at > :now::timestamptz - interval '32 hours' and a.ends_at > :now
      and a.status not in ('Finished', 'Completed', 'Cannot Complete', 'Cancelled') and ${condition}
      and cardinality(r.reasons) > 0
    order by a.starts_at, a.id`;
}

export const LIST_CATALOGUE_CONFLICTS = hotStatement({
  name: 'list-catalogue-conflicts',
  takes: { offeredBy: pg.nullable(pg.uuid), now: pg.timestamptz },
  returns: CONFLICT,
  text: conflictsBy(
    `array_remove(array[
      case when not exists (
        select from services s join categories k on k.id = s.category_id
        where s.id = b.service_id and s.is_active and k.is_active) then 'SERVICE_OFF' end,
      case when not exists (
        select from zone_services s where s.zone_id = a.zone_id and s.service_id = b.service_id)
      then 'NOT_OFFERED_IN_ZONE' end,
      case when exists (
        select from addresses d where d.id = b.address_id and d.latitude is not null
          and a.zone_id is distinct from (${zoneAt('d.latitude', 'd.longitude')})) then 'OUTSIDE_ZONE' end], null)`,
    `(:offeredBy::uuid is null
      or b.service_id in (select s.id from services s where :offeredBy in (s.id, s.category_id)))`,
  ),
});

/**
 * The unfinished visits whose service or place would not be offered today, of a service or category, or of all (null): a
 * change of one zone may give addresses to another.
 */
export function listCatalogueConflicts(
  db: Queryable,
  now: Instant,
  offeredBy: string | null = null,
): Promise<ConflictRow[]> {
  return rows(db, LIST_CATALOGUE_CONFLICTS, { offeredBy, now });
}
