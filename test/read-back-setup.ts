import { MINUTE } from '../src/base/clock.ts';
import { createPartner, squareAround } from './fixtures.ts';
import { made } from './openapi-context.ts';
import type { Any, Read } from './read-back.ts';
import {
  create,
  name,
  newService,
  oneOf,
  operator,
  type ReadContext,
  type Table,
} from './read-back-context.ts';

/** Requests of the operator about partners, catalogue, teams, schedules and access (test/read-back.test.ts). */

type Bodies = (c: ReadContext) => Promise<Any>[] | Any[];

/** The creation and the change of a resource, by bodies that differ in every field. */
function resource(path: string, [createId, updateId]: [string, string], bodies: Bodies): Table {
  const read = async (c: ReadContext, id: string): Promise<Read> => ({
    data: await operator(c, `${path}/${id}`),
  });
  return {
    async *[createId](c) {
      for (const body of bodies(c)) yield { path, body: await body, read: ({ id }) => read(c, id) };
    },
    async *[updateId](c) {
      const [first, ...others] = bodies(c);
      const { id } = await create(c, path, await first);
      for (const body of [...others, ...bodies(c)])
        yield { path: `${path}/${id}`, body: await body, read: () => read(c, id) };
    },
  };
}

const REASONS: Bodies = () => [
  { nameEn: name('One'), nameAr: name('واحد'), isActive: true, isCustomerFacing: false, sortOrder: 5 },
  { nameEn: name('Two'), nameAr: name('اثنان'), isActive: false, isCustomerFacing: true, sortOrder: 7 },
];

const CATEGORIES: Bodies = () => [
  {
    code: name('code'),
    nameEn: name('Category'),
    nameAr: name('فئة'),
    descriptionEn: name('Words'),
    descriptionAr: name('كلمات'),
    sortOrder: 3,
    isActive: false,
  },
  {
    code: name('code'),
    nameEn: name('Category'),
    nameAr: name('فئة'),
    descriptionEn: name('Words'),
    descriptionAr: name('كلمات'),
    sortOrder: 4,
    isActive: true,
  },
  { code: null, nameEn: name('Category'), nameAr: name('فئة') },
];

const COMING = [
  { from: '2027-01-01', price: 99.5 },
  { from: '2027-02-01', price: 0 },
];

const SERVICES: Bodies = ({ world, other }) => {
  const names = () => {
    const both = name('Service');
    return { name: both, nameEn: both, nameAr: name('خدمة') };
  };
  return [
    {
      ...names(),
      categoryId: world.categoryId,
      durationMinutes: 90,
      defaultPrice: 12.5,
      zeroPriceMeans: 'deferred',
      assignment: 'deferred',
      minimumNoticeMinutes: 15,
      bookingHorizonDays: 20,
      isActive: false,
      comingPrices: COMING,
    },
    {
      ...names(),
      categoryId: other.categoryId,
      durationMinutes: 60,
      defaultPrice: 13,
      zeroPriceMeans: 'free',
      assignment: 'instant',
      minimumNoticeMinutes: 25,
      bookingHorizonDays: 30,
      isActive: true,
    },
    { ...names(), nameAr: null, categoryId: world.categoryId, durationMinutes: 60, defaultPrice: 1 },
  ];
};

const TEAMS: Bodies = ({ world, other, serviceId }) => [
  {
    name: name('Crew'),
    nameAr: name('فريق'),
    phone: '+966501112233',
    zoneIds: [world.zoneId],
    homeZoneId: world.zoneId,
    serviceIds: [world.serviceId],
    travelBufferMinutes: 15,
    shifts: [{ weekday: 1, startAt: '08:00', endAt: '12:00' }],
    isActive: false,
  },
  {
    name: name('Crew'),
    nameAr: name('فريق'),
    phone: '+966112345678',
    zoneIds: [world.zoneId, other.zoneId].sort(),
    homeZoneId: other.zoneId,
    serviceIds: [serviceId],
    travelBufferMinutes: 45,
    shifts: [
      { weekday: 2, startAt: '09:00', endAt: '13:00' },
      { weekday: 4, startAt: '10:00', endAt: '14:00' },
    ],
    isActive: true,
  },
  { name: name('Crew'), nameAr: null, phone: null, homeZoneId: null, isActive: false },
];

