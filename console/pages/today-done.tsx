import { useState } from 'preact/hooks';
import type { BoardAppointment } from '../contract.ts';
import { number } from '../format.ts';
import { t } from '../language.ts';
import { DoneDialog, MAX_DONE } from '../parts/done-dialog.tsx';
import type { Column } from '../parts/table.tsx';
import { may, now } from '../session.ts';

type Visit = BoardAppointment;

/** Visits of a list that are selected, and completed together as their crews told by telephone. */
export function useDone(visits: readonly Visit[]) {
  const [ids, setIds] = useState<readonly string[]>([]);
  const [isOpen, setOpen] = useState(false);
  // Visits still in the list.
  const chosen = visits.filter(({ id }) => ids.includes(id)).slice(0, MAX_DONE);
  const column: Column<Visit> = {
    name: 'select',
    label: t('done.select'),
    cell: ({ id, name, startsAt }) =>
      Date.parse(startsAt) < now.value && (
        <input
          type="checkbox"
          aria-label={`${t('done.select')}: ${name}`}
          checked={ids.includes(id)}
          onChange={({ currentTarget: { checked } }) =>
            setIds(checked ? [...ids, id] : ids.filter((one) => one !== id))
          }
        />
      ),
  };
  const close = (): void => setOpen(false);
  return {
    columns: may('reportDone') ? [column] : [],
    button: chosen.length > 0 && (
      <button type="button" onClick={() => setOpen(true)}>
        {t('done.openMany', { count: number(chosen.length) })}
      </button>
    ),
    dialog: isOpen && <DoneDialog visits={chosen} onClose={close} />,
  };
}
