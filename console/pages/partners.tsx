import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { CreatePartnerRequest, Partner } from '../contract.ts';
import { number } from '../format.ts';
import { t } from '../language.ts';
import { createdColumn } from '../parts/columns.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form, useForm } from '../parts/fields.tsx';
import { Filters, given, SelectFilter, TextFilter } from '../parts/filters.tsx';
import { Linked } from '../parts/linked.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { PartnerBadge } from '../parts/partner-badge.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { go, href, place } from '../router.ts';
import { may } from '../session.ts';
import { bodyOf, moneyName, PartnerFields, valuesOf } from './partner-settings.tsx';

const columns = (): Column<Partner>[] => [
  {
    name: 'name',
    sorts: true,
    label: t('partners.name'),
    cell: ({ id, name }) => <Linked address={`/partners/${id}`} text={name} />,
  },
  {
    name: 'status',
    sorts: true,
    label: t('field.status'),
    cell: ({ status }) => <PartnerBadge status={status} />,
  },
  {
    name: 'paymentResponsibility',
    sorts: true,
    label: t('partners.money'),
    cell: ({ paymentResponsibility }) => moneyName(paymentResponsibility),
  },
  {
    name: 'rateLimitPerMinute',
    sorts: true,
    label: t('partners.limit'),
    end: true,
    cell: ({ rateLimitPerMinute: limit }) => (limit === null ? t('partners.noLimit') : number(limit)),
  },
  createdColumn(),
];

/** The partners. */
export default function Partners() {
  const takes = { query: given('search', 'status', 'sortBy', 'sortOrder', 'page') as never };
  const query = useQuery('listPartners', takes, ['partners']);
  const [isOpen, setOpen] = useState(false);
  return (
    <Page
      title={t('nav.partners')}
      about={t('partners.about')}
      actions={
        may('createPartner') && (
          <button type="button" class="primary" onClick={() => setOpen(true)}>
            {t('partners.add')}
          </button>
        )
      }
    >
      <Filters>
        <TextFilter name="search" label={t('filter.search')} hint={t('partners.name')} />
        <SelectFilter
          name="status"
          label={t('field.status')}
          options={[
            { value: 'ACTIVE', label: t('partners.active') },
            { value: 'SUSPENDED', label: t('partners.suspended') },
          ]}
        />
      </Filters>
      <PagedTable
        query={query}
        label={t('nav.partners')}
        columns={columns()}
        id={({ id }) => id}
        empty={place.value.query.size > 0 ? t('partners.empty') : t('partners.none')}
      >
        <CsvButton operation="listPartners" takes={takes} />
      </PagedTable>
      {isOpen && <NewPartner onClose={() => setOpen(false)} />}
    </Page>
  );
}

function NewPartner({ onClose }: { onClose: () => void }) {
  const form = useForm(valuesOf(null), ['partners']);
  return (
    <Dialog title={t('partners.add')} onClose={onClose} wide>
      <Form
        form={form}
        submit={t('act.add')}
        onClose={onClose}
        send={async (values) => {
          const { data } = await call('createPartner', { body: bodyOf(values) as CreatePartnerRequest });
          go(href(`/partners/${data.id}/keys`));
        }}
      >
        <PartnerFields form={form} />
      </Form>
    </Dialog>
  );
}
