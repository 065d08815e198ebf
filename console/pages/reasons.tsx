import { call } from '../api.ts';
import type { CancellationReason } from '../contract.ts';
import { nameOf, t } from '../language.ts';
import { nameColumns, orderColumns } from '../parts/catalogue-columns.tsx';
import { CataloguePage } from '../parts/catalogue-page.tsx';
import { EditDialog } from '../parts/edit-dialog.tsx';
import { CheckField, TextField, useForm } from '../parts/fields.tsx';
import { given } from '../parts/filters.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { numberOf } from '../values.ts';

const columns = (): Column<CancellationReason>[] => [
  ...nameColumns(),
  {
    name: 'isCustomerFacing',
    sorts: true,
    label: t('cat.customerFacing'),
    cell: ({ isCustomerFacing }) => (isCustomerFacing ? t('field.yes') : t('field.no')),
  },
  ...orderColumns(),
];

/** The reasons for cancellations. */
export default function Reasons() {
  const query = useQuery(
    'listCancellationReasons',
    { query: given('sortBy', 'sortOrder', 'page') as never },
    ['catalogue'],
  );
  return (
    <CataloguePage
      title={t('cat.reasons')}
      query={query}
      columns={columns()}
      nameOf={nameOf}
      operations={{
        add: 'createCancellationReason',
        edit: 'updateCancellationReason',
        remove: 'removeCancellationReason',
      }}
      topics={['catalogue']}
      dialog={(row, close) => <ReasonDialog row={row} onClose={close} />}
    />
  );
}

function ReasonDialog({ row, onClose }: { row: CancellationReason | null; onClose: () => void }) {
  const form = useForm(
    {
      nameEn: row?.nameEn ?? '',
      nameAr: row?.nameAr ?? '',
      sortOrder: String(row?.sortOrder ?? ''),
      isActive: row?.isActive ?? true,
      isCustomerFacing: row?.isCustomerFacing ?? true,
    },
    ['catalogue'],
  );
  return (
    <EditDialog
      title={row === null ? t('cat.newReason') : t('cat.editTitle', { name: nameOf(row) })}
      isNew={row === null}
      form={form}
      onClose={onClose}
      send={({ sortOrder, ...values }) => {
        const body = { ...values, sortOrder: numberOf(sortOrder) };
        return row === null
          ? call('createCancellationReason', { body })
          : call('updateCancellationReason', { id: row.id, body: form.changed(body) });
      }}
    >
      <div class="columns">
        <TextField form={form} name="nameEn" ltr label={t('cat.nameEn')} required />
        <TextField form={form} name="nameAr" rtl label={t('cat.nameAr')} required />
        <TextField form={form} name="sortOrder" label={t('cat.order')} type="number" ltr />
      </div>
      <CheckField form={form} name="isCustomerFacing" label={t('cat.customerFacing')} />
      <CheckField form={form} name="isActive" label={t('cat.active')} />
    </EditDialog>
  );
}
