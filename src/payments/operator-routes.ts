import { ApiError } from '../base/errors.ts';
import { type App, absentBodyIsEmpty } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import { IdParams, NoFields } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
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
import {
  DeclineRefund,
  PaymentResponse,
  PaymentsQuery,
  PaymentsResponse,
  RefundDone,
  RefundPayment,
} from './operator-schema.ts';
import { type LinkDeps, paymentView } from './operator-view.ts';

type PaymentOperatorDeps = Pick<Deps, 'db' | 'clock' | 'notifier'> & LinkDeps;

/** Payments by link and their refunds, of all partners, in the operator's interface. */
export function paymentOperatorRoutes(app: App, deps: PaymentOperatorDeps): void {
  linkRoutes(app, deps);
  decisionRoutes(app, deps);
  refundRoutes(app, deps);
}

function linkRoutes(app: App, deps: PaymentOperatorDeps): void {
  const { db, clock } = deps;
  const view = (row: OperatorPaymentRow) => paymentView(deps, row);
  app.get(
    '/payments',
    {
      schema: {
        operationId: 'listPayments',
        summary: "List all partners' payments by link and their refunds, newest first",
        tags: ['Payments'],
        querystring: PaymentsQuery,
        response: { 200: PaymentsResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query }) => successPage(query, await searchPayments(db, clock.now(), query), view),
  );

  app.get(
    '/payments/:id',
    {
      schema: {
        operationId: 'getPayment',
        summary: 'Read a payment by link and its refund',
        tags: ['Payments'],
        missing: ['Payment'],
        params: IdParams,
        response: { 200: PaymentResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ params }) => success(view(await readPayment(db, params.id))),
  );

  app.post(
    '/payments/:id/resend',
    {
      schema: {
        operationId: 'resendPaymentLink',
        summary: 'Send the payment link to the customer again',
        tags: ['Payments'],
        missing: ['Payment'],
        errors: [
          {
            code: 'INVALID_TRANSITION',
            message: 'There is no open payment link',
            details: { from: 'CREATED', allowedFrom: ['OPEN'] },
          },
        ],
        params: IdParams,
        body: NoFields,
        optionalBody: true,
        response: { 200: PaymentResponse },
      },
      config: { role: 'dispatcher' },
      preValidation: absentBodyIsEmpty,
    },
    async ({ actor, params }) => {
      if (deps.notifier.name === 'none') throw new ApiError('INVALID_TRANSITION', NO_MESSAGES, RESEND_HINTS);
      return success(view(await resendLink(db, clock.now(), actor, params.id)));
    },
  );
}

const NO_MESSAGES = 'Nothing sends messages to customers: NOTIFIER is none';
const RESEND_HINTS = {
  hints: ['pass linkUrl of the payment on, or set NOTIFIER in the configuration of the service'],
};

function decisionRoutes(app: App, deps: PaymentOperatorDeps): void {
  const { db, clock } = deps;
  const view = (row: OperatorPaymentRow) => paymentView(deps, row);
  const toDecide = {
    code: 'INVALID_TRANSITION' as const,
    message: 'There is no refund to decide on',
    details: { from: 'NONE', allowedFrom: ['TO_DECIDE'], hints: [TO_DECIDE_HINT] },
  };
  app.post(
    '/payments/:id/refund',
    {
      schema: {
        operationId: 'refundPayment',
        summary: 'Refund a booking that was cancelled after its work had begun: all or a part',
        description:
          'Of a payment whose refund is TO_DECIDE, once. The worker makes the refund. What was charged beyond the price ' +
          'goes back by itself, whatever is decided.',
        tags: ['Payments'],
        missing: ['Payment'],
        errors: [toDecide],
        params: IdParams,
        body: RefundPayment,
        response: { 200: PaymentResponse },
      },
      config: { role: 'admin' },
    },
    async ({ actor, params, body }) =>
      success(view(await decideRefund(db, clock.now(), actor, { ...body, id: params.id }))),
  );

  app.post(
    '/payments/:id/refund/decline',
    {
      schema: {
        operationId: 'declineRefund',
        summary: 'Refund nothing of a booking that was cancelled after its work had begun',
        tags: ['Payments'],
        missing: ['Payment'],
        errors: [toDecide],
        params: IdParams,
        body: DeclineRefund,
        response: { 200: PaymentResponse },
      },
      config: { role: 'admin' },
    },
    async ({ actor, params, body }) =>
      success(view(await declineRefund(db, clock.now(), actor, { ...body, id: params.id }))),
  );
}

function refundRoutes(app: App, deps: PaymentOperatorDeps): void {
  const { db, clock } = deps;
  const view = (row: OperatorPaymentRow) => paymentView(deps, row);
  app.post(
    '/payments/:id/refund/retry',
    {
      schema: {
        operationId: 'retryRefund',
        summary: 'Retry a refund that failed',
        tags: ['Payments'],
        missing: ['Payment'],
        errors: [
          {
            code: 'INVALID_TRANSITION',
            message: 'There is nothing to refund',
            details: { from: 'NONE', allowedFrom: ['FAILED'] },
          },
        ],
        params: IdParams,
        body: NoFields,
        optionalBody: true,
        response: { 200: PaymentResponse },
      },
      config: { role: 'admin' },
      preValidation: absentBodyIsEmpty,
    },
    async ({ actor, params }) => success(view(await retryRefund(db, clock.now(), actor, params.id))),
  );

  app.post(
    '/payments/:id/refund/done',
    {
      schema: {
        operationId: 'markRefundDone',
        summary: 'Mark a refund as completed manually',
        tags: ['Payments'],
        missing: ['Payment'],
        errors: [
          {
            code: 'INVALID_TRANSITION',
            message: 'There is nothing to refund',
            details: { from: 'NONE', allowedFrom: ['PENDING', 'FAILED'] },
          },
        ],
        params: IdParams,
        body: RefundDone,
        response: { 200: PaymentResponse },
      },
      config: { role: 'admin' },
    },
    async ({ actor, params, body }) =>
      success(view(await markRefundDone(db, clock, actor, { ...body, id: params.id }))),
  );
}
