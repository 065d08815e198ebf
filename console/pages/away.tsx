import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { reasonText } from '../board/placements.ts';
import type { ReassignmentPlanRow, ReassignmentProposal, ReassignmentResult } from '../contract.ts';
import { addDays, dateTime, dayOf, instantOf, number } from '../format.ts';
import { t } from '../language.ts';
import { useTeamOptions } from '../options.ts';
import { Badge } from '../parts/badge.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { SelectFilter, TimeFilter } from '../parts/filters.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction, useAll, useQuery } from '../query.ts';
import { dateOfAddress, href, place, timeOfAddress } from '../router.ts';
import { may } from '../session.ts';

/** Reassigns the appointments of a team that is away. */
export default function Away() {
  const { query } = place.value;
  const date = dateOfAddress('date');
  const teamId = query.get('teamId');
  const from = timeOfAddress('from') ?? (date === null ? '' : `${date}T00:00`);
  const to = timeOfAddress('to') ?? (date === null ? '' : `${addDays(date, 1)}T00:00`);
  const teams = useTeamOptions();
  const isWhole = teamId !== null && teamId !== '' && from !== '' && to !== '';
  return (
    <Page title={t('nav.away')} about={t('away.about')}>
      <search class="filters" aria-label={t('filter.title')}>
        <SelectFilter name="teamId" label={t('field.team')} options={teams} />
        <TimeFilter name="from" label={t('away.from')} value={from} />
        <TimeFilter name="to" label={t('away.until')} value={to} />
      </search>
      {isWhole ? (
        <Period key={`${teamId} ${from} ${to}`} teamId={teamId} from={instantOf(from)} to={instantOf(to)} />
      ) : (
        <p class="empty">{t('away.choose')}</p>
      )}
    </Page>
  );
}

type PeriodProps = { teamId: string; from: string; to: string };

function Period({ teamId, from, to }: PeriodProps) {
  const plan = useQuery('reassignAppointments', { id: teamId, body: { from, to } }, [
    'appointments',
    'availability',
  ]);
  return (
    <>
      {may('createTimeOff') && <TimeOffOf teamId={teamId} from={from} to={to} />}
      <Section title={t('away.plan')}>
        <Loaded query={plan}>
          {({ data }) => <Plan teamId={teamId} from={from} to={to} rows={data.plan ?? []} />}
        </Loaded>
      </Section>
    </>
  );
}

/** Without time off the team would be offered again for the moved appointments. */
function TimeOffOf({ teamId, from, to }: PeriodProps) {
  const known = useAll('listTimeOff', { id: teamId, query: {} }, ['availability']);
  const action = useAction(['availability', 'appointments']);
  const isOff = known.answer?.some(
    ({ startsAt, endsAt }) =>
      Date.parse(startsAt) <= Date.parse(from) && Date.parse(endsAt) >= Date.parse(to),
  );
  if (isOff === undefined) return null;
  if (isOff) return <p class="faint">{t('away.hasTimeOff')}</p>;
  return (
    <div class="actions">
      {action.failure && <Failed failure={action.failure} />}
      <button
        type="button"
        disabled={action.busy}
        onClick={() =>
          void action.run(() => call('createTimeOff', { id: teamId, body: { startsAt: from, endsAt: to } }))
        }
      >
        {t('away.addTimeOff')}
      </button>
    </div>
  );
}

const UNCHANGED = -1;

const optionsOf = ({ proposal, alternatives }: ReassignmentPlanRow): ReassignmentProposal[] =>
  proposal === null ? alternatives : [proposal, ...alternatives];

