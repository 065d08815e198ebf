import { readFileSync } from 'node:fs';
import type { Db } from '../src/db/connection.ts';
import { applySetup } from '../src/setup/apply.ts';
import { documentOf, formatted, readContent } from '../src/setup/content.ts';
import { readFiles } from '../src/setup/files.ts';
import { TEST_NOW } from './harness.ts';

/** A small company as a set-up file, and what the command line does with such files. */

// biome-ignore lint/suspicious/noExplicitAny: tests change documents freely
export type Document = any;

export const square = (west: number, south: number, side = 0.1) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + side, south],
      [west + side, south + side],
      [west, south + side],
      [west, south],
    ],
  ],
});

const shifts = [{ weekdays: [7, 1, 2, 3, 4], startAt: '08:00', endAt: '20:00' }];

/** Every kind, by names alone. */
export const company = (): Document => ({
  format: 1,
  categories: [
    { code: 'home', nameEn: 'Home', nameAr: 'المنازل' },
    { nameEn: 'Furnishings', nameAr: 'المفروشات', sortOrder: 5 },
  ],
  services: [
    { nameEn: 'Two hours', category: 'home', durationMinutes: 120, defaultPrice: 99 },
    {
      nameEn: 'Sofa cleaning',
      nameAr: 'تنظيف الكنب',
      category: 'Furnishings',
      durationMinutes: 90,
      defaultPrice: 199,
      comingPrices: [{ from: '2027-01-01', price: 209 }],
    },
  ],
  zones: [
    { name: 'North', nameAr: 'الشمال', area: square(47.6, 24.8), services: ['Two hours', 'Sofa cleaning'] },
    { name: 'East', area: square(47.7, 24.8), services: ['Two hours'] },
    // Half of North, on purpose.
    { name: 'Airport', area: square(47.6, 24.85), services: ['Two hours'], confirmedOverlaps: ['North'] },
  ],
  teams: [
    { name: 'Team 1', zones: ['North', 'Airport'], homeZone: 'North', services: ['Two hours'], shifts },
    {
      name: 'Team 2',
      nameAr: 'الفريق 2',
      phone: '+966501234567',
      zones: ['East'],
      services: ['Two hours'],
      shifts,
    },
    { name: 'Team 3', zones: ['North'], services: ['Sofa cleaning'], shifts, isActive: false },
  ],
  reasons: [{ nameEn: 'Another time', nameAr: 'موعد آخر' }],
  tiers: [
    { minMinutes: 60, maxMinutes: 179, factor: 1 },
    { minMinutes: 180, factor: 0.95 },
  ],
  partners: [
    { name: 'Homes', restricted: true, prices: [{ service: 'Two hours', price: 89.5 }] },
    {
      name: 'Desk',
      prices: [{ service: 'Sofa cleaning', price: null, comingPrices: [{ from: '2027-02-01', price: 180 }] }],
    },
  ],
  policies: [
    {
      nameEn: 'Standard',
      nameAr: 'قياسية',
      cancel: [{ hoursBefore: 12, percent: 25 }],
      assignments: [{ partner: 'Homes' }, { partner: 'Desk', service: 'Sofa cleaning' }],
    },
  ],
  schedules: [
    {
      nameEn: 'Prayer',
      nameAr: 'الصلاة',
      from: '2026-01-01',
      zones: ['North'],
      breaks: [{ weekdays: [5], startAt: '11:30', endAt: '13:00' }],
    },
    {
      nameEn: 'National Day',
      nameAr: 'اليوم الوطني',
      yearly: { calendar: 'gregorian', month: 9, day: 23, days: 1, shifts: [] },
      weekly: [{ weekdays: [3], startAt: '08:00', endAt: '12:00' }],
    },
  ],
});

type Options = {
  isCheck?: boolean;
  isOverChanges?: boolean;
  hasGateway?: boolean;
  late?: AbortSignal;
};

/** Applies the files, by their names, as the command line does. */
export async function apply(
  db: Db,
  files: Record<string, unknown>,
  { isCheck = false, isOverChanges = false, hasGateway = false, ...rest }: Options = {},
) {
  const reading = readFiles(
    Object.entries(files).map(([name, file]) => ({
      name,
      bytes: Buffer.isBuffer(file)
        ? file
        : Buffer.from(typeof file === 'string' ? file : JSON.stringify(file)),
    })),
  );
  const providers = { hasGateway, hasNotifier: false };
  return applySetup(db, TEST_NOW, { actor: 'cli:test', providers, isCheck, isOverChanges, ...rest }, reading);
}

/** The text of an export. */
export const exported = async (db: Db): Promise<string> =>
  formatted(documentOf(await readContent(db, TEST_NOW)));

export const exportedDocument = async (db: Db): Promise<Document> => JSON.parse(await exported(db));

/** A file of the repository's example. */
export const example = (name: string): Buffer =>
  readFileSync(new URL(`../examples/riyadh/${name}`, import.meta.url));
