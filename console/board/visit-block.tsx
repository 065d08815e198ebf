import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { BoardAppointment } from '../contract.ts';
import { fromTo } from '../format.ts';
import { customerName, direction, language, t } from '../language.ts';
import { stateName } from '../parts/badge.tsx';
import { seriesText } from '../parts/series-parts.tsx';
import { statusOf } from '../parts/status-steps.tsx';
import { now } from '../session.ts';
import { chosen } from './chosen.tsx';
import { clockTime, instant, MINUTE, placed, type Span, type Visit } from './day.ts';
import type { Hits } from './hits.ts';
import { delayText, durationText, latenessText } from './late-badge.tsx';
import { delayOf, latenessOf } from './lateness.ts';
import { reasonText } from './placements.ts';

/** A visit on the board: its look says how far it is, and whether it is late. */

type Status = BoardAppointment['status'];

export const serviceName = ({ service }: Visit): string =>
  language.value === 'ar' ? service.nameAr : service.nameEn;

/** The class of each status, and a sign: colour alone must not convey it. */
const LOOKS: Record<Status, [look: string, sign: string]> = {
  New: ['is-new', '?'],
  Scheduled: ['is-scheduled', '○'],
  Confirmed: ['is-confirmed', '●'],
  'In The Way': ['is-coming', '→'],
  'In The location': ['is-coming', '⌂'],
  'In Progress': ['is-working', '▶'],
  Finished: ['is-done', '✓'],
  Completed: ['is-done', '✔'],
  'Cannot Complete': ['is-lost', '✕'],
  Cancelled: ['', ''],
};

/** Arrows point in the reading direction. */
const MIRRORED: Record<string, string> = { '→': '←', '▶': '◀' };

export function lookOf(status: Status): [look: string, sign: string] {
  const [look, sign] = LOOKS[status];
  return [look, direction() === 'rtl' ? (MIRRORED[sign] ?? sign) : sign];
}

const minute = computed(() => Math.floor(now.value / MINUTE) * MINUTE);

/** Minutes that the visit is late or over; only a change of them renders it again. */
export function useLateMinutes({ startsAt, endsAt }: Visit, status: Status): number {
  return useMemo(
    () => computed(() => latenessOf({ status, startsAt, endsAt }, minute.value)?.minutes ?? 0),
    [startsAt, endsAt, status],
  ).value;
}

export function useIsChosen(id: string): boolean {
  return useMemo(() => computed(() => chosen.value.has(id)), [id]).value;
}

export function VisitBlock({ visit, hours, hits }: { visit: Visit; hours: Span; hits: Hits }) {
  const status = statusOf(visit);
  const minutes = useLateMinutes(visit, status);
  const isChosen = useIsChosen(visit.id);
  const [from, end] = [instant(visit.startsAt), instant(visit.endsAt)];
  const isOver = status === 'In Progress' && minutes > 0;
  // Work that is not over reaches to the present.
  const until = isOver ? end + minutes * MINUTE : end;
  const at = placed(hours, from, until);
  if (at === null) return null;
  const buffer = isOver ? null : placed(hours, end, instant(visit.busyUntil));
  const mark = [from < hours.from ? 'from-before' : '', until > hours.until ? 'goes-on' : ''].join(' ');
  const about = describe(visit, status, minutes);
  return (
    <>
      {visit.isAssigned && buffer !== null && (
        <span class="buffer" style={{ insetInlineStart: buffer.start, inlineSize: buffer.size }} />
      )}
      <button
        type="button"
        id={`visit-${visit.id}`}
        data-visit={visit.id}
        class={`visit ${lookOf(status)[0]} ${minutes > 0 ? 'is-late' : ''} ${mark}`}
        data-dim={hits.ids === null || hits.ids.has(visit.id) ? undefined : ''}
        data-hit={hits.current === visit.id ? '' : undefined}
        data-chosen={isChosen ? '' : undefined}
        aria-describedby="board-keys"
        title={about}
        style={{ insetInlineStart: at.start, inlineSize: at.size }}
      >
        <VisitText visit={visit} status={status} minutes={minutes} />
        <span class="unseen">
          {isChosen && `${t('board.isChosen')}, `}
          {about}
        </span>
      </button>
    </>
  );
}

