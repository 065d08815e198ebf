import Type from 'typebox';
import { HoldsInTheWay } from '../availability/operator-schema.ts';
import { CONFLICT_REASONS } from '../base/errors.ts';
import { Quote } from '../bookings/quote-schema.ts';
import { APPOINTMENT_MOVES, statusesFor } from '../bookings/rules.ts';
import { Conflicts } from '../catalogue/conflict-schema.ts';
import { ZoneOverlap } from '../catalogue/zone-schema.ts';
import { MAX_UNPAGED, Nullable, Stamp, Text, Uuid } from '../http/schemas.ts';
import { DOCS_URL, wholeNumber } from './both-interfaces.ts';
import { alternatives } from './refusals.ts';

/** `details` of errors, for each API. */

const { Optional } = Type;

/** A word of an open set, which may grow. */
const word = (description: string, example: string) => Optional(Text(description, example, 100));
const wordOrNull = (description: string, example: string) => Optional(Nullable(Text(description, example)));
const words = (description: string, examples: readonly string[]) =>
  Optional(
    Type.Array(Text('A status', examples[0]!, 100), { maxItems: 20, description, examples: [examples] }),
  );
const whole = (description: string, example: number) => Optional(wholeNumber(description, example));

const ZoneNamed = (description: string) =>
  Type.Object(
    {
      id: Uuid('Zone'),
      name: Text('English name', 'North'),
      nameAr: Nullable(Text('Arabic name', 'الشمال')),
    },
    { description },
  );

const sharedDetails = {
  docUrl: Type.String({
    format: 'uri',
    maxLength: 2_048,
    description: 'Documentation of this code',
    examples: [`${DOCS_URL}/errors#validation-error`],
  }),
  hints: Optional(
    Type.Array(Text('A sentence', 'startTime is called startAt', 2_000), {
      maxItems: 20,
      description: 'Suggestions for developers; the wordings may change',
    }),
  ),
  message: Optional(
    Type.Array(Text('A fault', 'page must not be less than 1', 1_000), {
      maxItems: 100,
      description: 'VALIDATION_ERROR: one message for each faulty field',
    }),
  ),
  statusCode: Optional(
    Type.Integer({
      minimum: 400,
      maximum: 499,
      description: 'VALIDATION_ERROR: the status',
      examples: [400],
    }),
  ),
  error: Optional(Text('VALIDATION_ERROR: the name of the status', 'Bad Request', 50)),
  check: word(
    'UNAUTHORIZED, FORBIDDEN, codes of domains and limits: the check that refused the request',
    'key',
  ),
  reason: word(
    'UNAUTHORIZED: missing, malformed or not-valid. BOOKING_CREATION_FAILED: SLOT_UNAVAILABLE, SLOT_NOT_OFFERED, ' +
      'SLOT_IN_PAST, SLOT_INSIDE_NOTICE, SLOT_BEYOND_HORIZON, HOLD_EXPIRED, HOLD_DISPLACED, PRICE_CHANGED or PAYMENT_UNAVAILABLE. ' +
      `CONFLICT: ${CONFLICT_REASONS.join(', ')}. More may be added`,
    'SLOT_UNAVAILABLE',
  ),
  limit: whole('RATE_LIMIT_EXCEEDED: requests, or failed authentications, in any window', 600),
  window: whole('RATE_LIMIT_EXCEEDED: seconds of the window', 60),
  retryAfter: whole('RATE_LIMIT_EXCEEDED: seconds until the next request is allowed', 12),
  resource: word('RESOURCE_NOT_FOUND: what was not found', 'booking'),
  status: word('Current status', 'canceled'),
  alternatives: Optional(
    Type.Array(
      Type.Object(
        {
          date: Type.String({ format: 'date', description: 'Riyadh date' }),
          startAt: Type.String({ format: 'time', description: 'Start, Riyadh time' }),
          endAt: Type.String({ format: 'time', description: 'End, Riyadh time' }),
        },
        { title: 'AlternativeSlot' },
      ),
      {
        maxItems: 5,
        description: 'BOOKING_CREATION_FAILED: free timeslots nearby',
        examples: [alternatives],
      },
    ),
  ),
  bookings: Optional(
    Type.Array(Uuid('Booking'), {
      maxItems: MAX_UNPAGED,
      description: 'CONFLICT, OPEN_BOOKINGS: the bookings that stand in the way of erasing their customer',
    }),
  ),
  seriesId: Optional(Uuid('DUPLICATE_EXTERNAL_REFERENCE of a series: the one that has the reference')),
  bookingId: Optional(
    Uuid('HOLD_CONSUMED, DUPLICATE_EXTERNAL_REFERENCE: the booking that took the hold, or has the reference'),
  ),
  sameRequest: Optional(
    Type.Boolean({
      description:
        'HOLD_CONSUMED, DUPLICATE_EXTERNAL_REFERENCE: whether the body that was sent made that booking, in the last 28 days. ' +
        'BOOKING_ALREADY_CANCELLED, PAYMENT_ALREADY_CONFIRMED: true when the request with this very X-Request-Id did it, because the ' +
        'network has delivered it twice',
      examples: [true],
    }),
  ),
  cancellable: words('BOOKING_ALREADY_CANCELLED: the statuses that can be cancelled', statusesFor('cancel')),
  editable: words('BOOKING_NOT_EDITABLE: the statuses that allow changes', statusesFor('update')),
  maxReschedules: whole('BOOKING_NOT_EDITABLE: times that its policy allows it to be rescheduled', 2),
  reschedules: whole('BOOKING_NOT_EDITABLE: times that it was rescheduled', 2),
  appointmentStatus: wordOrNull(
    'BOOKING_NOT_EDITABLE, BOOKING_APPOINTMENT_NOT_FOUND: the status of the appointment; null: there is none',
    'In The Way',
  ),
};

