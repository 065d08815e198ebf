import { viewBy } from '../http/fields.ts';
import { Service } from './service-schema.ts';
import type { ServiceRow } from './table.ts';

/** A service in the operator API and the audit log; `name` is the English one, prices are SAR. */
export const operatorServiceView = (row: ServiceRow) => viewBy(Service, row, { nameEn: row.name });
