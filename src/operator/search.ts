import { toRiyadhIso } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { searchTermsOf } from '../dispatch/search-rules.ts';
import {
  type FoundBooking,
  type FoundContact,
  type FoundSetUp,
  findBookings,
  findContacts,
  findSetUp,
  type Match,
  SET_UP_KINDS,
} from './search-queries.ts';

const MAX_ITEMS = 5;

export const KINDS = ['booking', 'customer', ...SET_UP_KINDS] as const;
export type Kind = (typeof KINDS)[number];

export const MATCHES = ['exact', 'start', 'part', 'customer'] as const satisfies readonly Match[];

/**
 * Matches of all kinds: kinds with the best match first, and in each the best first, `limit` of them. A customer adds
 * its latest bookings. `hidesPhones`: for one who sees phones masked (searchTermsOf).
 */
export async function search(
  db: Queryable,
  { q, limit = MAX_ITEMS }: { q: string; limit?: number },
  hidesPhones: boolean,
) {
  const wanted = searchTermsOf(q, { hidesPhones });
  const contacts = await findContacts(db, wanted, limit);
  const contactIds = contacts.map(({ id }) => id);
  // The phone of a customer is not a reference, though references of bookings may contain its digits.
  const isCustomerPhone = wanted.phone !== null && contacts.some(({ match }) => match === 'exact');
  const bookings = await findBookings(db, wanted, limit, { contactIds, byPart: !isCustomerPhone });
  const setUp = Map.groupBy(await findSetUp(db, wanted, limit), ({ kind }) => kind);
  const groups = [
    { kind: 'booking' as Kind, items: bookings.map(bookingItem) },
    { kind: 'customer' as Kind, items: contacts.map(contactItem) },
    ...SET_UP_KINDS.map((kind) => ({ kind: kind as Kind, items: (setUp.get(kind) ?? []).map(setUpItem) })),
  ];
  const best = ({ items }: { items: { match: Match }[] }): number => MATCHES.indexOf(items[0]!.match);
  return groups.filter(({ items }) => items.length > 0).sort((a, b) => best(a) - best(b));
}

const NOTHING = {
  titleAr: null,
  detail: null,
  phone: null,
  status: null,
  startsAt: null,
  partner: null,
};

function bookingItem(row: FoundBooking) {
  return {
    ...NOTHING,
    id: row.id,
    title: row.tracking_reference,
    detail: row.external_reference,
    customer: row.contact_name,
    partner: row.partner_name,
    status: row.status,
    appointmentId: row.appointment_id,
    appointmentStatus: row.appointment_status,
    startsAt: toRiyadhIso(row.starts_at),
    match: row.match,
  };
}

function contactItem({ id, name, phone, partner_name: partner, match }: FoundContact) {
  return { ...NOTHING, ...NO_BOOKING, id, title: name, phone, partner, match };
}

function setUpItem({ id, name, name_ar: titleAr, is_active, match }: FoundSetUp) {
  const status = is_active ? 'active' : 'inactive';
  return { ...NOTHING, ...NO_BOOKING, id, title: name, titleAr, status, match };
}

const NO_BOOKING = { customer: null, appointmentId: null, appointmentStatus: null };
