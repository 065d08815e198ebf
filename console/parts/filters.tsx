import { type ComponentChildren, Fragment, toChildArray } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { number } from '../format.ts';
import { t } from '../language.ts';
import { dateOfAddress, href, place, setQuery, timeOfAddress } from '../router.ts';
import { DateInput } from './date-input.tsx';

/** Filters of a list. Their values are the query of the address, so a filtered list can be shared. */

/** Parameters of order and page, which are not filters. */
const ORDER = ['page', 'before', 'sortBy', 'sortOrder', 'view'];
/** The number of filters that stay visible on narrow screens. */
const VISIBLE_FILTERS = 2;

export function Filters({ children }: { children: ComponentChildren }) {
  const { path, query } = place.value;
  const isFiltered = [...query.keys()].some((name) => name !== 'page' && name !== 'view');
  const count = [...query.keys()].filter((name) => !ORDER.includes(name)).length;
  const [round, setRound] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const folds = toChildArray(children).length > VISIBLE_FILTERS;
  return (
    <search class={folds && !isOpen ? 'filters folded' : 'filters'} aria-label={t('filter.title')}>
      {folds && (
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('filter.title')} {count > 0 && <span class="badge notice">{number(count)}</span>}
        </button>
      )}
      {/* A new key resets the fields, which would otherwise restore the typed text. */}
      <Fragment key={round}>{children}</Fragment>
      {isFiltered && (
        <a class="clear" href={href(path, { view: query.get('view') })} onClick={() => setRound(round + 1)}>
          {t('act.clear')}
        </a>
      )}
    </search>
  );
}

/** Debounce of typed filters, in milliseconds. */
const DEBOUNCE_MS = 250;

/** A text filter that applies during typing. */
export function TextFilter({
  name,
  label,
  hint,
  ltr = false,
  wide = false,
}: {
  name: string;
  label: string;
  hint?: string;
  /** References, ids and phones are left to right in both languages. */
  ltr?: boolean;
  /** Room for a longer hint. */
  wide?: boolean;
}) {
  const current = place.value.query.get(name) ?? '';
  const [typed, setTyped] = useState(current);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const sent = useRef(current);
  const id = useId();
  useEffect(() => {
    // The address changed elsewhere: by a link or by Back.
    if (current !== sent.current) setTyped(current);
    sent.current = current;
  }, [current]);
  // In the layout phase: a field that is removed before its first effects ran must not filter either.
  useLayoutEffect(() => () => clearTimeout(timer.current), []);
  return (
    <p class={wide ? 'field wide' : 'field'}>
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        placeholder={hint}
        dir={ltr && typed !== '' ? 'ltr' : undefined}
        value={typed}
        onInput={(event) => {
          const value = event.currentTarget.value;
          const { path } = place.value;
          setTyped(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => {
            // The next page is loading, and has other filters.
            if (place.peek().path !== path) return;
            sent.current = value.trim();
            setQuery({ [name]: value.trim() }, { replace: true });
          }, DEBOUNCE_MS);
        }}
      />
    </p>
  );
}

export type Option = { value: string; label: string };

export function SelectFilter({
  name,
  label,
  options,
}: {
  name: string;
  label: string;
  options: readonly Option[];
}) {
  const id = useId();
  const current = place.value.query.get(name) ?? '';
  const isKnown = current === '' || options.some(({ value }) => value === current);
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <select id={id} value={current} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
        <option value="">{t('filter.any')}</option>
        {!isKnown && <option value={current}>{current}</option>}
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </p>
  );
}

/** A date; `value` while the address has none. */
export function DateFilter({ name, label, value = '' }: { name: string; label: string; value?: string }) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <DateInput
        id={id}
        value={dateOfAddress(name) ?? value}
        onChange={(date, again) => setQuery({ [name]: date }, { replace: again })}
      />
    </p>
  );
}

/** The parameters of these names in the current query. */
export function given(...names: readonly string[]): Record<string, string> {
  const { query } = place.value;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query.get(name);
      return value === null || value === '' ? [] : [[name, value]];
    }),
  );
}

/** A date with time in Riyadh; `value` while the address has none. */
export function TimeFilter({ name, label, value = '' }: { name: string; label: string; value?: string }) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <DateInput
        id={id}
        type="datetime-local"
        value={timeOfAddress(name) ?? value}
        onChange={(time, again) => setQuery({ [name]: time }, { replace: again })}
      />
    </p>
  );
}
