import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';
import { type Instant, toUtcIso } from '../base/clock.ts';
import { CREDENTIALS } from '../base/tokens.ts';
import { signature } from '../outbound/signature.ts';
import type { SentHeaders } from './table.ts';

/**
 * Section 6: bodies and signatures. The body is JSON with the keys of every object sorted and no white space; the
 * signature covers exactly the bytes that are sent.
 */

const PREFIX = CREDENTIALS.webhookSecret;
const USER_AGENT = 'Service-Partner-Webhooks/1.0';

/**
 * A new subscription secret: `whsec_` and 32 random bytes in base64url. It has no `-` and `_`, so that libraries of the
 * Standard Webhooks specification, which read plain base64, accept it.
 */
export function createSecret(): string {
  for (;;) {
    const text = randomBytes(32).toString('base64url');
    if (!/[-_]/.test(text)) return PREFIX + text;
  }
}

/** The signature of the Standard Webhooks specification: `v1,` and base64, keyed with the secret's 32 bytes. */
export function standardSignature(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64url');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

export type Message = { deliveryId: string; event: string; payload: unknown };

/**
 * The body and the headers of one attempt, made at `at` (real time: receivers compare it with their clocks). While a
 * rotation overlaps, `previousSecret` signs the contract's header, for receivers without the new secret; a second
 * header has the signature by the new one.
 */
export function signedRequest(
  message: Message,
  secret: string,
  at: Instant,
  previousSecret: string | null = null,
): { body: string; headers: Record<string, string> } {
  // Further fields of the object, such as a secret, are not sent.
  const { deliveryId, event, payload } = message;
  const body = canonicalJson({ deliveryId, event, payload });
  const timestamp = toUtcIso(at);
  const seconds = Math.floor(at / 1000);
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'x-service-delivery-id': deliveryId,
      'x-service-event': event,
      'x-service-signature': signature(previousSecret ?? secret, timestamp, body),
      ...(previousSecret !== null && { 'x-service-signature-next': signature(secret, timestamp, body) }),
      'x-service-timestamp': timestamp,
      'webhook-id': deliveryId,
      'webhook-timestamp': String(seconds),
      'webhook-signature': secrets.map((key) => standardSignature(key, deliveryId, seconds, body)).join(' '),
    },
  };
}

/** The headers that are kept with an attempt. */
export function sentHeaders(headers: Readonly<Record<string, string>>): SentHeaders {
  const next = headers['x-service-signature-next'];
  return {
    timestamp: headers['x-service-timestamp'] ?? '',
    signature: headers['x-service-signature'] ?? '',
    ...(next !== undefined && { signatureNext: next }),
    standard: headers['webhook-signature'] ?? '',
  };
}

/** All headers of an attempt: the kept ones, and those that follow from the delivery. */
export function headersSent(deliveryId: string, event: string, sent: SentHeaders): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'x-service-delivery-id': deliveryId,
    'x-service-event': event,
    'x-service-signature': sent.signature,
    ...(sent.signatureNext !== undefined && { 'x-service-signature-next': sent.signatureNext }),
    'x-service-timestamp': sent.timestamp,
    'webhook-id': deliveryId,
    'webhook-timestamp': String(Math.floor(Date.parse(sent.timestamp) / 1000)),
    'webhook-signature': sent.standard,
  };
}

/**
 * For receivers: whether the signature is of these bytes and the timestamp at most `tolerance` milliseconds away from
 * `now`. Compares in constant time.
 */
export function verify(
  secret: string,
  received: { timestamp: string; signature: string; body: string },
  now: Instant,
  tolerance = 300_000,
): boolean {
  const at = Date.parse(received.timestamp);
  if (!(Math.abs(now - at) <= tolerance)) return false;
  const expected = Buffer.from(signature(secret, received.timestamp, received.body));
  const given = Buffer.from(received.signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
