import type { Booking } from '../contract.ts';
import { dayOf, money } from '../format.ts';
import { t } from '../language.ts';
import { usePartnerOptions } from '../options.ts';
import { Badge, stateOptions, VisitBadge } from '../parts/badge.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { Loaded } from '../parts/failed.tsx';
import { DateFilter, Filters, given, SelectFilter, TextFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { type Column, Pager, Table } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { href, place } from '../router.ts';
import { may } from '../session.ts';

const columns = (): Column<Booking>[] => [
  {
    name: 'trackingReference',
    label: t('field.tracking'),
    cell: ({ bookingId, trackingReference }) => (
      <a href={href(`/bookings/${bookingId}`)}>
        <bdi>{trackingReference}</bdi>
      </a>
    ),
  },
  {
    name: 'date',
    sorts: true,
    label: t('field.when'),
    cell: ({ date, timeslot }) => (
      <>
        {dayOf(date)}{' '}
        <bdi dir="ltr">
          {timeslot.startAt}–{timeslot.endAt}
        </bdi>
      </>
    ),
  },
  {
    name: 'status',
    sorts: true,
    label: t('field.status'),
    cell: ({ status, appointment }) => <VisitBadge booking={status} appointment={appointment.status} />,
  },
  {
    name: 'paymentStatus',
    label: t('field.payment'),
    cell: ({ paymentStatus }) => <Badge kind="paymentStatus" state={paymentStatus} />,
  },
  { name: 'customer', label: t('field.customer'), cell: ({ contact }) => <bdi>{contact.name}</bdi> },
  { name: 'partner', label: t('field.partner'), cell: ({ partnerName }) => <bdi>{partnerName}</bdi> },
  {
    name: 'amount',
    sorts: true,
    label: t('field.amount'),
    end: true,
    cell: ({ amount }) => <bdi>{money(amount)}</bdi>,
  },
];

/** The filters of the list, including those of links from the page Today. */
const FILTERS = [
  'search',
  'phone',
  'status',
  'paymentStatus',
  'partnerId',
  'fromDate',
  'toDate',
  'attention',
  'payWithinHours',
  'sortBy',
  'sortOrder',
  'page',
] as const;

/** Bookings of all partners. */
export default function Bookings() {
  const takes = { query: given(...FILTERS) as never };
  const query = useQuery('listBookings', takes, ['bookings', 'payments']);
  const partners = usePartnerOptions();
  return (
    <Page
      title={t('nav.bookings')}
      actions={
        may('createBookingForPartner') && (
          <a class="button" href={href('/bookings/new')}>
            {t('nav.newBooking')}
          </a>
        )
      }
    >
      <Filters>
        <TextFilter name="search" label={t('filter.search')} hint={t('bookings.search')} ltr />
        <TextFilter name="phone" label={t('field.phone')} hint="+9665…" ltr />
        <SelectFilter name="status" label={t('field.status')} options={stateOptions('booking')} />
        <SelectFilter
          name="paymentStatus"
          label={t('field.payment')}
          options={stateOptions('paymentStatus')}
        />
        <SelectFilter name="partnerId" label={t('field.partner')} options={partners} />
        <SelectFilter
          name="attention"
          label={t('today.attention')}
          options={[{ value: 'payment-due', label: t('today.paymentDue') }]}
        />
        <DateFilter name="fromDate" label={t('filter.from')} />
        <DateFilter name="toDate" label={t('filter.to')} />
      </Filters>
      <Loaded query={query}>
        {({ data, meta }) => (
          <>
            <Table
              label={t('nav.bookings')}
              columns={columns()}
              rows={data}
              id={({ bookingId }) => bookingId}
              empty={place.value.query.size > 0 ? t('bookings.empty') : t('bookings.none')}
            />
            <Pager meta={meta}>
              <CsvButton operation="listBookings" takes={takes} />
            </Pager>
          </>
        )}
      </Loaded>
    </Page>
  );
}
