import { addTeam } from './availability/admin.ts';
import type { PlanBook } from './availability/plan.ts';
import { availableSlots } from './availability/slots.ts';
import type { CreateBookingInput } from './bookings/create.ts';
import { addReason } from './bookings/reasons.ts';
import { hasReasons } from './bookings/reasons-queries.ts';
import type { CreateReason } from './bookings/reasons-schema.ts';
import { addCategory } from './catalogue/admin-categories.ts';
import { hasAnyData, lockCatalogue } from './catalogue/admin-queries.ts';
import type { CreateCategory, CreateService } from './catalogue/admin-schema.ts';
import { addService } from './catalogue/admin-services.ts';
import { addZone } from './catalogue/admin-zones.ts';
import { addTier } from './catalogue/pricing.ts';
import { hasTiers } from './catalogue/pricing-queries.ts';
import type { CreateTier } from './catalogue/pricing-schema.ts';
import { offeredServices } from './catalogue/services.ts';
import { addDays, dateOf, type Instant } from './clock.ts';
import { findOrCreateContact } from './contacts/contacts.ts';
import {
  findPartnerByName,
  insertKey,
  insertPartner,
  type PaymentResponsibility,
  replacePartnerServices,
} from './partners/queries.ts';
import { createKey, PERMISSIONS } from './partners/rules.ts';
import { keyView, partnerServicesView, partnerView } from './partners/view.ts';
import { audit } from './platform/audit.ts';
import type { Db, Tx } from './platform/db.ts';
import { toDecimal } from './platform/money.ts';

/** Plain-text keys of the two demo partners; they can be shown only when they are made. */
export type DemoKeys = { partner: string; platform: string };

type Deployment = 'sandbox' | 'production';

const ACTOR = 'seed:demo';

/**
 * Fills an empty database with the demo data of Riyadh, in one transaction, and answers the keys of the two
 * demo partners. Null, and nothing done: there is a partner, category, zone, team, cancellation reason or
 * pricing tier already.
 */
export function seedDemo(db: Db, now: Instant, deployment: Deployment): Promise<DemoKeys | null> {
  return db.transaction(async (tx) => {
    // Of processes that start together on one database, only the first finds it empty.
    await lockCatalogue(tx);
    if ((await hasAnyData(tx)) || (await hasReasons(tx)) || (await hasTiers(tx))) return null;
    await inTurn(REASONS, (reason, index) =>
      addReason(tx, now, ACTOR, { ...reason, sortOrder: (index + 1) * 10 }),
    );
    await inTurn(TIERS, (tier, index) => addTier(tx, now, ACTOR, { ...tier, sorting: (index + 1) * 10 }));
    const services = await seedCatalogue(tx, now);
    const zones = await seedZones(tx, now, services);
    await seedTeams(tx, now, services, zones);
    return {
      partner: await seedPartner(tx, now, deployment, services, PARTNERS.partner),
      platform: await seedPartner(tx, now, deployment, services, PARTNERS.platform),
    };
  });
}

/** A customer in the middle of the centre zone. */
const CUSTOMER = {
  phone: '+966500000001',
  name: 'Demo Customer',
  latitude: '24.7136',
  longitude: '46.6753',
};
const DAYS_AHEAD = 14;

/**
 * The body of a booking that the demo partner of the PARTNER kind could make now: the next free slot of its
 * first service for a demo customer, who is registered if need be. Null: nothing is free, or there is no demo.
 */
export async function demoBooking(db: Db, plans: PlanBook, now: Instant): Promise<CreateBookingInput | null> {
  const partner = await findPartnerByName(db, PARTNERS.partner.name);
  if (partner === null) return null;
  const contact = await findOrCreateContact(db, now, partner, CUSTOMER);
  const addressId = contact.address_id!;
  const { rows } = await offeredServices(db, partner.id, addressId, { limit: 1, offset: 0 });
  const serviceId = rows[0]?.services[0]?.id;
  if (serviceId === undefined) return null;
  for (let day = 1; day <= DAYS_AHEAD; day++) {
    const date = addDays(dateOf(now), day);
    const [timeslot] = await availableSlots(db, plans, now, {
      partnerId: partner.id,
      addressId,
      serviceId,
      date,
    });
    if (timeslot) return { contactId: contact.id, addressId, serviceId, date, timeslot };
  }
  return null;
}

// ---------------------------------------------------------------------------
// Catalogue

