import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';

/**
 * The minimum of a service on this stack: Fastify and a pool, no key, no validation, no log, no rules. The cost of ours
 * on top is the difference between the two (bench/README.md).
 */
const app = fastify({ logger: false });
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  // Closed connections would take their CPU time with them.
  idleTimeoutMillis: 600_000,
  application_name: 'bench-floor',
});

/** One read by primary key, returned unchanged. */
app.get<{ Params: { id: string } }>('/booking/:id', async (request) => {
  // Prepared, as ours are: otherwise parsing and planning would count for the floor.
  const result = await pool.query({
    name: 'booking',
    text: 'select * from bookings where id = $1',
    values: [request.params.id],
  });
  return result.rows[0];
});

/** The newest 20 by an index, without a total. */
app.get<{ Params: { partnerId: string } }>('/list/:partnerId', async (request) => {
  const result = await pool.query({
    name: 'list',
    text: 'select * from bookings where partner_id = $1 order by created_at desc, id desc limit 20',
    values: [request.params.partnerId],
  });
  return result.rows;
});

type Create = { contactId: string; addressId: string; serviceId: string; date: string };

/** Three inserts in one statement, into tables without constraints against double bookings. */
app.post<{ Body: Create }>('/create', async (request) => {
  const { contactId, addressId, serviceId, date } = request.body;
  const [bookingId, appointmentId, someId] = [randomUUID(), randomUUID(), randomUUID()];
  const startsAt = new Date(`${date}T06:00:00Z`);
  const endsAt = new Date(startsAt.getTime() + 120 * 60_000);
  const busyUntil = new Date(startsAt.getTime() + 150 * 60_000);
  const answer = { id: bookingId, appointmentId, status: 'in progress', date };
  await pool.query({
    name: 'create',
    text: `
      with booking as (
        insert into floor_bookings (id, partner_id, contact_id, address_id, service_id, status, payment_status,
          payment_responsibility, amount, service_date, event_count, created_at, updated_at)
        values ($1, $2, $3, $4, $5, 'in progress', 'PENDING', 'PARTNER', 150, $6, 1, $7, $7)
      ), appointment as (
        insert into floor_appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at,
          busy_until, created_at, updated_at)
        values ($8, $1, $2, $2, 'SA-0001', 'Scheduled', $9, $10, $11, $7, $7)
      )
      insert into floor_events (id, partner_id, booking_id, sequence, event, payload, created_at)
      values ($12, $2, $1, 1, 'booking.created', $13, $7)`,
    values: [
      bookingId,
      someId,
      contactId,
      addressId,
      serviceId,
      date,
      new Date(),
      appointmentId,
      startsAt,
      endsAt,
      busyUntil,
      randomUUID(),
      JSON.stringify(answer),
    ],
  });
  return answer;
});

type Contact = { name: string; phone: string; latitude: string; longitude: string };

/** Two inserts in one statement, into tables with a primary key and one index each. */
app.post<{ Body: Contact }>('/contact', async (request) => {
  const { name, phone, latitude, longitude } = request.body;
  const [id, addressId] = [randomUUID(), randomUUID()];
  await pool.query({
    name: 'contact',
    text: `
      with contact as (
        insert into floor_contacts (id, partner_id, phone, name, utm_source, created_at)
        values ($1, $1, $2, $3, 'bench', $4)
      )
      insert into floor_addresses (id, contact_id, partner_id, latitude, longitude, created_at)
      values ($5, $1, $1, $6, $7, $4)`,
    values: [id, phone, name, new Date(), addressId, latitude, longitude],
  });
  return { id, addressId, name, phone };
});

/** One transaction that locks and changes a row, in a table with only a primary key. */
app.post<{ Params: { id: string } }>('/change/:id', async (request) => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const found = await client.query({
      name: 'lock-row',
      text: 'select * from floor_changes where id = $1 for update',
      values: [request.params.id],
    });
    const status = 'canceled';
    await client.query({
      name: 'change-row',
      text: 'update floor_changes set status = $2, updated_at = $3 where id = $1',
      values: [request.params.id, status, new Date()],
    });
    await client.query('commit');
    return { ...found.rows[0], status };
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
});

/** The same path as ours, so that both are awaited alike. */
app.get('/readyz', async () => (await pool.query('select 1')).rows);

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
process.on('SIGTERM', async () => {
  await app.close();
  await pool.end();
  process.exit(0);
});