const PARTNERS: Bodies = () => [
  {
    name: name('Homes'),
    status: 'SUSPENDED',
    paymentResponsibility: 'PLATFORM',
    rateLimitPerMinute: 60,
    maxHolds: 7,
    allowedDomains: ['one.sa'],
    sandboxDomains: ['sandbox.one.sa'],
    allowedWebhookDomains: ['hooks.one.sa'],
    requireHttpsWebhooks: false,
    language: 'ar',
    trackingPage: true,
    pageColour: '#0b6b46',
    contactTextEn: 'From 9 to 5',
    contactTextAr: 'من ٩ إلى ٥',
    contactNumber: '+966112345678',
    customerMessages: ['BOOKED', 'DONE'],
  },
  {
    name: name('Homes'),
    status: 'ACTIVE',
    paymentResponsibility: 'PARTNER',
    rateLimitPerMinute: 90,
    maxHolds: 8,
    allowedDomains: ['two.sa', 'three.sa'],
    sandboxDomains: ['sandbox.two.sa'],
    allowedWebhookDomains: ['hooks.two.sa'],
    requireHttpsWebhooks: true,
    language: 'en',
    trackingPage: false,
    pageColour: '#123456',
    contactTextEn: 'At any time',
    contactTextAr: 'في أي وقت',
    contactNumber: '920000000',
    customerMessages: ['ON_THE_WAY'],
  },
  {
    name: name('Homes'),
    rateLimitPerMinute: null,
    pageColour: null,
    contactTextEn: null,
    contactTextAr: null,
    contactNumber: null,
  },
];

const POLICIES: Bodies = (c) => {
  const [one, two] = [newService(c.service, c.world.categoryId), newService(c.service, c.world.categoryId)];
  const account = createPartner(c.service);
  return [
    (async () => ({
      nameEn: name('Policy'),
      nameAr: name('سياسة'),
      graceMinutes: 15,
      cancel: [
        { hoursBefore: 48, percent: 10 },
        { hoursBefore: 12, amount: 30 },
      ],
      reschedule: [{ hoursBefore: 24, percent: 20 }],
      afterStartPercent: 90,
      noShowPercent: 80,
      maxReschedules: 2,
      assignments: [{ partnerId: (await account).partnerId, serviceId: await one }],
    }))(),
    (async () => ({
      nameEn: name('Policy'),
      nameAr: name('سياسة'),
      graceMinutes: 25,
      cancel: [
        { hoursBefore: 36, amount: 40 },
        { hoursBefore: 6, percent: 15 },
      ],
      reschedule: [
        { hoursBefore: 30, amount: 5 },
        { hoursBefore: 3, amount: 6 },
      ],
      afterStartPercent: 70,
      noShowPercent: 60,
      maxReschedules: 3,
      assignments: [{ partnerId: (await createPartner(c.service)).partnerId, serviceId: await two }],
    }))(),
    (async () => ({
      nameEn: name('Policy'),
      nameAr: name('سياسة'),
      reschedule: [{ hoursBefore: 10, percent: 35 }],
      maxReschedules: null,
      assignments: [{ partnerId: (await createPartner(c.service)).partnerId, serviceId: null }],
    }))(),
    (async () => ({
      nameEn: name('Policy'),
      nameAr: name('سياسة'),
      assignments: [{ partnerId: null, serviceId: await newService(c.service, c.world.categoryId) }],
    }))(),
  ];
};

