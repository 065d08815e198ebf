import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type Instant, parseOffsetDateTime, toUtcIso } from '../../base/clock.ts';
import { toHalalas, toSar } from '../../base/money.ts';
import { isObject, type Outgoing, send } from '../../outbound/provider-requests.ts';
import {
  type Gateway,
  GatewayError,
  type GatewayLink,
  type GatewayPayment,
  type GatewayStatus,
  type LinkRequest,
  type Notification,
} from '../gateway.ts';

export type MoyasarOptions = {
  secretKey: string;
  /** The secret token of the account's webhook. */
  webhookToken: string;
  /** Without a slash at the end. */
  baseUrl?: string;
  /**
   * URL to which Moyasar posts a paid invoice. The posted invoice has no secret, so the query gets a `token` of this
   * payment alone; the receiver puts it into the body as `secret_token` before it calls `parseNotification`.
   */
  callbackUrl: () => string;
  /** The page after the payment. */
  successUrl?: string;
  /** Milliseconds for one request. */
  timeout?: number;
};

const BASE_URL = 'https://api.moyasar.com/v1';
const TIMEOUT = 15_000;
/**
 * Pages that are searched for an invoice, newest first, should the filter by metadata have no effect. Older invoices
 * were never sent and expire by themselves.
 */
const MAX_PAGES = 10;

/** Statuses of payments that were charged, even if refunded later. */
const CHARGED: readonly unknown[] = ['paid', 'captured', 'refunded', 'voided'];
/** Statuses of invoices that were paid, even if refunded later. */
const SETTLED: readonly string[] = ['paid', 'refunded', 'voided'];
/**
 * Statuses of invoices that can still be paid. `failed` is of the last attempt: the customer may try again on the same
 * page until the invoice expires or is cancelled.
 */
const OPEN: readonly string[] = ['initiated', 'failed', 'on_hold'];
/**
 * Temporary refusals: time-outs and rate limits, and those of the account (key, rights, not yet active), which the
 * operator can correct. They must not fail a booking.
 */
const TRANSIENT: readonly number[] = [401, 403, 405, 408, 425, 429];

type Payment = {
  id: string;
  status: string;
  currency: string | null;
  /** Amounts are halalas. */
  amount: number;
  captured: number;
  refunded: number;
  at: Instant | null;
};
type Invoice = {
  id: string;
  status: string;
  /** Halalas. */
  amount: number;
  currency: string;
  url: string;
  createdAt: Instant;
  paymentId: string | null;
  /** Lists may leave them out. */
  payments: Payment[];
};

/** A request to Moyasar; returns the JSON of its answer. Throws GatewayError. */
type Ask = (method: Outgoing['method'], path: string, body?: object) => Promise<unknown>;

