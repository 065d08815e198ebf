import { call } from '../api.ts';
import type { CreateCatalogueServiceRequest, Service } from '../contract.ts';
import { number } from '../format.ts';
import { language, nameOf, t } from '../language.ts';
import { useCategoryOptions, useZoneOptions } from '../options.ts';
import { ActiveBadge } from '../parts/active-badge.tsx';
import { CataloguePage } from '../parts/catalogue-page.tsx';
import { previewed } from '../parts/change-preview.tsx';
import { ComingPriceFields, comingPricesOf, PriceText, priceRowsOf } from '../parts/coming-prices.tsx';
import { EditDialog } from '../parts/edit-dialog.tsx';
import { CheckField, SelectField, TextField, useForm } from '../parts/fields.tsx';
import { Filters, given, SelectFilter, TextFilter } from '../parts/filters.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { href } from '../router.ts';
import { numberOf } from '../values.ts';

/** The services of the catalogue. */
export default function Services() {
  const categories = useCategoryOptions();
  const zones = useZoneOptions();
  const query = useQuery(
    'listCatalogueServices',
    { query: given('search', 'categoryId', 'zoneId', 'isActive', 'sortBy', 'sortOrder', 'page') as never },
    ['catalogue'],
  );
  const columns: Column<Service>[] = [
    {
      // By the displayed name.
      name: language.value === 'ar' ? 'nameAr' : 'nameEn',
      sorts: language.value === 'ar' ? true : 'ASC',
      label: t('field.service'),
      cell: (service) => (
        <a class="words" href={href(`/catalogue/services/${service.id}`)}>
          <bdi>{nameOf(service)}</bdi>
        </a>
      ),
    },
    {
      name: 'category',
      label: t('cat.category'),
      cell: ({ categoryId }) => (
        <bdi>{categories.find(({ value }) => value === categoryId)?.label ?? '–'}</bdi>
      ),
    },
    {
      name: 'isActive',
      sorts: true,
      label: t('field.status'),
      cell: ({ isActive }) => <ActiveBadge isActive={isActive} />,
    },
    {
      name: 'assignment',
      sorts: true,
      label: t('cat.assignment'),
      cell: ({ assignment }) => t(`cat.assignment.${assignment}`),
    },
    {
      name: 'durationMinutes',
      sorts: true,
      label: t('cat.duration'),
      end: true,
      cell: ({ durationMinutes }) => number(durationMinutes),
    },
    {
      name: 'defaultPrice',
      sorts: true,
      label: t('prices.default'),
      end: true,
      cell: ({ defaultPrice, comingPrices }) => <PriceText price={defaultPrice} coming={comingPrices} />,
    },
  ];
  return (
    <CataloguePage
      title={t('cat.services')}
      query={query}
      columns={columns}
      nameOf={nameOf}
      operations={{
        add: 'createCatalogueService',
        edit: 'updateCatalogueService',
        remove: 'removeCatalogueService',
      }}
      topics={['catalogue', 'availability']}
      filters={
        <Filters>
          <TextFilter name="search" label={t('filter.search')} />
          <SelectFilter name="categoryId" label={t('cat.category')} options={categories} />
          <SelectFilter name="zoneId" label={t('field.zone')} options={zones} />
          <SelectFilter
            name="isActive"
            label={t('field.status')}
            options={[
              { value: 'true', label: t('hooks.active') },
              { value: 'false', label: t('hooks.inactive') },
            ]}
          />
        </Filters>
      }
      dialog={(row, close) => <ServiceDialog row={row} onClose={close} />}
    />
  );
}

/** The form of a service; null: a new one. */
export function ServiceDialog({ row, onClose }: { row: Service | null; onClose: () => void }) {
  const categories = useCategoryOptions();
  const form = useForm(
    {
      nameEn: row?.nameEn ?? '',
      nameAr: row?.nameAr ?? '',
      categoryId: row?.categoryId ?? '',
      durationMinutes: String(row?.durationMinutes ?? 120),
      defaultPrice: String(row?.defaultPrice ?? ''),
      comingPrices: priceRowsOf(row?.comingPrices),
      zeroPriceMeans: row?.zeroPriceMeans ?? 'free',
      assignment: row?.assignment ?? 'instant',
      minimumNoticeMinutes: String(row?.minimumNoticeMinutes ?? ''),
      bookingHorizonDays: String(row?.bookingHorizonDays ?? ''),
      isActive: row?.isActive ?? true,
    },
    ['catalogue', 'availability'],
  );
  return (
    <EditDialog
      title={row === null ? t('cat.newService') : t('cat.editTitle', { name: nameOf(row) })}
      isNew={row === null}
      form={form}
      onClose={onClose}
      send={(values) => {
        const body = {
          nameEn: values.nameEn,
          nameAr: values.nameAr.trim() === '' ? null : values.nameAr,
          categoryId: values.categoryId,
          durationMinutes: numberOf(values.durationMinutes),
          defaultPrice: numberOf(values.defaultPrice),
          comingPrices: comingPricesOf(values.comingPrices),
          zeroPriceMeans: values.zeroPriceMeans,
          assignment: values.assignment,
          minimumNoticeMinutes: numberOf(values.minimumNoticeMinutes),
          bookingHorizonDays: numberOf(values.bookingHorizonDays),
          isActive: values.isActive,
          // The service validates required fields.
        } as CreateCatalogueServiceRequest;
        return row === null
          ? call('createCatalogueService', { body })
          : previewed(async (query) => {
              const sent = { id: row.id, query, body: form.changed(body) };
              return (await call('updateCatalogueService', sent)).data;
            });
      }}
    >
      <div class="columns">
        <TextField form={form} name="nameEn" ltr label={t('cat.nameEn')} required />
        <TextField form={form} name="nameAr" rtl label={t('cat.nameAr')} />
        <SelectField
          form={form}
          name="categoryId"
          label={t('cat.category')}
          required
          options={[{ value: '', label: '' }, ...categories]}
        />
        <TextField form={form} name="durationMinutes" label={t('cat.duration')} type="number" ltr required />
        <TextField form={form} name="defaultPrice" label={t('cat.price')} type="number" ltr required />
        <SelectField
          form={form}
          name="zeroPriceMeans"
          label={t('cat.zero')}
          options={(['free', 'deferred'] as const).map((value) => ({ value, label: t(`cat.zero.${value}`) }))}
        />
        <SelectField
          form={form}
          name="assignment"
          label={t('cat.assignment')}
          options={(['instant', 'deferred'] as const).map((value) => ({
            value,
            label: t(`cat.assignment.${value}`),
          }))}
        />
        <TextField form={form} name="minimumNoticeMinutes" label={t('cat.notice')} type="number" ltr />
        <TextField form={form} name="bookingHorizonDays" label={t('cat.horizon')} type="number" ltr />
      </div>
      <ComingPriceFields
        label={t('prices.comingOf', { service: form.values.nameEn })}
        rows={form.values.comingPrices}
        onChange={(rows) => form.set('comingPrices', [...rows])}
        faults={form.faults('comingPrices')}
      />
      <CheckField form={form} name="isActive" label={t('cat.active')} />
    </EditDialog>
  );
}
