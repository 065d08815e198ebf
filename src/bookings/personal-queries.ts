import { DAY } from '../base/clock.ts';
import type { Tx } from '../db/connection.ts';
import type { ErasedPerson, PersonalTable } from '../db/personal.ts';
import { BOOKING_ACCESS, BOOKINGS, EVENTS, HOLDS, IDEMPOTENCY_KEYS } from './table.ts';

/** Deletes the kept responses about the bookings and the holds that they took. They are kept for a day. */
async function eraseResponses(tx: Tx, { now, contact, bookings }: ErasedPerson): Promise<void> {
  const lately = bookings.filter(({ updated_at }) => updated_at >= now - 2 * DAY);
  if (lately.length === 0) return;
  await tx.rows({
    text: `
      delete from idempotency_keys k
      where partner_id = $1 and exists (select from unnest($2::text[]) known where strpos(k.response_body, known) > 0)`,
    values: [
      contact.partner_id,
      lately.flatMap(({ id, hold_id }) => (hold_id === null ? [id] : [id, hold_id])),
    ],
  });
}

/** Ends the contact's holds and deletes those that no booking took. */
async function eraseHolds(tx: Tx, { contact }: ErasedPerson): Promise<void> {
  const found = await tx.rows<{ id: string }>({
    text: 'select id from holds where contact_id = $1 and booking_id is null order by id for update',
    values: [contact.id],
  });
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.rows({ text: `delete from appointments where id = any ($1) and status = 'Held'`, values: [ids] });
  await tx.rows({ text: 'delete from holds where id = any ($1)', values: [ids] });
}

/** Before her addresses, which holds have. */
export const PERSONAL_HOLDS: PersonalTable = {
  table: 'holds',
  columns: HOLDS,
  what: 'until it ends where a slot is held before there is a customer; a reference of the partner',
  until: 'with its booking, else 30 days',
  erase: eraseHolds,
};

export const PERSONAL_BOOKINGS: readonly PersonalTable[] = [
  {
    table: 'bookings',
    columns: BOOKINGS,
    what: 'texts and references of the partner',
    until: 'with the contact',
    hers: 'id = any (:bookings)',
  },
  {
    table: 'booking_access',
    columns: BOOKING_ACCESS,
    what: 'instructions and access code, encrypted',
    until: 'a week after the visit',
    hers: 'id = any (:bookings)',
  },
  {
    table: 'events',
    columns: EVENTS,
    what: 'bookings with references, no name, phone or address',
    until: '90 days',
    hers: 'booking_id = any (:bookings)',
  },
  {
    table: 'idempotency_keys',
    columns: IDEMPOTENCY_KEYS,
    what: 'a hash of the request, the response',
    until: '24 hours',
    erase: eraseResponses,
  },
];
