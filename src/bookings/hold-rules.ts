import type { Instant } from '../base/clock.ts';
import { toHalalas } from '../base/money.ts';
import type { HoldRow } from './hold-queries.ts';

/** Seconds of a hold, and of an extension. */
export const HOLD_SECONDS = { least: 60, most: 900, usual: 600 };
/** The longest that a slot is held in all, in seconds (a constraint). */
export const MAX_HELD_SECONDS = 1_800;

/** The limit of holds at places, without a customer: a fifth of all, and one at least. */
export const maxPlaceHolds = (maxHolds: number): number => Math.max(1, Math.floor(maxHolds / 5));

export const HOLD_STATUSES = ['HELD', 'CONSUMED', 'RELEASED', 'EXPIRED'] as const;
export type HoldStatus = (typeof HOLD_STATUSES)[number];

/** The status at a moment: a hold expires without anybody writing it. */
export function holdStatus(
  hold: Pick<HoldRow, 'booking_id' | 'ended_at' | 'expires_at'>,
  now: Instant,
): HoldStatus {
  if (hold.booking_id !== null) return 'CONSUMED';
  if (hold.ended_at === null) return hold.expires_at > now ? 'HELD' : 'EXPIRED';
  return hold.ended_at < hold.expires_at ? 'RELEASED' : 'EXPIRED';
}

/** Whether its price holds for another slot: it gave way to a sold visit, and would not be over yet. */
export const isPriceKept = (
  { displaced_at, expires_at }: Pick<HoldRow, 'displaced_at' | 'expires_at'>,
  now: Instant,
): boolean => displaced_at !== null && now < expires_at;

/** Whether a price is above another; SAR. */
export const isMoreExpensive = (price: string, than: string): boolean => toHalalas(price) > toHalalas(than);

export type HeldSlotWanted = {
  addressId: string;
  /** Of the address; null: it is outside of every zone. */
  zoneId: string | null;
  serviceId: string;
  period: { startsAt: Instant; endsAt: Instant };
};

/**
 * The fields of a booking that differ from those of the hold that it takes. That of a place is for its zone; over, it is
 * for any (`zone_id` null). One that was displaced is good for any slot.
 */
export function differencesFrom(
  hold: Pick<HoldRow, 'address_id' | 'zone_id' | 'service_id' | 'starts_at' | 'ends_at' | 'displaced_at'>,
  { addressId, zoneId, serviceId, period }: HeldSlotWanted,
): string[] {
  const isThere =
    hold.address_id === null
      ? hold.zone_id === null || hold.zone_id === zoneId
      : hold.address_id === addressId.toLowerCase();
  return [
    ...(isThere ? [] : ['addressId']),
    ...(hold.service_id === serviceId.toLowerCase() ? [] : ['serviceId']),
    ...(hold.displaced_at !== null || (hold.starts_at === period.startsAt && hold.ends_at === period.endsAt)
      ? []
      : ['timeslot']),
  ];
}
