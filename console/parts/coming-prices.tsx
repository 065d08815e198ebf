import { dayOf, money } from '../format.ts';
import { t } from '../language.ts';
import { numberOf } from '../values.ts';
import { limitsOf } from './date-input.tsx';

/** Prices from days on: of a service, or of a partner, whose empty one is the default price. */

type ComingPrice = { from: string; price: number | null };
/** As the form has it. */
export type PriceRow = { from: string; price: string };

export const priceRowsOf = (coming: readonly ComingPrice[] = []): PriceRow[] =>
  coming.map(({ from, price }) => ({ from, price: price === null ? '' : String(price) }));

export const comingPricesOf = (rows: readonly PriceRow[]): ComingPrice[] =>
  rows.map(({ from, price }) => ({ from, price: numberOf(price) ?? null }));

/** Each in words. */
export const comingText = (coming: readonly ComingPrice[]): string[] =>
  coming.map(({ from, price }) =>
    t('prices.coming', { from: dayOf(from), price: price === null ? t('prices.same') : money(price) }),
  );

/** The price of now, and below it those that come. */
export const PriceText = ({ price, coming }: { price: number | null; coming: readonly ComingPrice[] }) => (
  <>
    {price === null ? <span class="faint">{t('prices.same')}</span> : <bdi>{money(price)}</bdi>}
    {comingText(coming).map((text) => (
      <div key={text} class="small">
        <bdi>{text}</bdi>
      </div>
    ))}
  </>
);

type FieldsProps = {
  /** The name of the group. */
  label: string;
  rows: readonly PriceRow[];
  onChange: (rows: readonly PriceRow[]) => void;
  faults?: readonly string[];
};

export function ComingPriceFields({ label, rows, onChange, faults = [] }: FieldsProps) {
  const change = (at: number, changes: Partial<PriceRow>): void =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  return (
    <fieldset class="coming-prices" aria-label={label}>
      {rows.map(({ from, price }, index) => (
        <div key={index}>
          <input
            type="date"
            {...limitsOf('date')}
            aria-label={t('filter.from')}
            value={from}
            onInput={(event) => change(index, { from: event.currentTarget.value })}
          />
          <input
            class="short"
            inputMode="decimal"
            dir="ltr"
            autoComplete="off"
            aria-label={t('prices.sar')}
            value={price}
            onInput={(event) => change(index, { price: event.currentTarget.value })}
          />
          <button
            type="button"
            class="quiet small"
            aria-label={t('act.remove')}
            onClick={() => onChange(rows.filter((_row, other) => other !== index))}
          >
            ✕
          </button>
        </div>
      ))}
      {faults.map((fault) => (
        <span key={fault} class="fault">
          <bdi>{fault}</bdi>
        </span>
      ))}
      <button type="button" class="small" onClick={() => onChange([...rows, { from: '', price: '' }])}>
        {t('prices.addComing')}
      </button>
    </fieldset>
  );
}
