import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Writes openapi/postman_collection.json (collection format 2.1) from openapi/partner.json: one request for each
 * operation, in folders by tag, and before them a folder whose requests make a booking step by step. The folder of the
 * sandbox starts with its prerequisites, so that it can be run alone. test/postman.test.ts compares the file with the
 * document and sends all its requests to a real service.
 */
const DOCUMENT = fileURLToPath(new URL('../openapi/partner.json', import.meta.url));
const FILE = fileURLToPath(new URL('../openapi/postman_collection.json', import.meta.url));

type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: { examples?: unknown[]; default?: unknown; enum?: unknown[] };
};
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: [string];
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { example?: unknown } } };
};
type OpenApi = {
  info: { title: string; description: string };
  paths: Record<string, Record<string, Operation>>;
};

export type PostmanRequest = {
  name: string;
  request: {
    method: string;
    description: string;
    header: { key: string; value: string }[];
    url: {
      raw: string;
      host: string[];
      path: string[];
      variable?: { key: string; value: string }[];
      query?: { key: string; value: string; description?: string; disabled?: true }[];
    };
    body?: { mode: 'raw'; raw: string; options: { raw: { language: 'json' } } };
  };
  event?: { listen: 'prerequest' | 'test'; script: { type: 'text/javascript'; exec: string[] } }[];
};
export type PostmanFolder = { name: string; description?: string; item: PostmanRequest[] };
export type PostmanCollection = {
  info: { name: string; description: string; schema: string };
  auth: { type: 'apikey'; apikey: { key: string; value: string; type: 'string' }[] };
  variable: { key: string; value: string; description?: string }[];
  item: PostmanFolder[];
};

/** An id that does not exist: a request that lacks its prerequisite gets a 404 instead of a malformed id. */
const NOBODY = '00000000-0000-4000-8000-000000000000';

const VARIABLES: PostmanCollection['variable'] = [
  { key: 'baseUrl', value: 'http://127.0.0.1:3000/v1', description: 'Of the deployment, with /v1' },
  { key: 'apiKey', value: '', description: 'Set it here, as current value only: it is a secret' },
  {
    key: 'webhookUrl',
    value: 'https://hooks.example.com/bookings',
    description: 'Where a subscription delivers to',
  },
  { key: 'latitude', value: '24.7136', description: 'Of a place that the operator serves' },
  { key: 'longitude', value: '46.6753', description: 'Of the same place' },
  ...[
    'contactId',
    'addressId',
    'serviceId',
    'holdId',
    'bookingId',
    'reasonId',
    'subscriptionId',
    'deliveryId',
    'runId',
    'certificationId',
    'statementId',
    'seriesId',
  ].map((key) => ({ key, value: NOBODY, description: 'Taken from answers' })),
  { key: 'date', value: '', description: 'Tomorrow in Riyadh unless set' },
  { key: 'startAt', value: '09:00', description: 'Taken from the timeslots' },
  { key: 'endAt', value: '11:00', description: 'Taken from the timeslots' },
  { key: 'externalReference', value: '', description: 'Generated for each booking' },
  { key: 'since', value: '', description: 'A day ago' },
];

/** Fields of examples and parameters that get the variable of the same name. */
const FILLED = new Set(VARIABLES.map(({ key }) => key));
/** The same for names that are less specific than the variable's. */
const FILLED_AS: Record<string, Record<string, string>> = {
  from: { calendar: 'date' },
  to: { calendar: 'date' },
  id: {
    subscriptions: 'subscriptionId',
    deliveries: 'deliveryId',
    certifications: 'certificationId',
    holds: 'holdId',
  },
  url: { subscriptions: 'webhookUrl' },
  firstDate: { series: 'date' },
};

const FIRST_BOOKING = [
  'findOrCreateContact',
  'listServices',
  'listAvailableTimeslots',
  'createBooking',
  'getBookingStatus',
  'confirmPayment',
  'listCancellationReasons',
  'cancelBooking',
];

