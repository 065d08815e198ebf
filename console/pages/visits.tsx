import type { ComponentChildren } from 'preact';
import type { Booking, ListBookingsQuery } from '../contract.ts';
import { addDays, dateIn, dayOf, fromTo, money } from '../format.ts';
import { customerName, nameOf, type PlainKey, t } from '../language.ts';
import { usePartnerOptions, useTeamOptions, useZoneOptions } from '../options.ts';
import { Badge, stateOptions, VisitBadge } from '../parts/badge.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { DateFilter, Filters, given, SelectFilter, TextFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Phone } from '../parts/phone.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { href, place } from '../router.ts';
import { may, now } from '../session.ts';

/** Visits of all partners: bookings with their appointments. */

type ViewName = 'today' | 'tomorrow' | 'unassigned' | 'unpaid' | 'undone' | 'all';
type View = { label: PlainKey; filters: Record<string, string>; order?: 'ASC' | 'DESC' };

const onDate = (date: string): Record<string, string> => ({ fromDate: date, toDate: date });

/** The saved views in the order of their tabs, and by which order of starts they are sorted; without: newest first. */
function savedViews(today: string): Record<ViewName, View> {
  return {
    today: { label: 'visits.today', filters: onDate(today), order: 'ASC' },
    tomorrow: { label: 'visits.tomorrow', filters: onDate(addDays(today, 1)), order: 'ASC' },
    unassigned: { label: 'visits.unassigned', filters: { appointmentStatus: 'New' }, order: 'ASC' },
    unpaid: { label: 'visits.unpaid', filters: { paymentStatus: 'PENDING' }, order: 'ASC' },
    undone: {
      label: 'visits.undone',
      filters: { appointmentStatus: 'Cannot Complete' },
      order: 'DESC',
    },
    all: { label: 'visits.all', filters: {} },
  };
}

/** The filters of the list, including those of links from the page Today. */
const FILTERS = [
  'search',
  'fromDate',
  'toDate',
  'appointmentStatus',
  'status',
  'paymentStatus',
  'zoneId',
  'teamId',
  'partnerId',
  'contactId',
  'attention',
  'payWithinHours',
  'assignWithinHours',
  'confirmWithinMinutes',
  'lateAfterMinutes',
  'awayWithinDays',
  'finishedForMinutes',
] as const;
const ORDER = ['sortBy', 'sortOrder', 'page'] as const;

/** The view of the address; without one Today, or All as soon as something is looked for. */
function chosenView(views: Record<ViewName, View>): ViewName {
  const wanted = place.value.query.get('view') ?? '';
  if (wanted in views) return wanted as ViewName;
  return Object.keys(given(...FILTERS)).length > 0 ? 'all' : 'today';
}

export default function Visits() {
  const views = savedViews(dateIn(now.value));
  const chosen = chosenView(views);
  const { filters, order } = views[chosen];
  const sorting = order && { sortBy: 'startsAt', sortOrder: order };
  const takes = { query: { ...sorting, ...filters, ...given(...FILTERS, ...ORDER) } as never };
  const query = useQuery('listBookings', takes, ['bookings', 'appointments', 'payments', 'availability']);
  return (
    <Page
      title={t('nav.visits')}
      about={filters.fromDate === undefined ? undefined : dayOf(filters.fromDate)}
      actions={
        may('createBookingForPartner') && (
          <a class="button" href={href('/bookings/new')}>
            {t('nav.newBooking')}
          </a>
        )
      }
    >
      <nav class="tabs" aria-label={t('visits.views')}>
        {Object.entries(views).map(([name, { label }]) => (
          <a
            key={name}
            class="tab"
            href={href('/visits', { view: name === 'today' ? null : name })}
            aria-current={name === chosen ? 'page' : undefined}
          >
            {t(label)}
          </a>
        ))}
      </nav>
      <VisitFilters />
      <PagedTable
        query={query}
        label={t('nav.visits')}
        columns={columns(order)}
        id={({ bookingId }) => bookingId}
        empty={<Empty isAll={chosen === 'all'} />}
      >
        <CsvButton operation="listBookings" takes={takes} />
      </PagedTable>
    </Page>
  );
}

