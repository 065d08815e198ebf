import { type Instant, toRiyadhIso } from '../base/clock.ts';
import { ApiError, conflict, orNotFound, throwIfInvalid } from '../base/errors.ts';
import { type Actor, audit } from '../db/audit.ts';
import { type Db, isDbError, type Queryable, type Tx } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { changesTo, columnsOf } from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import { listTierRows, lockTiers, priceServices, tierRows } from './queries.ts';
import { applyFactor, boundsFaults, estimateFaults, toFactor, toSarNumber } from './rules.ts';
import type { CalculatePrice, CreateTier, TiersQuery, UpdateTier } from './schema.ts';
import type { TierRow } from './table.ts';

/** Pricing tier of section 2, in the partner API. */
export function tierView(row: TierRow) {
  return {
    id: row.id,
    minMinutes: row.min_minutes,
    maxMinutes: row.max_minutes,
    factor: Number(row.factor),
    sorting: row.sorting,
  };
}

/** A tier in the operator API and the audit log. */
export function operatorTierView(row: TierRow) {
  return { ...tierView(row), createdAt: toRiyadhIso(row.created_at), updatedAt: toRiyadhIso(row.updated_at) };
}

/**
 * Section 4.13: the partner's price of each item in SAR, and their total. The service's own duration has the price of a
 * booking, other hours an estimate by tier. Throws VALIDATION_ERROR for hours that are neither quarters nor the
 * service's own, and SERVICE_NOT_ALLOWED when a service is unknown, inactive or not enabled for the partner.
 */
export async function calculatePrice(db: Queryable, partnerId: string, { items }: CalculatePrice) {
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
    const price = applyFactor(row.base_price, factor);
    total += price;
    return {
      serviceId: row.service_id,
      hours: row.minutes / 60,
      basePrice: Number(row.base_price),
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

/** A page of the tiers, in their order. */
export function listTiers(db: Queryable, query: TiersQuery): Promise<Page<TierRow>> {
  return listTierRows(db, query, paging(query));
}

/** Throws RESOURCE_NOT_FOUND. */
export function readTier(db: Queryable, id: string): Promise<TierRow> {
  return orNotFound(tierRows.find(db, id), 'Pricing tier');
}

/** Creates a tier. Throws VALIDATION_ERROR (bounds) and CONFLICT when it overlaps another. */
export async function createTier(tx: Tx, now: Instant, actor: Actor, input: CreateTier): Promise<TierRow> {
  throwIfInvalid(boundsFaults(input));
  await lockTiers(tx);
  const { factor, ...fields } = input;
  const columns = { ...columnsOf(fields), factor: toFactor(factor) };
  const row = await conflictOnOverlap(tierRows.insert(tx, now, columns));
  await audit(tx, now, {
    actor,
    action: 'tier.create',
    target: `tier:${row.id}`,
    after: operatorTierView(row),
  });
  return row;
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
  const columns = changesTo(before, {
    ...columnsOf(fields),
    ...(factor !== undefined && { factor: toFactor(factor) }),
  });
  if (columns === null) return before;
  const after = await conflictOnOverlap(tierRows.update(tx, now, before.id, columns));
  await audit(tx, now, {
    actor,
    action: 'tier.update',
    target: `tier:${before.id}`,
    before: operatorTierView(before),
    after: operatorTierView(after),
  });
  return after;
}

/** Removes a tier; bookings keep their price. Throws RESOURCE_NOT_FOUND. */
export function removeTier(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  return db.transaction(async (tx) => {
    await lockTiers(tx);
    const before = await readTier(tx, id);
    await tierRows.remove(tx, before.id);
    const target = `tier:${before.id}`;
    await audit(tx, now, { actor, action: 'tier.delete', target, before: operatorTierView(before) });
    return { id: before.id };
  });
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