/** The first and last requests of the sandbox's folder, with names that show it. */
const SANDBOX = 'Sandbox';
const FOR_SANDBOX = 'For the sandbox: ';
const AGAIN = 'Again: ';
const BEFORE_SANDBOX = [
  'findOrCreateContact',
  'listServices',
  'listAvailableTimeslots',
  'createBooking',
  'createWebhookSubscription',
];
const AFTER_SANDBOX = ['removeWebhookSubscription'];
/** A certification needs these. */
const EVENTS = ['booking.updated', 'booking.cancelled', 'booking.appointment_status_changed'];

/** The order in which a folder, and the whole collection, can be run from top to bottom; others come last. */
const TAGS = [
  'Contacts',
  'Catalogue',
  'Timeslots',
  'Pricing',
  'Holds',
  'Bookings',
  'Series',
  'Events',
  'Webhooks',
  'Sandbox',
];
const ORDER = [
  'findOrCreateContact',
  'getContact',
  'updateContact',
  'updateAddress',
  'exportContact',
  'eraseContact',
  'createHold',
  'listOwnHolds',
  'getHold',
  'extendHold',
  'releaseHold',
  'createBooking',
  'listBookings',
  'getBookingStatus',
  'getBookingQuote',
  'updateBooking',
  'confirmPayment',
  'listCancellationReasons',
  'cancelBooking',
  'createSeries',
  'listSeries',
  'getSeries',
  'updateSeries',
  'skipSeriesVisit',
  'placeSeriesVisit',
  'pauseSeries',
  'endSeries',
  'createWebhookSubscription',
  'listWebhookSubscriptions',
  'getWebhookSubscription',
  'updateWebhookSubscription',
  'rotateWebhookSecret',
  'testWebhookSubscription',
  'recoverWebhookSubscription',
  'listWebhookDeliveries',
  'getWebhookDelivery',
  'retryWebhookDelivery',
  'replayWebhookDelivery',
  'removeWebhookSubscription',
  'advanceSandboxBooking',
  'startSandboxRun',
  'listSandboxRuns',
  'getSandboxRun',
  'stopSandboxRun',
  'setSandboxFault',
  'listSandboxFaults',
  'clearSandboxFaults',
  'startCertification',
  'getCertification',
];

const RIYADH = `const day = (ahead) => new Date(Date.now() + ahead * 864e5 + 3 * 36e5).toISOString().slice(0, 10);`;

const NEEDS_DATE = [
  RIYADH,
  "const date = pm.collectionVariables.get('date');",
  "if (!date || date < day(0)) pm.collectionVariables.set('date', day(1));",
];

/** Prerequisites of requests. */
const BEFORE: Record<string, string[]> = {
  listAvailableTimeslots: NEEDS_DATE,
  getTimeslotCalendar: NEEDS_DATE,
  createBooking: ["pm.collectionVariables.set('externalReference', 'ORDER-' + Date.now());"],
  createSeries: ["pm.collectionVariables.set('externalReference', 'WEEKLY-' + Date.now());"],
  recoverWebhookSubscription: [
    "pm.collectionVariables.set('since', new Date(Date.now() - 864e5).toISOString());",
  ],
};

/** Postman's sandbox already has a variable `data`. */
const ANSWER = ['const found = pm.response.json().data;', 'if (!found) return;'];
const keep = (variable: string, value: string): string =>
  `pm.collectionVariables.set('${variable}', ${value});`;

