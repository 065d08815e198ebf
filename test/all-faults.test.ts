import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { UPDATED_SINCE } from '../src/bookings/updated-since.ts';
import { hasRules } from '../src/http/validation.ts';
import { buildApp } from '../src/program/app.ts';
import { telephoneOf } from './crew-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { call, OPERATOR_TOKEN, startTestService, type TestService } from './harness.ts';
import { SETTINGS } from './statement-fixtures.ts';

test('errors of form and of rules are returned together', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const area = { type: 'Polygon', coordinates: [[[46, 24]]] };
  const shifts = [
    { weekday: 1, startAt: '08:00', endAt: '12:00' },
    { weekday: 1, startAt: '11:00', endAt: '13:00' },
  ];
  const faults = async (path: string, body: object): Promise<string[]> => {
    const answer = path.startsWith('/partners')
      ? await service.v1(world.key, 'POST', path, body)
      : await service.operator('POST', path, body);
    assert.equal(answer.status, 400, answer.text);
    return answer.body.error.details.message.sort();
  };
  assert.deepEqual(
    await faults('/partners/contacts', { phone: '1', name: 'N', latitude: 'x', longitude: '181' }),
    [
      'latitude must be a latitude string',
      'longitude must be a longitude string',
      'phone must be a valid phone number',
    ],
  );
  // A name in a message is one line of text.
  const [odd, long] = await faults('/partners/contacts', {
    phone: '+966501234567',
    name: 'Noura',
    'a\0b\ud800': 1,
    ['x'.repeat(5_000)]: 1,
  });
  assert.equal(odd, 'property a\ufffdb\ufffd should not exist');
  assert.match(long!, /^property x{900,}…$/);
  const customer = { phone: '+966501234567', name: 'Noura' };
  assert.deepEqual(await faults('/partners/contacts', { ...customer, '': 1 }), [
    'property "" should not exist',
  ]);
  // Named like the path of another invalid field.
  const booking = { contactId: world.contactId, addressId: world.addressId, serviceId: world.serviceId };
  assert.deepEqual(
    await faults('/partners/bookings', {
      ...booking,
      date: '2026-12-01',
      timeslot: { startAt: 9, endAt: '11:00' },
      'timeslot.startAt': '09:00',
    }),
    ['property timeslot.startAt should not exist', 'timeslot.startAt must be a string'],
  );
  // However many digits it has.
  for (const limit of ['101', '999999999999999999999', '9'.repeat(400)]) {
    const list = await service.v1(world.key, 'GET', `/partners/bookings?limit=${limit}&page=-${limit}`);
    assert.deepEqual(list.body.error.details.message.sort(), [
      'limit must not be greater than 100',
      'page must not be less than 1',
    ]);
  }
  assert.deepEqual(await faults('/teams', { name: '', shifts }), [
    'name should not be empty',
    'shifts must not overlap',
  ]);
  assert.deepEqual(await faults('/zones', { name: '', area, serviceIds: [] }), [
    'area.coordinates.0 must contain at least 4 positions',
    'name should not be empty',
  ]);
  const { categoryId } = world;
  assert.deepEqual(
    await faults('/services', { categoryId, name: '', durationMinutes: 60, defaultPrice: 1.005 }),
    ['defaultPrice must be a number with at most 2 decimal places', 'name should not be empty'],
  );
});

test('an error is reported in spite of deeply nested unknown values', async (t) => {
  const service = await startTestService(t);
  const { key } = await createWorld(service);
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  const cases: [path: string, body: string, message: string][] = [
    ['/v1/partners/contacts', `{"phone":"+966501234567","name":${deep}}`, 'name must be a string'],
    [
      '/v1/partners/contacts',
      `{"phone":"+966501234567","name":"Noura","more":${deep}}`,
      'property more should not exist',
    ],
    ['/v1/partners/bookings', `{"contactId":${deep}}`, 'contactId must be a UUID'],
    ['/operator/partners', `{"name":${deep}}`, 'name must be a string'],
  ];
  for (const [path, body, message] of cases) {
    const answer = await call(service.url, 'POST', path, body, {
      'content-type': 'application/json',
      'x-api-key': key,
      authorization: `Bearer ${service.operatorToken}`,
    });
    assert.equal(answer.status, 400, answer.text);
    assert.ok(answer.body.error.details.message.includes(message), answer.text);
  }
});

