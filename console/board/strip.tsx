import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { dateIn, dateTime, money, number } from '../format.ts';
import { customerName, direction, t } from '../language.ts';
import { Failed } from '../parts/failed.tsx';
import { useQuery } from '../query.ts';
import { go, href } from '../router.ts';
import { now } from '../session.ts';
import { MINUTE } from './day.ts';
import { type Concern, current, GROUPS, listOf, stepOn, troubled } from './trouble.ts';

/** Strip of troubles on Today and the board: each number steps through its visits. */

const LIVE = ['bookings', 'appointments', 'availability', 'payments', 'deliveries', 'clock'] as const;

/** Loads again each minute: not all that changes has an event. */
export function useEachMinute(reload: () => void): void {
  const last = useRef({ reload, at: now.peek() });
  last.current.reload = reload;
  useSignalEffect(() => {
    if (now.value - last.current.at < MINUTE) return;
    last.current.at = now.value;
    last.current.reload();
  });
}

/** Attention, the same query for both pages. */
export function useAttention() {
  const query = useQuery('getAttention', { query: { limit: 100, payWithinHours: 2 } }, LIVE);
  useEachMinute(query.reload);
  return query;
}

const elementOf = (visitId: string | undefined): HTMLElement | null =>
  document.getElementById(`visit-${visitId}`);

/** `isBoard`: visits of other days, or hidden by filters, are shown on the board of their day. */
export function Strip({ query, isBoard }: { query: ReturnType<typeof useAttention>; isBoard: boolean }) {
  const attention = query.answer?.data;
  const link = useRef<HTMLAnchorElement>(null);
  const shown = current.value;
  function lead(concern: Concern, by: 1 | -1): void {
    const step = attention && stepOn(attention, concern, by);
    if (isBoard && step?.visitId && elementOf(step.visitId) === null)
      go(href('/board', { date: dateIn(Date.parse(step.startsAt!)) }));
  }
  useEffect(() => {
    const onKey = ({ key, target, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): void => {
      if (shown === null || key.toLowerCase() !== 'n' || ctrlKey || metaKey || altKey) return;
      if (target instanceof Element && target.closest('input, textarea, select, dialog') === null)
        lead(shown.concern, shiftKey ? -1 : 1);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  // After each rendering of the page: its visits may be loaded later.
  useEffect(() => {
    if (!shown?.isSought) return;
    const element = elementOf(shown.step.visitId) ?? link.current;
    if (element === null) return;
    current.value = { ...shown, isSought: false };
    element.scrollIntoView({ block: 'center', inline: 'center' });
    element.focus({ preventScroll: true });
  });
  if (attention === undefined) return query.failure && <Failed failure={query.failure} />;
  /** The number of a concern; while it is stepped through, the place in it, and a way back. */
  const button = (concern: Concern) => {
    const { count } = attention[concern];
    const isMany = shown?.concern === concern && count > 1;
    const sum = concern === 'feesGivenBack' ? attention.feesGivenBack.sum : 0;
    const text = t(`strip.${concern}`) + (sum > 0 ? `: ${money(sum)}` : '');
    return (
      <span key={concern} class="trouble">
        {isMany && (
          <button
            type="button"
            aria-label={`${t('table.previous')}: ${text}`}
            onClick={() => lead(concern, -1)}
          >
            <span aria-hidden="true">{direction() === 'rtl' ? '›' : '‹'}</span>
          </button>
        )}
        <button
          type="button"
          id={`trouble-${concern}`}
          aria-pressed={shown?.concern === concern}
          onClick={() => lead(concern, 1)}
        >
          {text} <strong>{isMany ? `${number(shown.at + 1)}/${number(count)}` : number(count)}</strong>
        </button>
      </span>
    );
  };
  // The board shows the visit itself.
  const isNamed = shown !== null && attention[shown.concern].count > 0 && !(isBoard && shown.step.visitId);
  return (
    <section class="strip" aria-label={t('today.attention')}>
      {GROUPS.map((group) => {
        const concerns = troubled(attention, group);
        return (
          <fieldset key={group} class={`trouble-group is-${group}`} aria-label={t(`strip.${group}`)}>
            <strong>{t(`strip.${group}`)}</strong>
            {concerns.length === 0 && <span class="faint">{t('strip.none')}</span>}
            {concerns.map(button)}
          </fieldset>
        );
      })}
      {isNamed && (
        <p class="trouble-now">
          <strong>{t(`strip.${shown.concern}`)}</strong>
          <a ref={link} href={shown.step.address}>
            <bdi>{shown.step.name}</bdi> <bdi>{shown.step.contact && customerName(shown.step.contact)}</bdi>{' '}
            {shown.step.startsAt && dateTime(shown.step.startsAt)}
          </a>
          <a href={listOf(attention, shown.concern)}>
            {t('strip.all', { count: number(attention[shown.concern].count) })}
          </a>
        </p>
      )}
    </section>
  );
}
