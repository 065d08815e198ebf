import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { actorText } from '../audit/sentence.tsx';
import type { Appointment, RecordCallRequest } from '../contract.ts';
import { dateTime } from '../format.ts';
import { t } from '../language.ts';
import { useAction } from '../query.ts';
import { may } from '../session.ts';
import { Failed } from './failed.tsx';

export type Answer = RecordCallRequest['answer'];
type Called = Pick<Appointment, 'id' | 'name' | 'lastCall'>;

const ANSWERS = Object.keys({ AGREED: 1, DECLINED: 1, NO_ANSWER: 1, CALL_BACK: 1 } satisfies Record<
  Answer,
  1
>);

/** Whether the customer has agreed to the start. */
export const hasAgreed = ({ lastCall }: Called, startsAt: string): boolean =>
  lastCall?.answer === 'AGREED' && lastCall.startsAt === startsAt;

/** Keeps an answer about the start, and returns the call. */
export const recordCall = async ({ id }: Called, answer: Answer, startsAt: string) =>
  (await call('recordCall', { id, body: { answer, startsAt } })).data.lastCall;

/** The customer's last answer to a call about her visit, and a field for the new one. */
export function CallAnswer({
  visit,
  startsAt,
  onAnswer,
}: {
  visit: Called;
  startsAt: string;
  onAnswer?: (answer: Answer) => void;
}) {
  const action = useAction(['appointments', 'bookings']);
  const [own, setOwn] = useState<Called['lastCall']>(null);
  const last = [own, visit.lastCall].toSorted((a, b) => ((a?.at ?? '') < (b?.at ?? '') ? 1 : -1))[0] ?? null;
  return (
    <span class="call">
      {last !== null && (
        <span class={`badge ${last.answer === 'AGREED' && last.startsAt === startsAt ? 'good' : 'notice'}`}>
          {[
            t(`statusReason.${last.answer}`),
            last.startsAt !== startsAt && t('calls.about', { time: dateTime(last.startsAt) }),
            actorText(last.by, last.byName),
            dateTime(last.at),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      )}
      {may('recordCall') && (
        <select
          aria-label={`${t('calls.answer')}: ${visit.name}`}
          disabled={action.busy}
          value=""
          onChange={({ currentTarget }) => {
            const answer = currentTarget.value as Answer;
            currentTarget.value = '';
            onAnswer?.(answer);
            void action.run(async () => setOwn(await recordCall(visit, answer, startsAt)));
          }}
        >
          <option value="">{t('calls.answer')}</option>
          {ANSWERS.map((answer) => (
            <option key={answer} value={answer}>
              {t(`statusReason.${answer as Answer}`)}
            </option>
          ))}
        </select>
      )}
      {action.failure && <Failed failure={action.failure} />}
    </span>
  );
}