type Schema = {
  type?: string | string[];
  isLine?: boolean;
  enum?: unknown[];
  rule?: object;
  items?: Schema;
  properties?: Record<string, Schema>;
};
type Operation = {
  id: string;
  method: string;
  url: string;
  body: Schema | undefined;
  query: Schema | undefined;
  /** Whether it has rules beyond the form. */
  isRuled: boolean;
};
/** Values that are well-formed and break rules, with the messages of the rules; all other fields are mistyped. */
type Sample = { values: Record<string, unknown>; headers?: Record<string, string>; messages: string[] };

const ID = randomUUID();
const TWICE = [ID, ID.toUpperCase()];
const IN_YEARS = 'must be in the years 2000 to 2100';
const PRIVATE = 'url must not point to this machine or a private network';

const TEAM: Sample = {
  values: {
    zoneIds: [...TWICE, 5],
    serviceIds: TWICE,
    shifts: [
      { weekday: 1, startAt: '08:00', endAt: '12:00' },
      { weekday: 1, startAt: '11:00', endAt: '13:00' },
      { weekday: 9, startAt: '08:00:30', endAt: '9' },
    ],
  },
  messages: [
    "All serviceIds's elements must be unique",
    "All zoneIds's elements must be unique",
    'shifts must not overlap',
    'shifts.2.endAt must be a valid time (HH:MM or HH:MM:SS)',
    'shifts.2.startAt must be a whole minute (HH:MM)',
    'shifts.2.weekday must not be greater than 7',
    'zoneIds.2 must be a UUID',
  ],
};
const ZONE: Sample = {
  values: { serviceIds: TWICE, area: { type: 'Circle', coordinates: [[[46, 24]]] } },
  messages: [
    "All serviceIds's elements must be unique",
    'area.coordinates.0 must contain at least 4 positions',
    'area.type must be one of the following values: Polygon',
  ],
};
const SERVICE: Sample = {
  values: { defaultPrice: 1.005 },
  messages: ['defaultPrice must be a number with at most 2 decimal places'],
};
const TIER: Sample = {
  values: { minMinutes: 10, maxMinutes: 9, factor: 0.12345 },
  messages: ['factor must have at most 4 decimals', 'maxMinutes must not be less than minMinutes'],
};
const HOST = 'must be a bare host name (no scheme, port, path or wildcard)';
const PARTNER: Sample = {
  values: {
    paymentResponsibility: 'PLATFORM',
    allowedDomains: ['https://a.sa', 5],
    sandboxDomains: ['a.sa', '*.a.sa'],
    allowedWebhookDomains: ['a.sa/x'],
  },
  messages: [
    'allowedDomains.1 must be a string',
    `allowedDomains.0 ${HOST}`,
    `allowedWebhookDomains.0 ${HOST}`,
    'paymentResponsibility must be PARTNER while there is no payment gateway',
    `sandboxDomains.1 ${HOST}`,
  ],
};
const KEY: Sample = {
  values: { ipAllowlist: ['10.0.0.1', 'home', 5], expiresAt: '1999-12-31T00:00:00Z' },
  messages: [
    'expiresAt must be a date and time with offset in the years 2000 to 2100',
    'ipAllowlist.1 must be an IP address or a CIDR',
    'ipAllowlist.2 must be a string',
  ],
};
const EXPORT = {
  values: { month: '2026-13' },
  messages: ['month must be a month of the years 2000 to 2100, like 2026-11'],
};
const SUBSCRIPTION: Sample = { values: { url: 'https://10.0.0.1/in' }, messages: [PRIVATE] };
const RECOVER: Sample = { values: { since: '1999-12-31T00:00:00Z' }, messages: [`since ${IN_YEARS}`] };
const LIST: Sample = {
  values: { asOf: '3:2:1' },
  messages: ['asOf must be a value that a list returned'],
};
const FAULT: Sample = {
  values: { kind: 'lose', delaySeconds: 5 },
  messages: ['delaySeconds must be given with the kind delay only'],
};

