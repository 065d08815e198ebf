import { useLayoutEffect, useRef } from 'preact/hooks';
import { FIRST_DATE, isDate, LAST_DATE } from '../format.ts';

type DateInputProps = {
  id: string;
  /** With `datetime-local` also a time of day. */
  type?: 'date' | 'datetime-local';
  /** The displayed value; empty: none. */
  value: string;
  min?: string;
  /** `again`: it replaces the previous value of this visit of the field. */
  onChange: (value: string, again: boolean) => void;
};

/**
 * A date that the page follows during typing. Incomplete dates, such as the year 0002 on the way to 2026, are not
 * reported and not overwritten; on blur the field shows the page's value.
 */
export function DateInput({ id, type = 'date', value, min, onChange }: DateInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const told = useRef<string | null>(null);
  // Only if it differs: writing interrupts typing.
  useLayoutEffect(() => {
    if (input.current!.value !== value) input.current!.value = value;
  }, [value]);
  return (
    <input
      ref={input}
      id={id}
      type={type}
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
  );
}

/** Limits the year to four digits. */
export function limitsOf(type: string): { min?: string; max?: string } {
  if (type === 'date') return { min: FIRST_DATE, max: LAST_DATE };
  if (type === 'datetime-local') return { min: `${FIRST_DATE}T00:00`, max: `${LAST_DATE}T23:59` };
  return {};
}