const CATEGORIES = {
  home: {
    code: 'home-cleaning',
    nameEn: 'Home cleaning',
    nameAr: 'تنظيف المنازل',
    descriptionEn: 'Regular cleaning of your home by the hour, with our own tools and materials',
    descriptionAr: 'تنظيف دوري لمنزلك بالساعة، مع أدواتنا ومواد التنظيف',
  },
  deep: {
    code: 'deep-cleaning',
    nameEn: 'Deep cleaning',
    nameAr: 'التنظيف العميق',
    descriptionEn: 'Every corner from top to bottom: kitchens, bathrooms, floors and windows',
    descriptionAr: 'كل زاوية من الأعلى إلى الأسفل: المطابخ ودورات المياه والأرضيات والنوافذ',
  },
  furnishings: {
    code: 'furnishings',
    nameEn: 'Sofas, carpets and mattresses',
    nameAr: 'الكنب والسجاد والمراتب',
    descriptionEn: 'Steam cleaning and stain removal at your home',
    descriptionAr: 'تنظيف بالبخار وإزالة البقع في منزلك',
  },
  moving: {
    code: 'moving-and-building',
    nameEn: 'Moving and building',
    nameAr: 'الانتقال وما بعد البناء',
    descriptionEn: 'Before you move in, after you move out, and after the builders have left',
    descriptionAr: 'قبل السكن وبعد الإخلاء وبعد انتهاء أعمال البناء',
  },
} satisfies Record<string, CreateCategory>;

type CategoryKey = keyof typeof CATEGORIES;
type ServiceSeed = Omit<CreateService, 'categoryId'> & { category: CategoryKey };

const service = (
  category: CategoryKey,
  name: string,
  durationMinutes: number,
  defaultPrice: number,
  settings: Partial<ServiceSeed> = {},
): ServiceSeed => ({ category, name, durationMinutes, defaultPrice, ...settings });

const SERVICES = {
  home2: service('home', 'Home cleaning, 2 hours', 120, 99),
  home3: service('home', 'Home cleaning, 3 hours', 180, 139),
  home4: service('home', 'Home cleaning, 4 hours', 240, 179),
  kitchen: service('deep', 'Deep cleaning, kitchen', 180, 299),
  apartment: service('deep', 'Deep cleaning, apartment', 240, 449, { minimumNoticeMinutes: 240 }),
  villa: service('deep', 'Deep cleaning, villa', 360, 899, { minimumNoticeMinutes: 240 }),
  sofa: service('furnishings', 'Sofa cleaning', 120, 199),
  carpet: service('furnishings', 'Carpet cleaning', 90, 149.5),
  mattress: service('furnishings', 'Mattress cleaning', 60, 119),
  visit: service('moving', 'Inspection visit', 60, 0),
  moveOut: service('moving', 'Move-out cleaning, billed afterwards', 300, 0, { zeroPriceMeans: 'deferred' }),
  building: service('moving', 'Cleaning after building work', 360, 1200, {
    assignment: 'deferred',
    minimumNoticeMinutes: 1440,
    bookingHorizonDays: 90,
  }),
} satisfies Record<string, ServiceSeed>;

type ServiceKey = keyof typeof SERVICES;
type Ids<Key extends string> = Record<Key, string>;

async function seedCatalogue(tx: Tx, now: Instant): Promise<Ids<ServiceKey>> {
  const categories = await inTurn(CATEGORIES, (category, index) =>
    addCategory(tx, now, ACTOR, { ...category, sortOrder: (index + 1) * 10 }),
  );
  return inTurn<ServiceKey, ServiceSeed>(SERVICES, ({ category, ...fields }) =>
    addService(tx, now, ACTOR, { ...fields, categoryId: categories[category] }),
  );
}

// ---------------------------------------------------------------------------
// Cancellation reasons and pricing tiers

const REASONS = {
  changedMind: { nameEn: 'Customer changed their mind', nameAr: 'غيّر العميل رأيه' },
  anotherTime: { nameEn: 'Another time suits better', nameAr: 'موعد آخر أنسب' },
  mistake: { nameEn: 'Booked by mistake', nameAr: 'تم الحجز بالخطأ' },
  nobodyHome: { nameEn: 'Nobody will be at home', nameAr: 'لن يكون أحد في المنزل' },
  otherProvider: { nameEn: 'Found another provider', nameAr: 'تم اختيار مزود خدمة آخر' },
} satisfies Record<string, CreateReason>;

