import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { Team } from '../contract.ts';
import { number } from '../format.ts';
import { language, nameOf, t } from '../language.ts';
import { useServiceOptions, useZoneOptions } from '../options.ts';
import { CsvButton } from '../parts/csv-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form, TextField, useForm } from '../parts/fields.tsx';
import { Filters, given, type Option, SelectFilter, TextFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import type { Column } from '../parts/table.tsx';
import { WeekBars } from '../parts/week-bars.tsx';
import { useQuery } from '../query.ts';
import { go, href, place } from '../router.ts';
import { may } from '../session.ts';

const columns = (zones: readonly Option[]): Column<Team>[] => [
  {
    name: language.value === 'ar' ? 'nameAr' : 'name',
    sorts: language.value === 'ar' ? true : 'ASC',
    label: t('field.team'),
    cell: ({ id, isActive, ...names }) => (
      <>
        <a href={href(`/teams/${id}`)}>
          <bdi>{nameOf(names)}</bdi>
        </a>{' '}
        {!isActive && <span class="badge bad">{t('teams.inactive')}</span>}
      </>
    ),
  },
  {
    name: 'zones',
    label: t('nav.zones'),
    cell: ({ zoneIds }) => namesOf(zoneIds, zones).map((name) => <div key={name}>{<bdi>{name}</bdi>}</div>),
  },
  {
    name: 'skills',
    label: t('teams.skills'),
    end: true,
    cell: ({ serviceIds }) => number(serviceIds.length),
  },
  {
    name: 'travelBufferMinutes',
    sorts: true,
    label: t('teams.buffer'),
    end: true,
    cell: ({ travelBufferMinutes }) => number(travelBufferMinutes),
  },
  { name: 'week', label: t('teams.week'), cell: ({ shifts }) => <WeekBars shifts={shifts} /> },
];

const namesOf = (ids: readonly string[], options: readonly Option[]): string[] =>
  options.filter(({ value }) => ids.includes(value)).map(({ label }) => label);

/** All teams: zones, shifts and capacity. */
export default function Teams() {
  const takes = {
    query: given('search', 'zoneId', 'serviceId', 'isActive', 'sortBy', 'sortOrder', 'page') as never,
  };
  const query = useQuery('listTeams', takes, ['availability', 'catalogue']);
  const zones = useZoneOptions();
  const services = useServiceOptions();
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title={t('nav.teams')}
      actions={
        may('createTeam') && (
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            {t('teams.add')}
          </button>
        )
      }
    >
      <Filters>
        <TextFilter name="search" label={t('filter.search')} />
        <SelectFilter name="zoneId" label={t('field.zone')} options={zones} />
        <SelectFilter name="serviceId" label={t('field.service')} options={services} />
        <SelectFilter
          name="isActive"
          label={t('field.status')}
          options={[
            { value: 'true', label: t('teams.active') },
            { value: 'false', label: t('teams.inactive') },
          ]}
        />
      </Filters>
      <PagedTable
        query={query}
        label={t('nav.teams')}
        columns={columns(zones)}
        id={({ id }) => id}
        empty={place.value.query.size > 0 ? t('teams.empty') : t('teams.none')}
      >
        <CsvButton operation="listTeams" takes={takes} />
      </PagedTable>
      {isAdding && <AddTeam onClose={() => setAdding(false)} />}
    </Page>
  );
}

function AddTeam({ onClose }: { onClose: () => void }) {
  const form = useForm({ name: '', nameAr: '' }, ['availability']);
  return (
    <Dialog title={t('teams.add')} onClose={onClose}>
      <Form
        form={form}
        submit={t('act.add')}
        onClose={onClose}
        send={async ({ name, nameAr }) => {
          const names = { name, ...(nameAr.trim() !== '' && { nameAr }) };
          const { data } = await call('createTeam', { body: names });
          go(href(`/teams/${data.id}`));
        }}
      >
        <TextField form={form} name="name" label={t('cat.nameEn')} required />
        <TextField form={form} name="nameAr" rtl label={t('cat.nameAr')} />
      </Form>
    </Dialog>
  );
}
