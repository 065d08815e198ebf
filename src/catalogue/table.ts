import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Timestamp } from '../db/tables.ts';
import type { ComingPrices } from '../partners/price-rules.ts';
import type { Polygon } from './zone-rules.ts';

export type CategoryTable = {
  id: Generated<string>;
  code: string | null;
  name_en: string;
  name_ar: string;
  description_en: Generated<string>;
  description_ar: Generated<string>;
  sort_order: Generated<number>;
  is_active: Generated<boolean>;
  created_at: Timestamp;
  updated_at: Timestamp;
};

export type ServiceTable = {
  id: Generated<string>;
  category_id: string;
  /** English. */
  name: string;
  /** null: the English name is used instead. */
  name_ar: string | null;
  duration_minutes: number;
  /** SAR, an exact decimal; until a coming price has begun. */
  default_price: string;
  coming_prices: Generated<ComingPrices<number>>;
  /** Its names when it was renamed for the first time; null: it was not (functions.sql). */
  name_before: Generated<string | null>;
  name_ar_before: Generated<string | null>;
  zero_price_means: Generated<'free' | 'deferred'>;
  assignment: Generated<'instant' | 'deferred'>;
  minimum_notice_minutes: Generated<number>;
  booking_horizon_days: Generated<number>;
  is_active: Generated<boolean>;
  created_at: Timestamp;
  updated_at: Timestamp;
};

export type ZoneTable = {
  id: Generated<string>;
  /** English. */
  name: string;
  /** null: the English name is used instead. */
  name_ar: string | null;
  /** `area_geojson` as PostgreSQL's polygon. */
  area: string;
  area_geojson: ColumnType<Polygon, string, string>;
  priority: Generated<number>;
  slot_grid_minutes: Generated<number>;
  is_active: Generated<boolean>;
  /** Counts its changes, also of its services. */
  version: Generated<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
};

export type ZoneServiceTable = { zone_id: string; service_id: string };

export type CategoryRow = Selectable<CategoryTable>;
export type ServiceRow = Selectable<ServiceTable>;
/** A confirmed overlap; `zone_id` is the smaller of the two ids. */
export type ZoneOverlapTable = { zone_id: string; other_id: string; confirmed_at: Timestamp };

/** Ids sorted. `overlap_ids`: zones of equal priority that it may overlap, by an operator's confirmation. */
export type ZoneRow = Selectable<ZoneTable> & { service_ids: string[]; overlap_ids: string[] };
