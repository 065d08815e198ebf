import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import {
  createClient,
  PartnerBookingError,
  verifyWebhook,
  WebhookVerificationError,
} from 'partner-booking-sdk';
import { openOrders } from './orders.js';
import { openShop } from './shop.js';
import { subscribe } from './webhooks.js';

const {
  PARTNER_BOOKING_URL = 'http://127.0.0.1:3000/v1',
  PARTNER_BOOKING_KEY,
  PORT = '4000',
  DATA_FILE = 'partner-app.json',
  POLL_SECONDS = '30',
  WEBHOOK_URL,
  WEBHOOK_SECRET,
} = process.env;
if (!PARTNER_BOOKING_KEY) {
  console.error('PARTNER_BOOKING_KEY is not set: it is the API key of the partner');
  process.exit(1);
}

const page = readFileSync(new URL('page.html', import.meta.url));
const client = createClient({ apiKey: PARTNER_BOOKING_KEY, baseUrl: PARTNER_BOOKING_URL });
const shop = openShop(client, openOrders(DATA_FILE));
let secret = WEBHOOK_SECRET;

/** The API of the page. The API key stays in this process: a browser never sees it. */
const ROUTES = {
  'POST /api/customers': ({ body }) => shop.register(body),
  'GET /api/services': ({ query }) => shop.services(query.addressId),
  'GET /api/timeslots': ({ query: { addressId, serviceId, date } }) =>
    shop.timeslots({ addressId, serviceId, date }),
  'POST /api/holds': ({ body }) => shop.hold(body),
  'POST /api/holds/release': ({ body }) => shop.release(body.holdId),
  'GET /api/reasons': () => shop.reasons(),
  'GET /api/orders': () => shop.orders(),
  'POST /api/orders': ({ body }) => shop.order(body),
  'POST /api/orders/paid': ({ body }) => shop.markPaid(body.reference),
  'POST /api/orders/cancel': ({ body }) => shop.cancel(body.reference, body.reasonId),
};

async function readAll(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function answer(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Responds first and processes afterwards: a slow receiver gets the same delivery again. */
async function takeWebhook(request, response) {
  const body = await readAll(request);
  let event;
  try {
    if (secret) event = await verifyWebhook({ secret, headers: request.headers, body });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
  }
  response.writeHead(event ? 204 : 401).end();
  if (event) await shop.heard(event);
}

async function serve(request, response) {
  const url = new URL(request.url, 'http://localhost');
  if (request.method === 'GET' && url.pathname === '/') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    return;
  }
  if (request.method === 'POST' && url.pathname === '/hooks') return takeWebhook(request, response);

  const route = ROUTES[`${request.method} ${url.pathname}`];
  if (route === undefined) return answer(response, 404, { message: 'not found' });
  // A form of another site cannot send this type, so it cannot book in the name of a visitor.
  const json = request.headers['content-type'] === 'application/json';
  if (request.method === 'POST' && !json) return answer(response, 415, { message: 'JSON only' });
  try {
    const body = request.method === 'POST' ? JSON.parse((await readAll(request)).toString('utf8')) : null;
    answer(response, 200, await route({ query: Object.fromEntries(url.searchParams), body }));
  } catch (error) {
    if (!(error instanceof PartnerBookingError)) throw error;
    answer(response, error.status, { code: error.code, message: error.message, details: error.details });
  }
}

const report = (error) => console.error(error);

const server = createServer((request, response) => {
  serve(request, response).catch((error) => {
    report(error);
    if (!response.headersSent) answer(response, 502, { message: error.message });
  });
});

server.listen(Number(PORT), '127.0.0.1', async () => {
  const { port } = server.address();
  console.log(`shop on http://localhost:${port}`);
  const stopPolling = shop.startPolling(Number(POLL_SECONDS), report);
  process.on('SIGTERM', () => {
    stopPolling();
    server.close();
    server.closeIdleConnections();
  });
  if (WEBHOOK_URL === undefined) return;
  try {
    secret = await subscribe(client, WEBHOOK_URL);
    console.log(`webhooks come to ${WEBHOOK_URL}`);
  } catch (error) {
    report(error); // the shop works without it: the feed has the events too
  }
});
