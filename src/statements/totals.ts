import { toSignedHalalas, toSignedSar } from '../base/money.ts';
import type { LineKind } from './owed.ts';
import type { VatCategory } from './vat.ts';

/** Sums of lines; pure. SAR, exact, and may be negative. */

type Sum = { gross: string; vat: string };
export type TaxSum = Sum & { category: VatCategory; percent: number };

export type Totals = {
  lines: number;
  /** Of what is owed. */
  gross: string;
  vat: string;
  taxes: TaxSum[];
  /** Of customers' money; given back is negative. */
  collected: string;
  givenBack: string;
};

/** The sums of a statement's lines by kind, category and rate. */
export type Group = Sum & {
  kind: LineKind;
  category: VatCategory | null;
  percent: string | null;
  lines: number;
};

export function totalsOf(groups: readonly Group[]): Totals {
  const owed = groups.filter(({ category }) => category !== null);
  const sumOf = (some: readonly Group[], of: 'gross' | 'vat') =>
    toSignedSar(some.reduce((sum, group) => sum + toSignedHalalas(group[of]), 0));
  const kindSum = (kind: LineKind) =>
    sumOf(
      groups.filter((group) => group.kind === kind),
      'gross',
    );
  const rates = Object.values(
    Object.groupBy(owed, ({ category, percent }) => `${category} ${Number(percent)}`),
  );
  return {
    lines: groups.reduce((sum, { lines }) => sum + lines, 0),
    gross: sumOf(owed, 'gross'),
    vat: sumOf(owed, 'vat'),
    taxes: rates.map((some) => ({
      category: some![0]!.category!,
      percent: Number(some![0]!.percent),
      gross: sumOf(some!, 'gross'),
      vat: sumOf(some!, 'vat'),
    })),
    collected: kindSum('COLLECTED'),
    givenBack: kindSum('GIVEN_BACK'),
  };
}

/** Without VAT. */
export const netOf = ({ gross, vat }: Sum): string =>
  toSignedSar(toSignedHalalas(gross) - toSignedHalalas(vat));