let tierRange = 0;
const nextTier = () => {
  tierRange += 10;
  return {
    minMinutes: tierRange,
    maxMinutes: tierRange + 5,
    factor: 1 + tierRange / 1_000,
    sorting: tierRange,
  };
};
const TIERS: Table = {
  async *createPricingTier(c) {
    const read = async ({ id }: Any): Promise<Read> => ({ data: await operator(c, `/pricing-tiers/${id}`) });
    yield { path: '/pricing-tiers', body: nextTier(), read };
    yield { path: '/pricing-tiers', body: nextTier(), read };
    const { id } = yield { path: '/pricing-tiers', body: { ...nextTier(), maxMinutes: null }, read };
    await made(c.service.operator('DELETE', `/pricing-tiers/${id}`));
  },
  async *updatePricingTier(c) {
    const { id } = await create(c, '/pricing-tiers', nextTier());
    for (const body of [nextTier(), nextTier(), { ...nextTier(), maxMinutes: null }])
      yield {
        path: `/pricing-tiers/${id}`,
        body,
        read: async () => ({ data: await operator(c, `/pricing-tiers/${id}`) }),
      };
    await made(c.service.operator('DELETE', `/pricing-tiers/${id}`));
  },
};

const SCHEDULES: Bodies = ({ world, other }) => [
  {
    nameEn: name('Days'),
    nameAr: name('أيام'),
    from: '2031-12-01',
    to: '2031-12-05',
    yearly: null,
    zoneIds: [world.zoneId],
    teamIds: null,
    closed: true,
    weekly: null,
    breaks: [{ weekdays: [5], startAt: '11:45', endAt: '13:00' }],
    priority: 3,
  },
  {
    nameEn: name('Days'),
    nameAr: name('أيام'),
    from: '2032-12-01',
    to: '2032-12-06',
    zoneIds: [other.zoneId],
    closed: false,
    weekly: [{ weekday: 2, startAt: '09:00', endAt: '12:00' }],
    breaks: [
      { weekdays: [1, 3], startAt: '10:00', endAt: '10:30' },
      { weekdays: [6], startAt: '14:00', endAt: '15:30' },
    ],
    priority: 4,
  },
  {
    nameEn: name('Year'),
    nameAr: name('سنة'),
    from: null,
    to: null,
    yearly: {
      calendar: 'gregorian',
      month: 9,
      day: 23,
      days: 1,
      shifts: [{ year: 2035, days: 1 }],
    },
    zoneIds: null,
    teamIds: [other.teamIds[0]],
    closed: false,
    weekly: [{ weekday: 4, startAt: '10:00', endAt: '13:00' }],
    breaks: [],
    priority: -7,
  },
  {
    nameEn: name('Year'),
    nameAr: name('سنة'),
    yearly: {
      calendar: 'islamic-umalqura',
      month: 10,
      day: 2,
      days: 3,
      shifts: [
        { year: 1458, days: -1 },
        { year: 1460, days: 2 },
      ],
    },
    zoneIds: null,
    teamIds: [other.teamIds[1]],
    breaks: [{ startAt: '12:00', endAt: '13:00' }],
  },
];
/** The response to a change names its effects beside the schedule. */
const SCHEDULE_WRITES: Table = {
  async *createSchedule(c) {
    for (const body of SCHEDULES(c))
      yield { path: '/schedules', body, read: ({ schedule }) => readSchedule(c, schedule.id) };
  },
  async *updateSchedule(c) {
    const { schedule } = await create(c, '/schedules', SCHEDULES(c)[0]);
    const [first, second, third, last] = SCHEDULES(c);
    const dates = { from: null, to: null };
    for (const body of [second, { ...third }, { ...last, ...dates }, first])
      yield { path: `/schedules/${schedule.id}`, body, read: () => readSchedule(c, schedule.id) };
  },
};
async function readSchedule(c: ReadContext, id: string): Promise<Read> {
  const schedule = await operator(c, `/schedules/${id}`);
  return { data: { schedule }, shown: schedule };
}

