import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE = 5 * 60_000; // milliseconds

/** Takes X-Service-Timestamp, X-Service-Signature and the raw bytes of the body. */
export function isGenuine(
  secret: string,
  timestamp: string,
  signature: string,
  body: Buffer,
  now = Date.now(),
): boolean {
  const age = Math.abs(now - Date.parse(timestamp));
  if (!(age <= TOLERANCE)) return false; // also when it is no time at all
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  const expected = Buffer.from(`sha256=${digest}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
