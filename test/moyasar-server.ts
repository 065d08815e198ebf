import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TestContext } from 'node:test';
import { type Faulty, type Reply, startFaulty } from './faults.ts';

/**
 * A local server with the published contract of Moyasar's REST API, as far as payment links use it: invoices, their
 * payments, refunds, webhooks and the callback of an invoice. Where the published pages are ambiguous it behaves the
 * harder way: lists omit the payments, a refused attempt makes the invoice `failed` though it can still be paid, a
 * cancelled invoice may have been paid.
 */

export type MoyasarPayment = {
  id: string;
  status: 'paid' | 'failed' | 'refunded' | 'voided' | 'captured' | 'authorized';
  amount: number;
  currency: string;
  refunded: number;
  refunded_at: string | null;
  captured: number;
  captured_at: string | null;
  voided_at: string | null;
  invoice_id: string;
  created_at: string;
  updated_at: string;
  metadata: Record<string, string> | null;
  source: { type: 'creditcard'; message: string };
};

export type MoyasarInvoice = {
  id: string;
  status: 'initiated' | 'paid' | 'failed' | 'refunded' | 'canceled' | 'on_hold' | 'expired' | 'voided';
  amount: number;
  currency: string;
  description: string;
  amount_format: string;
  url: string;
  callback_url: string | null;
  success_url: string | null;
  back_url: string | null;
  expired_at: string | null;
  created_at: string;
  updated_at: string;
  metadata: Record<string, string> | null;
  payments: MoyasarPayment[];
};

export type MoyasarServer = Faulty & {
  /** With `/v1`, for `baseUrl`. */
  url: string;
  secretKey: string;
  webhookToken: string;
  /** In order of creation. */
  invoices: Map<string, MoyasarInvoice>;
  /** The URL for events of payments, as registered in Moyasar's dashboard; null: no webhook. */
  webhookUrl: string | null;
  /** Attempted notifications, with the result (a status, or the error). */
  deliveries: { url: string; body: unknown; answer: number | string }[];
  /** The behaviour of the list of invoices. `repeats`: the last one of a page is repeated on the next. */
  listing: { pageSize: number; ignoresMetadata: boolean; repeats: boolean };
  /** The method that cancels; the other one responds with 404. */
  cancelMethod: 'PUT' | 'GET';
  /** The customer pays: webhook and callback are sent and awaited. Resolves to null when it is too late. */
  pay(invoiceId: string): Promise<MoyasarPayment | null>;
  /** An attempt that the bank refuses. */
  fail(invoiceId: string): Promise<MoyasarPayment | null>;
  /** The same in any state of the invoice: a second tab, a late approval of the bank. */
  attempt(invoiceId: string, changes?: Partial<MoyasarPayment>): Promise<MoyasarPayment | null>;
  /** The merchant voids the last payment in the dashboard, before it is settled. */
  void(invoiceId: string): Promise<void>;
  /** The merchant refunds halalas of the payment in the dashboard. */
  giveBack(payment: MoyasarPayment, amount: number): Promise<void>;
  /** Sends the webhook (again), by default that of the invoice's last event. */
  sendWebhook(payment: MoyasarPayment, changes?: Record<string, unknown>): Promise<void>;
};

const PAYABLE = ['initiated', 'failed', 'on_hold'];

function invalid(errors: Record<string, string[]>): Reply {
  const json = { type: 'invalid_request_error', message: 'Validation Failed', errors };
  return { status: 400, json };
}

const missing: Reply = {
  status: 404,
  json: { type: 'record_not_found', message: 'Object not found', errors: null },
};

const isUrl = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value);

