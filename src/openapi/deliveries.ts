import Type, { type TSchema } from 'typebox';
import { EVENT_NAMES, type EventName } from '../bookings/rules.ts';
import { EVENT_PAYLOADS } from '../bookings/schema.ts';
import { Stamp, Uuid } from '../http/schemas.ts';
import { TestPayload } from '../webhooks/subscription-schema.ts';
import { TEST_EVENT } from '../webhooks/test-event.ts';
import { textOf } from './both-interfaces.ts';
import type { OpenApiDocument, Operation } from './document.ts';
import { type Components, exampleOf, keepComponent, toJsonSchema } from './schemas.ts';

/** The webhooks of partners as operations of the document; their schemas are added to `schemas`. */
export function deliveries(schemas: Components): NonNullable<OpenApiDocument['webhooks']> {
  return Object.fromEntries(
    Object.entries(DELIVERED).map(([event, what]) => [event, { post: webhookOf(event, what, schemas) }]),
  );
}

const EVENTS: Record<EventName, string> = {
  'booking.created': 'A booking was created through the API',
  'booking.updated': 'Date, timeslot or externalReference of a booking changed',
  'booking.cancelled': 'A booking was cancelled, by the partner or by the operator',
  'booking.payment_failed': 'The payment by link failed, or its link expired (PLATFORM accounts)',
  'booking.payment_confirmed': 'The partner confirmed the payment of a booking (PARTNER accounts)',
  'booking.payment_succeeded': 'The customer has paid by the link (PLATFORM accounts)',
  'booking.failed': 'A booking has failed: its payment, or the operator',
  'booking.refunded':
    'A refund is done; of a cancelled or failed booking, or of what was paid beyond the price',
  'booking.fees_changed': 'What is kept of a booking was decided on, or lowered',
  'booking.appointment_status_changed':
    'The appointment of a booking changed its status, also to Cancelled with its booking or a failed payment',
};

/** Events with their time and payload. */
const DELIVERED: Record<string, { when: string; payload: TSchema }> = {
  ...Object.fromEntries(
    EVENT_NAMES.map((event) => [event, { when: EVENTS[event], payload: EVENT_PAYLOADS[event] }]),
  ),
  [TEST_EVENT]: { when: 'The test operation of the subscription was called', payload: TestPayload },
};

const deliveryHeaders = (event: string): Record<string, TSchema> => ({
  'User-Agent': Type.Literal('Service-Partner-Webhooks/1.0', { description: 'Sender of the delivery' }),
  'X-Service-Delivery-Id': Uuid('The delivery, the same on every attempt'),
  'X-Service-Event': Type.Literal(event, { description: 'Event name' }),
  'X-Service-Signature': Type.String({
    maxLength: 71,
    pattern: '^sha256=[0-9a-f]{64}$',
    description:
      'HMAC-SHA256 of timestamp, full stop and body, keyed with the secret of the subscription; while a rotation ' +
      'overlaps, with the secret before',
    examples: ['sha256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  'X-Service-Signature-Next': Type.Optional(
    Type.String({
      maxLength: 71,
      pattern: '^sha256=[0-9a-f]{64}$',
      description: 'The same, keyed with the new secret; only while a rotation overlaps',
    }),
  ),
  'X-Service-Timestamp': Stamp('When this attempt was sent'),
  'webhook-id': Uuid('The delivery, as the Standard Webhooks specification names it'),
  'webhook-timestamp': Type.String({
    maxLength: 20,
    pattern: '^\\d+$',
    description: 'When this attempt was sent, in seconds since 1970 (Standard Webhooks)',
    examples: ['1795323600'],
  }),
  'webhook-signature': Type.String({
    maxLength: 1_000,
    pattern: '^v1,[A-Za-z0-9+/]{43}=(?: v1,[A-Za-z0-9+/]{43}=)?$',
    description:
      'The signature in the form of the Standard Webhooks specification; two while a rotation overlaps',
    examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  }),
});

function webhookOf(
  event: string,
  { when, payload }: (typeof DELIVERED)[string],
  schemas: Components,
): Operation {
  const name = event.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const delivery = toJsonSchema(
    Type.Object({
      event: Type.Literal(event, { description: 'Event name' }),
      deliveryId: Uuid('The delivery, the same on every attempt'),
      payload,
    }),
    schemas,
  );
  keepComponent(`${name}Delivery`, delivery, schemas);
  const parameters = Object.entries(deliveryHeaders(event)).map(([header, schema]) => {
    const { description = '', ...rest } = toJsonSchema(schema, schemas);
    return { name: header, in: 'header', required: !Type.IsOptional(schema), description, schema: rest };
  });
  const content = { schema: { $ref: `#/components/schemas/${name}Delivery` } };
  return {
    operationId: `receive${name}`,
    // Found by the search of reference pages.
    summary: event,
    description: `${when}.\n\n${textOf('deliveries')}`,
    tags: ['Webhooks'],
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': { ...content, example: exampleOf(content.schema, schemas) } },
    },
    responses: { '2XX': { description: 'Received; the body is not read' } },
  };
}
