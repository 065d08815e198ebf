import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { reasonText } from '../board/placements.ts';
import type { Conflicts } from '../contract.ts';
import { dateIn, dateTime, dayOf, number } from '../format.ts';
import { listed, nameOf, t } from '../language.ts';
import { asFailure, LEFT } from '../query.ts';
import { href } from '../router.ts';
import { may } from '../session.ts';
import { Dialog } from './dialog.tsx';
import { Table } from './table.tsx';

/** The preview of a change that touches sold visits: whom to call, before it is saved. */

type Told = { preview?: 'true' | 'false'; expect?: string };

type Look<Answer> = {
  /** Shown beside the visits; null: nothing, and without visits nobody is asked. */
  about?: (answer: Answer) => ComponentChildren;
  title?: string;
  /** The label of the button that saves. */
  confirm?: (answer: Answer) => string;
  danger?: boolean;
};

type Shown = {
  conflicts: Conflicts;
  title: string;
  confirm: string;
  danger: boolean;
  about: ComponentChildren;
  /** Other visits are hit than in the preview before. */
  isOther: boolean;
  state: 'asked' | 'saving' | 'saved';
  answer: (saves: boolean) => void;
};

const shown = signal<Shown | null>(null);

/**
 * Previews a change and saves it: at once when it touches nothing, else after its reader has seen the visits. When it
 * hits others by then, asks again. Resolves to the answer of the saving. Throws LEFT, and what `send` throws.
 */
export async function previewed<Answer extends { conflicts?: Conflicts | undefined }>(
  send: (told: Told) => Promise<Answer>,
  { about = () => null, title = t('schedules.previewTitle'), confirm, danger = false }: Look<Answer> = {},
): Promise<Answer> {
  const seen = await send({ preview: 'true' });
  let conflicts = seen.conflicts!;
  const rest = { title, confirm: confirm?.(seen) ?? t('act.save'), danger, about: about(seen) };
  for (let isOther = false; ; isOther = true) {
    if (conflicts.total > 0 || rest.about !== null) {
      const saves = await new Promise<boolean>((answer) => {
        shown.value = { ...rest, conflicts, isOther, state: 'asked', answer };
      });
      if (!saves) throw LEFT;
    }
    try {
      const saved = await send({ preview: 'false', expect: conflicts.digest });
      const isDone = shown.value === null || conflicts.total === 0;
      shown.value = isDone ? null : { ...shown.value!, state: 'saved', isOther: false };
      return saved;
    } catch (error) {
      const now = asFailure(error).details.conflicts;
      if (now === undefined) shown.value = null;
      if (now === undefined) throw error;
      conflicts = now;
    }
  }
}

export function ChangePreview() {
  if (shown.value === null) return null;
  const { conflicts, title, confirm, danger, about, isOther, state, answer } = shown.value;
  const isSaved = state === 'saved';
  const close = (saves: boolean) => (): void => {
    shown.value = saves ? { ...shown.value!, state: 'saving' } : null;
    answer(saves);
  };
  return (
    <Dialog
      title={isSaved ? t('schedules.savedTitle') : title}
      onClose={close(false)}
      busy={state === 'saving'}
      wide
    >
      {isOther && (
        <p class="lost" role="alert">
          {t('preview.other')}
        </p>
      )}
      <FallOut conflicts={conflicts} isSaved={isSaved} />
      {!isSaved && about}
      <div class="buttons stuck">
        {!isSaved && (
          <button
            type="button"
            class={danger ? 'danger' : 'primary'}
            disabled={state === 'saving'}
            onClick={close(true)}
          >
            {confirm}
          </button>
        )}
        {isSaved && conflicts.rows.some(needsTeam) && (
          <a class="button primary" href={moveAll(conflicts)} onClick={close(false)}>
            {t('outside.move')}
          </a>
        )}
        <button type="button" disabled={state === 'saving'} onClick={close(false)}>
          {t('act.cancel')}
        </button>
      </div>
    </Dialog>
  );
}

type Row = Conflicts['rows'][number];

/** Whether it is its team that cannot do it: those are moved together. */
const needsTeam = ({ reasons }: Row): boolean =>
  !reasons.every((reason) => ['SERVICE_OFF', 'NOT_OFFERED_IN_ZONE', 'OUTSIDE_ZONE'].includes(reason));

/** The page from which all of them are moved. */
function moveAll({ days }: Conflicts): string {
  const dates = days.map(({ date }) => date).sort();
  return href('/outside', { fromDate: dates[0], toDate: dates.at(-1) });
}

const dateOf = ({ startsAt }: Row): string => dateIn(Date.parse(startsAt));

function FallOut({ conflicts: { total, days, rows }, isSaved }: { conflicts: Conflicts; isSaved: boolean }) {
  const countOf = (zoneId: string, date: string): number =>
    days.find((day) => day.zoneId === zoneId && day.date === date)?.appointments ?? 0;
  return (
    <>
      <h3>
        {t('schedules.fallOut')}: {number(total)}
      </h3>
      {total > 0 && <p>{t('schedules.fallOutAbout')}</p>}
      {total > rows.length && <p class="faint">{t('outside.first', { count: rows.length, total })}</p>}
      <Table
        label={t('schedules.fallOut')}
        rows={rows}
        id={({ appointmentId }) => appointmentId}
        empty={t('schedules.noFallOut')}
        group={{
          of: (row) => `${row.zone.id} ${dateOf(row)}`,
          head: ([first]) => (
            <>
              <bdi>{nameOf(first!.zone)}</bdi> · {dayOf(dateOf(first!))}:{' '}
              {number(countOf(first!.zone.id, dateOf(first!)))}
            </>
          ),
        }}
        columns={[
          {
            name: 'booking',
            label: t('field.tracking'),
            cell: ({ bookingId, trackingReference }) => (
              <a href={href(`/bookings/${bookingId}`)} target="_blank" rel="noopener">
                <bdi>{trackingReference}</bdi>
              </a>
            ),
          },
          { name: 'when', label: t('field.when'), cell: ({ startsAt }) => dateTime(startsAt) },
          {
            name: 'customer',
            label: t('field.customer'),
            cell: ({ contact }) => (
              <>
                <bdi>{contact.name}</bdi>{' '}
                <a href={`tel:${contact.phone}`} dir="ltr">
                  {contact.phone}
                </a>
              </>
            ),
          },
          {
            name: 'team',
            label: t('field.team'),
            cell: (row) => (
              <>
                <bdi>{nameOf(row.team)}</bdi>{' '}
                {isSaved && needsTeam(row) && may('reassignAppointments') && (
                  <a
                    href={href('/away', { teamId: row.team.id, date: dateOf(row) })}
                    onClick={() => {
                      shown.value = null;
                    }}
                  >
                    {t('schedules.reassign')}
                  </a>
                )}
              </>
            ),
          },
          {
            name: 'why',
            label: t('field.reason'),
            cell: ({ reasons }) => listed(...reasons.map(reasonText)),
          },
        ]}
      />
    </>
  );
}
