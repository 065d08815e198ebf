import { toRiyadhIso } from '../base/clock.ts';
import type { ZoneRow } from './table.ts';

/** A zone in the operator API and the audit log. */
export function operatorZoneView(row: ZoneRow) {
  return {
    id: row.id,
    name: row.name,
    nameAr: row.name_ar,
    area: row.area_geojson,
    serviceIds: row.service_ids,
    slotGridMinutes: row.slot_grid_minutes,
    priority: row.priority,
    isActive: row.is_active,
    confirmedOverlaps: row.overlap_ids,
    version: row.version,
    createdAt: toRiyadhIso(row.created_at),
    updatedAt: toRiyadhIso(row.updated_at),
  };
}
