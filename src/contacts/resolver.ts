import { kilometresBetween, type Place } from '../base/distance.ts';
import { validationError } from '../base/errors.ts';
import { isObject, send } from '../outbound/provider-requests.ts';
import type { Logger } from '../runtime/logger.ts';
import { isCoordinate, SHORT_ADDRESS } from './rules.ts';

/** The interface of providers that know where short addresses are. */
export type AddressResolver = {
  /** null: unknown. Throws when there is no answer. */
  locate(shortAddress: string): Promise<Place | null>;
};

/** Milliseconds that a registration waits for the provider. */
const TIMEOUT = 2_000;
/** Kilometres that coordinates may be from the short address sent with them: a large building, or a compound. */
const TOLERANCE = 0.3;

/** A provider over HTTP: `GET <url>?shortAddress=RRRD2929` answers `{ latitude, longitude }` as numbers, or 404. */
export function httpResolver({ url, token }: { url: string; token: string | null }): AddressResolver {
  return {
    async locate(shortAddress) {
      const target = new URL(url);
      target.searchParams.set('shortAddress', shortAddress);
      const { status, json } = await send({
        method: 'GET',
        url: target.href,
        headers: token === null ? {} : { authorization: `Bearer ${token}` },
        timeout: TIMEOUT,
      });
      if (status === 404) return null;
      const { latitude, longitude } = isObject(json) ? json : {};
      if (status !== 200 || typeof latitude !== 'number' || typeof longitude !== 'number')
        throw new Error(`the resolver of short addresses answered ${status}`);
      return { latitude, longitude };
    },
  };
}

export type PlaceInput = {
  latitude?: string | null | undefined;
  longitude?: string | null | undefined;
  shortAddress?: string | null | undefined;
};

/** Throws VALIDATION_ERROR when the coordinates are elsewhere than the short address. */
export type CheckPlace = (input: PlaceInput) => Promise<void>;

export const LOCATE_OUTCOMES = ['FOUND', 'UNKNOWN', 'NO_ANSWER', 'NO_RESOLVER'] as const;
/** `place`: of what was FOUND. */
export type Located = { outcome: (typeof LOCATE_OUTCOMES)[number]; place: Place | null };
/** Looks up a short address, which must have the form SHORT_ADDRESS. */
export type LocateAddress = (shortAddress: string) => Promise<Located>;

/** `resolver` null: no provider. */
export function createLocator(resolver: AddressResolver | null, logger: Pick<Logger, 'warn'>): LocateAddress {
  return async (shortAddress) => {
    if (resolver === null) return { outcome: 'NO_RESOLVER', place: null };
    try {
      const place = await resolver.locate(shortAddress.trim().toUpperCase());
      return { outcome: place === null ? 'UNKNOWN' : 'FOUND', place };
    } catch (error) {
      logger.warn({ err: error }, 'a short address could not be looked up: it was taken as it is');
      return { outcome: 'NO_ANSWER', place: null };
    }
  };
}

/**
 * Compares what has valid coordinates and a short address. A short address that the provider does not know is taken as it
 * is, and when it does not answer nobody is kept from booking.
 */
export function createPlaceCheck(locate: LocateAddress): CheckPlace {
  return async ({ latitude, longitude, shortAddress }) => {
    if (!shortAddress?.trim() || !SHORT_ADDRESS.check(shortAddress)) return;
    if (latitude == null || longitude == null) return;
    if (!isCoordinate(latitude, 90) || !isCoordinate(longitude, 180)) return;
    const { place: known } = await locate(shortAddress);
    if (known === null) return;
    const sent = { latitude: Number(latitude), longitude: Number(longitude) };
    const distance = kilometresBetween(known, sent);
    if (distance <= TOLERANCE) return;
    throw validationError([
      // Logs mask coordinates in texts, not short addresses.
      `latitude and longitude (${latitude}, ${longitude}) are ${Math.round(distance * 1000)} m from shortAddress ` +
        `(${known.latitude}, ${known.longitude})`,
    ]);
  };
}
