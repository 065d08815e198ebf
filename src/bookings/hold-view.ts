import { dateOf, type Instant, riyadhText, toRiyadhIso } from '../base/clock.ts';
import type { HoldRow, NamedHoldRow } from './hold-queries.ts';
import { holdStatus } from './hold-rules.ts';

export type HoldView = ReturnType<typeof holdView>;

/** A hold as its partner sees it. */
export function holdView(hold: HoldRow, now: Instant) {
  const date = dateOf(hold.starts_at);
  const ends = riyadhText(hold.ends_at);
  return {
    holdId: hold.id,
    status: holdStatus(hold, now),
    expiresAt: toRiyadhIso(hold.expires_at),
    price: Number(hold.price),
    currency: 'SAR' as const,
    date,
    timeslot: {
      startAt: riyadhText(hold.starts_at).time,
      endAt: ends.time,
      endsAtNextDay: ends.date > date,
    },
    addressId: hold.address_id,
    serviceId: hold.service_id,
    contactId: hold.contact_id,
    latitude: hold.latitude,
    longitude: hold.longitude,
    reference: hold.reference,
    bookingId: hold.booking_id,
    policyId: hold.policy_id,
  };
}

/** The same for the audit log, which never forgets: without where it was. */
export function auditedHold(hold: HoldRow, now: Instant) {
  const { latitude: _, longitude: __, ...view } = holdView(hold, now);
  return { ...view, partnerId: hold.partner_id };
}

/** A hold as the operator sees it. */
export function namedHoldView(hold: NamedHoldRow, now: Instant) {
  return {
    ...holdView(hold, now),
    partnerId: hold.partner_id,
    partnerName: hold.partner_name,
    teamId: hold.team_id,
    teamName: hold.team_name,
    teamNameAr: hold.team_name_ar,
    serviceName: hold.service_name,
    serviceNameAr: hold.service_name_ar,
    contactName: hold.contact_name,
  };
}
