import { DelayBadge, LateBadge } from '../board/late-badge.tsx';
import { byUrgency, isOfNow, latenessOf, needsDayBefore } from '../board/lateness.ts';
import { Strip, useAttention } from '../board/strip.tsx';
import type { Board, BoardAppointment } from '../contract.ts';
import { addDays, dateIn, dayOf, fromTo, relative, timeOfDay } from '../format.ts';
import { customerName, nameOf, t } from '../language.ts';
import { Badge } from '../parts/badge.tsx';
import { CallAnswer } from '../parts/call-answer.tsx';
import { Loaded } from '../parts/failed.tsx';
import { Gaps } from '../parts/gaps.tsx';
import { Day, Page, Section } from '../parts/page.tsx';
import { Phone, TeamPhone } from '../parts/phone.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { href } from '../router.ts';
import { now } from '../session.ts';
import { useSetupGaps } from './setup-gaps.ts';
import { useDone } from './today-done.tsx';

const LIVE = ['bookings', 'appointments', 'availability', 'payments'] as const;

/** The current day: problems, and the next hours. */
export default function Today() {
  const date = dateIn(now.value);
  const board = useQuery('getBoard', { query: { date } }, LIVE);
  const isEarly = needsDayBefore(now.value);
  const dayBefore = useQuery('getBoard', isEarly ? { query: { date: addDays(date, -1) } } : null, LIVE);
  const before = isEarly ? (dayBefore.answer?.data ?? null) : null;
  const setup = useSetupGaps();
  return (
    <Page title={t('nav.today')} about={<Day date={date} />}>
      <Strip query={useAttention()} isBoard={false} />
      <Gaps title={t('setup.nothing')} gaps={setup} />
      <Section
        title={t('today.next')}
        actions={<a href={href('/appointments', { date })}>{t('today.all')}</a>}
      >
        <Loaded query={board}>{({ data }) => <NextHours boards={before ? [before, data] : [data]} />}</Loaded>
      </Section>
    </Page>
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
          <a id={`visit-${visit.id}`} href={href(`/bookings/${visit.booking.id}`)}>
            {isOtherDay(visit) && `${dayOf(dateIn(Date.parse(visit.startsAt)))} `}
            {fromTo(timeOfDay(visit.startsAt), timeOfDay(visit.endsAt))}
          </a>{' '}
          {lateness === null ? (
            <span class="faint small">{relative(visit.startsAt, now.value)}</span>
          ) : (
            <LateBadge lateness={lateness} />
          )}{' '}
          <DelayBadge visit={visit} />
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
  {
    name: 'customer',
    label: t('field.customer'),
    cell: (visit) => (
      <>
        <bdi>{customerName(visit.contact)}</bdi> <Phone contact={visit.contact} />{' '}
        {latenessOf(visit, now.value) !== null && <CallAnswer visit={visit} startsAt={visit.startsAt} />}
      </>
    ),
  },
  {
    name: 'payment',
    label: t('field.payment'),
    cell: ({ booking }) => <Badge kind="paymentStatus" state={booking.paymentStatus} />,
  },
];

/** Late visits, current ones, and those of the next hours. */
function NextHours({ boards }: { boards: readonly Board[] }) {
  const teams = new Map(boards.flatMap((board) => board.teams.map((each) => [each.id, each] as const)));
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
    cell: ({ isAssigned, teamId }) => {
      const of = teams.get(teamId);
      if (!isAssigned || of === undefined) return t('work.new');
      return (
        <>
          <bdi>{nameOf(of)}</bdi> <TeamPhone team={of} />
        </>
      );
    },
  };
  const done = useDone(rows);
  return (
    <>
      {done.button}
      <Table
        label={t('today.next')}
        columns={[...done.columns, ...columns().toSpliced(2, 0, team)]}
        rows={rows}
        id={({ id }) => id}
        empty={t('today.quiet')}
      />
      {done.dialog}
    </>
  );
}
