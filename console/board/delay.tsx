import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { changed } from '../changes.ts';
import type { Appointment, DelayPlanRow } from '../contract.ts';
import { failureText } from '../failure-text.ts';
import { number, timeOfDay } from '../format.ts';
import { t } from '../language.ts';
import { afterOwnChanges, noteOwnChanges } from '../own-changes.ts';
import { CallAnswer } from '../parts/call-answer.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { PhoneLinks, TeamPhone } from '../parts/phone.tsx';
import { toast } from '../parts/toasts.tsx';
import { type Action, asFailure, useAction, useLoad } from '../query.ts';
import { href } from '../router.ts';
import { now } from '../session.ts';
import type { Visit } from './day.ts';
import { latenessOf } from './lateness.ts';
import { heldText, reasonText } from './placements.ts';

/** A team that runs late: the rest of its day moves, and the customers to call are listed. */

type Delayed = { id: string; name: string; date: string };

/** The team whose dialog is open. */
export const delayed = signal<Delayed | null>(null);

const TOPICS = ['appointments', 'bookings', 'availability'] as const;
const STEP = 5;
const USUAL = 30;
const MAX = 480;

export function DelayDialog({ visits }: { visits: readonly Visit[] }) {
  const team = delayed.value;
  return team === null ? null : <OpenDialog key={team.id} team={team} visits={visits} />;
}

const close = (): void => {
  delayed.value = null;
};

/** The lateness of the team by its visits, in steps of five minutes; 30 without any. */
function firstMinutes(visits: readonly Visit[]): number {
  const all = visits
    .map((visit) => latenessOf(visit, now.peek())?.minutes ?? 0)
    .filter((minutes) => minutes <= MAX);
  const most = Math.max(0, ...all);
  return most === 0 ? USUAL : Math.ceil(most / STEP) * STEP;
}

type Plan = readonly DelayPlanRow[];

function OpenDialog({ team, visits }: { team: Delayed; visits: readonly Visit[] }) {
  const [minutes, setMinutes] = useState(() =>
    firstMinutes(visits.filter(({ teamId }) => teamId === team.id)),
  );
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [called, setCalled] = useState<Plan | null>(null);
  const action = useAction(TOPICS);
  const isValid = Number.isInteger(minutes) && minutes > 0 && minutes <= MAX;
  const plan = useLoad(
    isValid ? `delay ${team.id} ${team.date} ${minutes}` : null,
    (signal) => call('delayTeam', { id: team.id, body: { date: team.date, minutes } }, { signal }),
    TOPICS,
  );
  const moves = (row: DelayPlanRow): boolean => row.problem !== 'UNDER_WAY' && !left.has(row.appointment.id);
  const rows = plan.answer?.data.plan ?? [];
  const count = rows.filter(moves).length;
  async function move(): Promise<void> {
    const chosen = rows.filter(moves);
    const isDone = await action.run(async () => {
      const apply = chosen.map(({ appointment: { id, version }, holds }) => ({
        appointmentId: id,
        version: afterOwnChanges(id, version),
        // The plan has named them.
        ...(holds.length > 0 && { displaceHolds: holds.map(({ holdId }) => holdId) }),
      }));
      const { data } = await call('delayTeam', { id: team.id, body: { date: team.date, minutes, apply } });
      noteOwnChanges(apply, data.appointments ?? []);
      showMoved(team, minutes, chosen, data.appointments ?? []);
    });
    if (isDone) setCalled(rows.filter((row) => moves(row) || row.problem === 'UNDER_WAY'));
  }
  return (
    <Dialog title={t('delay.title', { team: team.name })} onClose={close} busy={action.busy} wide>
      {called === null ? (
        <>
          <p>{t('delay.about')}</p>
          <p class="field">
            <label for="delay-minutes">{t('delay.minutes')}</label>
            <input
              id="delay-minutes"
              type="number"
              min={1}
              max={MAX}
              step={1}
              value={minutes}
              onInput={({ currentTarget }) => setMinutes(Number(currentTarget.value))}
            />
          </p>
          <Loaded query={plan}>
            {() =>
              rows.length === 0 ? (
                <p class="empty">{t('delay.none')}</p>
              ) : (
                <PlanList rows={rows} left={left} setLeft={setLeft} />
              )
            }
          </Loaded>
          <WhyNot action={action} rows={rows} />
        </>
      ) : (
        <>
          <p>{t('delay.call')}</p>
          <PlanList rows={called} left={left} />
        </>
      )}
      <div class="buttons">
        {called === null && (
          <button
            type="button"
            class="primary"
            disabled={action.busy || !isValid || !plan.isCurrent || count === 0}
            onClick={() => void move()}
          >
            {t('delay.move', { count: number(count) })}
          </button>
        )}
        <button type="button" disabled={action.busy} onClick={close}>
          {t(called === null ? 'act.cancel' : 'delay.close')}
        </button>
      </div>
    </Dialog>
  );
}

