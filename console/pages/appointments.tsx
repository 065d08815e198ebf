import type { Appointment } from '../contract.ts';
import { dayOf } from '../format.ts';
import { t } from '../language.ts';
import { useTeamOptions, useZoneOptions } from '../options.ts';
import { Badge, stateOptions } from '../parts/badge.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { Loaded } from '../parts/failed.tsx';
import { DateFilter, Filters, given, SelectFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { type Column, Pager, Table } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { href, place } from '../router.ts';

const columns = (zones: readonly { value: string; label: string }[]): Column<Appointment>[] => [
  {
    name: 'name',
    sorts: true,
    label: t('field.tracking'),
    cell: ({ name, bookingId }) => (
      <a href={href(`/bookings/${bookingId}`)}>
        <bdi>{name}</bdi>
      </a>
    ),
  },
  {
    name: 'startsAt',
    sorts: 'ASC',
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
    cell: ({ status }) => <Badge kind="appointment" state={status} />,
  },
  {
    name: 'team',
    label: t('field.team'),
    cell: ({ team, status }) => (status === 'New' ? t('work.new') : <bdi>{team.name}</bdi>),
  },
  {
    name: 'zone',
    label: t('field.zone'),
    cell: ({ zoneId }) => <bdi>{zones.find(({ value }) => value === zoneId)?.label ?? '–'}</bdi>,
  },
  { name: 'customer', label: t('field.customer'), cell: ({ contact }) => <bdi>{contact.name}</bdi> },
];

/** The filters of the list, including those of links from the page Today. */
const FILTERS = [
  'date',
  'fromDate',
  'toDate',
  'zoneId',
  'teamId',
  'status',
  'attention',
  'assignWithinHours',
  'confirmWithinMinutes',
  'lateAfterMinutes',
  'awayWithinDays',
  'finishedForMinutes',
  'sortBy',
  'sortOrder',
  'page',
] as const;

/** Appointments of all partners, by their start. */
export default function Appointments() {
  const takes = { query: given(...FILTERS) as never };
  const query = useQuery('listAppointments', takes, ['appointments', 'bookings', 'availability']);
  const zones = useZoneOptions();
  return (
    <Page title={t('nav.appointments')}>
      <Filters>
        <SelectFilter
          name="attention"
          label={t('today.attention')}
          options={[
            { value: 'unassigned', label: t('today.unassigned') },
            { value: 'unconfirmed', label: t('today.unconfirmed') },
            { value: 'late', label: t('today.late') },
            { value: 'overdue', label: t('today.overdue') },
            { value: 'team-away', label: t('today.teamAway') },
            { value: 'cannot-complete', label: t('today.cannotComplete') },
            { value: 'cancelled-alone', label: t('today.cancelledAlone') },
            { value: 'not-completed', label: t('today.notCompleted') },
          ]}
        />
        <SelectFilter name="status" label={t('field.status')} options={stateOptions('appointment')} />
        <DateFilter name="date" label={t('booking.date')} />
        <DateFilter name="fromDate" label={t('filter.from')} />
        <DateFilter name="toDate" label={t('filter.to')} />
        <SelectFilter name="zoneId" label={t('field.zone')} options={zones} />
        <SelectFilter name="teamId" label={t('field.team')} options={useTeamOptions()} />
      </Filters>
      <Loaded query={query}>
        {({ data, meta }) => (
          <>
            <Table
              label={t('nav.appointments')}
              columns={columns(zones)}
              rows={data}
              id={({ id }) => id}
              empty={place.value.query.size > 0 ? t('appointments.empty') : t('appointments.none')}
            />
            <Pager meta={meta}>
              <CsvButton operation="listAppointments" takes={takes} />
            </Pager>
          </>
        )}
      </Loaded>
    </Page>
  );
}
