import { monthOf } from '../../format.ts';
import { t } from '../../language.ts';
import type { PageProps } from '../../parts/current-page.tsx';
import { Failed, Loaded } from '../../parts/failed.tsx';
import { Page } from '../../parts/page.tsx';
import { STATEMENT_FILES, StatementBadge, StatementTotals } from '../../parts/statement-parts.tsx';
import { useAction } from '../../query.ts';
import { downloadStatement } from '../api.ts';
import { useQuery } from '../query.ts';

/** A statement, with its files. */
export default function StatementPage({ params: { id = '' } }: PageProps) {
  const query = useQuery('getStatement', { statementId: id });
  const file = useAction([]);
  const statement = query.answer?.data;
  return (
    <Page
      title={statement?.number ?? t('nav.statements')}
      about={
        statement && (
          <>
            <StatementBadge {...statement} /> {monthOf(statement.month)}
          </>
        )
      }
      actions={
        statement &&
        STATEMENT_FILES.map((name) => (
          <button
            key={name}
            type="button"
            disabled={file.busy}
            onClick={() => void file.run(() => downloadStatement(id, name))}
          >
            <span aria-hidden="true">⤓</span> {t(`statements.${name}`)}
          </button>
        ))
      }
    >
      {file.failure && <Failed failure={file.failure} />}
      <Loaded query={query}>{({ data }) => <StatementTotals statement={data} />}</Loaded>
    </Page>
  );
}
