import type { Appointment } from '../contract.ts';
import { dateTime } from '../format.ts';
import { customerName, nameOf, t } from '../language.ts';
import { Badge } from '../parts/badge.tsx';
import { CallAnswer } from '../parts/call-answer.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { given } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { PhoneLinks, TeamPhone } from '../parts/phone.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { href } from '../router.ts';

const FILTERS = [
  'ids',
  'attention',
  'lateAfterMinutes',
  'awayWithinDays',
  'fromDate',
  'toDate',
  'zoneId',
  'teamId',
  'page',
] as const;
const AT_ONCE = 100;

const columns = (): Column<Appointment>[] => [
  {
    name: 'name',
    label: t('field.appointment'),
    cell: ({ name, bookingId, status }) => (
      <>
        <a href={href(`/bookings/${bookingId}`)}>
          <bdi>{name}</bdi>
        </a>{' '}
        <Badge kind="appointment" state={status} />
      </>
    ),
  },
  { name: 'when', label: t('field.when'), cell: ({ startsAt }) => dateTime(startsAt) },
  {
    name: 'customer',
    label: t('field.customer'),
    cell: ({ contact }) => (
      <>
        <bdi>{customerName(contact)}</bdi> <PhoneLinks phone={contact.phone} />
      </>
    ),
  },
  {
    name: 'team',
    label: t('field.team'),
    cell: ({ team }) => (
      <>
        <bdi>{nameOf(team)}</bdi> <TeamPhone team={team} />
      </>
    ),
  },
  {
    name: 'call',
    label: t('calls.answer'),
    cell: (visit) => <CallAnswer visit={visit} startsAt={visit.startsAt} />,
  },
];

/** Customers to call about their visits, for the telephone, paper and files. */
export default function Calls() {
  const takes = { query: { limit: AT_ONCE, ...given(...FILTERS) } as never };
  const query = useQuery('listAppointments', takes, ['appointments', 'availability']);
  return (
    <Page
      title={t('calls.title')}
      actions={
        <button type="button" class="primary" onClick={() => print()}>
          {t('sheets.print')}
        </button>
      }
    >
      <PagedTable
        query={query}
        label={t('calls.title')}
        columns={columns()}
        id={({ id }) => id}
        empty={t('calls.none')}
      >
        <CsvButton operation="listAppointments" takes={takes} />
      </PagedTable>
    </Page>
  );
}