/** Everything that is known of it, for the pointer and for screen readers. */
function describe(visit: Visit, status: Status, minutes: number): string {
  const { booking, partner, name, startsAt, endsAt } = visit;
  const delay = delayOf({ status, lateMinutes: visit.lateMinutes });
  return [
    name,
    fromTo(clockTime(instant(startsAt)), clockTime(instant(endsAt))),
    placeOf(visit),
    serviceName(visit),
    partner.name,
    booking.seriesId != null && seriesText(booking),
    stateName('appointment', status),
    minutes > 0 && latenessText({ is: status === 'In Progress' ? 'over' : 'late', minutes }),
    delay !== null && delayText(delay),
    visit.problem !== null && t('board.forced', { reason: reasonText(visit.problem) }),
    stateName('paymentStatus', booking.paymentStatus),
  ]
    .filter(Boolean)
    .join(', ');
}

/** Customer and district. */
export const placeOf = ({ contact, address }: Visit): string =>
  [customerName(contact), address.districtName].filter(Boolean).join(' · ');

function VisitText({ visit, status, minutes }: { visit: Visit; status: Status; minutes: number }) {
  return (
    <>
      <span class="visit-head" aria-hidden="true">
        <bdi class="visit-time" dir="ltr">
          {clockTime(instant(visit.startsAt))}
        </bdi>{' '}
        <span class="sign">{lookOf(status)[1]}</span> <VisitMarks visit={visit} minutes={minutes} />
      </span>
      <bdi class="visit-line" aria-hidden="true">
        {placeOf(visit)}
      </bdi>
      <bdi class="visit-line" aria-hidden="true">
        {serviceName(visit)}
      </bdi>
    </>
  );
}

/** Late, by how much it comes later, against the rules, not paid, of a series, and for which partner. */
export function VisitMarks({ visit, minutes }: { visit: Visit; minutes: number }) {
  const delay = delayOf(visit);
  return (
    <>
      {minutes > 0 && <span class="late">{durationText(minutes)}</span>}{' '}
      {delay !== null && <span class="due">+{durationText(delay)}</span>}{' '}
      {visit.problem !== null && <span class="forced">!</span>}{' '}
      {isUnpaid(visit) && <span class="due">{t('board.currency')}</span>}{' '}
      {visit.booking.seriesId != null && <span title={seriesText(visit.booking)}>↻</span>}{' '}
      <PartnerMark name={visit.partner.name} />
    </>
  );
}

/** A partner collects its own payments. */
const isUnpaid = ({ booking }: Visit): boolean =>
  booking.paymentStatus === 'PENDING' && booking.paymentResponsibility === 'PLATFORM';

/** The initials of the partner. */
function PartnerMark({ name }: { name: string }) {
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('');
  return <span class="partner-mark">{initials}</span>;
}

/** The legend of colours and signs. */
export function Legend() {
  return (
    <ul class="legend small">
      {(Object.keys(LOOKS) as Status[]).map((status) => (
        <li key={status}>
          <span class={`visit key ${lookOf(status)[0]}`} aria-hidden="true">
            {lookOf(status)[1]}
          </span>{' '}
          {stateName('appointment', status)}
        </li>
      ))}
      {(
        [
          ['late', t('day.minutes', { minutes: 20 }), 'board.late'],
          ['forced', '!', 'board.againstRules'],
          ['due', t('board.currency'), 'paid.pending'],
          ['held-slot key', '⏳', 'board.held'],
          ['', '↻', 'series.title'],
        ] as const
      ).map(([look, sign, text]) => (
        <li key={text}>
          <span class={look} aria-hidden="true">
            {sign}
          </span>{' '}
          {t(text)}
        </li>
      ))}
    </ul>
  );
}