/** Payment links as invoices of Moyasar, over its REST API. */
export function moyasarGateway(options: MoyasarOptions): Gateway {
  const { secretKey, webhookToken, baseUrl = BASE_URL, timeout = TIMEOUT } = options;
  // An empty token would accept notifications with an empty one.
  if (secretKey === '' || webhookToken === '') throw new TypeError('the key and the token may not be empty');
  const authorization = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`;

  const ask: Ask = async (method, path, body) => {
    const { status, json } = await send({
      method,
      url: baseUrl + path,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      timeout,
    }).catch((error: unknown) => {
      throw new GatewayError('Moyasar gave no answer', true, error);
    });
    if (status < 200 || status > 299) throw new Refusal(status, json);
    return json;
  };

  return {
    name: 'moyasar',
    createLink: (request) => createLink(ask, options, request),
    findLink: async (paymentId) => {
      const known = await adoptInvoice(ask, paymentId, null);
      return known && { reference: known.id, url: known.url };
    },
    readStatus: async (reference) => statusOf(await fetchInvoice(ask, reference)),
    closeLink: (reference) => cancelInvoice(ask, reference),
    check: async () => {
      await ask('GET', '/invoices?page=1');
    },
    refund: (reference, paymentId, amount) => refund(ask, reference, paymentId, amount),
    parseNotification: (body) => parseNotification(webhookToken, body),
  };
}

async function fetchInvoice(ask: Ask, reference: string): Promise<Invoice> {
  return parseInvoice(await ask('GET', `/invoices/${pathOf(reference)}`));
}

/** Every invoice made for the payment, each once. */
async function findInvoices(ask: Ask, paymentId: string): Promise<Invoice[]> {
  const found = new Map<string, Invoice>();
  const filter = new URLSearchParams({ 'metadata[payment_id]': paymentId });
  for (let page: number | null = 1, read = 0; page !== null && read < MAX_PAGES; read++) {
    filter.set('page', String(page));
    const answer = await ask('GET', `/invoices?${filter}`);
    if (!isObject(answer) || !Array.isArray(answer.invoices)) throw strange('a list of invoices');
    for (const item of answer.invoices) {
      // The filter may have no effect, so each result is checked. Other invoices of the account
      // need not be readable to us. One that moved to the next page meanwhile comes twice.
      if (paymentIdOf(item) === paymentId) {
        const invoice = parseInvoice(item);
        found.set(invoice.id, invoice);
      }
    }
    const next: unknown = isObject(answer.meta) ? answer.meta.next_page : null;
    page = typeof next === 'number' && next > page ? next : null;
  }
  return [...found.values()];
}

/**
 * The payment's invoice (of that amount, unless null), or null. Its other invoices that could still be paid are
 * cancelled.
 */
async function adoptInvoice(ask: Ask, paymentId: string, halalas: number | null): Promise<Invoice | null> {
  const invoices = (await findInvoices(ask, paymentId)).sort(
    (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
  );
  const chosen =
    invoices.find(hasCharge) ??
    invoices.find(
      (invoice) => stateOf(invoice) === 'open' && invoice.amount === (halalas ?? invoice.amount),
    ) ??
    null;
  for (const invoice of invoices) {
    if (invoice !== chosen && stateOf(invoice) === 'open') await cancelInvoice(ask, invoice.id);
  }
  return chosen;
}

/** Throws when the invoice can still be paid afterwards, independent of the response to the cancellation. */
async function cancelInvoice(ask: Ask, reference: string): Promise<void> {
  const path = `/invoices/${pathOf(reference)}/cancel`;
  // Moyasar's own libraries use PUT, its reference documents GET.
  let refused = await refusalOf(ask('PUT', path));
  if (refused?.status === 404 || refused?.status === 405) refused = await refusalOf(ask('GET', path));
  const after = await fetchInvoice(ask, reference);
  if (stateOf(after) === 'open') {
    throw refused ?? new GatewayError('Moyasar has not cancelled the invoice', true);
  }
}

async function createLink(
  ask: Ask,
  { webhookToken, callbackUrl, successUrl }: MoyasarOptions,
  request: LinkRequest,
): Promise<GatewayLink> {
  const halalas = toHalalas(request.amount);
  const known = request.mayExist ? await adoptInvoice(ask, request.paymentId, halalas) : null;
  if (known !== null) return { reference: known.id, url: known.url };
  const callback = new URL(callbackUrl());
  callback.searchParams.set('token', callbackToken(webhookToken, request.paymentId));
  const made = parseInvoice(
    await ask('POST', '/invoices', {
      amount: halalas,
      currency: 'SAR',
      description: request.description,
      callback_url: callback.href,
      ...(successUrl !== undefined && { success_url: successUrl }),
      expired_at: toUtcIso(request.expiresAt),
      metadata: { payment_id: request.paymentId, booking_id: request.bookingId },
    }),
  );
  return { reference: made.id, url: made.url };
}

async function refund(ask: Ask, reference: string, paymentId: string, amount: string): Promise<void> {
  const { payments } = statusOf(await fetchInvoice(ask, reference));
  const payment = payments.find(({ reference: id }) => id === paymentId);
  if (payment === undefined) throw new GatewayError('the link has no such payment', false);
  const [wanted, refunded] = [toHalalas(amount), toHalalas(payment.refunded)];
  if (wanted > toHalalas(payment.charged))
    throw new GatewayError('more is to be given back than was paid', false);
  const missing = wanted - refunded;
  if (missing <= 0) return;
  const after = parsePayment(await ask('POST', `/payments/${pathOf(paymentId)}/refund`, { amount: missing }));
  if (after.refunded < wanted) throw strange('a payment that was given back');
}

/** References also come in notifications: only a plain word may become part of a path. */
const REFERENCE = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

function pathOf(reference: string): string {
  if (!REFERENCE.test(reference)) throw new GatewayError('not a reference of Moyasar', false);
  return reference;
}

class Refusal extends GatewayError {
  readonly status: number;

  constructor(status: number, json: unknown) {
    const said = isObject(json) ? [json.type, json.message].filter((part) => typeof part === 'string') : [];
    // The names of the fields, never their values.
    const fields = isObject(json) && isObject(json.errors) ? Object.keys(json.errors) : [];
    const isPermanent = status >= 400 && status < 500 && !TRANSIENT.includes(status);
    const text = [`Moyasar answered ${status}`, ...said, ...fields].join(', ').slice(0, 300);
    super(text, !isPermanent, undefined, status === 401 || status === 403);
    this.status = status;
  }
}

/** Returns the refusal of this request, or null when it succeeded; rethrows any other error. */
async function refusalOf(work: Promise<unknown>): Promise<Refusal | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof Refusal && (!error.temporary || error.status === 405)) return error;
    throw error;
  }
}

function strange(expected: string): GatewayError {
  return new GatewayError(`Moyasar's answer is not ${expected}`, true);
}

function instantOf(value: unknown): Instant | null {
  return typeof value === 'string' ? parseOffsetDateTime(value) : null;
}

function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Our id in the metadata that createLink wrote. */
function paymentIdOf(json: unknown): string | null {
  const metadata = isObject(json) ? json.metadata : null;
  return isObject(metadata) && typeof metadata.payment_id === 'string' ? metadata.payment_id : null;
}

