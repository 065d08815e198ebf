import { type Instant, toUtcIso } from '../clock.ts';
import type { Queryable, Tx } from '../platform/db.ts';
import type { Page } from '../platform/envelope.ts';
import { toDecimal } from '../platform/money.ts';
import type { Polygon } from './admin-rules.ts';

type Window = { limit: number; offset: number };
/** A boolean of a query string. */
type Flag = 'true' | 'false';

/** How many things of each kind use a resource; kinds without any are left out. */
export type Uses = Record<string, number>;

/**
 * Makes the transaction the only one that changes the catalogue, and waits for the bookings being written.
 * First of all in every change: the triggers of the tables take the same lock, and taken later, after row
 * locks, it could deadlock with another change.
 */
export async function lockCatalogue(tx: Tx): Promise<void> {
  await tx.rows({ text: 'select pg_advisory_xact_lock(1, 0)' });
}

/** Is there any partner, category, zone or team? */
export async function hasAnyData(db: Queryable): Promise<boolean> {
  const row = await db.first<{ found: boolean }>({
    text: `
      select exists (select 1 from partners) or exists (select 1 from categories) or exists (select 1 from zones)
        or exists (select 1 from teams) as found`,
  });
  return row!.found;
}

function usesOf(counts: Uses | null): Uses {
  return Object.fromEntries(Object.entries(counts ?? {}).filter(([_kind, count]) => count > 0));
}

// ---------------------------------------------------------------------------
// Categories

export type CategoryRow = {
  id: string;
  code: string | null;
  name_en: string;
  name_ar: string;
  description_en: string;
  description_ar: string;
  sort_order: number;
  is_active: boolean;
  created_at: Instant;
  updated_at: Instant;
};

export type CategoryFields = {
  code: string | null;
  nameEn: string;
  nameAr: string;
  descriptionEn: string;
  descriptionAr: string;
  sortOrder: number;
  isActive: boolean;
};

const CATEGORY = `id, code, name_en, name_ar, description_en, description_ar, sort_order, is_active,
  created_at, updated_at`;

function categoryValues(now: Instant, fields: CategoryFields): unknown[] {
  return [
    fields.code,
    fields.nameEn,
    fields.nameAr,
    fields.descriptionEn,
    fields.descriptionAr,
    fields.sortOrder,
    fields.isActive,
    toUtcIso(now),
  ];
}

export async function insertCategory(tx: Tx, now: Instant, fields: CategoryFields): Promise<CategoryRow> {
  const rows = await tx.rows<CategoryRow>({
    text: `
      insert into categories (code, name_en, name_ar, description_en, description_ar, sort_order, is_active,
        created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning ${CATEGORY}`,
    values: categoryValues(now, fields),
  });
  return rows[0]!;
}

export async function updateCategoryRow(
  tx: Tx,
  now: Instant,
  id: string,
  fields: CategoryFields,
): Promise<CategoryRow> {
  const rows = await tx.rows<CategoryRow>({
    text: `
      update categories set code = $1, name_en = $2, name_ar = $3, description_en = $4, description_ar = $5,
        sort_order = $6, is_active = $7, updated_at = $8
      where id = $9 returning ${CATEGORY}`,
    values: [...categoryValues(now, fields), id],
  });
  return rows[0]!;
}

export async function deleteCategoryRow(tx: Tx, id: string): Promise<void> {
  await tx.rows({ text: 'delete from categories where id = $1', values: [id] });
}

export function findCategory(db: Queryable, id: string): Promise<CategoryRow | null> {
  return db.first<CategoryRow>({ text: `select ${CATEGORY} from categories where id = $1`, values: [id] });
}

/** Categories in the order partners see; `search` looks for a part of the code or of a name. */
export async function listCategoryRows(
  db: Queryable,
  filter: { search?: string; isActive?: Flag },
  page: Window,
): Promise<Page<CategoryRow>> {
  const where = `
    where ($1::text is null or strpos(lower(concat_ws(' ', code, name_en, name_ar)), lower($1)) > 0)
      and ($2::boolean is null or is_active = $2)`;
  const values = [filter.search ?? null, filter.isActive ?? null];
  const rows = await db.rows<CategoryRow>({
    text: `select ${CATEGORY} from categories ${where} order by sort_order, name_en, id limit $3 offset $4`,
    values: [...values, page.limit, page.offset],
  });
  const count = await db.first<{ total: number }>({
    text: `select count(*) as total from categories ${where}`,
    values,
  });
  return { rows, total: count!.total };
}

