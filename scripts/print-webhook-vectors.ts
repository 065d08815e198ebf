import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { signedRequest } from '../src/webhooks/signature.ts';

/**
 * Writes docs/webhook-vectors.json: test vectors for receivers in any language. test/webhook-vectors.test.ts compares
 * the file with the code, and with Python and OpenSSL.
 */
const FILE = fileURLToPath(new URL('../docs/webhook-vectors.json', import.meta.url));

export type Vector = {
  name: string;
  secret: string;
  /** X-Service-Timestamp. */
  timestamp: string;
  /** X-Service-Delivery-Id and webhook-id. */
  deliveryId: string;
  /** X-Service-Event. */
  event: string;
  payload: unknown;
  /** Exactly as sent, and its UTF-8 bytes in hex. */
  body: string;
  bodyHex: string;
  /** X-Service-Signature. */
  signature: string;
  webhookTimestamp: string;
  /** webhook-signature. */
  standardSignature: string;
};

type Case = { name: string; secret: string; timestamp: string; event: string; payload: unknown };

// Made for this file, not in use anywhere.
const SECRETS = [
  'whsec_Lm6qOyvnHTfSs7FB7jD1CcCXtLT1XA6YD75FtTWnLbM',
  'whsec_Ir4FomWd9DudpQnat9fpddFFlWyoDh4s1EX9i60fglw',
  'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
] as const;

const BOOKING = {
  bookingId: '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10',
  externalReference: 'ORDER-2026-000123',
  appointmentId: 'b0b1a7c5-3d52-4c6e-8f0a-7c0a52d1e2f3',
  status: 'in progress',
  paymentStatus: 'PENDING',
  trackingReference: 'SA-0042',
  date: '2026-12-01T00:00:00.000Z',
  timeslot: { startAt: '09:00', endAt: '11:00', endsAtNextDay: false },
  appointment: {
    id: 'b0b1a7c5-3d52-4c6e-8f0a-7c0a52d1e2f3',
    name: 'SA-0042',
    status: 'Scheduled',
    scheduledStartDateTime: '2026-12-01T09:00:00+03:00',
    scheduledEndDateTime: '2026-12-01T11:00:00+03:00',
  },
};

