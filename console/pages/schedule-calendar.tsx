import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schedule } from '../contract.ts';
import { addDays, dateIn, dayOf, hijriDayOf, hijriOf, isDate, monthOf, number } from '../format.ts';
import { direction, nameOf, t } from '../language.ts';
import { Section } from '../parts/page.tsx';
import { monthAfter, weeksOf } from '../parts/time-off-month.tsx';
import { WeekHead } from '../parts/week-head.tsx';
import { href, place, setQuery } from '../router.ts';
import { may, now } from '../session.ts';

const COLOURS = 8;

/** The colour of a schedule in the calendar and in its legend. */
export const colourOf = (schedules: readonly Schedule[], { id }: Schedule): string =>
  `var(--zone-${schedules.findIndex((one) => one.id === id) % COLOURS})`;

type Days = { first: string; last: string };

const inOrder = (one: string, other: string): Days =>
  one < other ? { first: one, last: other } : { first: other, last: one };

/** A year, or one of its months, with schedules as bands. `onChoose` takes the first and the last chosen day. */
export function ScheduleCalendar({
  schedules,
  onChoose,
}: {
  schedules: readonly Schedule[];
  onChoose: (first: string, last: string) => void;
}) {
  const { query } = place.value;
  const today = dateIn(now.value);
  const given = query.get('month') ?? '';
  const month = isDate(`${given}-01`) ? given : null;
  const year = month?.slice(0, 4) ?? yearOf(query.get('year')) ?? today.slice(0, 4);
  /** The first chosen day, until the last one is chosen. */
  const [anchor, setAnchor] = useState<string | null>(null);
  const [dragged, setDragged] = useState<{ from: string; to: string } | null>(null);
  const isEditable = may('createSchedule');
  function choose(one: string, other: string): void {
    setAnchor(null);
    const { first, last } = inOrder(one, other);
    onChoose(first, last);
  }
  const latest = useRef(dragged);
  latest.current = dragged;
  const isDragging = dragged !== null;
  useEffect(() => {
    if (!isDragging) return;
    // Also outside of the calendar.
    const end = (): void => {
      const { from, to } = latest.current!;
      setDragged(null);
      // On one day it is a click.
      if (from !== to) choose(from, to);
    };
    const drop = (): void => setDragged(null);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', drop);
    return () => {
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', drop);
    };
  }, [isDragging]);
  const shared: Shared = {
    schedules,
    today,
    chosen:
      dragged !== null
        ? inOrder(dragged.from, dragged.to)
        : anchor !== null
          ? { first: anchor, last: anchor }
          : null,
    onClick: (date) => {
      if (!isEditable) return;
      if (anchor === null) setAnchor(date);
      else choose(anchor, date);
    },
    onEscape: () => setAnchor(null),
    onDown: (date) => isEditable && setDragged({ from: date, to: date }),
    onOver: (date) => setDragged((before) => before && { ...before, to: date }),
  };
  const turn = (by: number) => () =>
    setQuery(month === null ? { year: Number(year) + by } : { month: monthAfter(month, by) });
  return (
    <Section
      title={month === null ? year : monthOf(month)}
      actions={
        <>
          <button type="button" onClick={turn(-1)}>
            {t('schedules.previous')}
          </button>
          <button type="button" onClick={turn(1)}>
            {t('schedules.next')}
          </button>
          {month !== null && (
            <a class="button" href={href('/schedules', { year })}>
              {t('schedules.wholeYear')}
            </a>
          )}
        </>
      }
    >
      {isEditable && (
        <p class="small faint" role="status">
          {anchor === null ? t('schedules.dragHint') : t('schedules.lastDay', { date: dayOf(anchor) })}
        </p>
      )}
      {month === null ? (
        <div class="seasons">
          {Array.from({ length: 12 }, (_none, index) => monthAfter(`${year}-01`, index)).map((one) => (
            <section key={one} aria-label={monthOf(one)}>
              <h3>
                <a href={href('/schedules', { month: one })}>{monthOf(one)}</a>
              </h3>
              <Month key={one} month={one} {...shared} />
            </section>
          ))}
        </div>
      ) : (
        <div class="season-month">
          <Month key={month} month={month} {...shared} isLarge />
        </div>
      )}
    </Section>
  );
}

const yearOf = (text: string | null): string | null =>
  text !== null && isDate(`${text}-01-01`) && isDate(`${text}-12-31`) ? text : null;

type Shared = {
  schedules: readonly Schedule[];
  today: string;
  chosen: Days | null;
  onClick: (date: string) => void;
  onEscape: () => void;
  onDown: (date: string) => void;
  onOver: (date: string) => void;
};

const isOn = ({ periods }: Schedule, date: string): boolean =>
  periods.some(({ from, to }) => from <= date && (to === null || date <= to));

/** The days of a month. One of them is a tab stop; arrow keys move within the month. */
function Month({
  month,
  isLarge = false,
  schedules,
  today,
  chosen,
  onClick,
  onEscape,
  onDown,
  onOver,
}: Shared & { month: string; isLarge?: boolean }) {
  const table = useRef<HTMLTableElement>(null);
  const [focused, setFocused] = useState(today.startsWith(month) ? today : `${month}-01`);
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') onEscape();
    const forward = direction() === 'rtl' ? -1 : 1;
    const steps: Record<string, number> = {
      ArrowRight: forward,
      ArrowLeft: -forward,
      ArrowDown: 7,
      ArrowUp: -7,
    };
    const days = steps[event.key];
    if (days === undefined) return;
    event.preventDefault();
    const next = addDays(focused, days);
    if (!next.startsWith(month)) return;
    setFocused(next);
    table.current!.querySelector<HTMLElement>(`[data-date="${next}"]`)!.focus();
  }
  return (
    <table ref={table} class="month" aria-label={monthOf(month)} onKeyDown={onKeyDown}>
      <WeekHead />
      <tbody>
        {weeksOf(month).map((week) => (
          <tr key={week[0]}>
            {week.map((date) => {
              if (!date.startsWith(month)) return <td key={date} class="other" />;
              const bands = schedules.filter((schedule) => isOn(schedule, date));
              const isChosen = chosen !== null && chosen.first <= date && date <= chosen.last;
              return (
                <td
                  key={date}
                  class={isChosen ? 'is-chosen' : undefined}
                  aria-current={date === today ? 'date' : undefined}
                >
                  <button
                    type="button"
                    class="quiet"
                    data-date={date}
                    tabIndex={date === focused ? 0 : -1}
                    aria-pressed={isChosen}
                    title={bands.map(nameOf).join(', ') || undefined}
                    onFocus={() => setFocused(date)}
                    onClick={() => onClick(date)}
                    onPointerDown={(event) => {
                      // A finger scrolls: it chooses the first and the last day instead.
                      if (event.pointerType === 'mouse' && event.button === 0) onDown(date);
                    }}
                    onPointerEnter={() => onOver(date)}
                  >
                    <span class="unseen">
                      {[dayOf(date), hijriOf(date), ...bands.map(nameOf)].join(', ')}
                    </span>
                    <span aria-hidden="true">{number(Number(date.slice(8)))}</span>
                    <span class="hijri" aria-hidden="true">
                      {hijriDayOf(date)}
                    </span>
                    {bands.map((schedule) => (
                      <span
                        key={schedule.id}
                        class="band"
                        aria-hidden="true"
                        style={{ borderColor: colourOf(schedules, schedule) }}
                      >
                        {isLarge && <bdi>{nameOf(schedule)}</bdi>}
                      </span>
                    ))}
                  </button>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
