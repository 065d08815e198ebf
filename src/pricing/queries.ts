import { sql } from 'kysely';
import { IS_ENABLED, PRICES } from '../catalogue/queries.ts';
import { each } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { stampedRows } from '../db/stamped-rows.ts';
import { hotStatement, pg, type Row, rows } from '../db/statement.ts';
import { pageOf, sortedBy, tablesOf } from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import type { PriceLists } from '../partners/price-rules.ts';
import type { TiersQuery } from './schema.ts';
import { TIERS, type TierRow, type TierTable } from './table.ts';

const tables = tablesOf<{ pricing_tiers: TierTable }>();

/**
 * Makes the transaction the only one that changes tiers: a change reads the fields that it keeps, and two overlapping
 * tiers, written at the same time, could deadlock in the exclusion constraint.
 */
export async function lockTiers(tx: Tx): Promise<void> {
  await tx.rows({ text: 'lock table pricing_tiers in share row exclusive mode' });
}

export const tierRows = stampedRows<TierTable>('pricing_tiers');

const ORDERS = {
  sorting: ['sorting', 'min_minutes'],
  minMinutes: ['min_minutes'],
  // null: no upper limit.
  maxMinutes: [sql`coalesce(max_minutes, 2147483647)`],
  factor: ['factor', 'sorting'],
};

/** A page of the tiers, in their order unless sorted otherwise. */
export function listTiers(db: Queryable, sorting: TiersQuery): Promise<Page<TierRow>> {
  const query = tables.selectFrom('pricing_tiers').selectAll();
  return pageOf(db, sortedBy(query, ORDERS, sorting, { by: 'sorting', order: 'ASC' }), paging(sorting));
}

export const ALL_TIERS = hotStatement({
  name: 'all-tiers',
  takes: {},
  returns: TIERS,
  text: `select ${each(TIERS)} from pricing_tiers order by sorting, min_minutes, id`,
});

/** Every tier, in its order. Section 4.12. */
export function allTiers(db: Queryable): Promise<TierRow[]> {
  return rows(db, ALL_TIERS, {});
}

export const PRICE_SERVICES = hotStatement({
  name: 'price-services',
  takes: { partnerId: pg.uuid, serviceIds: pg.uuids, minutes: pg.typed<(number | null)[]>(pg.ints) },
  returns: {
    /** The index of the wanted service, from 1. */
    position: pg.bigint,
    service_id: pg.uuid,
    minutes: pg.int,
    /** Whether it is the service's own duration, which bookings have. */
    is_bookable: pg.boolean,
    prices: pg.json<PriceLists>(),
    /** null: no tier contains these minutes, or they are bookable. */
    tier_id: pg.nullable(pg.uuid),
    factor: pg.nullable(pg.numeric),
  },
  text: `
    select w.position, s.id as service_id, w.minutes, w.is_bookable,
      ${PRICES} as prices, t.id as tier_id, t.factor
    from (
      select u.service_id, coalesce(u.minutes, s.duration_minutes) as minutes, u.position,
        coalesce(u.minutes = s.duration_minutes, true) as is_bookable
      from unnest(:serviceIds::uuid[], :minutes::integer[]) with ordinality as u (service_id, minutes, position)
      join services s on s.id = u.service_id
    ) w
    join partners p on p.id = :partnerId
    join services s on s.id = w.service_id and s.is_active
    join categories k on k.id = s.category_id and k.is_active
    left join partner_services ps on ps.partner_id = p.id and ps.service_id = s.id
    left join pricing_tiers t on not w.is_bookable and w.minutes >= t.min_minutes
      and (t.max_minutes is null or w.minutes <= t.max_minutes)
    where ${IS_ENABLED}
    order by w.position`,
});

/**
 * The wanted services that the partner may book, each with its prices and, unless its minutes are the service's own
 * duration (null), their tier; in one statement, so from one snapshot. Other services are left out.
 */
export function priceServices(
  db: Queryable,
  partnerId: string,
  wanted: readonly { serviceId: string; minutes: number | null }[],
): Promise<Row<typeof PRICE_SERVICES>[]> {
  return rows(db, PRICE_SERVICES, {
    partnerId,
    serviceIds: wanted.map((item) => item.serviceId),
    minutes: wanted.map((item) => item.minutes),
  });
}
