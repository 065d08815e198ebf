import type { CreateCategory } from '../catalogue/category-schema.ts';
import type { CreateService } from '../catalogue/service-schema.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
import type { CreateTier } from '../pricing/schema.ts';
import type { CreateReason } from '../reasons/schema.ts';
import outlines from './demo-zones.json' with { type: 'json' };

/** The demo data of Riyadh: two partners, and everything needed to book. */

// ---------------------------------------------------------------------------
// Catalogue

export const CATEGORIES = {
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
export type ServiceSeed = Omit<CreateService, 'categoryId'> & { category: CategoryKey };

const service = (
  category: CategoryKey,
  nameEn: string,
  nameAr: string,
  settings: Omit<ServiceSeed, 'category' | 'nameEn' | 'nameAr'>,
): ServiceSeed => ({ category, nameEn, nameAr, ...settings });

export const SERVICES = {
  home2: service('home', 'Home cleaning, 2 hours', 'تنظيف المنزل، ساعتان', {
    durationMinutes: 120,
    defaultPrice: 99,
  }),
  home3: service('home', 'Home cleaning, 3 hours', 'تنظيف المنزل، 3 ساعات', {
    durationMinutes: 180,
    defaultPrice: 139,
  }),
  home4: service('home', 'Home cleaning, 4 hours', 'تنظيف المنزل، 4 ساعات', {
    durationMinutes: 240,
    defaultPrice: 179,
  }),
  kitchen: service('deep', 'Deep cleaning, kitchen', 'تنظيف عميق للمطبخ', {
    durationMinutes: 180,
    defaultPrice: 299,
  }),
  apartment: service('deep', 'Deep cleaning, apartment', 'تنظيف عميق للشقة', {
    durationMinutes: 240,
    defaultPrice: 449,
    minimumNoticeMinutes: 240,
  }),
  villa: service('deep', 'Deep cleaning, villa', 'تنظيف عميق للفيلا', {
    durationMinutes: 360,
    defaultPrice: 899,
    minimumNoticeMinutes: 240,
  }),
  sofa: service('furnishings', 'Sofa cleaning', 'تنظيف الكنب', { durationMinutes: 120, defaultPrice: 199 }),
  carpet: service('furnishings', 'Carpet cleaning', 'تنظيف السجاد', {
    durationMinutes: 90,
    defaultPrice: 149.5,
  }),
  mattress: service('furnishings', 'Mattress cleaning', 'تنظيف المراتب', {
    durationMinutes: 60,
    defaultPrice: 119,
  }),
  visit: service('moving', 'Inspection visit', 'زيارة معاينة', { durationMinutes: 60, defaultPrice: 0 }),
  moveOut: service('moving', 'Move-out cleaning, billed afterwards', 'تنظيف بعد الإخلاء، يُدفع لاحقًا', {
    durationMinutes: 300,
    defaultPrice: 0,
    zeroPriceMeans: 'deferred',
  }),
  building: service('moving', 'Cleaning after building work', 'تنظيف ما بعد البناء', {
    durationMinutes: 360,
    defaultPrice: 1200,
    assignment: 'deferred',
    minimumNoticeMinutes: 1440,
    bookingHorizonDays: 90,
  }),
} satisfies Record<string, ServiceSeed>;

export type ServiceKey = keyof typeof SERVICES;
// ---------------------------------------------------------------------------
// Cancellation reasons and pricing tiers

export const REASONS = {
  changedMind: { nameEn: 'Customer changed their mind', nameAr: 'غيّر العميل رأيه' },
  anotherTime: { nameEn: 'Another time suits better', nameAr: 'موعد آخر أنسب' },
  mistake: { nameEn: 'Booked by mistake', nameAr: 'تم الحجز بالخطأ' },
  nobodyHome: { nameEn: 'Nobody will be at home', nameAr: 'لن يكون أحد في المنزل' },
  otherProvider: { nameEn: 'Found another provider', nameAr: 'تم اختيار مزود خدمة آخر' },
} satisfies Record<string, CreateReason>;

export const TIERS = {
  short: { minMinutes: 60, maxMinutes: 179, factor: 1 },
  medium: { minMinutes: 180, maxMinutes: 299, factor: 0.95 },
  long: { minMinutes: 300, maxMinutes: null, factor: 0.9 },
} satisfies Record<string, CreateTier>;

// ---------------------------------------------------------------------------
// Zones: the centre inside the ring roads, and four quarters of the city around it
// ---------------------------------------------------------------------------

export type ZoneKey = 'centre' | 'north' | 'east' | 'south' | 'west';

const ALL_SERVICES = Object.keys(SERVICES) as ServiceKey[];
const NO_BUILDING = ALL_SERVICES.filter((key) => key !== 'building');

/** Outlines along the ring roads, the motorways and Wadi Hanifah; neighbours share their corners. */
const OUTLINES = new Map(outlines.features.map(({ id, geometry }) => [id, geometry.coordinates]));

const zone = (key: ZoneKey, name: string, nameAr: string, services: ServiceKey[]) => ({
  name,
  nameAr,
  area: { type: 'Polygon' as const, coordinates: OUTLINES.get(key)! },
  services,
});

export const ZONES = {
  centre: zone('centre', 'Riyadh Centre', 'وسط الرياض', ALL_SERVICES),
  north: zone('north', 'Riyadh North', 'شمال الرياض', ALL_SERVICES),
  east: zone('east', 'Riyadh East', 'شرق الرياض', ALL_SERVICES),
  south: zone('south', 'Riyadh South', 'جنوب الرياض', NO_BUILDING),
  west: zone('west', 'Riyadh West', 'غرب الرياض', NO_BUILDING),
} satisfies Record<ZoneKey, unknown>;

// ---------------------------------------------------------------------------
// Teams: each with skills, hours and one or two zones

/** The same hours on several days; 1 is Monday, Friday (5) the weekly day off. */
const shifts = (days: number[], startAt: string, endAt: string) =>
  days.map((weekday) => ({ weekday, startAt, endAt }));
const SATURDAY_TO_THURSDAY = [6, 7, 1, 2, 3, 4];
const FRIDAY_AFTERNOON = shifts([5], '14:00', '22:00');

const HOMES: ServiceKey[] = ['home2', 'home3', 'home4', 'kitchen', 'visit'];
const DEEP: ServiceKey[] = ['kitchen', 'apartment', 'villa', 'moveOut', 'building', 'visit'];
const FURNISHINGS: ServiceKey[] = ['sofa', 'carpet', 'mattress', 'home2'];
const EVENINGS: ServiceKey[] = ['home2', 'home3', 'home4', 'apartment', 'sofa', 'carpet'];

type TeamSeed = {
  name: string;
  nameAr: string;
  /** The first is its home zone, in the second it helps out. */
  zones: ZoneKey[];
  skills: ServiceKey[];
  shifts: ReturnType<typeof shifts>;
};

const team = (
  [name, nameAr]: readonly [string, string],
  zones: ZoneKey[],
  skills: ServiceKey[],
  hours: TeamSeed['shifts'],
): TeamSeed => ({
  name,
  nameAr,
  zones,
  skills,
  shifts: hours,
});
const EARLY = shifts(SATURDAY_TO_THURSDAY, '08:00', '18:00');
const EARLIEST = shifts(SATURDAY_TO_THURSDAY, '07:00', '17:00');
const DAY_TIME = shifts(SATURDAY_TO_THURSDAY, '10:00', '20:00');
const LATE = shifts(SATURDAY_TO_THURSDAY, '12:00', '22:00');
/** Until the next day. */
const NIGHT = shifts([1, 2, 3, 4, 5, 6, 7], '16:00', '01:00');

export const TEAMS: readonly TeamSeed[] = [
  team(['Centre, homes', 'الوسط، المنازل'], ['centre'], HOMES, EARLY),
  team(['Centre, deep cleaning', 'الوسط، التنظيف العميق'], ['centre', 'north'], DEEP, EARLIEST),
  team(['Centre, furnishings', 'الوسط، المفروشات'], ['centre', 'west'], FURNISHINGS, DAY_TIME),
  team(['Centre, nights', 'الوسط، الليل'], ['centre', 'north'], EVENINGS, NIGHT),
  team(['North, homes', 'الشمال، المنازل'], ['north'], HOMES, EARLY),
  team(['North, furnishings', 'الشمال، المفروشات'], ['north', 'east'], FURNISHINGS, [
    ...DAY_TIME,
    ...FRIDAY_AFTERNOON,
  ]),
  team(['East, homes', 'الشرق، المنازل'], ['east'], HOMES, [...EARLY, ...FRIDAY_AFTERNOON]),
  team(['East, deep cleaning', 'الشرق، التنظيف العميق'], ['east', 'south'], DEEP, EARLIEST),
  team(['South, evenings', 'الجنوب، المساء'], ['south', 'east'], EVENINGS, [...LATE, ...FRIDAY_AFTERNOON]),
  team(['South, furnishings', 'الجنوب، المفروشات'], ['south', 'west'], FURNISHINGS, DAY_TIME),
  team(['West, homes', 'الغرب، المنازل'], ['west', 'centre'], HOMES, EARLY),
  team(['West, deep cleaning', 'الغرب، التنظيف العميق'], ['west'], DEEP, EARLIEST),
];

// ---------------------------------------------------------------------------
// Partners

export type PartnerSeed = {
  name: string;
  paymentResponsibility: PaymentResponsibility;
  /** SAR, where they differ from the default. */
  prices: Partial<Record<ServiceKey, number>>;
};

/** Domains of their webhooks: a receiver on the developer's machine (WEBHOOK_ALLOW_HOSTS permits it), or an example. */
export const WEBHOOK_DOMAINS = ['localhost', '127.0.0.1', 'example.com', 'demo-platform.invalid'];

export const PARTNERS: Record<'partner' | 'platform', PartnerSeed> = {
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