/** A refusal names the visit that is in the way. */
function WhyNot({ action: { failure }, rows }: { action: Action; rows: Plan }) {
  if (failure === null) return null;
  const { reason, appointmentId } = failure.details;
  const name = rows.find(({ appointment }) => appointment.id === appointmentId)?.appointment.name;
  if (reason === undefined || name === undefined) return <Failed failure={failure} />;
  return <p role="alert">{t('delay.refused', { name, reason: reasonText(reason) })}</p>;
}

function showMoved(team: Delayed, minutes: number, plan: Plan, moved: readonly Appointment[]): void {
  const values = { team: team.name, count: number(moved.length) };
  const statusOf = (id: string) => plan.find((row) => row.appointment.id === id)?.appointment.status;
  async function undo(): Promise<void> {
    const apply = moved.map(({ id, version }) => ({
      appointmentId: id,
      version: afterOwnChanges(id, version),
      ...(statusOf(id) === 'Confirmed' && { status: 'Confirmed' as const }),
    }));
    try {
      const body = { date: team.date, minutes: -minutes, apply };
      const { data } = await call('delayTeam', { id: team.id, body });
      noteOwnChanges(apply, data.appointments ?? []);
      toast(t('delay.undone', values));
    } catch (error) {
      toast(t('delay.undoFailed', { team: team.name, why: failureText(asFailure(error)) }), {
        isFailure: true,
      });
    }
    close();
    changed([...TOPICS, 'audit']);
  }
  toast(t('delay.moved', { ...values, minutes: number(minutes) }), { undo: () => void undo() });
}

/** The visits with old and new times and the customers; with `setLeft` each can be left out. */
function PlanList({
  rows,
  left,
  setLeft,
}: {
  rows: Plan;
  left: ReadonlySet<string>;
  setLeft?: (left: ReadonlySet<string>) => void;
}) {
  const [first] = rows;
  const ids = rows.map(({ appointment }) => appointment.id).join(',');
  return (
    <>
      <p>
        {first && <TeamPhone team={first.appointment.team} />}{' '}
        <a href={href('/calls', { ids })}>{t('calls.title')}</a>
      </p>
      <ul class="place-list">
        {rows.map(({ appointment, startsAt, problem, holds }) => {
          const { id, name, contact } = appointment;
          const isUnderWay = problem === 'UNDER_WAY';
          const isMoved = !isUnderWay && !left.has(id);
          const what = (
            <>
              <bdi>{name}</bdi> · <bdi dir="ltr">{timeOfDay(appointment.startsAt)}</bdi>
              {!isUnderWay && (
                <>
                  {' '}
                  <span aria-hidden="true">{t('delay.to')}</span> <strong>{timeOfDay(startsAt)}</strong>
                </>
              )}
            </>
          );
          return (
            <li key={id} class="delay-row">
              {setLeft === undefined ? (
                <span>{what}</span>
              ) : (
                <label>
                  <input
                    type="checkbox"
                    checked={isMoved}
                    disabled={isUnderWay}
                    onChange={() =>
                      setLeft(
                        isMoved ? new Set([...left, id]) : new Set([...left].filter((one) => one !== id)),
                      )
                    }
                  />{' '}
                  {what}
                </label>
              )}
              <span>
                <bdi>{contact.name}</bdi> <PhoneLinks phone={contact.phone} />
              </span>
              <CallAnswer visit={appointment} startsAt={isUnderWay ? appointment.startsAt : startsAt} />
              {problem !== null && (
                <span class="badge notice">{isUnderWay ? t('delay.underWay') : reasonText(problem)}</span>
              )}
              {isMoved && holds.length > 0 && <span class="badge notice">{heldText(holds)}</span>}
            </li>
          );
        })}
      </ul>
    </>
  );
}
