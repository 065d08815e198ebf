import { signal } from '@preact/signals';
import { call } from '../api.ts';
import type { OperatorHold } from '../contract.ts';
import { dayOf, exactTime, fromTo, money, timeOfDay } from '../format.ts';
import { listed, nameOf, t } from '../language.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Failed } from '../parts/failed.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction } from '../query.ts';
import { may, now } from '../session.ts';
import { HOUR, instant, placed, type Span } from './day.ts';
import { startOf } from './placements.ts';

/** Slots that customers hold while they choose or pay: drawn until they expire, and released by the operator. */

export type Hold = OperatorHold;

/** The opened one. */
const openedHold = signal<Hold | null>(null);

function periodOf({ date, timeslot }: Hold): Span {
  const until = startOf({ date }, timeslot.endAt) + (timeslot.endsAtNextDay ? 24 * HOUR : 0);
  return { from: startOf({ date }, timeslot.startAt), until };
}

const serviceOf = ({ serviceName: name, serviceNameAr: nameAr }: Hold): string => nameOf({ name, nameAr });

const customerOf = ({ contactName }: Hold): string => contactName ?? t('board.holdNobody');

const isHeld = ({ expiresAt }: Hold): boolean => instant(expiresAt) > now.value;

export function HeldBlock({ hold, hours }: { hold: Hold; hours: Span }) {
  const { from, until } = periodOf(hold);
  const at = placed(hours, from, until);
  if (at === null || !isHeld(hold)) return null;
  const text = t('board.heldUntil', { time: timeOfDay(hold.expiresAt) });
  return (
    <button
      type="button"
      class="held-slot"
      title={listed(text, customerOf(hold), serviceOf(hold), hold.partnerName)}
      style={{ insetInlineStart: at.start, inlineSize: at.size }}
      onClick={() => {
        openedHold.value = hold;
      }}
    >
      <span>
        <span aria-hidden="true">⏳</span> {text}
      </span>
      <bdi class="visit-line">{customerOf(hold)}</bdi>
    </button>
  );
}

export const startOfHold = (hold: Hold): number => periodOf(hold).from;

/** A hold in the list of a team. */
export function HoldRow({ hold }: { hold: Hold }) {
  if (!isHeld(hold)) return null;
  const { timeslot, expiresAt } = hold;
  return (
    <li>
      <button
        type="button"
        class="held-slot"
        onClick={() => {
          openedHold.value = hold;
        }}
      >
        <span>
          <span aria-hidden="true">⏳</span> <bdi>{fromTo(timeslot.startAt, timeslot.endAt)}</bdi>{' '}
          {t('board.heldUntil', { time: timeOfDay(expiresAt) })}
        </span>
        <bdi>{customerOf(hold)}</bdi>
      </button>
    </li>
  );
}

export function HoldDialog() {
  const hold = openedHold.value;
  return hold === null ? null : <OpenedHold key={hold.holdId} hold={hold} />;
}

const close = (): void => {
  openedHold.value = null;
};

function OpenedHold({ hold }: { hold: Hold }) {
  const action = useAction(['appointments', 'availability']);
  const { holdId, date, timeslot } = hold;
  return (
    <Dialog title={t('board.holdTitle')} onClose={close} busy={action.busy}>
      <p>{t('board.holdAbout')}</p>
      <Facts
        facts={[
          {
            label: t('field.when'),
            value: (
              <>
                {dayOf(date)} {fromTo(timeslot.startAt, timeslot.endAt)}
              </>
            ),
          },
          { label: t('board.holdUntil'), value: exactTime(hold.expiresAt) },
          {
            label: t('field.team'),
            value: <bdi>{nameOf({ name: hold.teamName, nameAr: hold.teamNameAr })}</bdi>,
          },
          { label: t('field.service'), value: <bdi>{serviceOf(hold)}</bdi> },
          { label: t('field.customer'), value: <bdi>{customerOf(hold)}</bdi> },
          { label: t('field.partner'), value: <bdi>{hold.partnerName}</bdi> },
          { label: t('board.holdPrice'), value: money(hold.price) },
        ]}
      />
      {action.failure && <Failed failure={action.failure} />}
      <div class="buttons">
        <button type="button" onClick={close} disabled={action.busy}>
          {t('board.leave')}
        </button>
        {may('releaseHoldForPartner') && isHeld(hold) && (
          <button
            type="button"
            class="danger"
            disabled={action.busy}
            onClick={async () => {
              if (!(await action.run(() => call('releaseHoldForPartner', { id: holdId })))) return;
              close();
              toast(t('board.holdReleased'));
            }}
          >
            {t('board.holdRelease')}
          </button>
        )}
      </div>
    </Dialog>
  );
}
