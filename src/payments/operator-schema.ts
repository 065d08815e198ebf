import Type, { type Static } from 'typebox';
import { MAX_MONEY } from '../base/money.ts';
import { SHOWN_REFUND_STATUSES } from '../bookings/refund.ts';
import {
  Body,
  Choice,
  DateInput,
  Nullable,
  PageQuery,
  SortQuery,
  Stamp,
  Text,
  Uuid,
  Words,
} from '../http/schemas.ts';
import type { Gateway } from './gateway.ts';
import { EXACT_SAR, PAYMENT_ORDERS, PAYMENT_STATES, UNSENT_STEPS } from './rules.ts';

/** Queries, bodies and responses of /operator/payments. */

const { Optional } = Type;

const GATEWAYS = ['sandbox', 'moyasar'] as const satisfies Gateway['name'][];

const Sar = (description: string) => Type.Number({ description, examples: [150] });
/** null in examples, which are of an unpaid link. */
const NoText = (description: string) =>
  Nullable(Type.String({ format: 'text', maxLength: 1_000, description, examples: [null] }));
const NoStamp = (description: string) =>
  Nullable(Type.String({ format: 'date-time', description, examples: [null] }));

export const PaymentsQuery = Type.Object({
  status: Optional(Choice([...PAYMENT_STATES], 'Filter by status')),
  refundStatus: Optional(Choice([...SHOWN_REFUND_STATUSES], 'Filter by refund status')),
  gateway: Optional(Choice([...GATEWAYS], 'Filter by the gateway of the link')),
  partnerId: Optional(Uuid('Filter by partner')),
  bookingId: Optional(Uuid('Filter by booking')),
  fromDate: Optional(DateInput('Created on or after this Riyadh date')),
  toDate: Optional(DateInput('Created on or before this Riyadh date')),
  late: Optional(Choice(['true', 'false'], 'Filter by whether the payment arrived too late for the booking')),
  unsent: Optional(
    Choice(
      [...UNSENT_STEPS],
      'Only payments whose link has waited for more than a minute: to be made by the gateway, or to be sent to the customer',
    ),
  ),
  ...SortQuery(PAYMENT_ORDERS, 'DESC'),
  search: Optional(
    Text('Tracking reference, payment ID, booking ID or gateway reference (exact match)', 'SA-0042'),
  ),
  ...PageQuery,
});
export type PaymentsQuery = Static<typeof PaymentsQuery>;

const Refund = Type.Object(
  {
    status: Choice(
      SHOWN_REFUND_STATUSES.filter((status) => status !== 'NONE'),
      'PENDING: the worker has yet to make it; FAILED: the worker could not, so retry it or make it manually; TO_DECIDE: ' +
        'the booking was cancelled after its work had begun, and an operator decides; DECLINED: nothing goes back',
      'DONE',
    ),
    amount: Sar('Amount to refund in all, SAR; when TO_DECIDE, what can be refunded; when DONE, what was'),
    reference: Nullable(
      Text('Reference at the gateway, or the one given by the operator', 'BANK-2026-118', 1_000),
    ),
    error: NoText('Why it failed'),
    refundedAt: Nullable(Stamp('When it was refunded')),
    by: Nullable(
      Text('Who made the refund: payments, an operator, or somebody at the gateway (gateway)', 'payments'),
    ),
  },
  { title: 'Refund' },
);

const Charge = Type.Object(
  {
    reference: Text("The gateway's id of the payment", '760878ec-d1d3-5f72-9056-191683f55872', 100),
    status: Text("The gateway's word", 'paid', 40),
    currency: Text('Of the amounts', 'SAR', 40),
    amount: Sar('What was to be paid'),
    charged: Sar('What was really taken: 0 for a try that failed, less when it was captured in part'),
    refunded: Type.Number({
      description: 'Given back or voided at the gateway, by whomever',
      examples: [0],
    }),
    refundedByHand: Type.Number({
      description: 'Given back past the gateway, as an operator said',
      examples: [0],
    }),
    at: Stamp('When it was made, as the gateway says'),
  },
  { title: 'GatewayPayment' },
);

