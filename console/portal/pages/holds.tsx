import { dateTime, dayOf, fromTo, money } from '../../format.ts';
import { t } from '../../language.ts';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import type { Column } from '../../parts/table.tsx';
import { href } from '../../router.ts';
import type { PortalHold } from '../contract.ts';
import { p } from '../language.ts';
import { useQuery } from '../query.ts';

const TONES: Record<PortalHold['status'], string> = {
  HELD: 'notice',
  CONSUMED: 'good',
  RELEASED: 'plain',
  EXPIRED: 'bad',
};

const columns = (): Column<PortalHold>[] => [
  {
    name: 'date',
    label: t('field.when'),
    cell: ({ date, timeslot }) => (
      <>
        {dayOf(date)} {fromTo(timeslot.startAt, timeslot.endAt)}
      </>
    ),
  },
  { name: 'service', label: t('field.service'), cell: ({ serviceName }) => <bdi>{serviceName}</bdi> },
  { name: 'price', label: p('overview.price'), end: true, cell: ({ price }) => money(price) },
  {
    name: 'status',
    label: t('field.status'),
    cell: ({ status }) => <span class={`badge ${TONES[status]}`}>{p(`hold.${status}`)}</span>,
  },
  { name: 'expiresAt', label: p('holds.expires'), cell: ({ expiresAt }) => dateTime(expiresAt) },
  {
    name: 'holdId',
    label: p('holds.id'),
    cell: ({ holdId }) => (
      <bdi class="small">
        <code>{holdId}</code>
      </bdi>
    ),
  },
  {
    name: 'bookingId',
    label: p('holds.booking'),
    cell: ({ bookingId }) =>
      bookingId === null ? '–' : <a href={href(`/bookings/${bookingId}`)}>{p('holds.see')}</a>,
  },
];

/** The partner's holds, live and of the last day. */
export default function Holds() {
  const query = useQuery('listHolds', {}, ['bookings']);
  return (
    <Page title={p('nav.holds')} about={p('holds.about')}>
      <PagedTable
        query={query}
        label={p('nav.holds')}
        columns={columns()}
        id={({ holdId }) => holdId}
        empty={p('holds.none')}
      />
    </Page>
  );
}