function parsePayment(json: unknown): Payment {
  if (!isObject(json)) throw strange('a payment');
  const { id, status, currency, amount, captured, refunded } = json;
  if (typeof id !== 'string' || !REFERENCE.test(id) || typeof status !== 'string') throw strange('a payment');
  const amounts = { amount, captured: captured ?? 0, refunded: refunded ?? 0 };
  if (!isAmount(amounts.amount) || !isAmount(amounts.captured) || !isAmount(amounts.refunded))
    throw strange('a payment with its amounts');
  return {
    id,
    status,
    currency: typeof currency === 'string' ? currency.toUpperCase() : null,
    amount: amounts.amount,
    captured: amounts.captured,
    refunded: amounts.refunded,
    // Not updated_at: a refund changes it.
    at: instantOf(json.captured_at) ?? instantOf(json.created_at),
  };
}

function parseInvoice(json: unknown): Invoice {
  if (!isObject(json)) throw strange('an invoice');
  const { id, status, amount, currency, url, payments } = json;
  const createdAt = instantOf(json.created_at);
  if (typeof id !== 'string' || !REFERENCE.test(id) || typeof status !== 'string')
    throw strange('an invoice');
  if (!isAmount(amount) || typeof currency !== 'string' || createdAt === null) throw strange('an invoice');
  if (typeof url !== 'string' || !/^https?:\/\/\S+$/.test(url)) throw strange('an invoice with its URL');
  return {
    id,
    status,
    amount,
    currency: currency.toUpperCase(),
    url,
    createdAt,
    paymentId: paymentIdOf(json),
    payments: Array.isArray(payments) ? payments.map(parsePayment) : [],
  };
}

function gatewayPaymentOf(payment: Payment, { currency, createdAt }: Invoice): GatewayPayment {
  const isCharged = CHARGED.includes(payment.status);
  // A payment that is not authorized first has nothing captured.
  const charged = isCharged ? payment.captured || payment.amount : 0;
  // A voided payment is refunded as a whole, but its `refunded` is not set.
  const refunded = payment.status === 'voided' ? charged : payment.refunded;
  return {
    reference: payment.id,
    status: plainWord(payment.status),
    currency: plainWord(payment.currency ?? currency),
    amount: toSar(payment.amount),
    charged: toSar(charged),
    refunded: toSar(refunded),
    at: payment.at ?? createdAt,
  };
}

/** A word of the gateway, or 'unknown' when it is not a plain word. */
const plainWord = (text: string): string => (/^\w{1,40}$/.test(text) ? text : 'unknown');

/** An invoice can be cancelled and paid at once: its payments decide, if they are listed. */
function hasCharge({ status, payments }: Invoice): boolean {
  return SETTLED.includes(status) || payments.some((payment) => CHARGED.includes(payment.status));
}

/** Throws a temporary GatewayError on an unknown status. */
function stateOf(invoice: Invoice): GatewayStatus['state'] {
  if (OPEN.includes(invoice.status)) return 'open';
  if (invoice.status === 'canceled' || invoice.status === 'expired' || hasCharge(invoice)) return 'closed';
  throw strange(`an invoice in a known status (${invoice.status.slice(0, 40)})`);
}

function statusOf(invoice: Invoice): GatewayStatus {
  const state = stateOf(invoice);
  const payments = invoice.payments.map((payment) => gatewayPaymentOf(payment, invoice));
  if (SETTLED.includes(invoice.status) && !payments.some(({ charged }) => toHalalas(charged) > 0))
    throw strange('a paid invoice with its payments');
  payments.sort((a, b) => a.at - b.at || (a.reference < b.reference ? -1 : 1));
  return { reference: invoice.id, paymentId: invoice.paymentId, state, payments };
}

/** Shared with Moyasar. Seen in a URL, it can only cause another read of that payment's status. */
function callbackToken(webhookToken: string, paymentId: string): string {
  return createHmac('sha256', webhookToken).update(`callback:${paymentId}`).digest('base64url');
}

/** In constant time, for all lengths. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Either an event of a webhook (its `data` is a payment of the invoice) or a paid invoice itself. */
function parseNotification(webhookToken: string, body: unknown): Notification | 'forged' | 'other' {
  if (!isObject(body) || typeof body.secret_token !== 'string') return 'forged';
  const isEvent = isObject(body.data);
  const subject = isObject(body.data) ? body.data : body;
  const paymentId = paymentIdOf(subject);
  const genuine =
    isSame(body.secret_token, webhookToken) ||
    (!isEvent && paymentId !== null && isSame(body.secret_token, callbackToken(webhookToken, paymentId)));
  if (!genuine) return 'forged';
  const reference = isEvent ? subject.invoice_id : subject.id;
  // A payment without an invoice or a payout: the account may have other uses.
  if (typeof reference !== 'string' || !REFERENCE.test(reference)) return 'other';
  return { reference, paymentId };
}