export async function categoryUses(db: Queryable, id: string): Promise<Uses> {
  return usesOf(
    await db.first<Uses>({
      text: 'select count(*) as services from services where category_id = $1',
      values: [id],
    }),
  );
}

// ---------------------------------------------------------------------------
// Services

export type ServiceRow = {
  id: string;
  category_id: string;
  name: string;
  duration_minutes: number;
  /** SAR, exact. */
  default_price: string;
  zero_price_means: 'free' | 'deferred';
  assignment: 'instant' | 'deferred';
  minimum_notice_minutes: number;
  booking_horizon_days: number;
  is_active: boolean;
  created_at: Instant;
  updated_at: Instant;
};

export type ServiceFields = {
  categoryId: string;
  name: string;
  durationMinutes: number;
  /** SAR. */
  defaultPrice: number;
  zeroPriceMeans: 'free' | 'deferred';
  assignment: 'instant' | 'deferred';
  minimumNoticeMinutes: number;
  bookingHorizonDays: number;
  isActive: boolean;
};

const SERVICE = `id, category_id, name, duration_minutes, default_price, zero_price_means, assignment,
  minimum_notice_minutes, booking_horizon_days, is_active, created_at, updated_at`;

function serviceValues(now: Instant, fields: ServiceFields): unknown[] {
  return [
    fields.categoryId,
    fields.name,
    fields.durationMinutes,
    toDecimal(fields.defaultPrice),
    fields.zeroPriceMeans,
    fields.assignment,
    fields.minimumNoticeMinutes,
    fields.bookingHorizonDays,
    fields.isActive,
    toUtcIso(now),
  ];
}

export async function insertService(tx: Tx, now: Instant, fields: ServiceFields): Promise<ServiceRow> {
  const rows = await tx.rows<ServiceRow>({
    text: `
      insert into services (category_id, name, duration_minutes, default_price, zero_price_means, assignment,
        minimum_notice_minutes, booking_horizon_days, is_active, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) returning ${SERVICE}`,
    values: serviceValues(now, fields),
  });
  return rows[0]!;
}

export async function updateServiceRow(
  tx: Tx,
  now: Instant,
  id: string,
  fields: ServiceFields,
): Promise<ServiceRow> {
  const rows = await tx.rows<ServiceRow>({
    text: `
      update services set category_id = $1, name = $2, duration_minutes = $3, default_price = $4,
        zero_price_means = $5, assignment = $6, minimum_notice_minutes = $7, booking_horizon_days = $8,
        is_active = $9, updated_at = $10
      where id = $11 returning ${SERVICE}`,
    values: [...serviceValues(now, fields), id],
  });
  return rows[0]!;
}

export async function deleteServiceRow(tx: Tx, id: string): Promise<void> {
  await tx.rows({ text: 'delete from services where id = $1', values: [id] });
}

export function findService(db: Queryable, id: string): Promise<ServiceRow | null> {
  return db.first<ServiceRow>({ text: `select ${SERVICE} from services where id = $1`, values: [id] });
}

/** Services by name; `search` looks for a part of the name, `zoneId` for the services of a zone. */
export async function listServiceRows(
  db: Queryable,
  filter: { search?: string; isActive?: Flag; categoryId?: string; zoneId?: string },
  page: Window,
): Promise<Page<ServiceRow>> {
  const where = `
    where ($1::text is null or strpos(lower(name), lower($1)) > 0)
      and ($2::boolean is null or is_active = $2)
      and ($3::uuid is null or category_id = $3)
      and ($4::uuid is null or id in (select service_id from zone_services where zone_id = $4))`;
  const values = [
    filter.search ?? null,
    filter.isActive ?? null,
    filter.categoryId ?? null,
    filter.zoneId ?? null,
  ];
  const rows = await db.rows<ServiceRow>({
    text: `select ${SERVICE} from services ${where} order by name, id limit $5 offset $6`,
    values: [...values, page.limit, page.offset],
  });
  const count = await db.first<{ total: number }>({
    text: `select count(*) as total from services ${where}`,
    values,
  });
  return { rows, total: count!.total };
}

export async function serviceUses(db: Queryable, id: string): Promise<Uses> {
  return usesOf(
    await db.first<Uses>({
      text: `
        select (select count(*) from bookings where service_id = $1) as bookings,
          (select count(*) from zone_services where service_id = $1) as zones,
          (select count(*) from team_services where service_id = $1) as teams,
          (select count(*) from partner_services where service_id = $1) as partners`,
      values: [id],
    }),
  );
}

