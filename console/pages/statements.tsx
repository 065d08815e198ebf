import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { Statement } from '../contract.ts';
import { t } from '../language.ts';
import { usePartnerOptions } from '../options.ts';
import { partnerColumn } from '../parts/columns.tsx';
import { EditDialog } from '../parts/edit-dialog.tsx';
import { SelectField, useForm } from '../parts/fields.tsx';
import { Filters, given, type Option, SelectFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { monthOptions, statementColumns } from '../parts/statement-parts.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useQuery } from '../query.ts';
import { go, href } from '../router.ts';
import { may } from '../session.ts';

const FILTERS = ['partnerId', 'month', 'status', 'page'] as const;

export const StatementTabs = () => (
  <Tabs
    label={t('nav.statements')}
    tabs={[
      { path: '/statements', label: t('nav.statements') },
      { path: '/statements/check', label: t('statements.check') },
      { path: '/statements/settings', label: t('statements.settings') },
    ]}
  />
);

/** Statements of all partners. */
export default function Statements() {
  const [isOpen, setOpen] = useState(false);
  const partners = usePartnerOptions();
  const query = useQuery('listStatements', { query: given(...FILTERS) as never }, ['payments']);
  return (
    <Page
      title={t('nav.statements')}
      actions={
        may('createStatement') && (
          <button type="button" class="primary" onClick={() => setOpen(true)}>
            {t('statements.make')}
          </button>
        )
      }
    >
      <StatementTabs />
      <Filters>
        <SelectFilter name="partnerId" label={t('field.partner')} options={partners} />
        <SelectFilter name="month" label={t('statements.month')} options={monthOptions()} />
        <SelectFilter
          name="status"
          label={t('field.status')}
          options={(['DRAFT', 'ISSUED'] as const).map((value) => ({
            value,
            label: t(`statements.${value}`),
          }))}
        />
      </Filters>
      <PagedTable
        query={query}
        label={t('nav.statements')}
        columns={statementColumns<Statement>(partnerColumn())}
        id={({ id }) => id}
        empty={t('statements.none')}
      />
      {isOpen && <DraftDialog partners={partners} onClose={() => setOpen(false)} />}
    </Page>
  );
}

function DraftDialog({ partners, onClose }: { partners: readonly Option[]; onClose: () => void }) {
  const months = monthOptions();
  const form = useForm({ partnerId: given('partnerId').partnerId ?? '', month: months[1]!.value }, [
    'payments',
  ]);
  return (
    <EditDialog
      title={t('statements.make')}
      isNew
      form={form}
      onClose={onClose}
      send={async (body) => go(href(`/statements/${(await call('createStatement', { body })).data.id}`))}
    >
      <SelectField
        form={form}
        name="partnerId"
        label={t('field.partner')}
        options={[{ value: '', label: '–' }, ...partners]}
      />
      <SelectField form={form} name="month" label={t('statements.month')} options={months} />
    </EditDialog>
  );
}
