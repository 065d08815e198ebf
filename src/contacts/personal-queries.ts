import { each } from '../db/columns.ts';
import type { Tx } from '../db/connection.ts';
import type { ErasedPerson, PersonalTable } from '../db/personal.ts';
import { ADDRESSES, CONTACTS, PLACE } from './table.ts';

/** A centimetre or ten, in degrees: two addresses of a contact are never the same. */
const APART = '0.000001';

/**
 * Deletes the contact's addresses that nothing was booked at, and no series is for; of the others removes the texts, and moves them to the
 * middle of the zone of their last visit.
 */
async function eraseAddresses(tx: Tx, { contact }: ErasedPerson): Promise<void> {
  const values = [contact.id];
  await tx.rows({
    text: `
      delete from addresses d where d.contact_id = $1
        and not exists (select from bookings b where b.contact_id = d.contact_id and b.partner_id = d.partner_id
          and b.address_id = d.id)
        and not exists (select from series s where s.address_id = d.id)`,
    values,
  });
  // First without a place, so that none has for a moment that of another (addresses_door_key).
  await tx.rows({
    text: `
      update addresses set ${each(PLACE, (column) => `${column} = ${column === 'city_name' ? 'id::text' : 'null'}`)}
      where contact_id = $1`,
    values,
  });
  await tx.rows({
    text: `
      update addresses d set city_name = null,
        latitude = round(z.middle[1]::numeric, 6) + z.number * ${APART}, longitude = round(z.middle[0]::numeric, 6)
      from (
        select distinct on (b.address_id) b.address_id, point(z.area) as middle,
          dense_rank() over (order by b.address_id) - 1 as number
        from bookings b join appointments a on a.booking_id = b.id join zones z on z.id = a.zone_id
        where b.contact_id = $1 order by b.address_id, a.starts_at desc
      ) z
      where d.id = z.address_id and d.contact_id = $1`,
    values,
  });
}

export const PERSONAL_ADDRESSES: PersonalTable = {
  table: 'addresses',
  columns: ADDRESSES,
  what: 'where she lives',
  until: 'with the contact',
  erase: eraseAddresses,
};

export const PERSONAL_CONTACTS: PersonalTable = {
  table: 'contacts',
  columns: CONTACTS,
  what: 'name and number',
  until: "with the partner's account",
  hers: 'id = :contact',
  also: 'erasure_id = :request',
};
