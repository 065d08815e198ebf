import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { Category, Service, Zone } from '../contract.ts';
import { dateTime, number } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { ActiveBadge } from '../parts/active-badge.tsx';
import { previewed } from '../parts/change-preview.tsx';
import { PriceText } from '../parts/coming-prices.tsx';
import type { PageProps } from '../parts/current-page.tsx';
import { EditDialog } from '../parts/edit-dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { ChoicesField, useForm } from '../parts/fields.tsx';
import { Gaps } from '../parts/gaps.tsx';
import { Page, Section } from '../parts/page.tsx';
import { PoliciesOf } from '../parts/policies-of.tsx';
import { ask } from '../parts/questions.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction, useAll, useQuery } from '../query.ts';
import { go, href, place, setQuery } from '../router.ts';
import { may } from '../session.ts';
import { ServiceDialog } from './services.tsx';
import { serviceGaps } from './setup-gaps.ts';

/** One service and its zones. */
export default function ServicePage({ params: { id = '' } }: PageProps) {
  const query = useQuery('getCatalogueService', { id }, ['catalogue']);
  const categories = useAll('listCategories', {}, ['catalogue']).answer ?? [];
  const action = useAction(['catalogue']);
  const isOpen = place.value.query.get('edit') === 'facts' && may('updateCatalogueService');
  const service = query.answer?.data;
  const category = categories.find((one) => one.id === service?.categoryId);
  async function remove(): Promise<void> {
    const confirmed = await ask({
      title: t('service.removeTitle', { name: nameOf(service!) }),
      text: t('service.removeText'),
      confirm: t('act.remove'),
      danger: true,
    });
    if (confirmed === null) return;
    if (!(await action.run(() => call('removeCatalogueService', { id })))) return;
    toast(t('act.removed'));
    go(href('/catalogue'));
  }
  return (
    <Page
      title={service === undefined ? t('field.service') : nameOf(service)}
      about={service && <ActiveBadge isActive={service.isActive} />}
      actions={
        <>
          <a class="button" href={href('/audit', { target: `service:${id}` })}>
            {t('service.log')}
          </a>
          {service && may('updateCatalogueService') && (
            <button type="button" onClick={() => setQuery({ edit: 'facts' })}>
              {t('act.edit')}
            </button>
          )}
          {service && may('removeCatalogueService') && (
            <button type="button" disabled={action.busy} onClick={() => void remove()}>
              {t('act.remove')}
            </button>
          )}
        </>
      }
    >
      {action.failure && <Failed failure={action.failure} />}
      <Loaded query={query}>
        {({ data }) => (
          <>
            <Missing service={data} category={category} />
            <Section title={t('service.facts')}>
              <ServiceFacts service={data} category={category === undefined ? '…' : nameOf(category)} />
            </Section>
            <Zones serviceId={id} />
            <PoliciesOf field="serviceId" id={id} empty={t('policies.ofService')} />
            {isOpen && (
              <ServiceDialog row={data} onClose={() => setQuery({ edit: null }, { replace: true })} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The gaps of the service; none while it loads. */
function Missing({ service, category }: { service: Service; category: Category | undefined }) {
  const tiers = useAll('listPricingTiers', {}, ['catalogue']).answer;
  const zones = useAll('listZones', {}, ['availability', 'catalogue']).answer;
  const teams = useAll('listTeams', {}, ['availability']).answer;
  if (tiers === undefined || zones === undefined || teams === undefined) return null;
  return <Gaps title={t('setup.service')} gaps={serviceGaps({ service, category, tiers, zones, teams })} />;
}

function ServiceFacts({ service, category }: { service: Service; category: string }) {
  const minutes = (value: number): string => t('service.minutes', { minutes: number(value) });
  return (
    <Facts
      facts={[
        { label: t('cat.nameEn'), value: <bdi>{service.nameEn}</bdi> },
        { label: t('cat.nameAr'), value: <bdi>{service.nameAr ?? t('field.none')}</bdi> },
        { label: t('cat.category'), value: <bdi>{category}</bdi> },
        { label: t('service.duration'), value: minutes(service.durationMinutes) },
        {
          label: t('prices.default'),
          value: <PriceText price={service.defaultPrice} coming={service.comingPrices} />,
        },
        { label: t('cat.zero'), value: t(`cat.zero.${service.zeroPriceMeans}`) },
        { label: t('cat.assignment'), value: t(`cat.assignment.${service.assignment}`) },
        { label: t('service.notice'), value: minutes(service.minimumNoticeMinutes) },
        {
          label: t('cat.horizon'),
          value: number(service.bookingHorizonDays),
        },
        { label: t('field.created'), value: dateTime(service.createdAt) },
        { label: t('field.id'), value: <code>{service.id}</code> },
      ]}
    />
  );
}

const zoneColumns = (): Column<Zone>[] => [
  {
    name: 'zone',
    label: t('field.zone'),
    cell: (zone) => <bdi>{nameOf(zone)}</bdi>,
  },
  {
    name: 'grid',
    label: t('service.grid'),
    end: true,
    cell: ({ slotGridMinutes }) => t('service.minutes', { minutes: number(slotGridMinutes) }),
  },
  {
    name: 'status',
    label: t('field.status'),
    cell: ({ isActive }) => <ActiveBadge isActive={isActive} />,
  },
];

/** The zones of the service. */
function Zones({ serviceId }: { serviceId: string }) {
  const query = useAll('listZones', {}, ['availability', 'catalogue']);
  const isOpen = place.value.query.get('edit') === 'zones' && may('updateZone');
  return (
    <Section
      title={t('service.zones')}
      actions={
        query.answer &&
        query.answer.length > 0 &&
        may('updateZone') && (
          <button type="button" onClick={() => setQuery({ edit: 'zones' })}>
            {t('service.zonesEdit')}
          </button>
        )
      }
    >
      <Loaded query={query}>
        {(zones) => (
          <>
            <Table
              label={t('service.zones')}
              columns={zoneColumns()}
              rows={zones.filter(({ serviceIds }) => serviceIds.includes(serviceId))}
              id={({ id }) => id}
              empty={zones.length === 0 ? t('service.noZones') : t('service.zonesNone')}
            />
            {isOpen && (
              <ZonesDialog
                serviceId={serviceId}
                zones={zones}
                onClose={() => setQuery({ edit: null }, { replace: true })}
              />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

type ZonesDialogProps = { serviceId: string; zones: readonly Zone[]; onClose: () => void };

function ZonesDialog({ serviceId, zones, onClose }: ZonesDialogProps) {
  const [before] = useState(() =>
    zones.filter((zone) => zone.serviceIds.includes(serviceId)).map(({ id }) => id),
  );
  const form = useForm({ serviceIds: before as readonly string[] }, ['availability', 'catalogue']);
  return (
    <EditDialog
      title={t('service.zonesEdit')}
      isNew={false}
      form={form}
      onClose={onClose}
      send={({ serviceIds }) => offerIn(serviceId, before, serviceIds)}
    >
      <ChoicesField
        form={form}
        name="serviceIds"
        label={t('service.zones')}
        options={zones.map((zone) => ({ value: zone.id, label: nameOf(zone) }))}
      />
    </EditDialog>
  );
}

/** Updates the zones whose choice changed, all or none, each from its current services. */
async function offerIn(
  serviceId: string,
  before: readonly string[],
  chosen: readonly string[],
): Promise<void> {
  const added = chosen.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !chosen.includes(id));
  const zones: { id: string; version: number; serviceIds: string[] }[] = [];
  for (const id of [...added, ...removed]) {
    const { data } = await call('getZone', { id });
    const others = data.serviceIds.filter((one) => one !== serviceId);
    const serviceIds = added.includes(id) ? [...others, serviceId] : others;
    zones.push({ id, version: data.version, serviceIds });
  }
  if (zones.length === 0) return;
  await previewed(async (query) => (await call('changeZones', { query, body: { zones } })).data);
}