const TIERS = {
  short: { minMinutes: 60, maxMinutes: 179, factor: 1 },
  medium: { minMinutes: 180, maxMinutes: 299, factor: 0.95 },
  long: { minMinutes: 300, maxMinutes: null, factor: 0.9 },
} satisfies Record<string, CreateTier>;

// ---------------------------------------------------------------------------
// Zones: the centre inside the ring roads, and around it the four quarters of the city out to the suburbs

/** Longitude, latitude; corners that zones share, clockwise from the north-west of the centre. */
const CORNERS = {
  kingKhalidRoad: [46.61, 24.75],
  northernRingRoad: [46.66, 24.762],
  granada: [46.735, 24.756],
  khurais: [46.77, 24.7],
  easternRingRoad: [46.765, 24.63],
  southernRingRoad: [46.71, 24.605],
  dirabRoad: [46.65, 24.625],
  irqah: [46.62, 24.68],
  northWest: [46.48, 24.95],
  north: [46.68, 24.99],
  northEast: [46.92, 24.96],
  east: [47, 24.72],
  southEast: [46.95, 24.47],
  south: [46.72, 24.42],
  southWest: [46.48, 24.45],
  west: [46.42, 24.68],
} satisfies Record<string, [number, number]>;

type Corner = keyof typeof CORNERS;
type ZoneKey = 'centre' | 'north' | 'east' | 'south' | 'west';

const EVERYTHING = Object.keys(SERVICES) as ServiceKey[];
const NO_BUILDING = EVERYTHING.filter((key) => key !== 'building');

const ZONES: Record<ZoneKey, { name: string; corners: Corner[]; services: ServiceKey[] }> = {
  centre: {
    name: 'Riyadh Centre',
    corners: [
      'kingKhalidRoad',
      'northernRingRoad',
      'granada',
      'khurais',
      'easternRingRoad',
      'southernRingRoad',
      'dirabRoad',
      'irqah',
    ],
    services: EVERYTHING,
  },
  north: {
    name: 'Riyadh North',
    corners: ['kingKhalidRoad', 'northWest', 'north', 'northEast', 'granada', 'northernRingRoad'],
    services: EVERYTHING,
  },
  east: {
    name: 'Riyadh East',
    corners: ['granada', 'northEast', 'east', 'southEast', 'easternRingRoad', 'khurais'],
    services: EVERYTHING,
  },
  south: {
    name: 'Riyadh South',
    corners: ['easternRingRoad', 'southEast', 'south', 'southWest', 'dirabRoad', 'southernRingRoad'],
    services: NO_BUILDING,
  },
  west: {
    name: 'Riyadh West',
    corners: ['dirabRoad', 'southWest', 'west', 'northWest', 'kingKhalidRoad', 'irqah'],
    services: NO_BUILDING,
  },
};

function seedZones(tx: Tx, now: Instant, services: Ids<ServiceKey>): Promise<Ids<ZoneKey>> {
  return inTurn(ZONES, (zone) =>
    addZone(tx, now, ACTOR, {
      name: zone.name,
      area: {
        type: 'Polygon',
        coordinates: [[...zone.corners, zone.corners[0]!].map((corner) => CORNERS[corner])],
      },
      serviceIds: zone.services.map((key) => services[key]),
    }),
  );
}

// ---------------------------------------------------------------------------
// Teams: four in each zone, each with skills and hours of its own

/** The same hours on several days; 1 is Monday, Friday (5) the weekly day off. */
const shifts = (days: number[], startAt: string, endAt: string) =>
  days.map((weekday) => ({ weekday, startAt, endAt }));
const SATURDAY_TO_THURSDAY = [6, 7, 1, 2, 3, 4];

const CREWS: { skills: ServiceKey[]; shifts: ReturnType<typeof shifts> }[] = [
  {
    skills: ['home2', 'home3', 'home4', 'kitchen', 'visit'],
    shifts: shifts(SATURDAY_TO_THURSDAY, '08:00', '18:00'),
  },
  {
    skills: ['kitchen', 'apartment', 'villa', 'moveOut', 'building', 'visit'],
    shifts: shifts(SATURDAY_TO_THURSDAY, '07:00', '17:00'),
  },
  {
    skills: ['sofa', 'carpet', 'mattress', 'home2'],
    shifts: shifts(SATURDAY_TO_THURSDAY, '10:00', '20:00'),
  },
  {
    skills: ['home2', 'home3', 'home4', 'apartment', 'sofa', 'carpet'],
    shifts: [...shifts(SATURDAY_TO_THURSDAY, '12:00', '22:00'), ...shifts([5], '14:00', '22:00')],
  },
];