const DETAILS = 'Details of the error, by `code`; `docUrl` is always present';

export const PartnerErrorDetails = Type.Object(
  {
    ...sharedDetails,
    permission: wordOrNull('FORBIDDEN: the permission that the key lacks', 'partner_bookings_cancel'),
    address: word('FORBIDDEN: the address the request came from, as the service sees it', '203.0.113.7'),
    domain: Optional(
      Nullable(Text('The domain that was detected; null: it cannot be read', 'shop.example.sa', 16_384)),
    ),
    source: word('The header that names the domain', 'Origin'),
    host: word("WEBHOOK_DOMAIN_NOT_ALLOWED: the URL's host", 'hooks.example.com'),
    allowedDomains: Optional(
      Type.Array(Text('A domain', 'example.sa', 253), {
        maxItems: 1_000,
        description: "WEBHOOK_DOMAIN_NOT_ALLOWED: the account's webhook domains, subdomains included",
        examples: [['example.sa']],
      }),
    ),
    serviceIds: Optional(
      Type.Array(Uuid('Service'), {
        maxItems: 10,
        description: 'SERVICE_NOT_ALLOWED: the services of a price calculation that are not enabled',
      }),
    ),
    externalReference: wordOrNull(
      'DUPLICATE_EXTERNAL_REFERENCE: the reference already in use',
      'ORDER-2026-000123',
    ),
    payable: words('BOOKING_NOT_PAYABLE: the statuses that can be paid', statusesFor('confirmPayment')),
    paymentResponsibility: word('PAYMENT_RESPONSIBILITY_MISMATCH: who collects the payment', 'PLATFORM'),
    paymentStatus: word('The payment status of the booking', 'PAID'),
    from: word('INVALID_TRANSITION: the current status of the appointment', 'Scheduled'),
    to: word('INVALID_TRANSITION: the requested status', 'Completed'),
    allowed: words(
      'INVALID_TRANSITION: the statuses it can become, or the scripts that can be played',
      APPOINTMENT_MOVES.Scheduled,
    ),
    bookingStatus: word('INVALID_TRANSITION: the status of the booking', 'waiting payment'),
    price: Optional(
      Type.Number({
        description:
          'BOOKING_CREATION_FAILED, PRICE_CHANGED: the price by now; HOLD_DISPLACED: that of the hold, at which `holdId` books ' +
          'any other slot until `expiresAt`',
        examples: [249.5],
      }),
    ),
    currency: word('BOOKING_CREATION_FAILED, PRICE_CHANGED, HOLD_DISPLACED: of the price', 'SAR'),
    expiresAt: Optional(Stamp('BOOKING_CREATION_FAILED, HOLD_DISPLACED: how long the price holds')),
    holdId: Optional(
      Uuid(
        'BOOKING_CREATION_FAILED, HOLD_DISPLACED: the hold that was displaced; CONFLICT, REFERENCE_TAKEN: that has the reference',
      ),
    ),
    fields: words('HOLD_MISMATCH: what differs from the hold', ['timeslot']),
    quote: Optional(Quote),
    maxHolds: whole('HOLD_LIMIT_REACHED: slots that the account may hold at once', 50),
    maxPlaceHolds: whole(
      'HOLD_LIMIT_REACHED: those of them that may be at coordinates, without a customer',
      10,
    ),
    latestExpiresAt: Optional(Stamp('HOLD_LIMIT_REACHED: how long the hold can last')),
    runId: Optional(Uuid('CONFLICT: the run that is under way')),
  },
  { title: 'ErrorDetails', description: DETAILS },
);

