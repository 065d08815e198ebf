import { Pool } from 'undici';

/**
 * The minimum of sending webhooks: a loop that posts prepared bodies with prepared headers, over as many connections as
 * our queue has concurrent attempts, and ignores the responses.
 */
type Work = { url: string; bodies: string[]; count: number; atOnce: number };

process.on('message', async ({ url, bodies, count, atOnce }: Work) => {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: atOnce, pipelining: 1 });
  let next = 0;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Service-Partner-Webhooks/1.0',
    'x-service-delivery-id': '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10',
    'x-service-event': 'booking.updated',
    'x-service-signature': `sha256=${'0'.repeat(64)}`,
    'x-service-timestamp': '2026-12-01T09:00:00.000Z',
  };
  const one = async (): Promise<void> => {
    while (next < count) {
      const body = bodies[next++ % bodies.length]!;
      const answer = await pool.request({ method: 'POST', path: pathname, headers, body });
      await answer.body.text();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  await pool.close();
});
process.on('disconnect', () => process.exit());
