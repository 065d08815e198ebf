import { toRiyadhIso } from '../base/clock.ts';
import type { ServiceRow } from './table.ts';

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
