import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '../clock.ts';
import { type Actor, audit } from '../platform/audit.ts';
import type { Db, Queryable, Tx } from '../platform/db.ts';
import { type Page, paging } from '../platform/envelope.ts';
import { isMoney } from '../platform/money.ts';
import { existing, refuse, unlessInUse } from './admin.ts';
import {
  deleteServiceRow,
  findCategory,
  findService,
  insertService,
  listServiceRows,
  lockCatalogue,
  type ServiceFields,
  type ServiceRow,
  serviceUses,
  updateServiceRow,
} from './admin-queries.ts';
import type { CreateService, ServicesQuery, UpdateService } from './admin-schema.ts';
import { adminServiceView } from './admin-view.ts';

const DEFAULTS = {
  zeroPriceMeans: 'free',
  assignment: 'instant',
  minimumNoticeMinutes: 120,
  bookingHorizonDays: 60,
  isActive: true,
} as const;

/** A page of the services. */
export function listServices(db: Queryable, query: ServicesQuery): Promise<Page<ServiceRow>> {
  return listServiceRows(db, query, paging(query));
}

/** Throws RESOURCE_NOT_FOUND. */
export function readService(db: Queryable, id: string): Promise<ServiceRow> {
  return existing(findService(db, id), 'Service');
}

/** Creates a service. Throws VALIDATION_ERROR (price, unknown category). */
export function createService(db: Db, now: Instant, actor: Actor, input: CreateService): Promise<ServiceRow> {
  return db.transaction((tx) => addService(tx, now, actor, input));
}

/** createService inside a transaction. */
export async function addService(
  tx: Tx,
  now: Instant,
  actor: Actor,
  input: CreateService,
): Promise<ServiceRow> {
  refuse(priceFaults(input));
  await lockCatalogue(tx);
  refuse(await categoryFaults(tx, input));
  const row = await insertService(tx, now, normalized({ ...DEFAULTS, ...input }));
  const target = `service:${row.id}`;
  await audit(tx, now, { actor, action: 'service.create', target, after: adminServiceView(row) });
  return row;
}

/** Changes the given fields; nothing new, nothing done. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR. */
export function updateService(
  db: Db,
  now: Instant,
  actor: Actor,
  id: string,
  input: UpdateService,
): Promise<ServiceRow> {
  refuse(priceFaults(input));
  return db.transaction(async (tx) => {
    await lockCatalogue(tx);
    const before = await existing(findService(tx, id), 'Service');
    refuse(await categoryFaults(tx, input));
    const fields = normalized({ ...fieldsOf(before), ...input });
    if (isDeepStrictEqual(fields, fieldsOf(before))) return before;
    const after = await updateServiceRow(tx, now, before.id, fields);
    await audit(tx, now, {
      actor,
      action: 'service.update',
      target: `service:${before.id}`,
      before: adminServiceView(before),
      after: adminServiceView(after),
    });
    return after;
  });
}

/** Removes a service. Throws RESOURCE_NOT_FOUND, CONFLICT while bookings, zones, teams or partners use it. */
export function removeService(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  const removal = () =>
    db.transaction(async (tx) => {
      await lockCatalogue(tx);
      const before = await existing(findService(tx, id), 'Service');
      await deleteServiceRow(tx, before.id);
      const target = `service:${before.id}`;
      await audit(tx, now, { actor, action: 'service.delete', target, before: adminServiceView(before) });
      return { id: before.id };
    });
  return unlessInUse('The service', removal, () => serviceUses(db, id));
}

function priceFaults({ defaultPrice }: UpdateService): string[] {
  if (defaultPrice === undefined || isMoney(defaultPrice)) return [];
  return ['defaultPrice must be a number with at most 2 decimal places'];
}

async function categoryFaults(tx: Tx, { categoryId }: UpdateService): Promise<string[]> {
  if (categoryId === undefined || (await findCategory(tx, categoryId)) !== null) return [];
  return ['categoryId must be the id of a category'];
}

function normalized(fields: ServiceFields): ServiceFields {
  // Adding 0 makes a zero of -0, which would count as a change.
  return {
    ...fields,
    name: fields.name.trim(),
    categoryId: fields.categoryId.toLowerCase(),
    defaultPrice: fields.defaultPrice + 0,
  };
}

function fieldsOf(row: ServiceRow): ServiceFields {
  return {
    categoryId: row.category_id,
    name: row.name,
    durationMinutes: row.duration_minutes,
    defaultPrice: Number(row.default_price),
    zeroPriceMeans: row.zero_price_means,
    assignment: row.assignment,
    minimumNoticeMinutes: row.minimum_notice_minutes,
    bookingHorizonDays: row.booking_horizon_days,
    isActive: row.is_active,
  };
}
