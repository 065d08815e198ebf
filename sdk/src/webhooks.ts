import type { WebhookEvent } from './contract.ts';

/** Verifies webhooks at a receiver (contract, section 6), and signs those of tests, with WebCrypto alone. */

export type WebhookVerificationReason =
  /** No `X-Service-Signature`, or no `X-Service-Timestamp`. */
  | 'HEADER_MISSING'
  /** One of them has an invalid format. */
  | 'HEADER_MALFORMED'
  /** A forged message, another secret, or a modified body. */
  | 'SIGNATURE_MISMATCH'
  /** A valid signature, but an old or future timestamp: possibly a replayed message. */
  | 'TIMESTAMP_OUTSIDE_TOLERANCE'
  /** A valid signature, but not a delivery. */
  | 'BODY_MALFORMED';

/** The message must not be processed. Respond with 400, and no details. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

type HeaderValue = string | readonly string[] | undefined;

export type ReceivedWebhook = {
  /**
   * The subscription's secret, `whsec_` included. During the overlap of a rotation either secret is valid; when one
   * fails, pass both: one of them must be valid.
   */
  secret: string | readonly string[];
  /** `Headers`, Node's `request.headers`, a Map, or any other object of names and values. */
  headers: Iterable<readonly [string, HeaderValue]> | Readonly<Record<string, HeaderValue>>;
  /** The raw body, before any parsing. */
  body: string | Uint8Array | ArrayBuffer;
  /** The maximum difference of the timestamp to `now` in seconds; default: 300. */
  toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970; default: the current time. */
  now?: number | undefined;
};

/**
 * The event of a genuine and fresh message; throws WebhookVerificationError otherwise, for any headers and body. An
 * invalid `secret` or `toleranceSeconds` is a TypeError. The same delivery may arrive more than once, with the same
 * `deliveryId`. Ignore unknown events.
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent> {
  const { secret, body, toleranceSeconds = 300, now = Date.now() } = received;
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (secrets.length === 0 || secrets.some((one) => one === ''))
    throw new TypeError('secret must be the secret of the subscription');
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must not be less than 0');

  const headers = valuesOf(received.headers);
  const timestamp = headerOf(headers, 'x-service-timestamp');
  const given = [signatureOf('x-service-signature', headerOf(headers, 'x-service-signature'))];
  // During the overlap of a rotation: the signature by the new secret.
  const next = singleValueOf(headers, 'x-service-signature-next');
  if (next !== undefined) given.push(signatureOf('x-service-signature-next', next));
  const sentAt = Date.parse(timestamp);
  if (Number.isNaN(sentAt)) throw malformed('x-service-timestamp');

  const bytes = bytesOf(body);
  const message = joined(new TextEncoder().encode(`${timestamp}.`), bytes);
  let genuine = false;
  for (const one of secrets) {
    const expected = await hmac(new TextEncoder().encode(one), message);
    for (const each of given) genuine = equal(expected, each) || genuine;
  }
  if (!genuine)
    throw new WebhookVerificationError('SIGNATURE_MISMATCH', 'The signature does not fit the body');
  if (!(Math.abs(now - sentAt) <= toleranceSeconds * 1000))
    throw new WebhookVerificationError(
      'TIMESTAMP_OUTSIDE_TOLERANCE',
      'The message is too old, or from the future',
    );
  return eventOf(bytes);
}

export type WebhookToSign = {
  /** The subscription's secret, `whsec_` included. */
  secret: string;
  /** The event for the receiver. */
  event: WebhookEvent;
  /** Milliseconds since 1970; default: the current time. */
  now?: number | undefined;
};

export type SignedWebhook = { headers: Record<string, string>; body: string };

/**
 * Builds the service's request for an event, for tests of a receiver: its body and all of its headers, the signature of
 * the Standard Webhooks specification included. Sends nothing.
 */