const IF_MATCH: Required<Sample> = {
  values: {},
  headers: { 'if-match': 'three' },
  messages: ['If-Match must be an ETag that a response returned, such as "3"'],
};
const HOURS: Sample = {
  values: { from: '2026-12-01', to: '2027-02-01' },
  messages: ['to must be less than 62 days after from'],
};
const versioned = ({ values, messages }: Sample): Sample => ({
  ...IF_MATCH,
  values,
  messages: [...messages, ...IF_MATCH.messages],
});

const SLOT: Sample = {
  values: {
    date: '2026-12-01',
    timeslot: { startAt: '09:00', endAt: '11:00', endsAtNextDay: true, date: '2026-12-02T00:00:00.000Z' },
  },
  messages: [
    'timeslot.endsAtNextDay must be false: endAt is after startAt',
    'timeslot.date must be the same as date',
  ],
};

const TOKEN: Sample = {
  values: { expiresAt: '2101-01-01T00:00:00+03:00' },
  messages: ['expiresAt must be a date and time with offset in the years 2000 to 2100'],
};

const SCHEDULE: Sample = {
  values: { from: '2026-12-02', to: '2026-12-01', zoneIds: [ID], teamIds: [ID], weekly: [] },
  messages: [
    'zoneIds and teamIds must not be given together',
    'weekly must have a shift: closed says that there is none',
    'to must not be before from',
  ],
};

/** Samples of operations with rules; in others every field is mistyped. */
/** Of two moves of the same appointment, the second with an unknown field. */
const MOVE_MESSAGES = [
  'apply must name each appointment once',
  ...[0, 1].flatMap((row) => [
    `apply.${row}.version must be an integer number`,
    `apply.${row}.teamId must be a UUID`,
    `apply.${row}.date must be a valid ISO 8601 date string`,
    `apply.${row}.timeslot must be an object`,
  ]),
  'property apply.1.extra should not exist',
];

const FEE = {
  values: { maxFee: 1.005 },
  messages: ['maxFee must be a number with at most 2 decimal places'],
};

const SERIES: Sample = {
  values: { firstDate: '2026-12-06', until: '2026-12-01', visits: 3 },
  messages: ['until must not be sent with visits', 'until must not be before firstDate'],
};
const PAUSE: Sample = {
  values: { from: '2026-12-02', to: '2026-12-01', ...FEE.values },
  messages: ['to must not be before from', ...FEE.messages],
};
const CHANGED: Sample = {
  values: { updatedSince: 'yesterday' },
  messages: [`updatedSince ${UPDATED_SINCE.message}`],
};

const POLICY = {
  values: { cancel: [{ hoursBefore: 12, amount: 1.005 }] },
  messages: ['cancel.0.amount must be a number with at most 2 decimal places'],
};

const SHORT_ADDRESS = 'shortAddress must be four letters and four digits, such as RRRD2929';

const EITHER = ['latitude', 'longitude'].map((name) => `${name} must not be sent with addressId`);

