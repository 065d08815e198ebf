import type { Db } from '../src/db/connection.ts';
import type { Fixtures } from './fixtures.ts';

/** Six visits of an hour for every team on a date that has none otherwise, every two hours from 08:00 on. */
export async function insertDay(
  db: Db,
  date: string,
  { partnerId, contactId, addressId, serviceId }: Fixtures,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.rows({
      text: `
        create temporary table visits on commit drop as
        select gen_random_uuid() as booking_id, t.id as team_id,
          ($1::date + (8 + 2 * nth) * interval '1 hour') at time zone 'Asia/Riyadh' as starts_at
        from teams t, generate_series(0, 5) nth`,
      values: [date],
    });
    await tx.rows({
      text: `
        insert into bookings (id, partner_id, contact_id, address_id, service_id, status, payment_status,
          payment_responsibility, amount, service_date, event_count, created_at, updated_at)
        select v.booking_id, $2, $3, $4, $5, 'in progress', 'PENDING', 'PARTNER', 150, $1::date, 0, now(), now()
        from visits v`,
      values: [date, partnerId, contactId, addressId, serviceId],
    });
    await tx.rows({
      text: `
        insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until,
          created_at, updated_at)
        select gen_random_uuid(), v.booking_id, v.team_id, z.id, 'SA-0' || nextval('appointment_number'), 'Scheduled',
          starts_at, starts_at + interval '1 hour', starts_at + interval '90 minutes', now(), now()
        from visits v, (select id from zones limit 1) z`,
    });
  });
}
