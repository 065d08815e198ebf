import type { ComponentChildren } from 'preact';
import { visitConcerns } from '../board/trouble.ts';
import type { Booking } from '../contract.ts';
import { addDays, dateIn, dayOf, fromTo, money } from '../format.ts';
import { customerName, nameOf, type PlainKey, t } from '../language.ts';
import { usePartnerOptions, useTeamOptions, useZoneOptions } from '../options.ts';
import { Badge, stateOptions, VisitBadge } from '../parts/badge.tsx';
import { bookingColumn } from '../parts/columns.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { DateFilter, Filters, given, SelectFilter, TextFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Phone } from '../parts/phone.tsx';
import { SeriesMark } from '../parts/series-parts.tsx';
import type { Column } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
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
/** Whose customers are called. */
const CALLED = ['late', 'unreported', 'overdue', 'team-away'];
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
        <>
          {CALLED.includes(given('attention').attention!) && (
            <a class="button" href={href('/calls', given(...FILTERS))}>
              {t('calls.title')}
            </a>
          )}
          {may('createBookingForPartner') && (
            <a class="button" href={href('/bookings/new')}>
              {t('nav.newBooking')}
            </a>
          )}
        </>
      }
    >
      <VisitTabs chosen={chosen} />
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

/** The views, and the series. */
export function VisitTabs({ chosen }: { chosen: ViewName | 'weekly' }) {
  const pathOf = (name: string): string => (name === 'today' ? '/visits' : `/visits?view=${name}`);
  const weekly = { path: '/series', label: t('visits.weekly') };
  const views = Object.entries(savedViews(dateIn(now.value)));
  const tabs = [...views.map(([name, { label }]) => ({ path: pathOf(name), label: t(label) })), weekly];
  const current = chosen === 'weekly' ? weekly.path : pathOf(chosen);
  return <Tabs label={t('visits.views')} tabs={tabs} current={current} />;
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

function VisitFilters() {
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
      <SelectFilter name="attention" label={t('today.attention')} options={visitConcerns()} />
      <SelectFilter name="zoneId" label={t('field.zone')} options={useZoneOptions()} />
      <SelectFilter name="teamId" label={t('field.team')} options={useTeamOptions()} />
      <SelectFilter name="partnerId" label={t('field.partner')} options={usePartnerOptions()} />
    </Filters>
  );
}

/** `order`: of the starts; undefined: the list is sorted otherwise. */
export const columns = (order?: 'ASC' | 'DESC'): Column<Booking>[] => [
  bookingColumn(),
  {
    name: 'startsAt',
    sorts: order ?? true,
    label: t('field.when'),
    cell: ({ date, timeslot, ...visit }) => (
      <>
        {dayOf(date)} {fromTo(timeslot.startAt, timeslot.endAt)} <SeriesMark visit={visit} />
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
