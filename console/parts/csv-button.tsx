import { download, type Operation, type Takes } from '../api.ts';
import { t } from '../language.ts';
import { useAction } from '../query.ts';
import { Failed } from './failed.tsx';

/** Downloads all rows that match the filters as CSV, in the order of the list. */
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
