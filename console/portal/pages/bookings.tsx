import { dayOf, fromTo } from '../../format.ts';
import { t } from '../../language.ts';
import { Badge, stateOptions } from '../../parts/badge.tsx';
import { bookingColumn } from '../../parts/columns.tsx';
import { DateFilter, Filters, given, SelectFilter, TextFilter } from '../../parts/filters.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import type { Column } from '../../parts/table.tsx';
import { place } from '../../router.ts';
import type { Booking } from '../contract.ts';
import { p } from '../language.ts';
import { useQuery } from '../query.ts';

export const columns = (): Column<Booking>[] => [
  bookingColumn(),
  {
    name: 'externalReference',
    sorts: true,
    label: p('bookings.reference'),
    cell: ({ externalReference }) => <bdi>{externalReference ?? '–'}</bdi>,
  },
  {
    name: 'date',
    sorts: true,
    label: t('field.when'),
    cell: ({ date, timeslot }) => (
      <>
        {dayOf(date)} {fromTo(timeslot.startAt, timeslot.endAt)}
      </>
    ),
  },
  {
    name: 'status',
    sorts: true,
    label: t('field.status'),
    cell: ({ status }) => <Badge kind="booking" state={status} />,
  },
  {
    name: 'paymentStatus',
    label: t('field.payment'),
    cell: ({ paymentStatus }) => <Badge kind="paymentStatus" state={paymentStatus} />,
  },
  {
    name: 'appointment',
    label: t('field.appointment'),
    cell: ({ appointment }) =>
      appointment === null ? p('booking.none') : <Badge kind="appointment" state={appointment.status} />,
  },
];

const FILTERS = ['status', 'externalReference', 'fromDate', 'toDate', 'sortBy', 'sortOrder', 'page'] as const;

/** The partner's bookings. */
export default function Bookings() {
  const query = useQuery('listBookings', { query: given(...FILTERS) as never }, ['bookings']);
  return (
    <Page title={p('nav.bookings')}>
      <Filters>
        <TextFilter name="externalReference" label={p('bookings.reference')} ltr />
        <SelectFilter name="status" label={t('field.status')} options={stateOptions('booking')} />
        <DateFilter name="fromDate" label={t('filter.from')} />
        <DateFilter name="toDate" label={t('filter.to')} />
      </Filters>
      <PagedTable
        query={query}
        label={p('nav.bookings')}
        columns={columns()}
        id={({ bookingId }) => bookingId}
        empty={place.value.query.size > 0 ? t('bookings.empty') : p('bookings.none')}
      />
    </Page>
  );
}
