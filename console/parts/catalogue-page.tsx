import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call, type Operation } from '../api.ts';
import type { Topic } from '../changes.ts';
import type { PageMeta } from '../contract.ts';
import { t } from '../language.ts';
import { type Query, useAction } from '../query.ts';
import { place } from '../router.ts';
import { may } from '../session.ts';
import { Failed } from './failed.tsx';
import { Page } from './page.tsx';
import { PagedTable } from './paged-table.tsx';
import { ask } from './questions.tsx';
import type { Column } from './table.tsx';
import { Tabs } from './tabs.tsx';
import { toast } from './toasts.tsx';

type Removal = 'removeCategory' | 'removeCatalogueService' | 'removePricingTier' | 'removeCancellationReason';

/** A list of the catalogue, with actions to add, edit and remove rows if the role may. */
export function CataloguePage<Row extends { id: string }>({
  title,
  query,
  columns,
  filters,
  nameOf,
  operations: { add, edit, remove },
  topics,
  dialog,
}: {
  title: string;
  query: Query<{ data: Row[]; meta: PageMeta }>;
  columns: readonly Column<Row>[];
  filters?: ComponentChildren;
  nameOf: (row: Row) => string;
  operations: { add: Operation; edit: Operation; remove: Removal };
  topics: readonly Topic[];
  /** Adds (null) or edits a row. */
  dialog: (row: Row | null, close: () => void) => ComponentChildren;
}) {
  const [open, setOpen] = useState<{ row: Row | null } | null>(null);
  const action = useAction(topics);
  const close = (): void => setOpen(null);
  async function ended(row: Row): Promise<void> {
    const confirmed = await ask({
      title: t('cat.removeTitle', { name: nameOf(row) }),
      text: t('cat.removeText'),
      confirm: t('act.remove'),
      danger: true,
    });
    if (confirmed === null) return;
    if (await action.run(() => call(remove, { id: row.id }))) toast(t('act.removed'));
  }
  const all = [...columns];
  if (may(edit))
    all.push({
      name: 'actions',
      label: t('act.actions'),
      cell: (row) => (
        <div class="buttons">
          <button type="button" class="small" onClick={() => setOpen({ row })}>
            {t('act.edit')}
          </button>
          <button type="button" class="small" disabled={action.busy} onClick={() => void ended(row)}>
            {t('act.remove')}
          </button>
        </div>
      ),
    });
  return (
    <Page
      title={title}
      actions={
        may(add) && (
          <button type="button" class="primary" onClick={() => setOpen({ row: null })}>
            {t('act.add')}
          </button>
        )
      }
    >
      <Tabs
        label={t('cat.tabs')}
        tabs={[
          { path: '/catalogue', label: t('cat.services') },
          { path: '/catalogue/categories', label: t('cat.categories') },
          { path: '/catalogue/tiers', label: t('cat.tiers') },
          { path: '/catalogue/reasons', label: t('cat.reasons') },
        ]}
      />
      {filters}
      {action.failure && <Failed failure={action.failure} />}
      <PagedTable
        query={query}
        label={title}
        columns={all}
        id={({ id }) => id}
        empty={place.value.query.size > 0 ? t('cat.empty') : t('cat.none')}
      />
      {open !== null && dialog(open.row, close)}
    </Page>
  );
}
