import type { Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { releaseHoldRow } from '../bookings/hold-queries.ts';
import type { HoldView } from '../bookings/hold-view.ts';
import {
  type HoldDeps,
  type HoldTerms,
  type HoldWanted,
  type MakeHold,
  makeHold,
} from '../bookings/holds.ts';
import { findOrCreateContact } from '../contacts/contacts.ts';
import { findPhoneAt } from '../contacts/queries.ts';
import type { HoldEnding } from './rules.ts';
import { scriptedCustomer } from './scripted-customers.ts';

/** Over within a second: nobody waits for the endings of a hold. */
const TERMS: Readonly<Record<HoldEnding, HoldTerms>> = {
  'hold-expires': { seconds: 1 },
  'hold-lost': { seconds: 1 },
  'hold-dearer': { seconds: 1, percentOfPrice: 90 },
  'hold-limit': { maxHolds: 0 },
};

/** Other customers, who hold what the one with `hold-lost` has lost. */
const OTHERS = { most: 999, seconds: 300 };
const phoneOfOther = (number: number): string => `+966590001${String(number).padStart(3, '0')}`;

/** makeHold with the endings of simulated customers (docs/sandbox.md). Throws as makeHold does. */
export const makeSandboxHold: MakeHold = async (deps, now, wanted, record) => {
  const { addressId } = wanted.input;
  const place = addressId === undefined ? null : await findPhoneAt(deps.db, wanted.partner.id, addressId);
  const ending = place === null ? undefined : scriptedCustomer(place.phone)?.hold;
  if (place === null || ending === undefined) return makeHold(deps, now, wanted, record);
  const hold = await makeHold(deps, now, { ...wanted, terms: TERMS[ending] }, record);
  if (ending === 'hold-lost') await giveAway(deps, now, wanted, { ...hold, ...place });
  return hold;
};

/** Ends the hold as if its time were over; then other customers hold its slot until no team is free. */
async function giveAway(
  deps: HoldDeps,
  now: Instant,
  { partner, input }: HoldWanted,
  {
    holdId,
    expiresAt,
    latitude,
    longitude,
  }: HoldView & { latitude: string | null; longitude: string | null },
): Promise<void> {
  await releaseHoldRow(deps.db, Date.parse(expiresAt), holdId);
  const { serviceId, date, timeslot } = input;
  for (let number = 1; number <= OTHERS.most; number++) {
    const owner = { id: partner.id, name: 'Sandbox' };
    const other = await findOrCreateContact(deps.db, now, owner, {
      phone: phoneOfOther(number),
      name: `Sandbox customer ${number}`,
      latitude: latitude!,
      longitude: longitude!,
    });
    const slot = { addressId: other.address_id!, serviceId, date, timeslot, seconds: OTHERS.seconds };
    const terms = { maxHolds: Number.POSITIVE_INFINITY };
    try {
      await makeHold(deps, now, { partner, input: slot, terms });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'BOOKING_CREATION_FAILED') return;
      throw error;
    }
  }
}
