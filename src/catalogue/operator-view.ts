import { toRiyadhIso } from '../base/clock.ts';
import type { ServiceRow, ZoneRow } from './table.ts';

/** A service in the operator API and the audit log; `name` is the English one, prices are SAR. */
export function operatorServiceView(row: ServiceRow) {
  return {
    id: row.id,
    name: row.name,
    nameEn: row.name,
    nameAr: row.name_ar,
    categoryId: row.category_id,
    durationMinutes: row.duration_minutes,
    defaultPrice: Number(row.default_price),
    zeroPriceMeans: row.zero_price_means,
    assignment: row.assignment,
    minimumNoticeMinutes: row.minimum_notice_minutes,
    bookingHorizonDays: row.booking_horizon_days,
    isActive: row.is_active,
    createdAt: toRiyadhIso(row.created_at),
    updatedAt: toRiyadhIso(row.updated_at),
  };
}

/** A zone in the operator API and the audit log. */
export function operatorZoneView(row: ZoneRow) {
  return {
    id: row.id,
    name: row.name,
    area: row.area_geojson,
    serviceIds: row.service_ids,
    slotGridMinutes: row.slot_grid_minutes,
    priority: row.priority,
    isActive: row.is_active,
    version: row.version,
    createdAt: toRiyadhIso(row.created_at),
    updatedAt: toRiyadhIso(row.updated_at),
  };
}
