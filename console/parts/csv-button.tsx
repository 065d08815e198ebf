import { download, type Operation, type Takes } from '../api.ts';
import { t } from '../language.ts';
import { useAction } from '../query.ts';
import { ActionButton } from './action-button.tsx';
import { Failed } from './failed.tsx';

/** Downloads all rows that match the filters as CSV, in the order of the list. */
export function CsvButton<Op extends Operation>({ operation, takes }: { operation: Op; takes: Takes<Op> }) {
  const action = useAction([]);
  return (
    <>
      <ActionButton action={action} run={() => download(operation, takes)} kind="quiet">
        <span aria-hidden="true">⤓</span> {t('table.csv')}
      </ActionButton>
      {action.failure && <Failed failure={action.failure} />}
    </>
  );
}
