import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { toUtcIso } from '../src/base/clock.ts';
import { findOrCreateContact } from '../src/contacts/contacts.ts';
import { columnsOf } from '../src/db/tables.ts';
import { partnerRows } from '../src/partners/account-queries.ts';
import type { UpdatePartner } from '../src/partners/account-schema.ts';
import { keyRows } from '../src/partners/key-queries.ts';
import { createKey, PERMISSIONS, type Permission } from '../src/partners/key-rules.ts';
import type { Answer, TestService } from './harness.ts';

/** The Monday after TEST_NOW: the default date of a world's bookings. */
export const WORLD_DATE = '2026-11-23';

/** Degrees: the side of a world's zone, and the distance of the zones of two worlds. */
const SIDE = 0.2;
const STEP = 0.3;
const WORLDS_IN_A_ROW = 400;
const CUSTOMER = 'Noura Al-Qahtani';

export type KeyOptions = { ipAllowlist?: string[]; expiresAt?: number };

export type WorldOptions = {
  /** The number of teams in the zone; default: 1. */
  teams?: number;
  partner?: UpdatePartner;
  permissions?: Permission[] | undefined;
  /** Fields of the partner's key beside its permissions. */
  key?: KeyOptions;
  /** Bodies of the operator API, over the defaults below. */
  category?: Record<string, unknown>;
  service?: Record<string, unknown>;
  zone?: Record<string, unknown>;
  team?: Record<string, unknown>;
};

export type World = {
  partnerId: string;
  key: string;
  keyId: string;
  categoryId: string;
  serviceId: string;
  zoneId: string;
  teamIds: string[];
  contactId: string;
  addressId: string;
  /** The centre of the zone, the position of the contact's address. */
  latitude: number;
  longitude: number;
  /** POSTs /v1/partners/contacts for a new customer in the centre of the zone. */
  contact(overrides?: Record<string, unknown>): Promise<Answer>;
  /** POSTs /v1/partners/bookings for 2026-11-23, 10:00 to 12:00; an override of undefined omits a field. */
  book(overrides?: Record<string, unknown>): Promise<Answer>;
};

/** Worlds so far by database, so that each has its own zone and the first is around 24.7, 46.7. */
const worlds = new Map<unknown, number>();

/**
 * A partner with a key, and all prerequisites of bookings: a category, a service of 120 minutes for 150 SAR, a zone,
 * teams on shift every day from 08:00 to 20:00 with 30 minutes between appointments, a contact with an address.
 */
export async function createWorld(service: TestService, options: WorldOptions = {}): Promise<World> {
  const suffix = randomBytes(6).toString('hex');
  const { latitude, longitude } = nextPlace(service);
  const create = async (path: string, body: Record<string, unknown>): Promise<string> => {
    const answer = await service.operator('POST', path, body);
    assert.equal(answer.status, 201, `POST ${path}: ${answer.text}`);
    return answer.body.data.id;
  };

  const categoryId = await create('/categories', {
    code: `category-${suffix}`,
    nameEn: `Category ${suffix}`,
    nameAr: `فئة ${suffix}`,
    ...options.category,
  });
  const serviceId = await create('/services', {
    name: `Service ${suffix}`,
    categoryId,
    durationMinutes: 120,
    defaultPrice: 150,
    minimumNoticeMinutes: 120,
    ...options.service,
  });
  const zoneId = await create('/zones', {
    name: `Zone ${suffix}`,
    area: squareAround(latitude, longitude),
    serviceIds: [serviceId],
    ...options.zone,
  });
  const teamIds: string[] = [];
  for (let number = 1; number <= (options.teams ?? 1); number++) {
    teamIds.push(
      await create('/teams', {
        name: `Team ${suffix} ${number}`,
        zoneIds: [zoneId],
        serviceIds: [serviceId],
        travelBufferMinutes: 30,
        shifts: everyDay('08:00', '20:00'),
        ...options.team,
      }),
    );
  }

  const partner = await createPartner(service, options);
  const contact = (overrides: Record<string, unknown> = {}): Promise<Answer> =>
    service.v1(partner.key, 'POST', '/partners/contacts', {
      phone: randomPhone(),
      name: CUSTOMER,
      latitude: String(latitude),
      longitude: String(longitude),
      ...overrides,
    });
  // Not over HTTP: it uses nothing of the key's rate limit and works with any permissions.
  const { db, clock } = service.deps;
  const found = await findOrCreateContact(
    db,
    clock.now(),
    { id: partner.partnerId, name: partner.name },
    { phone: randomPhone(), name: CUSTOMER, latitude: String(latitude), longitude: String(longitude) },
  );

  const contactId = found.id;
  const addressId = found.address_id!;
  return {
    partnerId: partner.partnerId,
    key: partner.key,
    keyId: partner.keyId,
    categoryId,
    serviceId,
    zoneId,
    teamIds,
    contactId,
    addressId,
    latitude,
    longitude,
    contact,
    book: (overrides = {}) =>
      service.v1(partner.key, 'POST', '/partners/bookings', {
        contactId,
        addressId,
        serviceId,
        date: WORLD_DATE,
        timeslot: { startAt: '10:00', endAt: '12:00' },
        ...overrides,
      }),
  };
}