const SAMPLES: Record<string, Sample> = {
  'v1 findOrCreateContact': {
    values: { latitude: '91', longitude: '181' },
    messages: ['latitude must be a latitude string', 'longitude must be a longitude string'],
  },
  'v1 updateAddress': { values: { shortAddress: 'RRR' }, messages: [SHORT_ADDRESS] },
  'operator updateCustomerAddress': { values: { shortAddress: 'RRR' }, messages: [SHORT_ADDRESS] },
  'operator correctBooking': IF_MATCH,
  'v1 createBooking': {
    values: SLOT.values,
    headers: { 'idempotency-key': 'two words', 'x-sandbox-run': 'dance' },
    messages: [
      'Idempotency-Key must be 1 to 255 visible ASCII characters',
      'X-Sandbox-Run must be a script, and how many seconds apart its steps are: complete; every=5',
      ...SLOT.messages,
    ],
  },
  'v1 createHold': {
    ...SLOT,
    headers: { 'idempotency-key': 'two words' },
    messages: [
      'Idempotency-Key must be 1 to 255 visible ASCII characters',
      'contactId must not be sent with latitude',
      ...EITHER,
      ...SLOT.messages,
    ],
  },
  'v1 extendHold': {
    values: { until: '1999-12-31T00:00:00Z' },
    messages: [`until ${IN_YEARS}`, 'seconds or until must be given, not both'],
  },
  'v1 updateBooking': {
    values: { ...SLOT.values, ...FEE.values },
    messages: [...SLOT.messages, ...FEE.messages],
  },
  'v1 cancelBooking': FEE,
  'v1 getBookingQuote': {
    values: { action: 'cancel', date: '2026-12-01' },
    messages: ['date is for action reschedule'],
  },
  'v1 calculatePrice': {
    values: { items: [{ serviceId: ID, hours: 1.01 }] },
    messages: ['items.0.hours must be a multiple of 0.25'],
  },
  'v1 listBookings': LIST,
  'portal listBookings': LIST,
  'v1 listEvents': { values: { after: 'x' }, messages: ['after must be a cursor that the feed returned'] },
  'v1 getTimeslotCalendar': {
    values: { from: '2026-12-01', to: '2027-01-01' },
    messages: ['to must be less than 31 days after from', ...EITHER],
  },
  'v1 exportBookings': EXPORT,
  'operator exportBookings': EXPORT,
  'operator createStatement': { ...EXPORT, values: { partnerId: ID, month: '2026-13' } },
  'operator listStatements': EXPORT,
  'operator saveStatementSettings': {
    values: { ...SETTINGS, vatRates: [{ from: '2026-01-01', percent: 15.001 }] },
    messages: ['vatRates.0.percent must be a number with at most 2 decimal places'],
  },
  ...Object.fromEntries(
    ['v1', 'portal', 'operator'].flatMap((side) => [
      ...(side === 'operator'
        ? []
        : [[`${side} createSeries`, SERIES] as const, [`${side} listSeries`, CHANGED] as const]),
      [`${side} pauseSeries`, PAUSE] as const,
      ...['updateSeries', 'skipSeriesVisit', 'endSeries'].map((id) => [`${side} ${id}`, FEE] as const),
    ]),
  ),
  'v1 findNextTimeslots': {
    values: { notBefore: '2101-01-01T00:00:00+03:00' },
    messages: [`notBefore ${IN_YEARS}`, ...EITHER],
  },
  'v1 getCoverage': {
    values: { latitude: '91', longitude: '1e1' },
    messages: ['latitude must be a latitude string', 'longitude must be a longitude string'],
  },
  'v1 createWebhookSubscription': SUBSCRIPTION,
  'v1 updateWebhookSubscription': SUBSCRIPTION,
  'v1 recoverWebhookSubscription': RECOVER,
  'v1 setSandboxFault': FAULT,
  'portal updateAddress': { values: { shortAddress: 'RRR' }, messages: [SHORT_ADDRESS] },
  'portal recoverSubscription': RECOVER,
  'portal setFault': FAULT,
  'portal signIn': { values: {}, messages: ['either link or key must be sent'] },
  'operator createPrivacyRequest': {
    values: { receivedAt: '2101-01-01T00:00:00+03:00' },
    messages: [`receivedAt ${IN_YEARS}`],
  },
  'operator refundPayment': {
    values: { amount: 1.001 },
    messages: ['amount must be a number with at most 2 decimal places'],
  },
  'operator createPartner': PARTNER,
  'operator updatePartner': PARTNER,
  'operator createKey': KEY,
  'operator updateKey': KEY,
  'operator putPartnerServices': {
    values: { services: [{ serviceId: 'x', price: 1.005 }, { serviceId: ID, price: -1 }, { serviceId: ID }] },
    messages: [
      'services.0.price must be an amount from 0 to 9999999999.99 with at most 2 decimals',
      'services.0.serviceId must be a UUID',
      'services.1.price must not be less than 0',
      'services.2.serviceId must not be listed twice',
    ],
  },
  'operator createCatalogueService': SERVICE,
  'operator updateCatalogueService': SERVICE,
  'operator createZone': ZONE,
  'operator updateZone': versioned(ZONE),
  'operator createTeam': TEAM,
  'operator updateTeam': versioned(TEAM),
  'operator updateAppointment': versioned(SLOT),
  'operator correctAppointment': IF_MATCH,
  'operator createToken': TOKEN,
  'operator updateToken': TOKEN,
  'operator openSession': {
    values: { token: 'x', pin: '407193' },
    messages: ['one of token, link with pin, pin, and pin with newPin must be sent'],
  },
  'operator createSchedule': SCHEDULE,
  'operator updateSchedule': versioned(SCHEDULE),
  'operator getTeamHours': HOURS,
  'operator getZoneHours': HOURS,
  'operator removeSchedule': IF_MATCH,
  'operator reassignAppointments': {
    values: {
      from: '2026-12-02T00:00:00Z',
      to: '2026-12-01T00:00:00Z',
      apply: [
        { appointmentId: ID },
        { appointmentId: ID.toUpperCase(), extra: 1 },
        { appointmentId: randomUUID(), version: 1, teamId: ID, ...SLOT.values },
      ],
    },
    messages: [
      'to must be after from',
      ...MOVE_MESSAGES,
      ...SLOT.messages.map((message) => `apply.2.${message}`),
    ],
  },
  'operator reassignChosen': {
    values: {
      appointmentIds: [ID, ID.toUpperCase()],
      apply: [{ appointmentId: ID }, { appointmentId: ID.toUpperCase(), extra: 1 }],
    },
    messages: ["All appointmentIds's elements must be unique", ...MOVE_MESSAGES],
  },
  'operator recordCall': {
    values: { answer: 'PERHAPS', startsAt: '1999-12-01T09:00:00+03:00' },
    messages: [
      'answer must be one of the following values: AGREED, DECLINED, NO_ANSWER, CALL_BACK',
      'startsAt must be in the years 2000 to 2100',
    ],
  },
  'operator reportDone': {
    values: {
      visits: [
        { appointmentId: ID, begin: '2026-12-01T11:00:00+03:00', end: '2026-12-01T11:00:00+03:00' },
        {
          appointmentId: ID.toUpperCase(),
          begin: '2026-12-01T11:00:00+03:00',
          end: '2026-12-01T12:00:00+03:00',
        },
      ],
    },
    messages: ["All visits's elements must be unique", 'visits.0.end must be after begin'],
  },
  'operator undoReassignments': {
    values: { apply: [{ appointmentId: ID }, { appointmentId: ID.toUpperCase(), extra: 1 }] },
    messages: MOVE_MESSAGES,
  },
  'operator delayTeam': {
    values: {
      minutes: 0,
      apply: [{ appointmentId: ID }, { appointmentId: ID.toUpperCase(), extra: 1 }],
    },
    messages: [
      'minutes must not be 0',
      'apply must name each appointment once',
      ...[0, 1].map((row) => `apply.${row}.version must be an integer number`),
      'property apply.1.extra should not exist',
    ],
  },
  'operator cancelBooking': IF_MATCH,
  'operator closeBooking': IF_MATCH,
  'operator recordOutcome': IF_MATCH,
  'operator waiveFees': versioned({
    values: { amount: 1.001 },
    messages: ['amount must be a number with at most 2 decimal places'],
  }),
  'operator failBooking': IF_MATCH,
  'operator createTimeOff': {
    values: { startsAt: '2026-12-02T00:00:00Z', endsAt: '2026-12-01T00:00:00Z' },
    messages: ['endsAt must be after startsAt'],
  },
  'operator listTimeOffOfTeams': {
    values: { from: '2026-12-02', to: '2026-12-01' },
    messages: ['to must not be before from'],
  },
  'operator getUtilisation': {
    values: { from: '2026-12-01', to: '2027-03-03' },
    messages: ['to must be less than 92 days after from'],
  },
  'operator getPunctuality': {
    values: { from: '2026-12-01', to: '2027-03-03' },
    messages: ['to must be less than 92 days after from'],
  },
  'crew takeCrewStep': { values: { to: 'Cannot Complete' }, messages: ['reason must be given'] },
  'operator createBookingForPartner': {
    values: {
      contactId: ID,
      addressId: 'x',
      contact: { phone: '1', latitude: '91', longitude: '0' },
      ...SLOT.values,
    },
    messages: [
      ...SLOT.messages,
      'contactId and addressId, or contact, must be given, and not both',
      'addressId must be a UUID',
      'contact.name should not be empty',
      'contact.phone must be a valid phone number',
    ],
  },
  'operator changeZones': {
    values: {
      zones: [
        { id: ID, area: { type: 'Polygon', coordinates: [[[46, 24]]] }, priority: 'x' },
        { id: ID.toUpperCase(), serviceIds: TWICE },
      ],
    },
    messages: [
      "All zones.1.serviceIds's elements must be unique",
      'zones.0.area.coordinates.0 must contain at least 4 positions',
      'zones.0.priority must be an integer number',
      'zones.1.id must not be listed twice',
    ],
  },
  'operator createPricingTier': TIER,
  'operator updatePricingTier': TIER,
  'operator revisitBooking': SLOT,
  'operator createPolicy': POLICY,
  'operator updatePolicy': POLICY,
  'operator explainAvailability': {
    values: { addressId: ID, lat: '91', lng: '1e1' },
    messages: [
      'addressId and lat, lng must not be given together',
      'lat must be a latitude string',
      'lng must be a longitude string',
    ],
  },
  'operator recoverSubscription': RECOVER,
};