const RefundDecision = Type.Object(
  {
    keptAmount: Sar('What is kept of the price, SAR'),
    reason: Text('Why', 'Half of the work was done', 500),
    by: Text('Who decided', 'operator:first-token'),
    at: Stamp('When'),
  },
  { title: 'RefundDecision' },
);

const RefundOnCancel = Type.Object(
  {
    amount: Sar('SAR that would be refunded, or decided on'),
    to: Choice(['CUSTOMER'], 'Who gets it', 'CUSTOMER'),
    by: Choice(
      ['SERVICE', 'OPERATOR'],
      'SERVICE: refunded by itself; OPERATOR: the work has begun, so an operator decides what goes back',
      'SERVICE',
    ),
  },
  { title: 'RefundOnCancel' },
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
  paidAt: NoStamp('When the first payment arrived, even if too late'),
  failureReason: NoText('Why it failed, as in booking.payment_failed'),
  refund: Type.Union([Refund, Type.Null()], { description: 'null: nothing to refund' }),
};

const amount = Sar('Amount due, SAR');
const paidAmount = Type.Unsafe<number | null>({
  type: ['number', 'null'],
  description: 'Amount paid in all, SAR',
  examples: [null],
});

const moneyFields = {
  refundedAmount: Type.Number({ description: 'Of what was paid, refunded so far, SAR', examples: [0] }),
  keptAmount: Type.Number({ description: 'What is left of what was paid, SAR', examples: [0] }),
  payments: Type.Array(Charge, {
    maxItems: 1_000,
    description: 'All payments by the link and tries to pay, oldest first, as the gateway said last',
  }),
  refundDecision: Type.Union([RefundDecision, Type.Null()], {
    description: 'What an operator decided about the refund; null: nothing',
  }),
  refundOnCancel: Type.Union([RefundOnCancel, Type.Null()], {
    description: 'What cancelling the booking now would do with the money; null: nothing to refund',
  }),
};

export const Payment = Type.Object(
  {
    ...paymentFields,
    bookingId: Uuid('Its booking'),
    trackingReference: Text("The booking's", 'SA-0042', 36),
    partnerId: Uuid('Partner that made the booking'),
    partnerName: Text('Its name', 'Home Deals'),
    amount,
    expiresAt: Stamp('When the link expires: at the latest when the appointment starts'),
    sentAt: Nullable(Stamp('When a provider last took the message with the link; null: none did')),
    paidAmount,
    late: Type.Boolean({
      description: 'Whether the payment arrived too late for the booking',
      examples: [false],
    }),
    tries: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Attempts so far of the current step',
      examples: [0],
    }),
    createdAt: Stamp('When it was created'),
    updatedAt: Stamp('When it was last changed'),
    ...moneyFields,
  },
  { title: 'Payment' },
);

const { linkUrl: _, ...recorded } = Payment.properties;
/** The payment in the audit log, which keeps its entries forever. */
export const RecordedPayment = Type.Object(recorded);

/** The payment in the details of a booking. */
export const PaymentOfBooking = Type.Object(
  { ...paymentFields, amount, paidAmount, ...moneyFields },
  { title: 'BookingPayment' },
);
export const BookingPayment = Type.Union([PaymentOfBooking, Type.Null()], {
  description: 'The payment by link; null: there is none',
});

export const RefundDone = Body({
  reference: Words('Reference of the refund at the bank or the gateway', 'BANK-2026-118'),
});

const Reason = Words('Why', 'Half of the work was done', 500);

export const RefundPayment = Body({
  amount: Optional(
    Type.Number({
      minimum: 0.01,
      maximum: MAX_MONEY,
      rule: EXACT_SAR,
      description: 'SAR to refund; all that can be refunded unless given',
      examples: [75],
    }),
  ),
  reason: Reason,
});
export const DeclineRefund = Body({ reason: Reason });
