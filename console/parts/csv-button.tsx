import { download, type Operation, type Takes } from '../api.ts';
import { t } from '../language.ts';
import { useAction } from '../query.ts';
import { Failed } from './failed.tsx';

/** Saves all rows of a list that the filters match, in its order, as CSV for a spreadsheet. */
export function CsvButton<Op extends Operation>({ operation, takes }: { operation: Op; takes: Takes<Op> }) {
  const action = useAction([]);
  return (
    <>
      <button
        type="button"
        class="quiet"
        disabled={action.busy}
        onClick={() => void action.run(() => download(operation, takes))}
      >
        <span aria-hidden="true">⤓</span> {t('table.csv')}
      </button>
      {action.failure && <Failed failure={action.failure} />}
    </>
  );
}