let squares = 0;
const newArea = () => squareAround(21, 40 + ++squares * 0.3);
const zoneBody = (area: unknown, number: number, serviceIds: string[]) => ({
  name: name('Area'),
  nameAr: number === 0 ? null : name('منطقة'),
  area,
  serviceIds,
  slotGridMinutes: 15 * (number + 1),
  priority: number,
  isActive: number % 2 === 0,
});
const zoneRead = async (c: ReadContext, id: string): Promise<Read> => {
  const data = await operator(c, `/zones/${id}`);
  return { data, shown: { ...data, confirmOverlap: data.confirmedOverlaps.length > 0 } };
};
/** Bodies of a zone; the last overlaps another one, which is wanted. */
async function zoneBodies(c: ReadContext): Promise<Any[]> {
  const area = newArea();
  await create(c, '/zones', { name: name('Area'), area, priority: 4 });
  return [
    { ...zoneBody(newArea(), 1, [c.serviceId]), confirmOverlap: false },
    { ...zoneBody(newArea(), 0, [c.world.serviceId]), confirmOverlap: false },
    { ...zoneBody(newArea(), 3, []), confirmOverlap: false },
    { ...zoneBody(area, 4, [c.serviceId]), confirmOverlap: true },
  ];
}
const ZONES: Table = {
  async *createZone(c) {
    for (const body of await zoneBodies(c)) yield { path: '/zones', body, read: ({ id }) => zoneRead(c, id) };
  },
  async *updateZone(c) {
    const { id } = await create(c, '/zones', { name: name('Area'), area: newArea() });
    for (const body of await zoneBodies(c)) yield { path: `/zones/${id}`, body, read: () => zoneRead(c, id) };
  },
  async *changeZones(c) {
    const ids: string[] = [];
    for (const _ of [1, 2]) ids.push((await create(c, '/zones', { name: name('Area'), area: newArea() })).id);
    const bodies = await zoneBodies(c);
    for (const [index, { confirmOverlap, ...fields }] of bodies.entries()) {
      const id = ids[index % 2]!;
      const { version } = await operator(c, `/zones/${id}`);
      yield {
        path: '/zones/changes',
        body: { zones: [{ id, version, ...fields }], confirmOverlap },
        read: async () => {
          const { data, shown } = await zoneRead(c, id);
          return { data: { zones: [data] }, shown: { zones: [data], confirmOverlap: shown.confirmOverlap } };
        },
      };
    }
  },
};

const TOKENS: Table = {
  async *createToken(c) {
    for (const [index, role] of ['viewer', 'dispatcher', 'admin'].entries())
      yield {
        path: '/tokens',
        body: {
          name: name('Desk'),
          role,
          expiresAt: index === 0 ? null : `2030-0${index}-01T00:00:00+03:00`,
        },
        read: async ({ id }) => ({ data: oneOf(await operator(c, '/tokens?limit=100'), id) }),
      };
  },
  async *updateToken(c) {
    const { id } = await create(c, '/tokens', { name: name('Desk'), role: 'viewer' });
    for (const body of [
      { name: name('Desk'), expiresAt: '2030-01-01T00:00:00+03:00', status: 'ACTIVE' },
      { name: name('Desk'), role: 'admin', expiresAt: '2031-01-01T00:00:00+03:00' },
      { role: 'dispatcher' },
      { expiresAt: null, status: 'REVOKED' },
    ])
      yield {
        path: `/tokens/${id}`,
        body,
        read: async () => ({ data: oneOf(await operator(c, '/tokens?limit=100'), id) }),
      };
  },
};

const keyOf = async (c: ReadContext, id: string) =>
  oneOf(await operator(c, `/partners/${c.other.partnerId}/keys?limit=100`), id);
