import { useId, useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { MovableVisit } from '../board/moves.ts';
import { heldText, reasonText } from '../board/placements.ts';
import { changed } from '../changes.ts';
import type {
  Appointment,
  Operations,
  ReassignmentPlanRow,
  ReassignmentProposal,
  ReassignmentResult,
  ReassignmentsResponse,
} from '../contract.ts';
import { dateTime, dayOf, number } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { afterOwnChanges, noteOwnChanges } from '../own-changes.ts';
import { Badge } from '../parts/badge.tsx';
import { CallAnswer, hasAgreed, recordCall } from '../parts/call-answer.tsx';
import { Failed } from '../parts/failed.tsx';
import { MoveDialog } from '../parts/move-dialog.tsx';
import { Section } from '../parts/page.tsx';
import { PhoneLinks, TeamPhone } from '../parts/phone.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction } from '../query.ts';
import { href } from '../router.ts';
import { may } from '../session.ts';
import { type Done, type Group, groupOf, notUndoneText, optionsOf, shiftText, undo } from './away-moves.ts';

const TOPICS = ['appointments', 'bookings', 'availability'] as const;
const GROUPS = ['sameTime', 'otherTime', 'noPlace'] as const;

type Results = readonly ReassignmentResult[];

type Moves = NonNullable<Operations['reassignChosen']['takes']['body']['apply']>;

/** A team that is to be marked as away. `isOff`: it is already. */
export type Away = { teamId: string; from: string; to: string; isOff: boolean };

/** A plan of reassignments in groups; `send` makes the chosen moves. */
export function ReassignPlan({
  rows,
  away,
  send,
  none,
}: {
  rows: readonly ReassignmentPlanRow[];
  away: Away | null;
  send: (moves: Moves) => Promise<ReassignmentsResponse>;
  /** The text without rows. */
  none: string;
}) {
  const isOff = away === null || away.isOff;
  const [chosen, setChosen] = useState<Record<string, number>>({});
  const [ticked, setTicked] = useState<Record<string, boolean>>({});
  const [results, setResults] = useState<Results>([]);
  const [reason, setReason] = useState('');
  const [moving, setMoving] = useState<Appointment | null>(null);
  // Moved appointments leave the plan; they stay listed until the page is left.
  const [done, setDone] = useState<readonly ReassignmentPlanRow[]>([]);
  const action = useAction(TOPICS);
  const reasonId = useId();
  const waiting = rows.filter(
    ({ appointment }) => !done.some((one) => one.appointment.id === appointment.id),
  );
  const choiceOf = ({ appointment }: ReassignmentPlanRow): number => chosen[appointment.id] ?? 0;
  const startOf = (row: ReassignmentPlanRow): string => {
    const option = optionsOf(row)[choiceOf(row)];
    return option === undefined
      ? row.appointment.startsAt
      : `${option.date.slice(0, 10)}T${option.timeslot.startAt}:00+03:00`;
  };
  const isTicked = (row: ReassignmentPlanRow): boolean =>
    ticked[row.appointment.id] ?? (groupOf(row) === 'sameTime' || hasAgreed(row.appointment, startOf(row)));
  const moves = waiting.filter(isTicked).flatMap((row) => {
    const option = optionsOf(row)[choiceOf(row)];
    const { id, version } = row.appointment;
    if (option === undefined) return [];
    const { teamId: newTeam, date, timeslot, holds } = option;
    return {
      appointmentId: id,
      version: afterOwnChanges(id, version),
      teamId: newTeam,
      date,
      timeslot,
      // The plan has named them.
      ...(holds.length > 0 && { displaceHolds: holds.map(({ holdId }) => holdId) }),
    };
  });
  async function apply(): Promise<void> {
    await action.run(async () => {
      const given = reason.trim();
      // First, so that the team is not offered again meanwhile.
      const timeOff = away === null || away.isOff ? null : await markAway(away, given);
      const told = moves.length === 0 ? [] : ((await send(moves)).data.results ?? []);
      const moved = told.filter(({ outcome }) => outcome === 'MOVED');
      noteOwnChanges(
        moves,
        moved.flatMap(({ appointment }) => appointment ?? []),
      );
      const isMoved = ({ appointment }: ReassignmentPlanRow): boolean =>
        told.some((one) => one.appointmentId === appointment.id && one.outcome !== 'REFUSED');
      setResults([
        ...results.filter((one) => !told.some((two) => two.appointmentId === one.appointmentId)),
        ...told,
      ]);
      setDone([...done, ...waiting.filter(isMoved)]);
      const step: Done = {
        timeOff,
        moved: moved.flatMap(({ appointmentId, appointment }) => {
          const before = waiting.find((row) => row.appointment.id === appointmentId)?.appointment;
          return before === undefined || appointment === null
            ? []
            : [{ before, after: appointment, version: appointment.version }];
        }),
      };
      const counts = { moved: moved.length, total: told.length };
      toast(t(timeOff === null ? 'away.applied' : 'away.marked', counts), {
        undo: () => void undoStep(step),
      });
    });
  }
  async function undoStep(step: Done): Promise<void> {
    // The message offers no second undo, and the page may be left by now.
    try {
      await undo(step);
      const isBack = (id: string): boolean => step.moved.some(({ before }) => before.id === id);
      setDone((last) => last.filter(({ appointment }) => !isBack(appointment.id)));
      setResults((last) => last.filter(({ appointmentId }) => !isBack(appointmentId)));
      toast(t('away.undone', { back: number(step.moved.length) }));
    } catch (error) {
      toast(notUndoneText(step, error), { isFailure: true });
    }
    changed([...TOPICS, 'audit']);
  }
  const all = [...done, ...waiting].sort((a, b) =>
    a.appointment.startsAt < b.appointment.startsAt ? -1 : 1,
  );
  return (
    <>
      {away?.isOff && <p class="faint">{t('away.hasTimeOff')}</p>}
      {all.length === 0 && <p class="empty">{none}</p>}
      {GROUPS.map((group) => {
        const members = all.filter((row) => groupOf(row) === group);
        if (members.length === 0) return null;
        return (
          <Section key={group} title={t(`away.${group}`)}>
            <p class="faint">{t(`away.${group}About`)}</p>
            <Table
              label={t(`away.${group}`)}
              rows={members}
              id={({ appointment }) => appointment.id}
              empty={null}
              columns={columnsOf({
                group,
                isDone: (row) => done.includes(row),
                isTicked,
                tick: ({ appointment }, isOn) => setTicked({ ...ticked, [appointment.id]: isOn }),
                agree: (row) => void action.run(() => recordCall(row.appointment, 'AGREED', startOf(row))),
                startOf,
                choiceOf,
                choose: ({ appointment }, index) => setChosen({ ...chosen, [appointment.id]: index }),
                move: ({ appointment }) => setMoving(appointment),
                results,
              })}
            />
          </Section>
        );
      })}
      {action.failure && <Failed failure={action.failure} />}
      {may('createTimeOff') && (
        <>
          {!isOff && (
            <p class="field">
              <label for={reasonId}>{t('away.reason')}</label>
              <input
                id={reasonId}
                maxLength={200}
                value={reason}
                onInput={(event) => setReason(event.currentTarget.value)}
              />
            </p>
          )}
          <div class="buttons">
            <button
              type="button"
              class="primary"
              disabled={action.busy || (isOff && moves.length === 0)}
              onClick={() => void apply()}
            >
              {isOff
                ? t('away.move', { count: moves.length })
                : moves.length === 0
                  ? t('away.mark')
                  : t('away.markAndMove', { count: moves.length })}
            </button>
          </div>
        </>
      )}
      {moving !== null && (
        <MoveDialog visit={movableOf(moving)} bookingId={moving.bookingId} onClose={() => setMoving(null)} />
      )}
    </>
  );
}

async function markAway({ teamId, from, to }: Away, reason: string): Promise<Done['timeOff']> {
  const body = { startsAt: from, endsAt: to, ...(reason !== '' && { reason }) };
  return { teamId, id: (await call('createTimeOff', { id: teamId, body })).data.id };
}

const movableOf = ({ id, name, version, status, team, startsAt, endsAt }: Appointment): MovableVisit => ({
  id,
  name,
  version,
  status,
  isAssigned: status !== 'New',
  teamId: team.id,
  startsAt,
  endsAt,
  busyUntil: endsAt,
});

type Row = ReassignmentPlanRow;
type Cells = {
  group: Group;
  isDone: (row: Row) => boolean;
  isTicked: (row: Row) => boolean;
  tick: (row: Row, isOn: boolean) => void;
  agree: (row: Row) => void;
  startOf: (row: Row) => string;
  choiceOf: (row: Row) => number;
  choose: (row: Row, index: number) => void;
  move: (row: Row) => void;
  results: Results;
};

function columnsOf(cells: Cells): Column<Row>[] {
  const { group, isDone, isTicked, tick, choiceOf, choose, results } = cells;
  return [
    ...(group === 'noPlace'
      ? []
      : [
          {
            name: 'take',
            label: t(group === 'sameTime' ? 'away.take' : 'away.asked'),
            cell: (row: Row) => (
              <input
                type="checkbox"
                aria-label={`${t(group === 'sameTime' ? 'away.take' : 'away.asked')}: ${row.appointment.name}`}
                checked={isTicked(row)}
                disabled={isDone(row)}
                onChange={({ currentTarget: { checked } }) => {
                  tick(row, checked);
                  if (checked && group !== 'sameTime') cells.agree(row);
                }}
              />
            ),
          },
        ]),
    {
      name: 'name',
      label: t('field.appointment'),
      cell: ({ appointment: { name, bookingId, status } }) => (
        <>
          <a href={href(`/bookings/${bookingId}`)}>
            <bdi>{name}</bdi>
          </a>{' '}
          <Badge kind="appointment" state={status} />
        </>
      ),
    },
    { name: 'when', label: t('field.when'), cell: ({ appointment }) => dateTime(appointment.startsAt) },
    {
      name: 'customer',
      label: t('field.customer'),
      cell: ({ appointment: { contact } }) => (
        <>
          <bdi>{contact.name}</bdi> <PhoneLinks phone={contact.phone} />
        </>
      ),
    },
    {
      name: 'team',
      label: t('field.team'),
      cell: ({ appointment: { team } }) => (
        <>
          <bdi>{nameOf(team)}</bdi> <TeamPhone team={team} />
        </>
      ),
    },
    {
      name: 'place',
      label: t('away.newPlace'),
      cell: (row) => (
        <NewPlace
          row={row}
          isDone={isDone(row)}
          chosen={choiceOf(row)}
          choose={(index) => choose(row, index)}
        />
      ),
    },
    {
      name: 'call',
      label: t('calls.answer'),
      cell: (row) => (
        <CallAnswer
          visit={row.appointment}
          startsAt={cells.startOf(row)}
          onAnswer={(answer) => tick(row, answer === 'AGREED')}
        />
      ),
    },
    {
      name: 'result',
      label: t('away.result'),
      cell: (row) => {
        const result = results.find((one) => one.appointmentId === row.appointment.id);
        return isDone(row) ? <Result result={result} /> : <Acts row={row} result={result} cells={cells} />;
      },
    },
  ];
}

function Acts({
  row,
  result,
  cells: { group, move },
}: {
  row: Row;
  result: ReassignmentResult | undefined;
  cells: Cells;
}) {
  const { name, bookingId } = row.appointment;
  return (
    <div class="actions">
      <Result result={result} />
      {row.problem !== 'NOT_MOVABLE' && (
        <button type="button" aria-label={`${t('away.otherPlace')} ${name}`} onClick={() => move(row)}>
          {t('away.otherPlace')}
        </button>
      )}
      {group === 'noPlace' && may('cancelBooking') && (
        <a class="button" href={href(`/bookings/${bookingId}`, { do: 'cancel' })}>
          {t('booking.cancel')}
        </a>
      )}
    </div>
  );
}

function NewPlace({
  row,
  isDone,
  chosen,
  choose,
}: {
  row: Row;
  isDone: boolean;
  chosen: number;
  choose: (index: number) => void;
}) {
  const options = optionsOf(row);
  const option = options[chosen] ?? options[0];
  if (option === undefined)
    return <>{row.problem === 'NOT_MOVABLE' ? t('away.begun') : t('away.noneFree')}</>;
  const shift = shiftText(row.appointment, option);
  return (
    <div class="actions">
      {isDone ? (
        <bdi>{placeText(option)}</bdi>
      ) : (
        <select
          aria-label={`${t('away.newPlace')}: ${row.appointment.name}`}
          value={String(chosen)}
          onChange={(event) => choose(Number(event.currentTarget.value))}
        >
          {options.map((one, index) => (
            <option key={`${one.teamId} ${one.date} ${one.timeslot.startAt}`} value={String(index)}>
              {placeText(one)}
            </option>
          ))}
        </select>
      )}
      {shift !== '' && <span class="badge notice">{shift}</span>}
    </div>
  );
}

/** The time first: what does not fit is cut off. */
function placeText(proposal: ReassignmentProposal): string {
  const { teamName: name, teamNameAr: nameAr, date, timeslot, keepsDate, detourKm, holds } = proposal;
  return [
    timeslot.startAt,
    keepsDate ? '' : dayOf(date),
    nameOf({ name, nameAr }),
    detourKm > 0 ? t('board.detour', { km: number(detourKm) }) : '',
    heldText(holds),
  ]
    .filter(Boolean)
    .join(' · ');
}

function Result({ result }: { result: ReassignmentResult | undefined }) {
  if (result === undefined) return null;
  if (result.refusal === null) return <span class="badge good">{t('away.moved')}</span>;
  const { reason } = result.refusal;
  return (
    <span class="fault">
      {t('away.refused', { reason: reason === 'STALE' ? t('away.stale') : reasonText(reason ?? '') })}
    </span>
  );
}