/** Values of responses that later requests need. */
const AFTER: Record<string, string[]> = {
  findOrCreateContact: [
    ...ANSWER,
    keep('contactId', 'found.id'),
    `if (found.addressId) ${keep('addressId', 'found.addressId')}`,
  ],
  listServices: [
    ...ANSWER,
    'const [service] = found.flatMap((category) => category.services);',
    `if (service) ${keep('serviceId', 'service.id')}`,
  ],
  listAvailableTimeslots: [
    ...ANSWER,
    'const [slot] = found.slots;',
    'if (slot) {',
    `  ${keep('startAt', 'slot.startAt')}`,
    `  ${keep('endAt', 'slot.endAt')}`,
    '  return;',
    '}',
    '// Nothing is free on that day: the next one, for two weeks at most.',
    RIYADH,
    'const next = new Date(Date.parse(found.date) + 864e5).toISOString().slice(0, 10);',
    'if (next > day(14)) return;',
    keep('date', 'next'),
    'pm.execution.setNextRequest(pm.info.requestName);',
  ],
  createHold: [...ANSWER, keep('holdId', 'found.holdId')],
  createBooking: [...ANSWER, keep('bookingId', 'found.bookingId')],
  listCancellationReasons: [...ANSWER, `if (found[0]) ${keep('reasonId', 'found[0].id')}`],
  createWebhookSubscription: [...ANSWER, keep('subscriptionId', 'found.id')],
  createSeries: [...ANSWER, keep('seriesId', 'found.seriesId')],
  listStatements: [...ANSWER, `if (found[0]) ${keep('statementId', 'found[0].id')}`],
  startSandboxRun: [...ANSWER, keep('runId', 'found.id')],
  startCertification: [...ANSWER, keep('certificationId', 'found.id')],
  listWebhookDeliveries: [
    ...ANSWER,
    "const delivery = found.find(({ status }) => status === 'DELIVERED') || found[0];",
    `if (delivery) ${keep('deliveryId', 'delivery.id')}`,
  ],
};

/** Marks a failed step of the first booking. */
const SUCCEEDS = ["pm.test('it succeeds', () => pm.response.to.have.status(200));"];

/** The name of the variable that fills a field, or null. */
function variableFor(name: string, path: string): string | null {
  const owner = path.split('/').findLast((part) => part in (FILLED_AS[name] ?? {}));
  const variable = FILLED_AS[name]?.[owner ?? ''] ?? name;
  return FILLED.has(variable) ? variable : null;
}

/** An example with variables for values of a deployment. */
function filled(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(item, path));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const variable = typeof member === 'string' ? variableFor(name, path) : null;
      return [name, variable === null ? filled(member, path) : `{{${variable}}}`];
    }),
  );
}