/** The last crew of the centre works into the night. */
const NIGHT_SHIFTS = shifts(SATURDAY_TO_THURSDAY, '16:00', '01:00');

/** Where the last crew of a zone helps out. */
const SECOND_ZONES: Record<ZoneKey, ZoneKey> = {
  centre: 'north',
  north: 'centre',
  east: 'centre',
  south: 'centre',
  west: 'centre',
};

async function seedTeams(
  tx: Tx,
  now: Instant,
  services: Ids<ServiceKey>,
  zones: Ids<ZoneKey>,
): Promise<void> {
  for (const zone of Object.keys(ZONES) as ZoneKey[]) {
    for (const [index, crew] of CREWS.entries()) {
      const isLast = index === CREWS.length - 1;
      await addTeam(tx, now, ACTOR, {
        name: `${ZONES[zone].name} ${index + 1}`,
        zoneIds: isLast ? [zones[zone], zones[SECOND_ZONES[zone]]] : [zones[zone]],
        serviceIds: crew.skills.map((key) => services[key]),
        shifts: isLast && zone === 'centre' ? NIGHT_SHIFTS : crew.shifts,
        travelBufferMinutes: 30,
      });
    }
  }
}

// ---------------------------------------------------------------------------
// Partners

type PartnerSeed = {
  name: string;
  paymentResponsibility: PaymentResponsibility;
  /** SAR, where they differ from the default. */
  prices: Partial<Record<ServiceKey, number>>;
};

/** Where their webhooks may go: a receiver on one's own machine (WEBHOOK_ALLOW_HOSTS admits it), or an example. */
const WEBHOOK_DOMAINS = ['localhost', '127.0.0.1', 'example.com'];

const PARTNERS: Record<keyof DemoKeys, PartnerSeed> = {
  partner: {
    name: 'Demo Partner',
    paymentResponsibility: 'PARTNER',
    prices: { home2: 89, sofa: 179, villa: 849.5 },
  },
  platform: {
    name: 'Demo Platform',
    paymentResponsibility: 'PLATFORM',
    prices: { home2: 95, carpet: 139.75 },
  },
};

/** Answers the plain text of the partner's key. */
async function seedPartner(
  tx: Tx,
  now: Instant,
  deployment: Deployment,
  services: Ids<ServiceKey>,
  { name, paymentResponsibility, prices }: PartnerSeed,
): Promise<string> {
  const partner = await insertPartner(tx, now, {
    name,
    status: 'ACTIVE',
    paymentResponsibility,
    rateLimitPerMinute: null,
    allowedDomains: [],
    sandboxDomains: [],
    allowedWebhookDomains: WEBHOOK_DOMAINS,
    requireHttpsWebhooks: true,
  });
  const target = `partner:${partner.id}`;
  await audit(tx, now, { actor: ACTOR, action: 'partner.create', target, after: partnerView(partner) });

  const own = {
    restricted: false,
    services: Object.entries(prices).map(([key, price]) => ({
      service_id: services[key as ServiceKey],
      price: toDecimal(price),
    })),
  };
  await replacePartnerServices(tx, now, partner.id, own);
  await audit(tx, now, { actor: ACTOR, action: 'partner.services', target, after: partnerServicesView(own) });

  const made = createKey(deployment);
  const key = await insertKey(tx, now, partner.id, made, {
    name: 'Demo key',
    permissions: [...PERMISSIONS],
    ipAllowlist: [],
    expiresAt: null,
  });
  await audit(tx, now, {
    actor: ACTOR,
    action: 'key.create',
    target: `key:${key.id}`,
    after: keyView(key, now),
  });
  return made.key;
}

/** Creates one after the other, in the order of the list, and answers their ids by the same keys. */
async function inTurn<Key extends string, Seed>(
  seeds: Record<Key, Seed>,
  create: (seed: Seed, index: number) => Promise<{ id: string }>,
): Promise<Ids<Key>> {
  const ids = {} as Ids<Key>;
  for (const [index, key] of (Object.keys(seeds) as Key[]).entries()) {
    ids[key] = (await create(seeds[key], index)).id;
  }
  return ids;
}
