import type { Instant } from '../base/clock.ts';
import { orNotFound, throwIfInvalid } from '../base/errors.ts';
import { toDecimal } from '../base/money.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import { conflictOnUse } from '../db/constraint-errors.ts';
import type { Page } from '../db/pages.ts';
import { type Columns, changesTo, columnsOf } from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import { categoryRows } from './category-queries.ts';
import { lockCatalogue } from './queries.ts';
import { listServiceRows, serviceRows, serviceUses } from './service-queries.ts';
import { serviceChangeFaults, serviceFaults } from './service-rules.ts';
import type { CreateService, ServicesQuery, UpdateService } from './service-schema.ts';
import { operatorServiceView } from './service-view.ts';
import type { ServiceRow } from './table.ts';

/** A page of the services. */
export function listServices(db: Queryable, query: ServicesQuery): Promise<Page<ServiceRow>> {
  return listServiceRows(db, query, paging(query));
}

/** Throws RESOURCE_NOT_FOUND. */
export function readService(db: Queryable, id: string): Promise<ServiceRow> {
  return orNotFound(serviceRows.find(db, id), 'Service');
}

/** Creates a service. Throws VALIDATION_ERROR (names, price, unknown category). */
export async function createService(
  tx: Tx,
  now: Instant,
  actor: Actor,
  input: CreateService,
): Promise<ServiceRow> {
  throwIfInvalid(serviceFaults(input));
  await lockCatalogue(tx);
  throwIfInvalid(await categoryFaults(tx, input));
  const row = await serviceRows.insert(tx, now, serviceColumns(input));
  const target = `service:${row.id}`;
  await audit(tx, now, { actor, action: 'service.create', target, after: operatorServiceView(row) });
  return row;
}

/** Changes the given fields; without a difference nothing is written. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR. */
export async function updateService(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { id, changes }: { id: string; changes: UpdateService },
): Promise<ServiceRow> {
  throwIfInvalid(serviceChangeFaults(changes));
  await lockCatalogue(tx);
  const before = await readService(tx, id);
  throwIfInvalid(await categoryFaults(tx, changes));
  const columns = changesTo(before, serviceColumns(changes));
  if (columns === null) return before;
  const after = await serviceRows.update(tx, now, before.id, columns);
  await audit(tx, now, {
    actor,
    action: 'service.update',
    target: `service:${before.id}`,
    before: operatorServiceView(before),
    after: operatorServiceView(after),
  });
  return after;
}

/** Removes a service. Throws RESOURCE_NOT_FOUND, CONFLICT while bookings, zones, teams or partners use it. */
export function removeService(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  const removal = () =>
    db.transaction(async (tx) => {
      await lockCatalogue(tx);
      const before = await readService(tx, id);
      await serviceRows.remove(tx, before.id);
      const target = `service:${before.id}`;
      await audit(tx, now, { actor, action: 'service.delete', target, before: operatorServiceView(before) });
      return { id: before.id };
    });
  return conflictOnUse('The service', removal, () => serviceUses(db, id));
}

async function categoryFaults(tx: Tx, { categoryId }: UpdateService): Promise<string[]> {
  if (categoryId === undefined || (await categoryRows.find(tx, categoryId)) !== null) return [];
  return ['categoryId must be the id of a category'];
}

/** The fields of a body that are columns under the same name. */
type Kept<Fields> = Columns<Omit<Fields, 'name' | 'nameEn' | 'defaultPrice'>>;
type Written = { name: string; default_price: string };

/**
 * The fields as columns. `name` is an alias of `nameEn` from before there were Arabic names; a new service has one of
 * the two.
 */
function serviceColumns(input: CreateService): Kept<CreateService> & Written;
function serviceColumns(input: UpdateService): Kept<UpdateService> & Partial<Written>;
function serviceColumns({ name, nameEn = name, nameAr, categoryId, defaultPrice, ...rest }: UpdateService) {
  return columnsOf({
    ...rest,
    name: nameEn?.trim(),
    nameAr: nameAr === null ? null : nameAr?.trim(),
    categoryId: categoryId?.toLowerCase(),
    defaultPrice: defaultPrice === undefined ? undefined : toDecimal(defaultPrice),
  });
}
