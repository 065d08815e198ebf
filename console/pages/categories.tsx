import { call } from '../api.ts';
import type { Category } from '../contract.ts';
import { nameOf, t } from '../language.ts';
import { nameColumns, orderColumns } from '../parts/catalogue-columns.tsx';
import { CataloguePage } from '../parts/catalogue-page.tsx';
import { previewed } from '../parts/change-preview.tsx';
import { EditDialog } from '../parts/edit-dialog.tsx';
import { CheckField, TextField, useForm } from '../parts/fields.tsx';
import { given } from '../parts/filters.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { numberOf } from '../values.ts';

const columns = (): Column<Category>[] => [
  ...nameColumns(),
  {
    name: 'code',
    sorts: true,
    label: t('cat.code'),
    cell: ({ code }) => (code === null ? '–' : <code>{code}</code>),
  },
  ...orderColumns(),
];

/** Groups of services. */
export default function Categories() {
  const query = useQuery('listCategories', { query: given('sortBy', 'sortOrder', 'page') as never }, [
    'catalogue',
  ]);
  return (
    <CataloguePage
      title={t('cat.categories')}
      query={query}
      columns={columns()}
      nameOf={nameOf}
      operations={{ add: 'createCategory', edit: 'updateCategory', remove: 'removeCategory' }}
      topics={['catalogue']}
      dialog={(row, close) => <CategoryDialog row={row} onClose={close} />}
    />
  );
}

function CategoryDialog({ row, onClose }: { row: Category | null; onClose: () => void }) {
  const form = useForm(
    {
      nameEn: row?.nameEn ?? '',
      nameAr: row?.nameAr ?? '',
      descriptionEn: row?.descriptionEn ?? '',
      descriptionAr: row?.descriptionAr ?? '',
      code: row?.code ?? '',
      sortOrder: String(row?.sortOrder ?? ''),
      isActive: row?.isActive ?? true,
    },
    ['catalogue'],
  );
  return (
    <EditDialog
      title={row === null ? t('cat.newCategory') : t('cat.editTitle', { name: nameOf(row) })}
      isNew={row === null}
      form={form}
      onClose={onClose}
      send={({ code, sortOrder, ...values }) => {
        const body = {
          ...values,
          code: code.trim() === '' ? null : code,
          sortOrder: numberOf(sortOrder),
        };
        return row === null
          ? call('createCategory', { body })
          : previewed(async (query) => {
              const sent = { id: row.id, query, body: form.changed(body) };
              return (await call('updateCategory', sent)).data;
            });
      }}
    >
      <div class="columns">
        <TextField form={form} name="nameEn" ltr label={t('cat.nameEn')} required />
        <TextField form={form} name="nameAr" rtl label={t('cat.nameAr')} required />
        <TextField form={form} name="descriptionEn" label={t('cat.descriptionEn')} rows={2} ltr />
        <TextField form={form} name="descriptionAr" label={t('cat.descriptionAr')} rows={2} rtl />
        <TextField form={form} name="code" label={t('cat.code')} ltr />
        <TextField form={form} name="sortOrder" label={t('cat.order')} type="number" ltr />
      </div>
      <CheckField form={form} name="isActive" label={t('cat.active')} />
    </EditDialog>
  );
}