/** Starts it; it is closed after the test. `now` is its clock (milliseconds), default: real time. */
export async function startMoyasar(t: TestContext, now: () => number = Date.now): Promise<MoyasarServer> {
  const secretKey = `sk_test_${randomUUID()}`;
  const webhookToken = `token-${randomUUID()}`;
  const invoices = new Map<string, MoyasarInvoice>();
  const iso = (): string => new Date(now()).toISOString();

  /** The current invoice: expired once its time has passed. */
  function current(id: string): MoyasarInvoice | undefined {
    const invoice = invoices.get(id);
    if (invoice?.expired_at && PAYABLE.includes(invoice.status) && Date.parse(invoice.expired_at) <= now()) {
      change(invoice, 'expired');
    }
    return invoice;
  }

  function change(invoice: MoyasarInvoice, status: MoyasarInvoice['status']): void {
    Object.assign(invoice, { status, updated_at: iso() });
  }

  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
  function create(body: any): Reply {
    const errors: Record<string, string[]> = {};
    if (!Number.isInteger(body?.amount)) errors.amount = ['must be an integer'];
    else if (body.amount < 100) errors.amount = ['must be greater than or equal to 100'];
    if (typeof body?.currency !== 'string' || !/^[A-Z]{3}$/.test(body.currency))
      errors.currency = ['is invalid'];
    if (typeof body?.description !== 'string' || body.description === '')
      errors.description = ["can't be blank"];
    for (const field of ['callback_url', 'success_url', 'back_url']) {
      if (body?.[field] !== undefined && !isUrl(body[field])) errors[field] = ['is invalid'];
    }
    if (body?.expired_at !== undefined && !(Date.parse(body.expired_at) > now())) {
      errors.expired_at = ['must be in the future'];
    }
    const metadata = Object.entries(body?.metadata ?? {});
    if (
      metadata.length > 30 ||
      metadata.some(([key, value]) => key.length > 40 || String(value).length > 500)
    ) {
      errors.metadata = ['is invalid'];
    }
    if (Object.keys(errors).length > 0) return invalid(errors);
    const id = randomUUID();
    const invoice: MoyasarInvoice = {
      id,
      status: 'initiated',
      amount: body.amount,
      currency: body.currency,
      description: body.description,
      amount_format: `${(body.amount / 100).toFixed(2)} ${body.currency}`,
      url: `https://checkout.moyasar.com/invoices/${id}?lang=en`,
      callback_url: body.callback_url ?? null,
      success_url: body.success_url ?? null,
      back_url: body.back_url ?? null,
      expired_at: body.expired_at ?? null,
      created_at: iso(),
      updated_at: iso(),
      metadata: body.metadata ?? null,
      payments: [],
    };
    invoices.set(id, invoice);
    return { status: 201, json: invoice };
  }

  function list(query: URLSearchParams): Reply {
    const { pageSize, ignoresMetadata, repeats } = server.listing;
    const wanted = [...query].flatMap(([name, value]) => {
      const key = /^metadata\[(.+)\]$/.exec(name)?.[1];
      return key === undefined || ignoresMetadata ? [] : [[key, value] as const];
    });
    const all = [...invoices.keys()]
      .reverse() // newest first
      .map((id) => current(id)!)
      .filter((invoice) => wanted.every(([key, value]) => invoice.metadata?.[key] === value));
    const page = Number(query.get('page') ?? 1);
    const from = (page - 1) * pageSize;
    const found = all.slice(repeats && page > 1 ? from - 1 : from, from + pageSize);
    const pages = Math.max(1, Math.ceil(all.length / pageSize));
    return {
      status: 200,
      json: {
        invoices: found.map(({ payments: _, ...invoice }) => invoice),
        meta: {
          current_page: page,
          next_page: page < pages ? page + 1 : null,
          prev_page: page > 1 ? page - 1 : null,
          total_pages: pages,
          total_count: all.length,
        },
      },
    };
  }

  function cancel(invoice: MoyasarInvoice): Reply {
    if (!PAYABLE.includes(invoice.status)) return invalid({ status: [`is ${invoice.status}`] });
    change(invoice, 'canceled');
    return { status: 200, json: invoice };
  }

  function paymentOf(id: string): MoyasarPayment | undefined {
    return [...invoices.values()].flatMap((invoice) => invoice.payments).find((payment) => payment.id === id);
  }

  function refund(payment: MoyasarPayment, amount: unknown): Reply {
    const rest = payment.amount - payment.refunded;
    const asked = amount === undefined ? rest : amount;
    if (!['paid', 'captured', 'refunded'].includes(payment.status) || rest === 0) {
      return invalid({ status: [`is ${payment.status}`] });
    }
    if (!Number.isInteger(asked) || (asked as number) < 1 || (asked as number) > rest) {
      return invalid({ amount: ['is invalid'] });
    }
    payment.refunded += asked as number;
    Object.assign(payment, { status: 'refunded', refunded_at: iso(), updated_at: iso() });
    change(invoices.get(payment.invoice_id)!, 'refunded');
    return { status: 200, json: payment };
  }

  function answer(request: IncomingMessage, url: URL, text: string): Reply {
    const expected = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`;
    if (request.headers.authorization !== expected) {
      const message = 'Invalid authorization credentials';
      return { status: 401, json: { type: 'authentication_error', message, errors: null } };
    }
    const { method } = request;
    const [, version, kind, id, action] = url.pathname.split('/');
    if (version !== 'v1') return missing;
    // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
    const body: any = text === '' ? undefined : JSON.parse(text);
    if (kind === 'invoices' && id === undefined) {
      if (method === 'POST') return create(body);
      return method === 'GET' ? list(url.searchParams) : missing;
    }
    if (kind === 'invoices') {
      const invoice = current(id!);
      if (!invoice) return missing;
      if (action === undefined && method === 'GET') return { status: 200, json: invoice };
      return action === 'cancel' && method === server.cancelMethod ? cancel(invoice) : missing;
    }
    const payment = kind === 'payments' && id !== undefined ? paymentOf(id) : undefined;
    if (!payment) return missing;
    if (action === undefined && method === 'GET') return { status: 200, json: payment };
    return action === 'refund' && method === 'POST' ? refund(payment, body?.amount) : missing;
  }

  async function deliver(url: string, body: unknown): Promise<void> {
    const outcome = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      (error: Error) => String(error.cause ?? error),
    );
    server.deliveries.push({ url, body, answer: outcome });
  }

  async function sendWebhook(payment: MoyasarPayment, changes: Record<string, unknown> = {}): Promise<void> {
    if (server.webhookUrl === null) return;
    await deliver(server.webhookUrl, {
      id: randomUUID(),
      type: `payment_${payment.status}`,
      created_at: iso(),
      secret_token: webhookToken,
      account_name: null,
      live: false,
      data: payment,
      ...changes,
    });
  }

  /** Notifies the registered URLs of the payment. */
  async function tell(invoice: MoyasarInvoice, payment: MoyasarPayment): Promise<void> {
    await sendWebhook(payment);
    if (invoice.callback_url !== null) await deliver(invoice.callback_url, invoice);
  }

  function attempt(invoice: MoyasarInvoice, status: 'paid' | 'failed'): MoyasarPayment {
    const payment: MoyasarPayment = {
      id: randomUUID(),
      status,
      amount: invoice.amount,
      currency: invoice.currency,
      refunded: 0,
      refunded_at: null,
      captured: 0,
      captured_at: null,
      voided_at: null,
      invoice_id: invoice.id,
      created_at: iso(),
      updated_at: iso(),
      metadata: invoice.metadata,
      source: { type: 'creditcard', message: status === 'paid' ? 'APPROVED' : 'DECLINED' },
    };
    invoice.payments.push(payment);
    change(invoice, status);
    return payment;
  }

  const faulty = await startFaulty(t, answer, (status) => ({
    type: status === 429 ? 'rate_limit_error' : 'api_error',
    message: 'Try again later',
    errors: null,
  }));
  const server: MoyasarServer = Object.assign(faulty, {
    url: `${faulty.origin}/v1`,
    secretKey,
    webhookToken,
    invoices,
    webhookUrl: null,
    deliveries: [],
    listing: { pageSize: 40, ignoresMetadata: false, repeats: false },
    cancelMethod: 'PUT' as const,
    async pay(invoiceId: string) {
      const invoice = current(invoiceId);
      if (!invoice || !PAYABLE.includes(invoice.status)) return null;
      const payment = attempt(invoice, 'paid');
      await tell(invoice, payment);
      return payment;
    },
    async attempt(invoiceId: string, changes: Partial<MoyasarPayment> = {}) {
      const invoice = invoices.get(invoiceId);
      if (!invoice) return null;
      const payment = Object.assign(attempt(invoice, 'paid'), changes);
      await tell(invoice, payment);
      return payment;
    },
    async fail(invoiceId: string) {
      const invoice = current(invoiceId);
      if (!invoice || !PAYABLE.includes(invoice.status)) return null;
      const payment = attempt(invoice, 'failed');
      await sendWebhook(payment);
      return payment;
    },
    async void(invoiceId: string) {
      const invoice = invoices.get(invoiceId)!;
      const payment = invoice.payments.findLast(({ status }) => status === 'paid')!;
      Object.assign(payment, { status: 'voided', voided_at: iso(), updated_at: iso() });
      change(invoice, 'voided');
      await sendWebhook(payment);
    },
    async giveBack(payment: MoyasarPayment, amount: number) {
      refund(payment, amount);
      await sendWebhook(payment);
    },
    sendWebhook,
  });
  return server;
}
