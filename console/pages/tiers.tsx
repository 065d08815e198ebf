import { call } from '../api.ts';
import type { CreatePricingTierRequest, PricingTier } from '../contract.ts';
import { money, number } from '../format.ts';
import { t } from '../language.ts';
import { CataloguePage } from '../parts/catalogue-page.tsx';
import { EditDialog } from '../parts/edit-dialog.tsx';
import { TextField, useForm } from '../parts/fields.tsx';
import { given } from '../parts/filters.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { numberOf } from '../values.ts';

const columns = (): Column<PricingTier>[] => [
  { name: 'minMinutes', sorts: true, label: t('cat.from'), cell: ({ minMinutes }) => number(minMinutes) },
  {
    name: 'maxMinutes',
    sorts: true,
    label: t('cat.to'),
    cell: ({ maxMinutes }) => (maxMinutes === null ? t('cat.noEnd') : number(maxMinutes)),
  },
  { name: 'factor', sorts: true, label: t('cat.factor'), end: true, cell: ({ factor }) => number(factor) },
  {
    name: 'example',
    label: t('tiers.example'),
    end: true,
    cell: ({ factor }) => <bdi>{money(100 * factor)}</bdi>,
  },
  { name: 'sorting', sorts: 'ASC', label: t('cat.order'), end: true, cell: ({ sorting }) => number(sorting) },
];

/** The tiers of estimated prices. */
export default function Tiers() {
  const query = useQuery('listPricingTiers', { query: given('sortBy', 'sortOrder', 'page') as never }, [
    'catalogue',
  ]);
  return (
    <CataloguePage
      title={t('cat.tiers')}
      query={query}
      filters={<p class="faint">{t('tiers.about')}</p>}
      columns={columns()}
      nameOf={({ minMinutes }) => number(minMinutes)}
      operations={{ add: 'createPricingTier', edit: 'updatePricingTier', remove: 'removePricingTier' }}
      topics={['catalogue']}
      dialog={(row, close) => <TierDialog row={row} onClose={close} />}
    />
  );
}

function TierDialog({ row, onClose }: { row: PricingTier | null; onClose: () => void }) {
  const form = useForm(
    {
      minMinutes: String(row?.minMinutes ?? ''),
      maxMinutes: String(row?.maxMinutes ?? ''),
      factor: String(row?.factor ?? '1'),
      sorting: String(row?.sorting ?? ''),
    },
    ['catalogue'],
  );
  return (
    <EditDialog
      title={row === null ? t('cat.newTier') : t('cat.editTitle', { name: number(row.minMinutes) })}
      isNew={row === null}
      form={form}
      onClose={onClose}
      send={(values) => {
        const body = {
          minMinutes: numberOf(values.minMinutes),
          maxMinutes: numberOf(values.maxMinutes) ?? null,
          factor: numberOf(values.factor),
          sorting: numberOf(values.sorting),
        } as CreatePricingTierRequest;
        return row === null
          ? call('createPricingTier', { body })
          : call('updatePricingTier', { id: row.id, body: form.changed(body) });
      }}
    >
      <div class="columns">
        <TextField form={form} name="minMinutes" label={t('cat.from')} type="number" ltr required />
        <TextField
          form={form}
          name="maxMinutes"
          label={t('cat.to')}
          hint={t('cat.toHint')}
          type="number"
          ltr
        />
        <TextField form={form} name="factor" label={t('cat.factor')} type="number" ltr required />
        <TextField form={form} name="sorting" label={t('cat.order')} type="number" ltr />
      </div>
    </EditDialog>
  );
}
