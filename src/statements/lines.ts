import type { CalendarDate } from '../base/clock.ts';
import { formulaOf, LINE_KINDS, type LineKind, type MoneyFacts, owedOf } from './owed.ts';
import { rateOn, type VatCategory, type VatTerms, vatIn } from './vat.ts';

/** The lines of a booking on its partner's next statement: what is owed now minus what was told; pure. */

/** What issued statements told of a booking by kind, in halalas. */
export type Told = {
  kind: LineKind;
  gross: number;
  vat: number;
  category: VatCategory | null;
  percent: number | null;
}[];

export type Line = {
  kind: LineKind;
  gross: number;
  vat: number;
  /** null, with percent and document: money of customers. */
  category: VatCategory | null;
  percent: number | null;
  formula: number;
  document: 'INVOICE' | 'CREDIT' | null;
  /** The last statement that told of the booking; null: none. */
  corrects: string | null;
};

export type BilledBooking = MoneyFacts & {
  service_date: CalendarDate;
  told: Told;
  /** By which version of the rules; null: nothing was told. */
  told_formula: number | null;
  last_told: string | null;
};

/** None when nothing has changed. Rates, categories and rules of what was told stay as they were told. */
export function linesOf(booking: BilledBooking, terms: VatTerms): Line[] {
  const { told, last_told: corrects, service_date: date } = booking;
  const formula = formulaOf(booking.told_formula, date);
  const owed = owedOf(booking, formula);
  const lines = LINE_KINDS.flatMap((kind) => {
    const before = told.find((one) => one.kind === kind);
    const gross = (owed[kind] ?? 0) - (before?.gross ?? 0);
    if (gross === 0) return [];
    const { category, percent } = before ?? vatOf(kind);
    const vat = percent === null ? 0 : vatIn(owed[kind] ?? 0, percent) - (before?.vat ?? 0);
    return [{ kind, gross, vat, category, percent, formula, corrects }];
  });
  return lines.map((line) => ({ ...line, document: documentOf(line, lines) }));

  function vatOf(kind: LineKind): Pick<Line, 'category' | 'percent'> {
    if (kind === 'COLLECTED' || kind === 'GIVEN_BACK') return { category: null, percent: null };
    // What is given back is of what was charged.
    const charged = kind === 'WAIVER' ? (owed.VISIT === undefined ? 'FEE' : 'VISIT') : kind;
    const before = told.find((one) => one.kind === charged);
    if (before !== undefined) return before;
    const category = terms.categories[charged];
    return { category, percent: category === 'S' ? rateOn(terms.rates, date) : 0 };
  }
}

/** What lowers the booking's earlier lines of a category is a credit note for them. */
function documentOf(line: Omit<Line, 'document'>, all: readonly Omit<Line, 'document'>[]): Line['document'] {
  if (line.category === null) return null;
  const same = all.filter(({ category, percent }) => category === line.category && percent === line.percent);
  return same.reduce((sum, { gross }) => sum + gross, 0) < 0 ? 'CREDIT' : 'INVOICE';
}
