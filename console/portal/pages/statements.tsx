import { t } from '../../language.ts';
import { given } from '../../parts/filters.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { statementColumns } from '../../parts/statement-parts.tsx';
import { useQuery } from '../query.ts';

/** The partner's issued statements. */
export default function Statements() {
  const query = useQuery('listStatements', { query: given('page') as never });
  return (
    <Page title={t('nav.statements')}>
      <PagedTable
        query={query}
        label={t('nav.statements')}
        columns={statementColumns()}
        id={({ id }) => id}
        empty={t('statements.none')}
      />
    </Page>
  );
}
