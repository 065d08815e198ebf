import { viewBy } from '../http/fields.ts';
import type { ZoneRow } from './table.ts';
import { Zone } from './zone-schema.ts';

/** A zone in the operator API and the audit log. */
export const operatorZoneView = (row: ZoneRow) =>
  viewBy(Zone, row, { area: row.area_geojson, confirmedOverlaps: row.overlap_ids });
