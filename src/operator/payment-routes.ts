import { IdParams } from '../catalogue/admin-schema.ts';
import type { Deps } from '../deps.ts';
import {
  readPayment,
  refundDoneByHand,
  resendLink,
  retryRefund,
  searchPayments,
} from '../payments/operate.ts';
import { PaymentResponse, PaymentsQuery, PaymentsResponse, RefundDone } from '../payments/operate-schema.ts';
import { paymentView } from '../payments/operate-view.ts';
import { success, successPage } from '../platform/envelope.ts';
import { type App, absentBodyIsEmpty } from '../platform/http.ts';
import { NoFields } from '../platform/schemas.ts';

/** Payments by link and their refunds, of all partners, in the operator's interface. */
export function paymentAdminRoutes(app: App, { db, clock }: Deps): void {
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
    async ({ query }) => successPage(query, await searchPayments(db, query), paymentView),
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
    async ({ params }) => success(paymentView(await readPayment(db, params.id))),
  );

  app.post(
    '/payments/:id/resend',
    {
      schema: {
        operationId: 'resendPaymentLink',
        summary: 'Send the customer the same link once more',
        tags: ['Payments'],
        missing: ['Payment'],
        errors: [
          {
            code: 'INVALID_TRANSITION',
            message: 'There is no link that the customer can pay by',
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
    async ({ actor, params }) => success(paymentView(await resendLink(db, clock.now(), actor, params.id))),
  );

  app.post(
    '/payments/:id/refund/retry',
    {
      schema: {
        operationId: 'retryRefund',
        summary: 'Have the gateway give the money back once more, after that failed',
        tags: ['Payments'],
        missing: ['Payment'],
        errors: [
          {
            code: 'INVALID_TRANSITION',
            message: 'Nothing is to be given back',
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
    async ({ actor, params }) => success(paymentView(await retryRefund(db, clock.now(), actor, params.id))),
  );

  app.post(
    '/payments/:id/refund/done',
    {
      schema: {
        operationId: 'markRefundDone',
        summary: 'Say that the money has been given back by hand',
        tags: ['Payments'],
        missing: ['Payment'],
        errors: [
          {
            code: 'INVALID_TRANSITION',
            message: 'Nothing is to be given back',
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
      success(paymentView(await refundDoneByHand(db, clock, actor, { ...body, id: params.id }))),
  );
}
