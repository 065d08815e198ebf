import { type Instant, toUtcIso } from '../clock.ts';
import type { Queryable, Tx } from '../platform/db.ts';
import type { Page } from '../platform/envelope.ts';

export type TierRow = {
  id: string;
  min_minutes: number;
  /** null: no upper limit. */
  max_minutes: number | null;
  /** Exact, four decimals. */
  factor: string;
  sorting: number;
  created_at: Instant;
  updated_at: Instant;
};

export type TierFields = {
  minMinutes: number;
  maxMinutes: number | null;
  factor: number;
  sorting: number;
};

const TIER = 'id, min_minutes, max_minutes, factor, sorting, created_at, updated_at';
const TIER_ORDER = 'order by sorting, min_minutes, id';

function tierValues(now: Instant, fields: TierFields): unknown[] {
  return [fields.minMinutes, fields.maxMinutes, fields.factor.toFixed(4), fields.sorting, toUtcIso(now)];
}

/**
 * Makes the transaction the only one that changes tiers: a change reads the fields it keeps, and two tiers that
 * overlap, written at the same time, could wait for each other in the exclusion constraint.
 */
export async function lockTiers(tx: Tx): Promise<void> {
  await tx.rows({ text: 'lock table pricing_tiers in share row exclusive mode' });
}

export async function insertTier(tx: Tx, now: Instant, fields: TierFields): Promise<TierRow> {
  const rows = await tx.rows<TierRow>({
    text: `
      insert into pricing_tiers (min_minutes, max_minutes, factor, sorting, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $5) returning ${TIER}`,
    values: tierValues(now, fields),
  });
  return rows[0]!;
}

export async function updateTierRow(tx: Tx, now: Instant, id: string, fields: TierFields): Promise<TierRow> {
  const rows = await tx.rows<TierRow>({
    text: `
      update pricing_tiers set min_minutes = $1, max_minutes = $2, factor = $3, sorting = $4, updated_at = $5
      where id = $6 returning ${TIER}`,
    values: [...tierValues(now, fields), id],
  });
  return rows[0]!;
}

export async function deleteTierRow(tx: Tx, id: string): Promise<void> {
  await tx.rows({ text: 'delete from pricing_tiers where id = $1', values: [id] });
}

export function findTier(db: Queryable, id: string): Promise<TierRow | null> {
  return db.first<TierRow>({ text: `select ${TIER} from pricing_tiers where id = $1`, values: [id] });
}

/** Every tier, in its order. Section 4.12. */
export function allTiers(db: Queryable): Promise<TierRow[]> {
  return db.rows<TierRow>({ name: 'all-tiers', text: `select ${TIER} from pricing_tiers ${TIER_ORDER}` });
}

export async function listTierRows(
  db: Queryable,
  page: { limit: number; offset: number },
): Promise<Page<TierRow>> {
  const rows = await db.rows<TierRow>({
    text: `select ${TIER} from pricing_tiers ${TIER_ORDER} limit $1 offset $2`,
    values: [page.limit, page.offset],
  });
  const count = await db.first<{ total: number }>({ text: 'select count(*) as total from pricing_tiers' });
  return { rows, total: count!.total };
}

/** Is there any tier? */
export async function hasTiers(db: Queryable): Promise<boolean> {
  const row = await db.first<{ found: boolean }>({
    text: 'select exists (select 1 from pricing_tiers) as found',
  });
  return row!.found;
}

export type PricedRow = {
  /** Which of the wanted services it is, from 1. */
  position: number;
  service_id: string;
  minutes: number;
  /** SAR, exact; the partner's price, else the default. */
  base_price: string;
  /** null: no tier holds these minutes. */
  tier_id: string | null;
  factor: string | null;
};

/**
 * The wanted services that the partner may book, each with its price and the tier of its minutes (null: the
 * service's own duration), in one statement and so of one moment. What the partner may not book is left out.
 */
export function priceServices(
  db: Queryable,
  partnerId: string,
  wanted: readonly { serviceId: string; minutes: number | null }[],
): Promise<PricedRow[]> {
  return db.rows<PricedRow>({
    name: 'price-services',
    text: `
      select w.position, s.id as service_id, w.minutes, coalesce(ps.price, s.default_price) as base_price,
        t.id as tier_id, t.factor
      from (
        select u.service_id, coalesce(u.minutes, s.duration_minutes) as minutes, u.position
        from unnest($2::uuid[], $3::integer[]) with ordinality as u (service_id, minutes, position)
        join services s on s.id = u.service_id
      ) w
      join partners p on p.id = $1
      join services s on s.id = w.service_id and s.is_active
      join categories k on k.id = s.category_id and k.is_active
      left join partner_services ps on ps.partner_id = p.id and ps.service_id = s.id
      left join pricing_tiers t on w.minutes >= t.min_minutes
        and (t.max_minutes is null or w.minutes <= t.max_minutes)
      where not p.service_restricted or ps.service_id is not null
      order by w.position`,
    values: [partnerId, wanted.map((item) => item.serviceId), wanted.map((item) => item.minutes)],
  });
}
