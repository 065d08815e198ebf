import type { Instant } from '../base/clock.ts';
import { throwIfInvalid } from '../base/errors.ts';
import { toDecimal } from '../base/money.ts';
import type { Actor } from '../db/audit.ts';
import { auditedRows, type New } from '../db/audited-rows.ts';
import type { Db, Tx } from '../db/connection.ts';
import { type Columns, changesTo, columnsOf } from '../db/tables.ts';
import { comingPriceFaults, toComingPrices } from '../partners/price-rules.ts';
import { categoryRows } from './category-queries.ts';
import { lockCatalogue } from './queries.ts';
import { serviceRows, serviceUses } from './service-queries.ts';
import { serviceChangeFaults, serviceFaults } from './service-rules.ts';
import type { CreateService, UpdateService } from './service-schema.ts';
import { operatorServiceView, settledService } from './service-view.ts';
import type { ServiceRow } from './table.ts';

const services = auditedRows(serviceRows, { kind: 'service', name: 'Service', view: operatorServiceView });

/** Throws RESOURCE_NOT_FOUND. */
export const readService = services.read;

/** Creates a service. Throws VALIDATION_ERROR (names, prices, unknown category). */
export async function createService(
  tx: Tx,
  now: Instant,
  actor: Actor,
  input: New<CreateService>,
): Promise<ServiceRow> {
  throwIfInvalid([...serviceFaults(input), ...comingPriceFaults(input.comingPrices, now)]);
  await lockCatalogue(tx);
  throwIfInvalid(await categoryFaults(tx, input));
  return services.create(tx, now, { actor }, serviceColumns(input));
}

/**
 * Changes the given fields, prices with those that have begun; without a difference nothing is written. Throws
 * RESOURCE_NOT_FOUND, VALIDATION_ERROR.
 */
export async function updateService(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { id, changes }: { id: string; changes: UpdateService },
): Promise<ServiceRow> {
  throwIfInvalid([...serviceChangeFaults(changes), ...comingPriceFaults(changes.comingPrices, now)]);
  await lockCatalogue(tx);
  const before = await readService(tx, id);
  throwIfInvalid(await categoryFaults(tx, changes));
  const settled = settledService(before, now);
  const { default_price, coming_prices } = settled;
  const columns = serviceColumns(changes);
  if (changesTo(settled, columns) === null) return before;
  return services.change(
    tx,
    now,
    { actor },
    { before, columns: { default_price, coming_prices, ...columns } },
  );
}

/** Removes a service. Throws RESOURCE_NOT_FOUND, CONFLICT while bookings, zones, teams or partners use it. */
export function removeService(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  return services.remove(db, now, actor, { id, lock: lockCatalogue, uses: () => serviceUses(db, id) });
}

async function categoryFaults(tx: Tx, { categoryId }: UpdateService): Promise<string[]> {
  if (categoryId === undefined || (await categoryRows.find(tx, categoryId)) !== null) return [];
  return ['categoryId must be the id of a category'];
}

/** The fields of a body that are columns under the same name. */
type Kept<Fields> = Columns<Omit<Fields, 'name' | 'nameEn' | 'defaultPrice' | 'comingPrices'>>;
type Written = { name: string; default_price: string; coming_prices?: ServiceRow['coming_prices'] };

/**
 * The fields as columns. `name` is an alias of `nameEn` from before there were Arabic names; a new service has one of
 * the two.
 */
function serviceColumns(input: CreateService): Kept<CreateService> & Written;
function serviceColumns(input: UpdateService): Kept<UpdateService> & Partial<Written>;
function serviceColumns({
  name,
  nameEn = name,
  nameAr,
  categoryId,
  defaultPrice,
  comingPrices,
  ...rest
}: UpdateService) {
  return columnsOf({
    ...rest,
    name: nameEn?.trim(),
    nameAr: nameAr === null ? null : nameAr?.trim(),
    categoryId: categoryId?.toLowerCase(),
    defaultPrice: defaultPrice === undefined ? undefined : toDecimal(defaultPrice),
    comingPrices: comingPrices && toComingPrices(comingPrices),
  });
}
