import { ApiError } from '../base/errors.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { noMove, routesOf } from '../http/routes.ts';
import { IdParams, NoFields } from '../http/schemas.ts';
import type { Notifier } from './notifier.ts';
import {
  decideRefund,
  declineRefund,
  markRefundDone,
  readPayment,
  resendLink,
  retryRefund,
  searchPayments,
  TO_DECIDE_HINT,
} from './operator.ts';
import type { OperatorPaymentRow } from './operator-queries.ts';
import { DeclineRefund, Payment, PaymentsQuery, RefundDone, RefundPayment } from './operator-schema.ts';
import { type LinkDeps, paymentView } from './operator-view.ts';

type PaymentOperatorDeps = RouteParts & { notifier: Notifier } & LinkDeps;

const NO_MESSAGES = 'Nothing sends messages to customers: NOTIFIER is none';
const RESEND_HINTS = {
  hints: ['pass linkUrl of the payment on, or set NOTIFIER in the configuration of the service'],
};

const TO_DECIDE = noMove('There is no refund to decide on', {
  from: 'NONE',
  allowedFrom: ['TO_DECIDE'],
  hints: [TO_DECIDE_HINT],
});

/** Payments by link and their refunds, of all partners, in the operator's interface. */
export function paymentOperatorRoutes(app: App, deps: PaymentOperatorDeps): void {
  const { db, clock } = deps;
  const view = (row: OperatorPaymentRow) => paymentView(deps, row);
  const route = routesOf(app, { tags: ['Payments'], missing: ['Payment'], params: IdParams });

  route.get('/operator/payments', {
    operationId: 'listPayments',
    summary: "List all partners' payments by link and their refunds, newest first",
    query: PaymentsQuery,
    response: { page: Payment },
    answer: async ({ query }) => pageOf(await searchPayments(db, clock.now(), query), view),
  });

  route.get('/operator/payments/:id', {
    operationId: 'getPayment',
    summary: 'Read a payment by link and its refund',
    response: { data: Payment },
    answer: async ({ params }) => view(await readPayment(db, params.id)),
  });

  route.post('/operator/payments/:id/resend', {
    operationId: 'resendPaymentLink',
    summary: 'Send the payment link to the customer again',
    errors: [noMove('There is no open payment link', { from: 'CREATED', allowedFrom: ['OPEN'] })],
    body: NoFields,
    config: { role: 'dispatcher' },
    response: { data: Payment },
    answer: async ({ actor, params }) => {
      if (deps.notifier.name === 'none') throw new ApiError('INVALID_TRANSITION', NO_MESSAGES, RESEND_HINTS);
      return view(await resendLink(db, clock.now(), actor, params.id));
    },
  });

  route.post('/operator/payments/:id/refund', {
    operationId: 'refundPayment',
    summary: 'Refund a booking that was cancelled after its work had begun: all or a part',
    description:
      'Of a payment whose refund is TO_DECIDE, once. The worker makes the refund. What was charged beyond the price ' +
      'goes back by itself, whatever is decided.',
    errors: [TO_DECIDE],
    body: RefundPayment,
    response: { data: Payment },
    answer: async ({ actor, params, body }) =>
      view(await decideRefund(db, clock.now(), actor, { ...body, id: params.id })),
  });

  route.post('/operator/payments/:id/refund/decline', {
    operationId: 'declineRefund',
    summary: 'Refund nothing of a booking that was cancelled after its work had begun',
    errors: [TO_DECIDE],
    body: DeclineRefund,
    response: { data: Payment },
    answer: async ({ actor, params, body }) =>
      view(await declineRefund(db, clock.now(), actor, { ...body, id: params.id })),
  });

  route.post('/operator/payments/:id/refund/retry', {
    operationId: 'retryRefund',
    summary: 'Retry a refund that failed',
    errors: [noMove('There is nothing to refund', { from: 'NONE', allowedFrom: ['FAILED'] })],
    body: NoFields,
    response: { data: Payment },
    answer: async ({ actor, params }) => view(await retryRefund(db, clock.now(), actor, params.id)),
  });

  route.post('/operator/payments/:id/refund/done', {
    operationId: 'markRefundDone',
    summary: 'Mark a refund as completed manually',
    errors: [noMove('There is nothing to refund', { from: 'NONE', allowedFrom: ['PENDING', 'FAILED'] })],
    body: RefundDone,
    response: { data: Payment },
    answer: async ({ actor, params, body }) =>
      view(await markRefundDone(db, clock, actor, { ...body, id: params.id })),
  });
}