function Plan({ teamId, from, to, rows }: PeriodProps & { rows: readonly ReassignmentPlanRow[] }) {
  const [chosen, setChosen] = useState<Record<string, number>>({});
  const [results, setResults] = useState<readonly ReassignmentResult[]>([]);
  // Moved appointments leave the plan; their results stay listed.
  const [done, setDone] = useState<readonly ReassignmentPlanRow[]>([]);
  const action = useAction(['appointments', 'bookings']);
  const waiting = rows.filter(
    ({ appointment }) => !done.some((one) => one.appointment.id === appointment.id),
  );
  const choiceOf = ({ appointment, proposal }: ReassignmentPlanRow): number =>
    chosen[appointment.id] ?? (proposal === null ? UNCHANGED : 0);
  const moves = waiting.flatMap((row) => {
    const option = optionsOf(row)[choiceOf(row)];
    const { id, version } = row.appointment;
    if (option === undefined) return [];
    const { teamId: newTeam, date, timeslot } = option;
    return { appointmentId: id, version, teamId: newTeam, date, timeslot };
  });
  async function apply(): Promise<void> {
    await action.run(async () => {
      const { data } = await call('reassignAppointments', { id: teamId, body: { from, to, apply: moves } });
      const told = data.results ?? [];
      const moved = told.filter(({ outcome }) => outcome !== 'REFUSED').map((one) => one.appointmentId);
      setResults([
        ...results.filter((one) => !told.some((two) => two.appointmentId === one.appointmentId)),
        ...told,
      ]);
      setDone([...done, ...waiting.filter(({ appointment }) => moved.includes(appointment.id))]);
      toast(t('away.applied', { moved: moved.length, total: told.length }));
    });
  }
  const all = [...done, ...waiting].sort((a, b) =>
    a.appointment.startsAt < b.appointment.startsAt ? -1 : 1,
  );
  return (
    <>
      {action.failure && <Failed failure={action.failure} />}
      <Table
        label={t('away.plan')}
        rows={all}
        id={({ appointment }) => appointment.id}
        empty={t('away.none')}
        columns={[
          {
            name: 'name',
            label: t('field.appointment'),
            cell: ({ appointment: { name, bookingId } }) => (
              <a href={href(`/bookings/${bookingId}`)}>
                <bdi>{name}</bdi>
              </a>
            ),
          },
          { name: 'when', label: t('field.when'), cell: ({ appointment }) => dateTime(appointment.startsAt) },
          {
            name: 'customer',
            label: t('field.customer'),
            cell: ({ appointment }) => <bdi>{appointment.contact.name}</bdi>,
          },
          {
            name: 'status',
            label: t('field.status'),
            cell: ({ appointment }) => <Badge kind="appointment" state={appointment.status} />,
          },
          {
            name: 'place',
            label: t('away.newPlace'),
            cell: (row) => (
              <NewPlace
                row={row}
                isDone={done.includes(row)}
                chosen={choiceOf(row)}
                choose={(index) => setChosen({ ...chosen, [row.appointment.id]: index })}
              />
            ),
          },
          {
            name: 'result',
            label: t('away.result'),
            cell: ({ appointment }) => (
              <Result result={results.find((one) => one.appointmentId === appointment.id)} />
            ),
          },
        ]}
      />
      {waiting.length > 0 && (
        <div class="buttons">
          <button
            type="button"
            class="primary"
            disabled={action.busy || moves.length === 0}
            onClick={() => void apply()}
          >
            {t('away.apply')}
          </button>
        </div>
      )}
    </>
  );
}

function NewPlace({
  row,
  isDone,
  chosen,
  choose,
}: {
  row: ReassignmentPlanRow;
  isDone: boolean;
  chosen: number;
  choose: (index: number) => void;
}) {
  const options = optionsOf(row);
  if (isDone) return <bdi>{placeText(options[chosen]!)}</bdi>;
  if (options.length === 0) {
    return <>{row.problem === 'NOT_MOVABLE' ? t('away.stay') : t('away.noPlace')}</>;
  }
  return (
    <select
      aria-label={`${t('away.newPlace')}: ${row.appointment.name}`}
      value={String(chosen)}
      onChange={(event) => choose(Number(event.currentTarget.value))}
    >
      {options.map((option, index) => (
        <option key={`${option.teamId} ${option.date} ${option.timeslot.startAt}`} value={String(index)}>
          {placeText(option)}
        </option>
      ))}
      <option value={String(UNCHANGED)}>{t('away.stay')}</option>
    </select>
  );
}

function placeText({ teamName, date, timeslot, keepsDate, detourKm }: ReassignmentProposal): string {
  return [
    `${teamName}, ${keepsDate ? '' : `${dayOf(date)} `}${timeslot.startAt}`,
    detourKm > 0 ? t('board.detour', { km: number(detourKm) }) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

function Result({ result }: { result: ReassignmentResult | undefined }) {
  if (result === undefined) return null;
  if (result.refusal === null) return <span class="badge good">{t('away.moved')}</span>;
  const { reason, message } = result.refusal;
  return (
    <span class="fault">
      {t('away.refused', { reason: reason === null || reason === 'STALE' ? message : reasonText(reason) })}
    </span>
  );
}