/** Which of the ids are services. */
export async function knownServices(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>({
    text: 'select id from services where id = any($1::uuid[])',
    values: [ids],
  });
  return new Set(rows.map((row) => row.id));
}

// ---------------------------------------------------------------------------
// Zones

export type ZoneRow = {
  id: string;
  name: string;
  area_geojson: Polygon;
  priority: number;
  slot_grid_minutes: number;
  is_active: boolean;
  /** Sorted. */
  service_ids: string[];
  created_at: Instant;
  updated_at: Instant;
};

export type ZoneFields = {
  name: string;
  area: Polygon;
  /** Sorted. */
  serviceIds: string[];
  slotGridMinutes: number;
  priority: number;
  isActive: boolean;
};

const ZONE = `id, name, area_geojson, priority, slot_grid_minutes, is_active, created_at, updated_at,
  array(select service_id from zone_services where zone_id = zones.id order by service_id) as service_ids`;

function zoneValues(now: Instant, fields: ZoneFields): unknown[] {
  return [
    fields.name,
    polygonText(fields.area),
    JSON.stringify(fields.area),
    fields.priority,
    fields.slotGridMinutes,
    fields.isActive,
    toUtcIso(now),
  ];
}

/** PostgreSQL's way to write a polygon, x = longitude; it closes the ring itself. */
function polygonText(area: Polygon): string {
  const ring = area.coordinates[0]!.slice(0, -1);
  return `(${ring.map(([longitude, latitude]) => `(${longitude},${latitude})`).join(',')})`;
}

/** Answers the id; the zone's services are written by replaceZoneServices. */
export async function insertZone(tx: Tx, now: Instant, fields: ZoneFields): Promise<string> {
  const rows = await tx.rows<{ id: string }>({
    text: `
      insert into zones (name, area, area_geojson, priority, slot_grid_minutes, is_active, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $7) returning id`,
    values: zoneValues(now, fields),
  });
  return rows[0]!.id;
}

export async function updateZoneRow(tx: Tx, now: Instant, id: string, fields: ZoneFields): Promise<void> {
  await tx.rows({
    text: `
      update zones set name = $1, area = $2, area_geojson = $3, priority = $4, slot_grid_minutes = $5,
        is_active = $6, updated_at = $7
      where id = $8`,
    values: [...zoneValues(now, fields), id],
  });
}

export async function replaceZoneServices(
  tx: Tx,
  zoneId: string,
  serviceIds: readonly string[],
): Promise<void> {
  await tx.rows({
    text: 'delete from zone_services where zone_id = $1 and service_id <> all ($2::uuid[])',
    values: [zoneId, serviceIds],
  });
  await tx.rows({
    text: `
      insert into zone_services (zone_id, service_id) select $1, unnest($2::uuid[])
      on conflict do nothing`,
    values: [zoneId, serviceIds],
  });
}

export async function deleteZoneRow(tx: Tx, id: string): Promise<void> {
  await tx.rows({ text: 'delete from zones where id = $1', values: [id] });
}

export function findZone(db: Queryable, id: string): Promise<ZoneRow | null> {
  return db.first<ZoneRow>({ text: `select ${ZONE} from zones where id = $1`, values: [id] });
}

/** Zones in the order in which they cover a point; `search` looks for a part of the name. */
export async function listZoneRows(
  db: Queryable,
  filter: { search?: string; isActive?: Flag; serviceId?: string },
  page: Window,
): Promise<Page<ZoneRow>> {
  const where = `
    where ($1::text is null or strpos(lower(name), lower($1)) > 0)
      and ($2::boolean is null or is_active = $2)
      and ($3::uuid is null or id in (select zone_id from zone_services where service_id = $3))`;
  const values = [filter.search ?? null, filter.isActive ?? null, filter.serviceId ?? null];
  const rows = await db.rows<ZoneRow>({
    text: `select ${ZONE} from zones ${where} order by priority, name, id limit $4 offset $5`,
    values: [...values, page.limit, page.offset],
  });
  const count = await db.first<{ total: number }>({
    text: `select count(*) as total from zones ${where}`,
    values,
  });
  return { rows, total: count!.total };
}

export async function zoneUses(db: Queryable, id: string): Promise<Uses> {
  return usesOf(
    await db.first<Uses>({
      text: `
        select (select count(*) from team_zones where zone_id = $1) as teams,
          (select count(*) from appointments where zone_id = $1) as appointments`,
      values: [id],
    }),
  );
}

/** Which of the ids are zones. */
export async function knownZones(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>({
    text: 'select id from zones where id = any($1::uuid[])',
    values: [ids],
  });
  return new Set(rows.map((row) => row.id));
}