/** Every operation that takes a body or a query with something in it. */
async function operationsOf(service: TestService): Promise<Operation[]> {
  const app = buildApp(service.deps, ['partner', 'operator']);
  const found: Operation[] = [];
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    const { operationId, body, querystring } = (schema ?? {}) as Record<string, Schema> & {
      operationId?: string;
    };
    if (operationId === undefined || method === 'HEAD') return;
    if ([body, querystring].every((part) => Object.keys(part?.properties ?? {}).length === 0)) return;
    found.push({
      id: `${url.split('/')[1]} ${operationId}`,
      method: String(method),
      url: url.replace(':index', '3').replaceAll(/:\w+/g, ID),
      body,
      query: querystring,
      isRuled:
        (config as { rules?: unknown } | undefined)?.rules !== undefined ||
        [body, querystring].some((part) => part !== undefined && (hasRules(part) || holdsRule(part))),
    });
  });
  await app.ready();
  await app.close();
  return found;
}

function holdsRule({ rule, items, properties = {} }: Schema): boolean {
  return (
    rule !== undefined ||
    (items !== undefined && holdsRule(items)) ||
    Object.values(properties).some(holdsRule)
  );
}

/** The sample's values, and for every other field one that its form refuses. */
function mistyped(part: Schema | undefined, values: Record<string, unknown>, isQuery: boolean) {
  const wrong = (schema: Schema): unknown => {
    if (isQuery) return '\0';
    return ['integer', 'number'].includes([schema.type].flat()[0] ?? '') ? 'x' : 5;
  };
  return Object.fromEntries(
    Object.entries(part?.properties ?? {}).map(([name, schema]) => [name, values[name] ?? wrong(schema)]),
  );
}

