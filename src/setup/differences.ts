import { isDeepStrictEqual } from 'node:util';
import { byName, type Content, fieldsOf, fieldThere, nameOf } from './content.ts';
import { type Item, KINDS, type Kind, nounOf } from './document.ts';

/** What a set-up changes, in sentences. Pure. */

export type Difference = { isNew: boolean; text: string };
type Named = (id: unknown) => string;

/** What is new or other in `after`, by kind and name. */
export function differencesOf(before: Content, after: Content): Difference[] {
  const all = KINDS.flatMap((kind) => [...before[kind], ...after[kind]]);
  const names = new Map(all.map((item) => [item.id, nameOf(item)]));
  return KINDS.flatMap((kind) => {
    const known = new Map(before[kind].map((item) => [item.id, item]));
    const items = after[kind].toSorted((one, other) => byName(nameOf(one), nameOf(other)));
    return items.flatMap((item): Difference[] => {
      const was = known.get(item.id);
      if (was === undefined) return [{ isNew: true, text: `new ${nounOf(kind)} "${nameOf(item)}"` }];
      const changes = changesOf(kind, was, item, (id) => `"${names.get(String(id)) ?? id}"`);
      if (changes.length === 0) return [];
      return [{ isNew: false, text: `${nounOf(kind)} "${nameOf(was)}": ${changes.join('; ')}` }];
    });
  });
}

function changesOf(kind: Kind, was: Item, item: Item, named: Named): string[] {
  return fieldsOf(kind).flatMap((field) => {
    const [there, of] = fieldThere(field);
    const [old, given] = [was[there], item[there]];
    if (isDeepStrictEqual(old, given)) return [];
    const tell = of !== undefined ? named : (TELLS[field] ?? ((value) => JSON.stringify(value)));
    if (field === 'prices') return partsOf(old, given, (one) => priceOf(one, named)).join(', ');
    return `${wordsOf(field)} ${changeOf(field, old, given, tell)}`;
  });
}

function changeOf(field: string, old: unknown, given: unknown, tell: Named): string {
  if (field === 'area') return `changed (${(given as Area).coordinates[0]!.length - 1} positions)`;
  // A person's: not for logs.
  if (field === 'phone') return 'changed';
  if (Array.isArray(old) && Array.isArray(given)) return partsOf(old, given, tell).join(', ');
  const text = (value: unknown): string =>
    value === null ? 'none' : Array.isArray(value) ? value.map(tell).join(', ') : tell(value);
  return `${text(old)} becomes ${text(given)}`;
}

/** What came into a list, and what left it. */
function partsOf(old: unknown, given: unknown, tell: Named): string[] {
  const [less, more] = [(old as unknown[]).map(tell), (given as unknown[]).map(tell)];
  return [
    ...more.filter((one) => !less.includes(one)).map((one) => `+ ${one}`),
    ...less.filter((one) => !more.includes(one)).map((one) => `- ${one}`),
  ];
}

type Area = { coordinates: unknown[][] };
type Shift = { weekday: number; startAt: string; endAt: string };
type Coming = { from: string; price: number | null };
type Price = { serviceId: string; price: number | null; comingPrices: Coming[] };

const DAYS = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const hoursOf = ({ weekday, startAt, endAt }: Shift): string => `${DAYS[weekday]} ${startAt} to ${endAt}`;
const comingOf = ({ from, price }: Coming): string => `${price ?? 'the default price'} from ${from}`;
const priceOf = (one: unknown, named: Named): string => {
  const { serviceId, price, comingPrices } = one as Price;
  return [`price of ${named(serviceId)} ${price ?? 'the default price'}`, ...comingPrices.map(comingOf)].join(
    ', ',
  );
};
const TELLS: Record<string, Named> = {
  shifts: (value) => hoursOf(value as Shift),
  weekly: (value) => hoursOf(value as Shift),
  comingPrices: (value) => comingOf(value as Coming),
};

/** `defaultPrice` as `default price`, `nameEn` as `English name`. */
function wordsOf(field: string): string {
  const [, text = field, language] = /^(.*)(En|Ar)$/.exec(field) ?? [];
  const words = text.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return language === undefined ? words : `${language === 'En' ? 'English' : 'Arabic'} ${words}`;
}
