import type { Instant } from '../base/clock.ts';
import { ApiError, conflict, throwIfInvalid } from '../base/errors.ts';
import type { Actor } from '../db/audit.ts';
import { auditedRows, type New } from '../db/audited-rows.ts';
import { type Db, isDbError, type Queryable, type Tx } from '../db/connection.ts';
import { columnsOf } from '../db/tables.ts';
import { viewBy } from '../http/fields.ts';
import { priceAt } from '../partners/price-rules.ts';
import { lockTiers, priceServices, tierRows } from './queries.ts';
import { applyFactor, boundsFaults, estimateFaults, toFactor, toSarNumber } from './rules.ts';
import { type CalculatePrice, type CreateTier, PricingTier, Tier, type UpdateTier } from './schema.ts';
import type { TierRow } from './table.ts';

/** Pricing tier of section 2, in the partner API. */
export const tierView = (row: TierRow) => viewBy(PricingTier, row);

/** A tier in the operator API and the audit log. */
export const operatorTierView = (row: TierRow) => viewBy(Tier, row);

/**
 * Section 4.13: the partner's price of each item at the moment in SAR, and their total. The service's own duration has the price of a
 * booking, other hours an estimate by tier. Throws VALIDATION_ERROR for hours that are neither quarters nor the
 * service's own, and SERVICE_NOT_ALLOWED when a service is unknown, inactive or not enabled for the partner.
 */
export async function calculatePrice(
  db: Queryable,
  now: Instant,
  partnerId: string,
  { items }: CalculatePrice,
) {
  const wanted = items.map(({ serviceId, hours }) => ({
    serviceId,
    minutes: hours === undefined ? null : Math.round(hours * 60),
  }));
  const rows = await priceServices(db, partnerId, wanted);
  const found = new Map(rows.map((row) => [row.position, row]));
  throwIfInvalid(
    items.flatMap(({ hours }, index) => {
      if (hours === undefined || found.get(index + 1)?.is_bookable) return [];
      return estimateFaults(hours).map((fault) => `items.${index}.hours ${fault}`);
    }),
  );
  if (rows.length < items.length) {
    const refused = wanted.filter((_item, index) => !found.has(index + 1));
    throw new ApiError('SERVICE_NOT_ALLOWED', 'The service is not enabled for this partner', {
      serviceIds: [...new Set(refused.map((item) => item.serviceId.toLowerCase()))],
    });
  }
  let total = 0n;
  const priced = rows.map((row) => {
    const factor = row.factor ?? '1';
    const basePrice = priceAt(row.prices, now);
    const price = applyFactor(basePrice, factor);
    total += price;
    return {
      serviceId: row.service_id,
      hours: row.minutes / 60,
      basePrice: Number(basePrice),
      tierId: row.tier_id,
      factor: Number(factor),
      price: toSarNumber(price),
      isBookable: row.is_bookable,
    };
  });
  return { currency: 'SAR' as const, items: priced, total: toSarNumber(total) };
}

// ---------------------------------------------------------------------------
// The operator's tiers

const tiers = auditedRows(tierRows, {
  kind: 'tier',
  name: 'Pricing tier',
  view: operatorTierView,
  written: conflictOnOverlap,
});

/** Throws RESOURCE_NOT_FOUND. */
export const readTier = tiers.read;

/** Creates a tier. Throws VALIDATION_ERROR (bounds) and CONFLICT when it overlaps another. */
export async function createTier(
  tx: Tx,
  now: Instant,
  actor: Actor,
  input: New<CreateTier>,
): Promise<TierRow> {
  throwIfInvalid(boundsFaults(input));
  await lockTiers(tx);
  const { factor, ...fields } = input;
  return tiers.create(tx, now, { actor }, { ...columnsOf(fields), factor: toFactor(factor) });
}

/**
 * Changes the given fields; without a difference nothing is written. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR
 * (bounds) and CONFLICT when it would overlap another.
 */
export async function updateTier(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { id, changes }: { id: string; changes: UpdateTier },
): Promise<TierRow> {
  await lockTiers(tx);
  const before = await readTier(tx, id);
  throwIfInvalid(boundsFaults({ ...tierView(before), ...changes }));
  const { factor, ...fields } = changes;
  const columns = { ...columnsOf(fields), ...(factor !== undefined && { factor: toFactor(factor) }) };
  return tiers.change(tx, now, { actor }, { before, columns });
}

/** Removes a tier; bookings keep their price. Throws RESOURCE_NOT_FOUND. */
export function removeTier(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  return tiers.remove(db, now, actor, { id, lock: lockTiers });
}

async function conflictOnOverlap<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isDbError(error, 'exclusionViolation', 'pricing_tiers_no_overlap'))
      throw conflict('TIERS_OVERLAP', 'The minutes overlap those of another tier');
    throw error;
  }
}