test('every operation returns the errors of all its fields and rules at once', async (t) => {
  const service = await startTestService(t, {
    sandboxClock: true,
    env: { PAYMENT_GATEWAY: 'none', IDEMPOTENCY: 'true' },
  });
  const { key } = await createWorld(service);
  const session = await call(service.url, 'POST', '/portal/api/sessions', { key });
  const { teamIds } = await createWorld(service);
  const telephone = { cookie: await telephoneOf(service, teamIds[0]!), origin: service.url };
  const operations = await operationsOf(service);
  const ruled = operations.filter(({ isRuled }) => isRuled).map(({ id }) => id);
  assert.deepEqual(Object.keys(SAMPLES).sort(), ruled.sort(), 'each operation with rules has its sample');

  for (const { id, method, url, body, query } of operations) {
    const { values = {}, headers = {}, messages = [] } = SAMPLES[id] ?? {};
    const search = new URLSearchParams(mistyped(query, values, true) as Record<string, string>);
    const isOperator = url.startsWith('/operator');
    const token = isOperator ? OPERATOR_TOKEN : session.body.data.token;
    const sent = body && mistyped(body, values, false);
    const answer = await call(
      isOperator ? service.operatorUrl! : service.url,
      method,
      `${url}?${search}`,
      sent,
      {
        'x-api-key': key,
        authorization: `Bearer ${token}`,
        ...(url.startsWith('/crew/') && telephone),
        ...headers,
      },
    );
    assert.equal(answer.status, 400, `${id}: ${answer.text}`);
    const told: string[] = answer.body.error.details.message;
    assert.deepEqual(
      messages.filter((message) => !told.includes(message)),
      [],
      `${id}: ${told.join('; ')}`,
    );
    // Every other field is reported, once, and nothing else.
    const fields = [body, query].flatMap((part) => Object.keys(part?.properties ?? {}));
    const others = fields.filter((name) => !(name in values));
    const rest = told
      .filter((message) => !messages.includes(message))
      .map((message) => message.split(' ')[0]);
    assert.deepEqual(rest.sort(), others.sort(), id);
  }
});

