import { useLayoutEffect, useRef } from 'preact/hooks';
import { dateTime, dayOf, FIRST_DATE, hijriOf, instantOf, isDate, LAST_DATE } from '../format.ts';

type DateInputProps = {
  id: string;
  /** With `datetime-local` also a time of day. */
  type?: 'date' | 'datetime-local';
  /** The displayed value; empty: none. */
  value: string;
  min?: string;
  /** Whether days are planned here: with the Hijri day. */
  plans?: boolean;
  /** `again`: it replaces the previous value of this visit of the field. */
  onChange: (value: string, again: boolean) => void;
};

/**
 * A date that the page follows during typing. Incomplete dates, such as the year 0002 on the way to 2026, are not
 * reported and not overwritten; on blur the field shows the page's value. The browser may write 3/9 for either of two
 * days, so the date is also written out.
 */
export function DateInput({ id, type = 'date', value, min, plans = false, onChange }: DateInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const told = useRef<string | null>(null);
  // Only if it differs: writing interrupts typing.
  useLayoutEffect(() => {
    if (input.current!.value !== value) input.current!.value = value;
  }, [value]);
  return (
    <>
      <input
        ref={input}
        id={id}
        type={type}
        aria-describedby={`${id}-written`}
        {...limitsOf(type)}
        {...(min !== undefined && { min })}
        onChange={({ currentTarget: { value: given, validity } }) => {
          if (given === value || (given === '' ? validity.badInput : !isDate(given.slice(0, 10)))) return;
          onChange(given, told.current === value);
          told.current = given;
        }}
        onBlur={(event) => {
          told.current = null;
          event.currentTarget.value = value;
        }}
      />
      <Written id={`${id}-written`} value={value} plans={plans} />
    </>
  );
}

/** The value of a date field in words, and the Hijri day in a second line where days are planned. */
export function Written({ id, value, plans = false }: { id: string; value: string; plans?: boolean }) {
  const isWhole = isDate(value.slice(0, 10));
  const hasTime = value.length > 10;
  return (
    <span class="small faint written" id={id}>
      {isWhole && <span>{hasTime ? dateTime(instantOf(value)) : dayOf(value)}</span>}
      {isWhole && plans && <span>{hijriOf(value.slice(0, 10))}</span>}
    </span>
  );
}

/** Limits the year to four digits. */
export function limitsOf(type: string): { min?: string; max?: string } {
  if (type === 'date') return { min: FIRST_DATE, max: LAST_DATE };
  if (type === 'datetime-local') return { min: `${FIRST_DATE}T00:00`, max: `${LAST_DATE}T23:59` };
  return {};
}