/** A partner with a key, in the service's cache at once. */
export async function createPartner(
  service: TestService,
  options: Pick<WorldOptions, 'partner' | 'permissions' | 'key'> = {},
): Promise<{ partnerId: string; name: string; key: string; keyId: string }> {
  const { db, clock } = service.deps;
  const partner = await db.transaction((tx) =>
    partnerRows.insert(tx, clock.now(), {
      name: `Partner ${randomBytes(6).toString('hex')}`,
      ...columnsOf(options.partner ?? {}),
    }),
  );
  const permissions = options.permissions ?? [...PERMISSIONS];
  return {
    partnerId: partner.id,
    name: partner.name,
    ...(await createPartnerKey(service, partner.id, permissions, options.key)),
  };
}

/** Another key of a partner, in the service's cache at once. */
export async function createPartnerKey(
  service: TestService,
  partnerId: string,
  permissions: Permission[],
  { ipAllowlist, expiresAt }: KeyOptions = {},
): Promise<{ key: string; keyId: string }> {
  const { db, clock, config, versions } = service.deps;
  const { key, ...secret } = createKey(config.deployment);
  const row = await db.transaction((tx) =>
    keyRows.insert(tx, clock.now(), {
      ...secret,
      partner_id: partnerId,
      name: 'Key of the tests',
      permissions,
      ...columnsOf({ ipAllowlist, expiresAt: expiresAt === undefined ? undefined : toUtcIso(expiresAt) }),
    }),
  );
  await versions.refresh();
  return { key, keyId: row.id };
}

/** The same shift on all seven days. */
export function everyDay(startAt: string, endAt: string) {
  return [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, startAt, endAt }));
}

/** A GeoJSON square; `side` in degrees. */
export function squareAround(latitude: number, longitude: number, side = SIDE) {
  const at = (value: number, half: number): number => Number((value + (half * side) / 2).toFixed(6));
  const [west, east] = [at(longitude, -1), at(longitude, 1)];
  const [south, north] = [at(latitude, -1), at(latitude, 1)];
  return {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
}

/** A Saudi mobile number that is probably unique. */
export function randomPhone(): string {
  return `+96650${String(randomInt(10_000_000)).padStart(7, '0')}`;
}

function nextPlace(service: TestService): { latitude: number; longitude: number } {
  const { config, db } = service.deps;
  const databaseKey = config.databaseUrl ?? db;
  const number = worlds.get(databaseKey) ?? 0;
  worlds.set(databaseKey, number + 1);
  return {
    latitude: Number((24.7 + Math.floor(number / WORLDS_IN_A_ROW) * STEP).toFixed(6)),
    longitude: Number((46.7 + (number % WORLDS_IN_A_ROW) * STEP).toFixed(6)),
  };
}