const KEY_BODIES = () => [
  {
    name: name('Server'),
    permissions: ['partner_bookings_read'],
    ipAllowlist: ['203.0.113.7/32'],
    expiresAt: '2030-01-01T00:00:00+03:00',
  },
  {
    name: name('Server'),
    permissions: ['partner_bookings_create', 'partner_bookings_update'],
    ipAllowlist: ['2001:db8::/32', '198.51.100.0/24'],
    expiresAt: '2031-01-01T00:00:00+03:00',
  },
  { name: name('Server'), permissions: ['partner_bookings_read'], expiresAt: null },
];
const LINKS_AND_KEYS: Table = {
  async *createKey(c) {
    for (const body of KEY_BODIES())
      yield {
        path: `/partners/${c.other.partnerId}/keys`,
        body,
        read: async ({ id }) => ({ data: await keyOf(c, id) }),
      };
  },
  async *updateKey(c) {
    const [first] = KEY_BODIES();
    const { id } = await create(c, `/partners/${c.other.partnerId}/keys`, first);
    for (const [index, body] of KEY_BODIES().toReversed().entries())
      yield {
        path: `/keys/${id}`,
        body: { ...body, status: index === 2 ? 'REVOKED' : 'ACTIVE' },
        read: async () => ({ data: await keyOf(c, id) }),
      };
  },
  async *rotateKey(c) {
    const [first] = KEY_BODIES();
    const { id } = await create(c, `/partners/${c.other.partnerId}/keys`, first);
    for (const overlapMinutes of [5, 10])
      yield {
        path: `/keys/${id}/rotate`,
        body: { overlapMinutes },
        read: async () => {
          const data = await keyOf(c, id);
          const left = Date.parse(data.previousExpiresAt) - c.service.clock.now();
          return { data, shown: { overlapMinutes: left / MINUTE } };
        },
      };
  },
  async *createPortalLink(c) {
    const path = `/partners/${c.other.partnerId}/portal-links`;
    for (const body of [
      { expiresInSeconds: 120, readOnly: true },
      { expiresInSeconds: 7_200, readOnly: false },
    ])
      yield {
        path,
        body,
        read: async ({ id }) => {
          const data = oneOf(await operator(c, path), id);
          const seconds = (Date.parse(data.expiresAt) - Date.parse(data.createdAt)) / 1_000;
          return { data, shown: { ...data, expiresInSeconds: seconds } };
        },
      };
  },
  async *createCrewLink(c) {
    const path = `/teams/${c.other.teamIds[0]}/crew-links`;
    for (const body of [{ lasts: 'DAY', pin: '4711' }, { lasts: 'UNTIL_REVOKED' }])
      yield {
        path,
        body,
        read: async ({ id }) => {
          const data = oneOf(await operator(c, path), id);
          return { data, shown: { lasts: data.expiresAt === null ? 'UNTIL_REVOKED' : 'DAY' } };
        },
      };
  },
};

const ACCOUNTS: Table = {
  async *putPartnerServices(c) {
    const { partnerId } = await createPartner(c.service);
    const path = `/partners/${partnerId}/services`;
    const [one, two] = [c.world.serviceId, c.serviceId].sort();
    for (const body of [
      { restricted: true, services: [{ serviceId: one, price: 120.5, comingPrices: COMING }] },
      {
        restricted: false,
        services: [
          { serviceId: one, price: null, comingPrices: [{ from: '2027-03-01', price: null }] },
          { serviceId: two, price: 99, comingPrices: [] },
        ],
      },
    ]) {
      const { version } = await operator(c, path);
      const read = async () => {
        const data = await operator(c, path);
        const services = data.services.toSorted((a: Any, b: Any) => (a.serviceId < b.serviceId ? -1 : 1));
        return { data, shown: { ...data, services } };
      };
      yield { path, body: { version, ...body }, read };
    }
  },
};

export const SETUP_WRITES: Table = {
  ...resource('/cancellation-reasons', ['createCancellationReason', 'updateCancellationReason'], REASONS),
  ...resource('/categories', ['createCategory', 'updateCategory'], CATEGORIES),
  ...resource('/services', ['createCatalogueService', 'updateCatalogueService'], SERVICES),
  ...resource('/teams', ['createTeam', 'updateTeam'], TEAMS),
  ...resource('/partners', ['createPartner', 'updatePartner'], PARTNERS),
  ...resource('/policies', ['createPolicy', 'updatePolicy'], POLICIES),
  ...TIERS,
  ...SCHEDULE_WRITES,
  ...ZONES,
  ...TOKENS,
  ...LINKS_AND_KEYS,
  ...ACCOUNTS,

  async *advanceClock(c) {
    const offset = async (): Promise<number> =>
      ((await made(c.clocked.operator('GET', '/clock'))) as Any).offsetSeconds;
    for (const seconds of [60, 3_600]) {
      const before = await offset();
      const read = async () => ({ data: {}, shown: { seconds: (await offset()) - before } });
      yield { path: '/clock/advance', body: { seconds }, read };
    }
  },
};
