import { LateBadge } from '../board/late-badge.tsx';
import { byUrgency, isOfNow, latenessOf, needsDayBefore } from '../board/lateness.ts';
import type { Attention, Board, BoardAppointment } from '../contract.ts';
import { addDays, dateIn, dayOf, fromTo, money, number, relative, timeOfDay } from '../format.ts';
import { customerName, nameOf, type PlainKey, t } from '../language.ts';
import { Badge, stateName } from '../parts/badge.tsx';
import { Loaded } from '../parts/failed.tsx';
import { Gaps } from '../parts/gaps.tsx';
import { Day, Page, Section } from '../parts/page.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { fromService, href } from '../router.ts';
import { now } from '../session.ts';
import { statusesIn } from '../states.ts';
import { useSetupGaps } from './setup-gaps.ts';

const LIVE = ['bookings', 'appointments', 'availability', 'payments', 'deliveries'] as const;

/** The current day: problems, the next hours, counts by state. */
export default function Today() {
  const date = dateIn(now.value);
  const board = useQuery('getBoard', { query: { date } }, LIVE);
  const isEarly = needsDayBefore(now.value);
  const dayBefore = useQuery('getBoard', isEarly ? { query: { date: addDays(date, -1) } } : null, LIVE);
  const before = isEarly ? (dayBefore.answer?.data ?? null) : null;
  const attention = useQuery('getAttention', {}, LIVE);
  const setup = useSetupGaps();
  return (
    <Page title={t('nav.today')} about={<Day date={date} />}>
      <Gaps title={t('setup.nothing')} gaps={setup} />
      <Section title={t('today.attention')}>
        <Loaded query={attention}>{({ data }) => <Concerns attention={data} />}</Loaded>
      </Section>
      <Section
        title={t('today.next')}
        actions={<a href={href('/appointments', { date })}>{t('today.all')}</a>}
      >
        <Loaded query={board}>{({ data }) => <NextHours boards={before ? [before, data] : [data]} />}</Loaded>
      </Section>
      <Section title={t('today.appointments')}>
        <Loaded query={board}>{({ data }) => <Counts board={data} />}</Loaded>
      </Section>
    </Page>
  );
}

type Concern = Exclude<keyof Attention, 'at'>;
/** Their texts, in the order of the page. */
const CONCERNS: Record<Concern, PlainKey> = {
  unassigned: 'today.unassigned',
  unconfirmed: 'today.unconfirmed',
  late: 'today.late',
  unreported: 'today.unreported',
  overdue: 'today.overdue',
  teamAway: 'today.teamAway',
  cannotComplete: 'today.cannotComplete',
  cancelledAlone: 'today.cancelledAlone',
  notCompleted: 'today.notCompleted',
  workCancelled: 'today.workCancelled',
  daysHeld: 'today.daysHeld',
  paidCancelled: 'today.paidCancelled',
  feesToDecide: 'today.feesToDecide',
  feesGivenBack: 'today.feesGivenBack',
  paymentDue: 'today.paymentDue',
  linksNotMade: 'today.linksNotMade',
  linksNotSent: 'today.linksNotSent',
  refundsToDecide: 'today.refundsToDecide',
  stepsRefused: 'today.stepsRefused',
  messagesFailed: 'today.messagesFailed',
  privacyRequestsDue: 'today.privacyRequestsDue',
  deliveriesFailing: 'today.deliveriesFailing',
};

function labelOf(concern: Concern, { feesGivenBack: { sum } }: Attention): string {
  const label = t(CONCERNS[concern]);
  return concern === 'feesGivenBack' && sum > 0 ? `${label}: ${money(sum)}` : label;
}

/** The board shows what is held. */
const addressOf = (concern: Concern, attention: Attention): string =>
  concern === 'daysHeld'
    ? href('/board', { date: attention.daysHeld.rows[0]?.date ?? '' })
    : fromService(attention[concern].list);

/** Each links to its complete list. */
function Concerns({ attention }: { attention: Attention }) {
  const concerns = Object.keys(CONCERNS) as Concern[];
  return (
    <>
      {concerns.every((concern) => attention[concern].count === 0) && <p class="empty">{t('today.calm')}</p>}
      <div class="tiles">
        {concerns.map((concern) => (
          <Tile
            key={concern}
            tone="bad"
            count={attention[concern].count}
            address={addressOf(concern, attention)}
            label={labelOf(concern, attention)}
          />
        ))}
      </div>
    </>
  );
}

/** A number with the list behind it; grey without a link if it is zero. */
function Tile({
  count,
  address,
  label,
  tone = '',
}: {
  count: number;
  address: string;
  label: string;
  tone?: string;
}) {
  const content = (
    <>
      <strong>{number(count)}</strong>
      {label}
    </>
  );
  if (count === 0) return <span class="tile zero">{content}</span>;
  return (
    <a class={`tile ${tone}`} href={address}>
      {content}
    </a>
  );
}

/** A night is listed until it is closed. */
const isOtherDay = ({ startsAt }: BoardAppointment): boolean =>
  dateIn(Date.parse(startsAt)) !== dateIn(now.value);

const columns = (): Column<BoardAppointment>[] => [
  {
    name: 'time',
    label: t('field.when'),
    cell: (visit) => {
      const lateness = latenessOf(visit, now.value);
      return (
        <>
          <a href={href(`/bookings/${visit.booking.id}`)}>
            {isOtherDay(visit) && `${dayOf(dateIn(Date.parse(visit.startsAt)))} `}
            {fromTo(timeOfDay(visit.startsAt), timeOfDay(visit.endsAt))}
          </a>{' '}
          {lateness === null ? (
            <span class="faint small">{relative(visit.startsAt, now.value)}</span>
          ) : (
            <LateBadge lateness={lateness} />
          )}
        </>
      );
    },
  },
  {
    name: 'status',
    label: t('field.status'),
    cell: ({ status }) => <Badge kind="appointment" state={status} />,
  },
  {
    name: 'service',
    label: t('field.service'),
    cell: ({ service }) => <bdi>{nameOf(service)}</bdi>,
  },
  { name: 'customer', label: t('field.customer'), cell: ({ contact }) => <bdi>{customerName(contact)}</bdi> },
  {
    name: 'payment',
    label: t('field.payment'),
    cell: ({ booking }) => <Badge kind="paymentStatus" state={booking.paymentStatus} />,
  },
];

/** Late visits, current ones, and those of the next hours. */
function NextHours({ boards }: { boards: readonly Board[] }) {
  const names = new Map(boards.flatMap(({ teams }) => teams.map((each) => [each.id, nameOf(each)] as const)));
  // A night is on both days.
  const visits = new Map(
    boards.flatMap(({ appointments }) => appointments.map((visit) => [visit.id, visit])),
  );
  const rows = byUrgency(
    [...visits.values()].filter((visit) => isOfNow(visit, now.value)),
    now.value,
  );
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

const FLOW = statusesIn('planned', 'arriving', 'working', 'done', 'not done');

/** The number of appointments by state. */
function Counts({ board: { appointments, date } }: { board: Board }) {
  if (appointments.length === 0) return <p class="empty">{t('today.empty')}</p>;
  return (
    <div class="tiles">
      {FLOW.map((status) => (
        <Tile
          key={status}
          count={appointments.filter((visit) => visit.status === status).length}
          address={href('/appointments', { date, status })}
          label={stateName('appointment', status)}
        />
      ))}
    </div>
  );
}
