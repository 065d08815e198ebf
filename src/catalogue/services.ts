import { addressWithoutCoordinates, notFound } from '../base/errors.ts';
import type { Db, Queryable } from '../db/connection.ts';
import type { Page, Window } from '../db/pages.ts';
import { gatherLookups } from '../runtime/gather.ts';
import { createVersionedMap } from '../runtime/versioned-map.ts';
import {
  type EnabledServiceRow,
  findEnabledService,
  listOffered,
  type OfferedCategoryRow,
  readCatalogueVersion,
} from './queries.ts';

export type OfferedServices = (
  partnerId: string,
  addressId: string,
  page: Window,
) => Promise<Page<OfferedCategoryRow>>;

/** Zones of addresses, and pages of partners in zones, that are kept: some megabytes each. */
const MAX_ADDRESSES = 10_000;
const MAX_PAGES = 1_000;
/** Questions of one statement, and statements at once. */
const SHARED = { maxKeys: 1_000, maxRunning: 2 };

/**
 * Section 4.2: the categories and services the partner may book at the address, a page of categories.
 * Throws RESOURCE_NOT_FOUND (address) and VALIDATION_ERROR (address without coordinates).
 */
export async function offeredServices(
  db: Queryable,
  partnerId: string,
  addressId: string,
  page: Window,
): Promise<Page<OfferedCategoryRow>> {
  return (await readOffered(db, partnerId, addressId, page)).page;
}

async function readOffered(db: Queryable, partnerId: string, addressId: string, page: Window) {
  const found = await listOffered(db, partnerId, addressId, page);
  if (found === null) throw notFound('Address');
  if (!found.located) throw addressWithoutCoordinates();
  const { catalogue_version: version, zone_id: zoneId, categories: rows, total } = found;
  return { version, zoneId, page: { rows, total } };
}

/**
 * offeredServices from memory. In which zone an address lies, and what a partner is offered in a zone, is kept as of a
 * version of the catalogue. Every request asks the database whether that is the version still; those that arrive together
 * ask once.
 */
export function createOfferedServices(db: Db): OfferedServices {
  const zones = createVersionedMap<string | null>(MAX_ADDRESSES);
  const pages = createVersionedMap<Page<OfferedCategoryRow>>(MAX_PAGES);
  const currentVersion = gatherLookups<null, number>({
    one: () => readCatalogueVersion(db),
    many: async (asked) => {
      const version = await readCatalogueVersion(db);
      return asked.map(() => version);
    },
    ...SHARED,
  });
  const pageKey = (partnerId: string, zoneId: string | null, { limit, offset }: Window): string =>
    `${partnerId}/${zoneId}/${limit}/${offset}`;

  return async (partnerId, addressId, page) => {
    const address = `${partnerId}/${addressId}`;
    const zoneId = zones.get(address);
    if (zoneId !== undefined) {
      // Of the zones and of the pages: they are always set together.
      const version = zones.version();
      const known = pages.get(pageKey(partnerId, zoneId, page));
      if (known !== undefined && (await currentVersion(null)) === version) return known;
    }
    const read = await readOffered(db, partnerId, addressId, page);
    zones.set(read.version, address, read.zoneId);
    pages.set(read.version, pageKey(partnerId, read.zoneId, page), read.page);
    return read.page;
  };
}

/** Section 4.3. Throws RESOURCE_NOT_FOUND when there is no such service or the partner is not enabled for it. */
export async function readService(
  db: Queryable,
  partnerId: string,
  serviceId: string,
): Promise<EnabledServiceRow> {
  const service = await findEnabledService(db, partnerId, serviceId);
  if (service === null) throw notFound('Service');
  return service;
}