export async function signWebhook({
  secret,
  event,
  now = Date.now(),
}: WebhookToSign): Promise<SignedWebhook> {
  if (typeof secret !== 'string' || secret === '')
    throw new TypeError('secret must be the secret of the subscription');
  const { deliveryId, event: name, payload } = event;
  const body = JSON.stringify({ deliveryId, event: name, payload }, sorted);
  const timestamp = new Date(now).toISOString();
  const seconds = Math.floor(now / 1000);
  const encoded = new TextEncoder();
  const signature = await hmac(encoded.encode(secret), encoded.encode(`${timestamp}.${body}`));
  // The key of that specification is the 32 bytes that the secret encodes.
  const digits = secret
    .replace(/^whsec_/, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  const key = Uint8Array.from(atob(digits), (letter) => letter.charCodeAt(0));
  const standard = await hmac(key, encoded.encode(`${deliveryId}.${seconds}.${body}`));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Service-Partner-Webhooks/1.0',
      'x-service-delivery-id': deliveryId,
      'x-service-event': name,
      'x-service-signature': `sha256=${Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('')}`,
      'x-service-timestamp': timestamp,
      'webhook-id': deliveryId,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${btoa(String.fromCharCode(...standard))}`,
    },
  };
}

/** A replacer for JSON.stringify: keys in the service's order, so that the bytes are the same. */
function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function malformed(name: string): WebhookVerificationError {
  return new WebhookVerificationError('HEADER_MALFORMED', `The header ${name} is malformed`);
}

/** The values of all headers by lower-case name. Iterables that can be read only once are read here. */
function valuesOf(headers: unknown): Map<string, string[]> {
  const found = new Map<string, string[]>();
  try {
    const entries = Object(headers)[Symbol.iterator] === undefined ? Object.entries(headers ?? {}) : headers;
    for (const [name, value] of entries as Iterable<readonly [string, HeaderValue | null]>) {
      if (value === undefined || value === null) continue;
      const values = typeof value === 'string' ? [value] : [...value];
      found.set(name.toLowerCase(), [...(found.get(name.toLowerCase()) ?? []), ...values]);
    }
  } catch {
    throw new WebhookVerificationError(
      'HEADER_MALFORMED',
      'headers must be an object or pairs, of names and values',
    );
  }
  return found;
}

/** undefined for a repeated header. */
function singleValueOf(headers: Map<string, string[]>, wanted: string): string | undefined {
  const values = headers.get(wanted) ?? [];
  if (values.length > 1 || values.some((value) => typeof value !== 'string')) throw malformed(wanted);
  return values[0];
}

function headerOf(headers: Map<string, string[]>, wanted: string): string {
  const value = singleValueOf(headers, wanted);
  if (value === undefined || value === '')
    throw new WebhookVerificationError('HEADER_MISSING', `The header ${wanted} is missing`);
  return value;
}

/** The 32 bytes of `sha256=` and 64 lower-case digits. */
function signatureOf(name: string, value: string): Uint8Array {
  const digits = /^sha256=([0-9a-f]{64})$/.exec(value)?.[1];
  if (digits === undefined) throw malformed(name);
  return Uint8Array.from(digits.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}

function bytesOf(body: ReceivedWebhook['body']): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new WebhookVerificationError(
    'BODY_MALFORMED',
    'body must be the raw body, before any parsing: a string or bytes',
  );
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

async function hmac(secret: Uint8Array<ArrayBuffer>, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, message));
}

/** Compares every byte, in constant time. */
function equal(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++) difference |= one[index]! ^ (other[index] ?? 0);
  return difference === 0;
}

function eventOf(bytes: Uint8Array): WebhookEvent {
  const wrong = new WebhookVerificationError('BODY_MALFORMED', 'The body is not a delivery');
  let value: Partial<WebhookEvent> | null;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw wrong;
  }
  if (typeof value?.event !== 'string' || typeof value.deliveryId !== 'string') throw wrong;
  if (typeof value.payload !== 'object' || value.payload === null) throw wrong;
  return value as WebhookEvent;
}