export const CrewErrorDetails = Type.Object(sharedDetails, { title: 'ErrorDetails', description: DETAILS });

export const OperatorErrorDetails = Type.Object(
  {
    ...sharedDetails,
    role: wordOrNull('FORBIDDEN: the role that the operation needs', 'admin'),
    tokenRole: word('FORBIDDEN: the role that the token has', 'viewer'),
    triesLeft: whole('UNAUTHORIZED: wrong PINs until the enrolment of the browser ends', 4),
    from: word('INVALID_TRANSITION: the current status', 'Scheduled'),
    to: word('INVALID_TRANSITION: the requested status', 'Completed'),
    allowed: words('INVALID_TRANSITION: the allowed target statuses', APPOINTMENT_MOVES.Scheduled),
    allowedFrom: words('INVALID_TRANSITION: the statuses that allow the operation', ['OPEN']),
    externalReference: wordOrNull(
      'DUPLICATE_EXTERNAL_REFERENCE: the reference already in use',
      'ORDER-2026-000123',
    ),
    month: word('INVALID_TRANSITION: the month whose statement is to be issued first', '2026-10'),
    issuedUntil: word('INVALID_TRANSITION: the last month whose statement is issued', '2026-11'),
    openedOn: word('INVALID_TRANSITION: when the partner’s statements begin', '2026-11-01'),
    movable: words('INVALID_TRANSITION: the statuses in which it can be moved', ['Scheduled']),
    bookingStatus: word('INVALID_TRANSITION: the status of its booking', 'canceled'),
    quote: Optional(Quote),
    version: whole('CONFLICT, STALE: the version that the resource has', 4),
    current: Optional(
      Type.Unsafe<unknown>({
        type: 'object',
        additionalProperties: true,
        description: 'CONFLICT, STALE: the resource as it is',
        examples: [{ version: 4 }],
      }),
    ),
    appointmentId: Optional(
      Uuid('Several appointments in one request: the one that cannot be moved, or has changed since'),
    ),
    holds: Optional(HoldsInTheWay),
    conflicts: Optional(Conflicts),
    overlaps: Optional(
      Type.Array(ZoneOverlap, {
        maxItems: 20,
        description: 'CONFLICT, ZONES_OVERLAP: with which zones, and what lies in both',
      }),
    ),
    zone: Optional(ZoneNamed('CONFLICT, OTHER_ZONE: the zone of the visit')),
    addressZone: Optional(Nullable(ZoneNamed('CONFLICT, OTHER_ZONE: that of the address; null: none'))),
    usedBy: Optional(
      Type.Unsafe<unknown>({
        type: 'object',
        description: 'CONFLICT: the number of resources that use it, by kind',
        examples: [{ services: 2 }],
      }),
    ),
  },
  { title: 'ErrorDetails', description: DETAILS },
);
