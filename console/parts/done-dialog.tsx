import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { Appointment, DoneResult } from '../contract.ts';
import { instantOf, localOf, number } from '../format.ts';
import { type PlainKey, t } from '../language.ts';
import { useAction, useLoad } from '../query.ts';
import { stateName } from './badge.tsx';
import { Dialog } from './dialog.tsx';
import { Failed } from './failed.tsx';
import { toast } from './toasts.tsx';

type Visit = Pick<Appointment, 'id' | 'name' | 'startsAt' | 'endsAt'>;

/** As many as are completed at once. */
export const MAX_DONE = 100;
const TOPICS = ['bookings', 'appointments', 'payments', 'availability'] as const;
const SIDES = ['begin', 'end'] as const;

const resultText = ({ outcome, statuses, refusal }: DoneResult): string =>
  outcome === 'REFUSED'
    ? t(
        refusal?.code === 'INVALID_TRANSITION' && refusal.reason !== null
          ? (`done.${refusal.reason}` as PlainKey)
          : 'done.REFUSED',
      )
    : t('done.passes', { statuses: statuses.map((one) => stateName('appointment', one)).join(', ') });

/** Completes visits that were done, with the real times that their crews told by telephone. */
export function DoneDialog({ visits, onClose }: { visits: readonly Visit[]; onClose: () => void }) {
  const [times, setTimes] = useState(
    visits.map(({ startsAt, endsAt }) => ({
      begin: localOf(Date.parse(startsAt)),
      end: localOf(Date.parse(endsAt)),
    })),
  );
  const [results, setResults] = useState<readonly DoneResult[]>([]);
  const action = useAction(TOPICS);
  const body = {
    visits: visits
      .map(({ id }, at) => ({
        appointmentId: id,
        begin: instantOf(times[at]!.begin),
        end: instantOf(times[at]!.end),
      }))
      .filter(({ appointmentId }) =>
        results.every((one) => one.appointmentId !== appointmentId || one.outcome === 'REFUSED'),
      ),
  };
  const preview = useLoad(
    `done ${JSON.stringify(body)}`,
    (signal) => call('reportDone', { body: { ...body, preview: true } }, { signal }),
    [],
  );
  async function send(): Promise<void> {
    await action.run(async () => {
      const { data } = await call('reportDone', { body });
      setResults([...results.filter(({ outcome }) => outcome !== 'REFUSED'), ...data.results]);
      const count = data.results.filter(({ outcome }) => outcome !== 'REFUSED').length;
      if (count > 0) toast(t('done.done', { count: number(count) }));
      if (count === data.results.length) onClose();
    });
  }
  return (
    <Dialog title={t('done.title')} onClose={onClose} busy={action.busy} wide>
      <ul class="place-list">
        {visits.map(({ id, name }, at) => {
          const known = [...results, ...(preview.answer?.data.results ?? [])].find(
            (one) => one.appointmentId === id,
          );
          return (
            <li key={id} class="delay-row">
              <bdi>{name}</bdi>
              {SIDES.map((side) => (
                <label key={side}>
                  {t(`done.${side}`)}{' '}
                  <input
                    type="datetime-local"
                    aria-label={`${t(`done.${side}`)}: ${name}`}
                    value={times[at]![side]}
                    onInput={({ currentTarget }) => {
                      setTimes(times.with(at, { ...times[at]!, [side]: currentTarget.value }));
                      // The preview says more by now.
                      setResults(results.filter(({ appointmentId }) => appointmentId !== id));
                    }}
                  />
                </label>
              ))}
              {known !== undefined && (
                <span class={known.outcome === 'REFUSED' ? 'fault' : 'faint small'}>{resultText(known)}</span>
              )}
            </li>
          );
        })}
      </ul>
      {(action.failure ?? preview.failure) && <Failed failure={(action.failure ?? preview.failure)!} />}
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={action.busy || body.visits.length === 0}
          onClick={() => void send()}
        >
          {t('done.send', { count: number(body.visits.length) })}
        </button>
        <button type="button" disabled={action.busy} onClick={onClose}>
          {t('act.cancel')}
        </button>
      </div>
    </Dialog>
  );
}
