import Type, { type Static } from 'typebox';
import {
  Body,
  Choice,
  DateText,
  Name,
  Nullable,
  PageQuery,
  Stamp,
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

const Sar = (description: string) => Type.Number({ description, examples: [150] });
/** Examples are of a link that waits for its customer, so many of its fields are null. */
const NoText = (description: string) =>
  Nullable(Type.String({ format: 'text', maxLength: 1_000, description, examples: [null] }));
const NoStamp = (description: string) =>
  Nullable(Type.String({ format: 'date-time', description, examples: [null] }));

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

const Refund = Type.Object(
  {
    status: Choice(
      REFUND_STATUSES.filter((status) => status !== 'NONE'),
      'PENDING: the worker is to make it; FAILED: it could not, retry it or make it by hand',
      'DONE',
    ),
    amount: Sar('What is given back, SAR'),
    reference: Nullable(Text("The gateway's, or the operator's own", 'BANK-2026-118', 1_000)),
    error: NoText('Why it failed'),
    refundedAt: Nullable(Stamp('When it was given back')),
    by: Nullable(Text('Who gave it back: payments, or an operator', 'payments')),
  },
  { title: 'Refund' },
);

const paymentFields = {
  id: Uuid('Payment'),
  status: Choice(
    [...PAYMENT_STATES],
    'CREATED: no link yet; OPEN: a link that can be paid; else what became of it',
    'OPEN',
  ),
  linkUrl: Nullable(
    Text('Where the customer pays', 'https://booking.example/checkout/f0c6a6e3c1b4b5e9', 2_048),
  ),
  gateway: Nullable(Text('Whose link it is; null: there is none yet', 'sandbox')),
  gatewayReference: Nullable(Text("The gateway's id of the link", 'f0c6a6e3c1b4b5e9a530d5a2f1c7b10', 1_000)),
  paidAt: NoStamp('When the money came, also when it was too late'),
  failureReason: NoText('Why it failed, as booking.payment_failed tells'),
  refund: Type.Union([Refund, Type.Null()], { description: 'null: nothing is to be given back' }),
};

const Payment = Type.Object(
  {
    ...paymentFields,
    bookingId: Uuid('Its booking'),
    trackingReference: Text("The booking's", 'SA-0042', 36),
    partnerId: Uuid('The partner whose booking it is'),
    partnerName: Text('Its name', 'Home Deals'),
    amount: Sar('What is owed, SAR'),
    expiresAt: Stamp('Until when the link can be paid: never later than the appointment starts'),
    sentAt: Nullable(Stamp('When the customer was last sent the link')),
    paidAmount: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'What came, SAR',
      examples: [null],
    }),
    late: Type.Boolean({
      description: 'The money came when the booking waited no longer',
      examples: [false],
    }),
    tries: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Tries so far of what is under way',
      examples: [0],
    }),
    createdAt: Stamp('When it was created'),
    updatedAt: Stamp('When it was last changed'),
  },
  { title: 'Payment' },
);
export const PaymentResponse = Success(Payment);
export const PaymentsResponse = SuccessPage(Payment);

/** The payment in the details of a booking. */
export const BookingPayment = Type.Union(
  [Type.Object(paymentFields, { title: 'BookingPayment' }), Type.Null()],
  { description: 'The payment by link; null: there is none' },
);

export const RefundDone = Body({
  reference: Name('Where to find the refund: a number of the bank or of the gateway', 'BANK-2026-118'),
});
