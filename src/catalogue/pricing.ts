import { isDeepStrictEqual } from 'node:util';
import { type Instant, toRiyadhIso } from '../clock.ts';
import { ApiError, conflict } from '../errors.ts';
import { type Actor, audit } from '../platform/audit.ts';
import { type Db, isDbError, type Queryable, type Tx } from '../platform/db.ts';
import { type Page, paging } from '../platform/envelope.ts';
import { existing, refuse } from './admin.ts';
import {
  deleteTierRow,
  findTier,
  insertTier,
  listTierRows,
  lockTiers,
  priceServices,
  type TierFields,
  type TierRow,
  updateTierRow,
} from './pricing-queries.ts';
import { applyFactor, isFactor, toSar } from './pricing-rules.ts';
import type { CalculatePrice, CreateTier, TiersQuery, UpdateTier } from './pricing-schema.ts';

/** Pricing tier of section 2, as partners see it. */
export function tierView(row: TierRow) {
  return {
    id: row.id,
    minMinutes: row.min_minutes,
    maxMinutes: row.max_minutes,
    factor: Number(row.factor),
    sorting: row.sorting,
  };
}

/** A tier as the operator's interface and the audit log show it. */
export function adminTierView(row: TierRow) {
  return { ...tierView(row), createdAt: toRiyadhIso(row.created_at), updatedAt: toRiyadhIso(row.updated_at) };
}

/**
 * Section 4.13: what each item costs the partner, in SAR, and all of them together. Throws
 * SERVICE_NOT_ALLOWED when a service is unknown, inactive or not enabled for the partner.
 */
export async function calculatePrice(db: Queryable, partnerId: string, { items }: CalculatePrice) {
  const wanted = items.map(({ serviceId, hours }) => ({
    serviceId,
    minutes: hours === undefined ? null : hours * 60,
  }));
  const rows = await priceServices(db, partnerId, wanted);
  if (rows.length < items.length) {
    const found = new Set(rows.map((row) => row.position));
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
      price: toSar(price),
    };
  });
  return { currency: 'SAR' as const, items: priced, total: toSar(total) };
}

// ---------------------------------------------------------------------------
// The operator's tiers

const DEFAULTS = { maxMinutes: null, sorting: 0 };

/** A page of the tiers, in their order. */
export function listTiers(db: Queryable, query: TiersQuery): Promise<Page<TierRow>> {
  return listTierRows(db, paging(query));
}

/** Throws RESOURCE_NOT_FOUND. */
export function readTier(db: Queryable, id: string): Promise<TierRow> {
  return existing(findTier(db, id), 'Pricing tier');
}

/** Creates a tier. Throws VALIDATION_ERROR (factor, bounds) and CONFLICT when it overlaps another. */
export function createTier(db: Db, now: Instant, actor: Actor, input: CreateTier): Promise<TierRow> {
  return db.transaction((tx) => addTier(tx, now, actor, input));
}

/** createTier inside a transaction. */
export async function addTier(tx: Tx, now: Instant, actor: Actor, input: CreateTier): Promise<TierRow> {
  const fields = { ...DEFAULTS, ...input };
  refuse(tierFaults(fields));
  await lockTiers(tx);
  const row = await unlessOverlapping(insertTier(tx, now, fields));
  await audit(tx, now, { actor, action: 'tier.create', target: `tier:${row.id}`, after: adminTierView(row) });
  return row;
}

/**
 * Changes the given fields; nothing new, nothing done. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR (factor,
 * bounds) and CONFLICT when it would overlap another.
 */
export function updateTier(
  db: Db,
  now: Instant,
  actor: Actor,
  id: string,
  input: UpdateTier,
): Promise<TierRow> {
  return db.transaction(async (tx) => {
    await lockTiers(tx);
    const before = await existing(findTier(tx, id), 'Pricing tier');
    const fields = { ...fieldsOf(before), ...input };
    refuse(tierFaults(fields));
    if (isDeepStrictEqual(fields, fieldsOf(before))) return before;
    const after = await unlessOverlapping(updateTierRow(tx, now, before.id, fields));
    await audit(tx, now, {
      actor,
      action: 'tier.update',
      target: `tier:${before.id}`,
      before: adminTierView(before),
      after: adminTierView(after),
    });
    return after;
  });
}

/** Removes a tier; bookings keep the price they were made at. Throws RESOURCE_NOT_FOUND. */
export function removeTier(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  return db.transaction(async (tx) => {
    await lockTiers(tx);
    const before = await existing(findTier(tx, id), 'Pricing tier');
    await deleteTierRow(tx, before.id);
    const target = `tier:${before.id}`;
    await audit(tx, now, { actor, action: 'tier.delete', target, before: adminTierView(before) });
    return { id: before.id };
  });
}

function tierFaults({ minMinutes, maxMinutes, factor }: TierFields): string[] {
  const faults: string[] = [];
  if (maxMinutes !== null && maxMinutes < minMinutes)
    faults.push('maxMinutes must not be less than minMinutes');
  if (!isFactor(factor)) faults.push('factor must have at most 4 decimals');
  return faults;
}

async function unlessOverlapping<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isDbError(error, 'exclusionViolation', 'pricing_tiers_no_overlap'))
      throw conflict('The minutes overlap those of another tier');
    throw error;
  }
}

function fieldsOf(row: TierRow): TierFields {
  return {
    minMinutes: row.min_minutes,
    maxMinutes: row.max_minutes,
    factor: Number(row.factor),
    sorting: row.sorting,
  };
}
