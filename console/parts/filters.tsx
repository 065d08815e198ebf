import { type ComponentChildren, type ComponentProps, Fragment, toChildArray, type VNode } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { dayOf, isDate, number } from '../format.ts';
import { t } from '../language.ts';
import { dateOfAddress, href, place, setQuery, timeOfAddress } from '../router.ts';
import { DateInput } from './date-input.tsx';

/** Filters of a list. Their values are the query of the address, so a filtered list can be shared. */

/** Parameters of order and page, which are not filters. */
const ORDER = ['page', 'before', 'sortBy', 'sortOrder', 'view'];
/** Numbers of filters that are all visible on narrow screens, and on wide ones. */
const [FEW, MANY] = [2, 7];

type Filter = VNode<ComponentProps<typeof Chip>>;

/** A filter in use, which a press removes. */
function Chip({ name, label, options }: { name: string; label: string; options?: readonly Option[] }) {
  const value = place.value.query.get(name) ?? '';
  if (value === '') return null;
  const text = options?.find((option) => option.value === value)?.label ?? value;
  const shown = `${label}: ${isDate(value) ? dayOf(value) : text}`;
  return (
    <button
      type="button"
      class="small"
      aria-label={t('filter.remove', { filter: shown })}
      onClick={() => setQuery({ [name]: null })}
    >
      <bdi>{shown}</bdi> <span aria-hidden="true">✕</span>
    </button>
  );
}

export function Filters({ children }: { children: ComponentChildren }) {
  const { path, query } = place.value;
  const isFiltered = [...query.keys()].some((name) => name !== 'page' && name !== 'view');
  const count = [...query.keys()].filter((name) => !ORDER.includes(name)).length;
  const [round, setRound] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [first, ...others] = toChildArray(children) as Filter[];
  const folds = others.length >= FEW;
  const size = others.length >= MANY ? ' many' : '';
  return (
    <search class={`filters${folds && !isOpen ? ' folded' : ''}${size}`} aria-label={t('filter.title')}>
      {/* A new key resets the fields, which would otherwise restore the typed text. */}
      <Fragment key={`first ${round}`}>{first}</Fragment>
      {folds && (
        <div class="fold">
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t('filter.title')} {count > 0 && <span class="badge notice">{number(count)}</span>}
          </button>{' '}
          {!isOpen && others.map((filter) => <Chip key={filter.props.name} {...filter.props} />)}
        </div>
      )}
      <Fragment key={`others ${round}`}>{others}</Fragment>
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
  isInline = false,
}: {
  name: string;
  label: string;
  options: readonly Option[];
  /** Whether the field itself names the filter, because its label is not shown. */
  isInline?: boolean;
}) {
  const id = useId();
  const current = place.value.query.get(name) ?? '';
  const isKnown = current === '' || options.some(({ value }) => value === current);
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <select id={id} value={current} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
        <option value="">{isInline ? `${label}: ${t('filter.any')}` : t('filter.any')}</option>
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

type DateProps = { name: string; label: string; value?: string };

/** A date; `value` while the address has none. */
export function DateFilter({ name, label, value = '', isTimed = false }: DateProps & { isTimed?: boolean }) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <DateInput
        id={id}
        {...(isTimed && { type: 'datetime-local' as const })}
        value={(isTimed ? timeOfAddress(name) : dateOfAddress(name)) ?? value}
        onChange={(date, again) => setQuery({ [name]: date }, { replace: again })}
      />
    </p>
  );
}

/** A date with time in Riyadh. */
export const TimeFilter = (props: DateProps) => <DateFilter {...props} isTimed />;

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