/** The paths of the fields that are names. */
function namesIn({ isLine, items, properties = {} }: Schema, path: string[] = []): string[][] {
  if (isLine) return [path];
  if (items !== undefined) return namesIn(items, [...path, '0']);
  return Object.entries(properties).flatMap(([name, schema]) => namesIn(schema, [...path, name]));
}

/** A body that has the value at the path, and nothing else. */
function bodyWith([name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  return name === '0' ? [bodyWith(rest, value)] : { [name]: bodyWith(rest, value) };
}

test('names are one line in one direction; marks and joiners are accepted, and blanks trimmed', async (t) => {
  const service = await startTestService(t, { sandboxClock: true });
  const { key } = await createWorld(service);
  const session = await call(service.url, 'POST', '/portal/api/sessions', { key });
  const fault = 'must not contain control characters, line breaks or bidirectional controls';
  // src/base/text.test.ts has all of them.
  const harmful = ['\u001b[2J', '\n', '\u202e', '\u2066'];
  const harmless = 'ن\u200c\u200d\u200e\u200f\u061c ـو🧹<b>';
  const names: string[] = [];
  for (const { id, method, url, body } of await operationsOf(service)) {
    for (const path of namesIn(body ?? {})) {
      const field = path.join('.');
      names.push(`${id} ${field}`);
      const faults = async (value: string): Promise<string[]> => {
        const base = url.startsWith('/operator') ? service.operatorUrl! : service.url;
        const token = url.startsWith('/portal') ? session.body.data.token : OPERATOR_TOKEN;
        const headers = { 'x-api-key': key, authorization: `Bearer ${token}` };
        const sent = bodyWith(path, value) as object;
        // Refused for another error at least, so that nothing is created.
        const { body: answer, text } = await call(base, method, url, { ...sent, unknown: 1 }, headers);
        assert.equal(answer.error?.code, 'VALIDATION_ERROR', text);
        return answer.error.details.message.filter((message: string) =>
          message.startsWith(`${field} must not contain`),
        );
      };
      for (const sign of harmful)
        assert.deepEqual(await faults(`a${sign}b`), [`${field} ${fault}`], `${id} ${JSON.stringify(sign)}`);
      assert.deepEqual(await faults(harmless), [], id);
      assert.deepEqual(await faults('\n Noura \t'), [], id);
    }
  }
  assert.deepEqual(names.sort(), [
    'operator changeZones zones.0.name',
    'operator changeZones zones.0.nameAr',
    'operator createBookingForPartner contact.name',
    'operator createCancellationReason nameAr',
    'operator createCancellationReason nameEn',
    'operator createCatalogueService name',
    'operator createCatalogueService nameAr',
    'operator createCatalogueService nameEn',
    'operator createCategory code',
    'operator createCategory nameAr',
    'operator createCategory nameEn',
    'operator createKey name',
    'operator createPartner name',
    'operator createPolicy nameAr',
    'operator createPolicy nameEn',
    'operator createSchedule nameAr',
    'operator createSchedule nameEn',
    'operator createTeam name',
    'operator createTeam nameAr',
    'operator createToken name',
    'operator createZone name',
    'operator createZone nameAr',
    'operator saveStatementAccount buyer.address.city',
    'operator saveStatementAccount buyer.address.district',
    'operator saveStatementAccount buyer.address.street',
    'operator saveStatementAccount buyer.legalNameAr',
    'operator saveStatementAccount buyer.legalNameEn',
    'operator saveStatementSettings seller.address.city',
    'operator saveStatementSettings seller.address.district',
    'operator saveStatementSettings seller.address.street',
    'operator saveStatementSettings seller.legalNameAr',
    'operator saveStatementSettings seller.legalNameEn',
    'operator updateCancellationReason nameAr',
    'operator updateCancellationReason nameEn',
    'operator updateCatalogueService name',
    'operator updateCatalogueService nameAr',
    'operator updateCatalogueService nameEn',
    'operator updateCategory code',
    'operator updateCategory nameAr',
    'operator updateCategory nameEn',
    'operator updateCustomer name',
    'operator updateKey name',
    'operator updatePartner name',
    'operator updatePolicy nameAr',
    'operator updatePolicy nameEn',
    'operator updateSchedule nameAr',
    'operator updateSchedule nameEn',
    'operator updateTeam name',
    'operator updateTeam nameAr',
    'operator updateToken name',
    'operator updateZone name',
    'operator updateZone nameAr',
    'portal updateContact name',
    'v1 findOrCreateContact name',
    'v1 updateContact name',
  ]);
});

test("the URL of a webhook is validated by its partner's settings, together with the events", async (t) => {
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: 'localhost:4000' } });
  const { key, partnerId } = await createWorld(service);
  const events = 'events must contain at least 1 elements';
  for (const [method, path] of [
    ['POST', '/partners/webhooks/subscriptions'],
    ['PATCH', `/partners/webhooks/subscriptions/${ID}`],
  ] as const) {
    const faults = async (url: string): Promise<string[]> => {
      const answer = await service.v1(key, method, path, { url, events: [] });
      assert.equal(answer.status, 400, answer.text);
      return answer.body.error.details.message.sort();
    };
    const requireHttps = (requireHttpsWebhooks: boolean) =>
      service.operator('PATCH', `/partners/${partnerId}`, { requireHttpsWebhooks });
    await requireHttps(true);
    assert.deepEqual(await faults('http://hooks.example.sa/'), [events, 'url must be an https URL']);
    assert.deepEqual(await faults('hooks.example.sa'), [events, 'url must be a valid URL']);
    assert.deepEqual(await faults('https://a:b@hooks.example.sa/'), [
      events,
      'url must not contain credentials',
    ]);
    assert.deepEqual(await faults('https://localhost:4001/'), [events, PRIVATE]);
    assert.deepEqual(await faults('http://localhost:4000/'), [events]);
    assert.deepEqual(await faults(`https://hooks.example.sa/${'a'.repeat(2048)}`), [
      events,
      'url must be shorter than or equal to 2048 characters',
    ]);
    assert.deepEqual(await faults(`https://hooks.example.sa/${'é'.repeat(400)}`), [
      events,
      'url must be shorter than or equal to 2048 characters',
    ]);
    await requireHttps(false);
    assert.deepEqual(await faults('http://hooks.example.sa/'), [events]);
    assert.deepEqual(await faults('ftp://hooks.example.sa/'), [events, 'url must be an http or https URL']);
  }
});