function requestOf(path: string, method: string, operation: Operation): PostmanRequest {
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  const sampleOf = ({ name, schema }: Parameter): string => {
    const variable = variableFor(name, path);
    return variable === null
      ? String(schema.examples?.[0] ?? schema.default ?? schema.enum?.[0] ?? '')
      : `{{${variable}}}`;
  };
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({
      key: parameter.name,
      value: sampleOf(parameter),
      ...(parameter.description !== undefined && { description: parameter.description }),
      // Of what may be sent instead of each other, the customer's address.
      ...(!parameter.required && parameter.name !== 'addressId' && { disabled: true as const }),
    }));
  const variable = parameters
    .filter((parameter) => parameter.in === 'path')
    .map((parameter) => ({ key: parameter.name, value: sampleOf(parameter) }));
  const postmanPath = path.replace(/\{(\w+)\}/g, ':$1');
  const asked = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  const example = requestBody?.content['application/json'].example;
  const events = [
    { listen: 'prerequest' as const, exec: BEFORE[operationId] },
    { listen: 'test' as const, exec: AFTER[operationId] },
  ].flatMap(({ listen, exec }) =>
    exec === undefined ? [] : [{ listen, script: { type: 'text/javascript' as const, exec } }],
  );
  return {
    name: summary,
    ...(events.length > 0 && { event: events }),
    request: {
      method: method.toUpperCase(),
      description: description ?? summary,
      header: example === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }],
      url: {
        raw: `{{baseUrl}}${postmanPath}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
        host: ['{{baseUrl}}'],
        path: postmanPath.split('/').slice(1),
        ...(variable.length > 0 && { variable }),
        ...(query.length > 0 && { query }),
      },
      ...(example !== undefined && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(filled(example, path), null, 2),
          options: { raw: { language: 'json' } },
        },
      }),
    },
  };
}

/** The same request as a step of a folder that is run from top to bottom. */
function stepOf(request: PostmanRequest): PostmanRequest {
  const [test] = request.event?.filter(({ listen }) => listen === 'test') ?? [];
  const others = request.event?.filter(({ listen }) => listen !== 'test') ?? [];
  const exec = [...SUCCEEDS, ...(test?.script.exec ?? [])];
  return {
    ...request,
    event: [...others, { listen: 'test', script: { type: 'text/javascript', exec } }],
  };
}

const named = (prefix: string, request: PostmanRequest): PostmanRequest => ({
  ...request,
  name: prefix + request.name[0]!.toLowerCase() + request.name.slice(1),
});

function forSandbox(request: PostmanRequest): PostmanRequest {
  const step = stepOf(named(FOR_SANDBOX, request));
  const { body } = step.request;
  if (body === undefined) return step;
  const value = JSON.parse(body.raw);
  if (!('events' in value)) return step;
  const raw = JSON.stringify({ ...value, events: EVENTS }, null, 2);
  return { ...step, request: { ...step.request, body: { ...body, raw } } };
}

const placeIn = (list: readonly string[], name: string): number => {
  const place = list.indexOf(name);
  return place === -1 ? list.length : place;
};

/** The collection of an OpenAPI document. */
export function postmanCollection({ info, paths }: OpenApi): PostmanCollection {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operation,
      request: requestOf(path, method, operation),
    })),
  );
  operations.sort(
    (a, b) => placeIn(ORDER, a.operation.operationId) - placeIn(ORDER, b.operation.operationId),
  );
  const tags = [...new Set(operations.map(({ operation }) => operation.tags[0]))];
  tags.sort((a, b) => placeIn(TAGS, a) - placeIn(TAGS, b));
  const requestFor = (id: string): PostmanRequest => {
    const found = operations.find(({ operation }) => operation.operationId === id);
    if (found === undefined) throw new Error(`openapi/partner.json has no operation ${id}`);
    return found.request;
  };
  const folderOf = (tag: string): PostmanFolder => {
    const item = operations
      .filter(({ operation }) => operation.tags[0] === tag)
      .map(({ request }) => request);
    // Requests of the next folders need a customer who is not erased.
    if (tag === 'Contacts') item.push(named(AGAIN, requestFor('findOrCreateContact')));
    if (tag !== SANDBOX) return { name: tag, item };
    return {
      name: tag,
      description:
        'Can be run by itself, from top to bottom: it books, and subscribes to webhooks at `webhookUrl`, whose host must be in an allowed webhook domain of the account.',
      item: [
        ...BEFORE_SANDBOX.map((id) => forSandbox(requestFor(id))),
        ...item.map(stepOf),
        ...AFTER_SANDBOX.map((id) => forSandbox(requestFor(id))),
      ],
    };
  };
  return {
    info: {
      name: info.title,
      description: `Set the variable \`apiKey\`, then run the folder "First booking", or all of it, from top to bottom.\n\n${info.description}`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'x-api-key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: VARIABLES,
    item: [
      {
        name: 'First booking',
        description:
          'A customer, a service, a timeslot, a booking, its payment and its end. Confirming the payment is for accounts that collect it themselves; others get PAYMENT_RESPONSIBILITY_MISMATCH.',
        // A run continues by names: each must be unique, or it would continue in another folder.
        item: FIRST_BOOKING.map((id, index) => {
          const step = stepOf(requestFor(id));
          return { ...step, name: `${index + 1}. ${step.name}` };
        }),
      },
      ...tags.map(folderOf),
    ],
  };
}

/** The text of openapi/postman_collection.json. */
export function postmanText(): string {
  const document: OpenApi = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  return `${JSON.stringify(postmanCollection(document), null, 2)}\n`;
}

if (import.meta.main) {
  writeFileSync(FILE, postmanText());
  console.log('openapi/postman_collection.json is written');
}
