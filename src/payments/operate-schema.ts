import Type, { type Static } from 'typebox';
import {
  Body,
  Choice,
  DateText,
  Name,
  PageQuery,
  Success,
  SuccessPage,
  Text,
  Uuid,
} from '../platform/schemas.ts';
import type { Gateway } from './gateway.ts';
import { PAYMENT_STATES, REFUND_STATUSES } from './rules.ts';

/** Queries, bodies and answers of /operator/payments. */

const { Optional } = Type;

const GATEWAYS = ['sandbox', 'moyasar'] as const satisfies Gateway['name'][];

const Stamp = (description: string) => Type.String({ description, examples: ['2026-11-22T08:00:00+03:00'] });
const OrNull = (description: string, example: string | null) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });
const Sar = (description: string) => Type.Number({ description, examples: [150] });

export const PaymentsQuery = Type.Object({
  status: Optional(Choice([...PAYMENT_STATES], 'Exactly this status')),
  refundStatus: Optional(Choice([...REFUND_STATUSES], 'Exactly this status of the refund')),
  gateway: Optional(Choice([...GATEWAYS], 'Only with a link of this gateway')),
  partnerId: Optional(Uuid("Only this partner's")),
  bookingId: Optional(Uuid("Only this booking's")),
  fromDate: Optional(DateText('Created on this Riyadh date or later')),
  toDate: Optional(DateText('Created on this Riyadh date or earlier')),
  late: Optional(
    Choice(['true', 'false'], 'Only with money that came when the booking waited no longer, or only without'),
  ),
  search: Optional(
    Text(
      'A tracking reference, an id of a payment or booking, or a reference at the gateway: all of it',
      'SA-0042',
    ),
  ),
  ...PageQuery,
});
export type PaymentsQuery = Static<typeof PaymentsQuery>;

const Refund = Type.Union(
  [
    Type.Object({
      status: Choice(
        REFUND_STATUSES.filter((status) => status !== 'NONE'),
        'PENDING: the worker is to make it; FAILED: it could not, retry it or make it by hand',
      ),
      amount: Sar('What is given back, SAR'),
      reference: OrNull("The gateway's, or the operator's own", 'BANK-2026-118'),
      error: OrNull('Why it failed', 'the gateway has refused it'),
      refundedAt: OrNull('When it was given back', '2026-11-22T08:00:00+03:00'),
      by: OrNull('Who gave it back: payments, or an operator', 'payments'),
    }),
    Type.Null(),
  ],
  { description: 'null: nothing is to be given back' },
);

const Payment = Type.Object({
  id: Uuid('Payment'),
  bookingId: Uuid('Its booking'),
  trackingReference: Type.String({ description: "The booking's", examples: ['SA-0042'] }),
  partnerId: Uuid('The partner whose booking it is'),
  partnerName: Type.String({ examples: ['Home Deals'] }),
  amount: Sar('What is owed, SAR'),
  status: Choice(
    [...PAYMENT_STATES],
    'CREATED: no link yet; OPEN: a link that can be paid; else what became of it',
  ),
  gateway: OrNull('Whose link it is; null: there is none yet', 'sandbox'),
  gatewayReference: OrNull("The gateway's id of the link", 'f0c6a6e3c1b4b5e9a530d5a2f1c7b10'),
  linkUrl: OrNull('Where the customer pays', 'https://booking.example/checkout/f0c6a6e3c1b4b5e9'),
  expiresAt: Stamp('Until when the link can be paid: never later than the appointment starts'),
  sentAt: OrNull('When the customer was last sent the link', '2026-11-22T08:00:00+03:00'),
  paidAt: OrNull('When the money came, also when it was too late', null),
  paidAmount: Type.Union([Type.Number(), Type.Null()], { description: 'What came, SAR', examples: [null] }),
  late: Type.Boolean({ description: 'The money came when the booking waited no longer', examples: [false] }),
  failureReason: OrNull('Why it failed, as booking.payment_failed tells', null),
  refund: Refund,
  tries: Type.Integer({ description: 'Tries so far of what is under way', examples: [0] }),
  createdAt: Stamp('When it was created'),
  updatedAt: Stamp('When it was last changed'),
});
export const PaymentResponse = Success(Payment);
export const PaymentsResponse = SuccessPage(Payment);

const { id, status, linkUrl, gateway, gatewayReference, paidAt, failureReason, refund } = Payment.properties;

/** The payment in the details of a booking. */
export const BookingPayment = Type.Union(
  [
    Type.Object({ id, status, linkUrl, gateway, gatewayReference, paidAt, failureReason, refund }),
    Type.Null(),
  ],
  { description: 'The payment by link; null: there is none' },
);

export const NoFields = Body({});

export const RefundDone = Body({
  reference: Name('Where to find the refund: a number of the bank or of the gateway', 'BANK-2026-118'),
});
