import type { Attention, Board, BoardAppointment } from '../contract.ts';
import { dateIn, dayOf, number, relative, timeOfDay } from '../format.ts';
import { language, t } from '../language.ts';
import { Badge, stateName } from '../parts/badge.tsx';
import { Loaded } from '../parts/failed.tsx';
import { Page, Section } from '../parts/page.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { fromService, href } from '../router.ts';
import { now } from '../session.ts';

const LIVE = ['bookings', 'appointments', 'availability', 'payments', 'deliveries'] as const;

/** The current day: problems, the next hours, counts by state. */
export default function Today() {
  const date = dateIn(now.value);
  const board = useQuery('getBoard', { query: { date } }, LIVE);
  const attention = useQuery('getAttention', {}, LIVE);
  return (
    <Page title={t('nav.today')} about={dayOf(date)}>
      <Section title={t('today.attention')}>
        <Loaded query={attention}>{({ data }) => <Concerns attention={data} />}</Loaded>
      </Section>
      <Section
        title={t('today.next')}
        actions={<a href={href('/appointments', { date })}>{t('today.all')}</a>}
      >
        <Loaded query={board}>{({ data }) => <NextHours board={data} />}</Loaded>
      </Section>
      <Section title={t('today.appointments')}>
        <Loaded query={board}>{({ data }) => <Counts board={data} />}</Loaded>
      </Section>
    </Page>
  );
}

const CONCERNS = [
  'unassigned',
  'unconfirmed',
  'late',
  'overdue',
  'teamAway',
  'cannotComplete',
  'cancelledAlone',
  'notCompleted',
  'paymentDue',
  'refundsToDecide',
  'deliveriesFailing',
] as const satisfies (keyof Attention)[];

/** Each links to its complete list. */
function Concerns({ attention }: { attention: Attention }) {
  const found = CONCERNS.filter((concern) => attention[concern].count > 0);
  if (found.length === 0) return <p class="empty">{t('today.calm')}</p>;
  return (
    <div class="tiles">
      {found.map((concern) => (
        <a key={concern} class="tile bad" href={fromService(attention[concern].list)}>
          <strong>{number(attention[concern].count)}</strong>
          {t(`today.${concern}`)}
        </a>
      ))}
    </div>
  );
}

const columns = (): Column<BoardAppointment>[] => [
  {
    name: 'time',
    label: t('field.when'),
    cell: ({ startsAt, endsAt, booking }) => (
      <>
        <a href={href(`/bookings/${booking.id}`)}>
          <bdi dir="ltr">
            {timeOfDay(startsAt)}–{timeOfDay(endsAt)}
          </bdi>
        </a>{' '}
        <span class="faint small">{relative(startsAt, now.value)}</span>
      </>
    ),
  },
  {
    name: 'status',
    label: t('field.status'),
    cell: ({ status }) => <Badge kind="appointment" state={status} />,
  },
  {
    name: 'service',
    label: t('field.service'),
    cell: ({ service }) => <bdi>{language.value === 'ar' ? service.nameAr : service.nameEn}</bdi>,
  },
  { name: 'customer', label: t('field.customer'), cell: ({ contact }) => <bdi>{contact.name}</bdi> },
  {
    name: 'payment',
    label: t('field.payment'),
    cell: ({ booking }) => <Badge kind="paymentStatus" state={booking.paymentStatus} />,
  },
];

const HOURS = 3_600_000;
const AHEAD = 4 * HOURS;
const ENDED: readonly BoardAppointment['status'][] = ['Completed', 'Cannot Complete', 'Cancelled'];

/** Current appointments, and those of the next hours. */
function NextHours({ board: { appointments, teams } }: { board: Board }) {
  const names = new Map(teams.map(({ id, name }) => [id, name]));
  const rows = appointments
    .filter(
      ({ startsAt, endsAt, status }) =>
        !ENDED.includes(status) && Date.parse(endsAt) > now.value && Date.parse(startsAt) < now.value + AHEAD,
    )
    .sort((one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt));
  const team: Column<BoardAppointment> = {
    name: 'team',
    label: t('field.team'),
    cell: ({ isAssigned, teamId }) => (isAssigned ? <bdi>{names.get(teamId)}</bdi> : t('work.new')),
  };
  return (
    <Table
      label={t('today.next')}
      columns={columns().toSpliced(2, 0, team)}
      rows={rows}
      id={({ id }) => id}
      empty={t('today.quiet')}
    />
  );
}

/** The number of appointments by state. */
function Counts({ board: { appointments, date } }: { board: Board }) {
  if (appointments.length === 0) return <p class="empty">{t('today.empty')}</p>;
  const counts = new Map<BoardAppointment['status'], number>();
  for (const { status } of appointments) counts.set(status, (counts.get(status) ?? 0) + 1);
  return (
    <div class="tiles">
      {[...counts].map(([status, count]) => (
        <a key={status} class="tile" href={href('/appointments', { date, status })}>
          <strong>{number(count)}</strong>
          {stateName('appointment', status)}
        </a>
      ))}
    </div>
  );
}