const CASES: Case[] = [
  {
    name: 'a booking as it is sent',
    secret: SECRETS[0],
    timestamp: '2026-11-22T05:00:00.000Z',
    event: 'booking.created',
    payload: BOOKING,
  },
  {
    name: 'the same booking with another secret',
    secret: SECRETS[1],
    timestamp: '2026-11-22T05:00:00.000Z',
    event: 'booking.created',
    payload: BOOKING,
  },
  {
    name: 'the same booking a millisecond before the next second',
    secret: SECRETS[0],
    timestamp: '2026-11-22T05:00:00.999Z',
    event: 'booking.created',
    payload: BOOKING,
  },
  {
    name: 'a change of the appointment',
    secret: SECRETS[1],
    timestamp: '2026-12-01T05:12:07.081Z',
    event: 'booking.appointment_status_changed',
    payload: {
      ...BOOKING,
      appointmentStatusChange: {
        from: 'Scheduled',
        to: 'In The Way',
        changedAt: '2026-12-01T08:12:06+03:00',
      },
    },
  },
  {
    name: 'a payment that failed',
    secret: SECRETS[1],
    timestamp: '2026-11-23T05:00:01.500Z',
    event: 'booking.payment_failed',
    payload: { reason: 'The payment link has expired', bookingId: BOOKING.bookingId },
  },
  {
    name: 'a booking before it has an appointment: null',
    secret: SECRETS[0],
    timestamp: '2026-11-22T05:00:00.001Z',
    event: 'booking.created',
    payload: { ...BOOKING, externalReference: null, appointmentId: null, appointment: null },
  },
  {
    name: 'Arabic text is sent as it is, not escaped',
    secret: SECRETS[0],
    timestamp: '2026-11-22T05:00:02.000Z',
    event: 'booking.updated',
    payload: { externalReference: 'طلب رقم ١٢٣ – حي النرجس، الرياض', مدينة: 'الرياض' },
  },
  {
    name: 'line and paragraph separator (U+2028, U+2029) are not escaped',
    secret: SECRETS[0],
    timestamp: '2026-11-22T05:00:03.000Z',
    event: 'booking.updated',
    payload: { externalReference: 'one\u2028two\u2029three' },
  },
  {
    name: 'emoji beyond the basic plane, joined and with modifiers',
    secret: SECRETS[1],
    timestamp: '2026-11-22T05:00:04.000Z',
    event: 'booking.updated',
    payload: { externalReference: '🧹 👩🏽‍🔧 🇸🇦 𝄞' },
  },
  {
    name: 'keys out of order at every depth',
    secret: SECRETS[0],
    timestamp: '2026-11-22T05:00:05.000Z',
    event: 'booking.updated',
    payload: {
      zone: [{ b: [{ d: 1, c: 2 }], a: 1 }, [], [[{ y: true, x: false }]]],
      Zone: { beta: { b: 1, a: 2 }, alpha: 'first', Alpha: 'capital letters come before small ones' },
      _: 1,
      '': 'the empty key is the first',
    },
  },
  {
    name: 'keys of digits are texts: 1, 10, 9',
    secret: SECRETS[0],
    timestamp: '2026-11-22T05:00:06.000Z',
    event: 'booking.updated',
    payload: { 9: 'nine', 10: 'ten', 1: 'one', '01': 'zero one' },
  },
  {
    name: 'keys are in the order of UTF-16 code units: U+1F9F9 before U+FF5E',
    secret: SECRETS[1],
    timestamp: '2026-11-22T05:00:07.000Z',
    event: 'booking.updated',
    payload: { '\uff5e': 'U+FF5E', '\u{1f9f9}': 'U+1F9F9', ﷺ: 'U+FDFA', é: 'U+00E9', z: 'U+007A' },
  },
  {
    name: 'numbers',
    secret: SECRETS[0],
    timestamp: '2026-11-22T05:00:08.000Z',
    event: 'booking.updated',
    payload: {
      zero: 0,
      minusZero: -0,
      price: 150.5,
      tenth: 0.1,
      whole: 249,
      negative: -12.75,
      large: 1e21,
      largest: Number.MAX_SAFE_INTEGER,
      small: 1e-7,
    },
  },
  {
    name: 'empty object, empty array, empty text, true, false and null',
    secret: SECRETS[0],
    timestamp: '2026-11-22T05:00:09.000Z',
    event: 'booking.updated',
    payload: { object: {}, array: [], text: '', yes: true, no: false, nothing: null, list: [null, {}, []] },
  },
  {
    name: 'an empty payload',
    secret: SECRETS[2],
    timestamp: '2026-11-22T05:00:10.000Z',
    event: 'booking.updated',
    payload: {},
  },
  {
    name: 'quotation marks, backslashes, slashes and control characters',
    secret: SECRETS[1],
    timestamp: '2026-11-22T05:00:11.000Z',
    event: 'booking.updated',
    payload: {
      quoted: 'say "yes" or \\"no\\"',
      path: 'C:\\new\\table / </script>',
      white: 'tab\there, line\nthere, return\r, form\f, back\b',
      control: '\u0001\u001f\u007f\u0080',
      'key "quoted"\n': 1,
    },
  },
  {
    name: 'a long text, so that the body comes in several pieces',
    secret: SECRETS[0],
    timestamp: '2026-11-22T05:00:12.000Z',
    event: 'booking.updated',
    payload: { externalReference: 'حجز 🧹 booking '.repeat(500) },
  },
];

/** The vectors, in the order of the file. */
export function webhookVectors(): Vector[] {
  return CASES.map(({ name, secret, timestamp, event, payload }, index) => {
    const deliveryId = `0f4bd3a2-8a44-4f1f-9a5e-1d6f0a6a2c${String(index + 10)}`;
    const { body, headers } = signedRequest({ deliveryId, event, payload }, secret, Date.parse(timestamp));
    return {
      name,
      secret,
      timestamp,
      deliveryId,
      event,
      payload,
      body,
      bodyHex: Buffer.from(body, 'utf8').toString('hex'),
      signature: headers['x-service-signature']!,
      webhookTimestamp: headers['webhook-timestamp']!,
      standardSignature: headers['webhook-signature']!,
    };
  });
}

// TypeScript lacks its type.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** The text of docs/webhook-vectors.json, with -0 preserved: JSON.stringify alone writes 0. */
export function vectorsText(): string {
  const exact = (_key: string, value: unknown): unknown => (Object.is(value, -0) ? rawJSON('-0') : value);
  return `${JSON.stringify(webhookVectors(), exact, 2)}\n`;
}

if (import.meta.main) {
  writeFileSync(FILE, vectorsText());
  console.log('docs/webhook-vectors.json is written');
}