function Empty({ isAll }: { isAll: boolean }): ComponentChildren {
  const { search } = given('search');
  if (Object.keys(given(...FILTERS)).length === 0) return t('visits.none');
  return (
    <>
      {t('visits.empty')}{' '}
      {search !== undefined && !isAll && (
        <a href={href('/visits', { view: 'all', search })}>{t('visits.inAll')}</a>
      )}
    </>
  );
}

const CONCERNS: Record<NonNullable<ListBookingsQuery['attention']>, PlainKey> = {
  unassigned: 'today.unassigned',
  unconfirmed: 'today.unconfirmed',
  'payment-due': 'today.paymentDue',
  late: 'today.late',
  unreported: 'today.unreported',
  overdue: 'today.overdue',
  'team-away': 'today.teamAway',
  'cannot-complete': 'today.cannotComplete',
  'cancelled-alone': 'today.cancelledAlone',
  'not-completed': 'today.notCompleted',
  'work-cancelled': 'today.workCancelled',
  'paid-cancelled': 'today.paidCancelled',
  'fees-to-decide': 'today.feesToDecide',
  'fees-given-back': 'today.feesGivenBack',
};

function VisitFilters() {
  const concerns = Object.entries(CONCERNS).map(([value, label]) => ({ value, label: t(label) }));
  return (
    <Filters>
      <TextFilter name="search" label={t('filter.search')} hint={t('visits.search')} wide />
      <DateFilter name="fromDate" label={t('filter.from')} />
      <DateFilter name="toDate" label={t('filter.to')} />
      <SelectFilter
        name="appointmentStatus"
        label={t('field.status')}
        options={stateOptions('appointment')}
      />
      <SelectFilter name="status" label={t('visits.booking')} options={stateOptions('booking')} />
      <SelectFilter name="paymentStatus" label={t('field.payment')} options={stateOptions('paymentStatus')} />
      <SelectFilter name="attention" label={t('today.attention')} options={concerns} />
      <SelectFilter name="zoneId" label={t('field.zone')} options={useZoneOptions()} />
      <SelectFilter name="teamId" label={t('field.team')} options={useTeamOptions()} />
      <SelectFilter name="partnerId" label={t('field.partner')} options={usePartnerOptions()} />
    </Filters>
  );
}

/** `order`: of the starts; undefined: the list is sorted otherwise. */
export const columns = (order?: 'ASC' | 'DESC'): Column<Booking>[] => [
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
    name: 'startsAt',
    sorts: order ?? true,
    label: t('field.when'),
    cell: ({ date, timeslot }) => (
      <>
        {dayOf(date)} {fromTo(timeslot.startAt, timeslot.endAt)}
      </>
    ),
  },
  {
    name: 'status',
    label: t('field.status'),
    cell: ({ status, appointment }) => <VisitBadge booking={status} appointment={appointment.status} />,
  },
  {
    name: 'customer',
    label: t('field.customer'),
    cell: ({ contact, address }) => (
      <>
        <a href={href(`/customers/${contact.id}`)}>
          <bdi>{customerName(contact)}</bdi>
        </a>{' '}
        <Phone contact={contact}>
          {(phone) => (
            <bdi dir="ltr" class="small faint">
              {phone}
            </bdi>
          )}
        </Phone>{' '}
        <bdi class="small faint">{address.districtName ?? address.cityName}</bdi>
      </>
    ),
  },
  {
    name: 'service',
    label: t('field.service'),
    cell: ({ serviceNameEn, serviceNameAr, partnerName }) => (
      <>
        <bdi>{nameOf({ nameEn: serviceNameEn, nameAr: serviceNameAr })}</bdi>{' '}
        <bdi class="small faint">{partnerName}</bdi>
      </>
    ),
  },
  {
    name: 'team',
    label: t('field.team'),
    cell: ({ team, appointment }) => (appointment.status === 'New' ? '–' : <bdi>{nameOf(team)}</bdi>),
  },
  {
    name: 'paymentStatus',
    label: t('field.payment'),
    cell: ({ paymentStatus, amount }) => (
      <>
        <Badge kind="paymentStatus" state={paymentStatus} /> <bdi class="small faint">{money(amount)}</bdi>
      </>
    ),
  },
];
