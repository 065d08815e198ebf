import { addressWithoutCoordinates, notFound } from '../base/errors.ts';
import type { Queryable } from '../db/connection.ts';
import type { Page, Window } from '../db/pages.ts';
import {
  type EnabledServiceRow,
  findEnabledService,
  listOffered,
  type OfferedCategoryRow,
} from './queries.ts';
import type { Unserved } from './rules.ts';

/**
 * Section 4.2: a page of the categories and services that the partner may book at the address. Throws
 * RESOURCE_NOT_FOUND (address) and VALIDATION_ERROR (address without coordinates).
 */
export async function offeredServices(
  db: Queryable,
  partnerId: string,
  addressId: string,
  page: Window,
): Promise<Page<OfferedCategoryRow> & { unserved: Unserved | null }> {
  const found = await listOffered(db, partnerId, addressId, page);
  if (found === null) throw notFound('Address');
  if (!found.located) throw addressWithoutCoordinates();
  const { categories, total, covered } = found;
  const unserved = total > 0 ? null : covered ? 'NOT_OFFERED_AT_PLACE' : 'PLACE_NOT_COVERED';
  return { rows: categories, total, unserved };
}

/** Section 4.3. Throws RESOURCE_NOT_FOUND when the service does not exist or is not enabled for the partner. */
export async function readService(
  db: Queryable,
  partnerId: string,
  serviceId: string,
): Promise<EnabledServiceRow> {
  const service = await findEnabledService(db, partnerId, serviceId);
  if (service === null) throw notFound('Service');
  return service;
}
