import { useState } from 'preact/hooks';
import type { Policy } from '../contract.ts';
import { number } from '../format.ts';
import { language, t } from '../language.ts';
import { Filters, given, TextFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { AssignedTo, nameColumn, textColumn } from '../parts/policies-of.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { place } from '../router.ts';
import { may } from '../session.ts';
import { PolicyDialog } from './policy-dialog.tsx';

/** The policies of fees, each in its newest version. */
export default function Policies() {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery('listPolicies', { query: given('search', 'sortBy', 'sortOrder', 'page') as never }, [
    'catalogue',
  ]);
  return (
    <Page
      title={t('nav.policies')}
      about={t('policies.about')}
      actions={
        may('createPolicy') && (
          <button type="button" class="primary" onClick={() => setOpen(true)}>
            {t('policies.add')}
          </button>
        )
      }
    >
      <Filters>
        <TextFilter name="search" label={t('filter.search')} />
      </Filters>
      <PagedTable
        query={query}
        label={t('nav.policies')}
        columns={columns()}
        id={({ id }) => id}
        empty={place.value.query.size > 0 ? t('cat.empty') : t('policies.none')}
      />
      {isOpen && <PolicyDialog policy={null} onClose={() => setOpen(false)} />}
    </Page>
  );
}

const columns = (): Column<Policy>[] => [
  {
    ...nameColumn(),
    // By the displayed name.
    name: language.value === 'ar' ? 'nameAr' : 'nameEn',
    sorts: language.value === 'ar' ? true : 'ASC',
  },
  textColumn(),
  {
    name: 'assignments',
    label: t('policies.assignments'),
    cell: ({ assignments }) => <AssignedTo assignments={assignments} />,
  },
  { name: 'version', label: t('policies.version'), end: true, cell: ({ version }) => number(version) },
];
