import { useId, useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { PartnerServices, Service } from '../contract.ts';
import { faultTexts } from '../failure-text.ts';
import { money } from '../format.ts';
import { nameOf, t } from '../language.ts';
import {
  ComingPriceFields,
  comingPricesOf,
  comingText,
  type PriceRow,
  PriceText,
  priceRowsOf,
} from '../parts/coming-prices.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { Section } from '../parts/page.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { useUnsaved } from '../parts/unsaved.ts';
import { asFailure, useAction, useAll, useQuery } from '../query.ts';
import { href } from '../router.ts';
import { may } from '../session.ts';
import { numberOf } from '../values.ts';

/** The services that a partner may book, and their prices. */
export function PartnerPrices({ partnerId }: { partnerId: string }) {
  const query = useQuery('getPartnerServices', { id: partnerId }, ['partners']);
  const services = useAll('listCatalogueServices', {}, ['catalogue']);
  const [isEditing, setEditing] = useState(false);
  return (
    <Section
      title={t('partners.prices')}
      actions={
        !isEditing &&
        may('putPartnerServices') &&
        query.answer && (
          <button type="button" onClick={() => setEditing(true)}>
            {t('prices.edit')}
          </button>
        )
      }
    >
      <Loaded query={services}>
        {(all) => (
          <Loaded query={query}>
            {({ data }) =>
              isEditing ? (
                <EditPrices
                  partnerId={partnerId}
                  current={data}
                  services={all}
                  onClose={() => setEditing(false)}
                />
              ) : (
                <Prices current={data} services={all} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Section>
  );
}

const serviceColumns = (): Column<Service>[] => [
  {
    name: 'service',
    label: t('field.service'),
    cell: (service) => (
      <>
        <a href={href(`/catalogue/services/${service.id}`)}>
          <bdi>{nameOf(service)}</bdi>
        </a>{' '}
        {!service.isActive && <span class="badge">{t('hooks.inactive')}</span>}
      </>
    ),
  },
  {
    name: 'default',
    label: t('prices.default'),
    end: true,
    cell: ({ defaultPrice }) => <bdi>{money(defaultPrice)}</bdi>,
  },
];

function Prices({ current, services }: { current: PartnerServices; services: readonly Service[] }) {
  const own = new Map(current.services.map((one) => [one.serviceId, one]));
  return (
    <>
      <p>{current.restricted ? t('prices.restricted') : t('prices.open')}</p>
      <Table
        label={t('partners.prices')}
        columns={[
          ...serviceColumns(),
          {
            name: 'own',
            label: t('prices.own'),
            end: true,
            cell: ({ id }) => {
              const { price = null, comingPrices = [] } = own.get(id) ?? {};
              return <PriceText price={price} coming={comingPrices} />;
            },
          },
        ]}
        rows={current.restricted ? services.filter(({ id }) => own.has(id)) : services}
        id={({ id }) => id}
        empty={t('prices.none')}
      />
    </>
  );
}

/** The current price after a version conflict. */
function Theirs({
  service,
  began,
  current,
}: {
  service: Service;
  began: PartnerServices;
  current: PartnerServices;
}) {
  const textIn = ({ restricted, services }: PartnerServices): string => {
    const own = services.find(({ serviceId }) => serviceId === service.id);
    if (restricted && own === undefined) return t('prices.notOffered');
    const price = own === undefined || own.price === null ? t('prices.same') : money(own.price);
    return [price, ...comingText(own?.comingPrices ?? [])].join(' · ');
  };
  const now = textIn(current);
  if (now === textIn(began)) return null;
  return <span class="fault">{t('prices.theirs', { price: now })}</span>;
}

type Row = { isListed: boolean; price: string; coming: readonly PriceRow[] };

function EditPrices({
  partnerId,
  current,
  services,
  onClose,
}: {
  partnerId: string;
  current: PartnerServices;
  services: readonly Service[];
  onClose: () => void;
}) {
  const action = useAction(['partners']);
  const id = useId();
  // The version that the reader saw first; after a refusal, the one shown beside the form.
  const [version, setVersion] = useState(current.version);
  const [began] = useState(current);
  const [restricted, setRestricted] = useState(current.restricted);
  const [rows, setRows] = useState<ReadonlyMap<string, Row>>(
    () =>
      new Map(
        current.services.map(({ serviceId, price, comingPrices }) => [
          serviceId,
          {
            isListed: true,
            price: price === null ? '' : String(price),
            coming: priceRowsOf(comingPrices),
          },
        ]),
      ),
  );
  const rowOf = (serviceId: string): Row => rows.get(serviceId) ?? { isListed: false, price: '', coming: [] };
  const change = (serviceId: string, changes: Partial<Row>): void =>
    setRows(new Map(rows).set(serviceId, { ...rowOf(serviceId), ...changes }));
  const sent = services
    .map(({ id: serviceId }) => ({ serviceId, ...rowOf(serviceId) }))
    .filter(
      ({ isListed, price, coming }) =>
        isListed || (!restricted && (price.trim() !== '' || coming.length > 0)),
    );
  const [opened] = useState(() => JSON.stringify([restricted, [...rows]]));
  useUnsaved(JSON.stringify([restricted, [...rows]]) !== opened);
  const faults = action.failure?.details.message ?? [];
  /** The service's messages name a row by its index. */
  const faultsOf = (serviceId: string): string[] => {
    const index = sent.findIndex((row) => row.serviceId === serviceId);
    if (index < 0) return [];
    return faultTexts(
      faults.filter((message) => message.startsWith(`services.${index}.`)),
      false,
    );
  };
  async function save(): Promise<void> {
    const worked = await action.run(() =>
      call(
        'putPartnerServices',
        {
          id: partnerId,
          body: {
            restricted,
            services: sent.map(({ serviceId, price, coming }) => ({
              serviceId,
              price: numberOf(price) ?? null,
              comingPrices: comingPricesOf(coming),
            })),
          },
        },
        { ifMatch: version },
      ).catch((error: unknown) => {
        setVersion(asFailure(error).details.version ?? version);
        throw error;
      }),
    );
    if (!worked) return;
    toast(t('act.saved'));
    onClose();
  }
  const columns: Column<Service>[] = [
    ...serviceColumns(),
    {
      name: 'own',
      label: t('prices.own'),
      cell: (service) => {
        const wrong = faultsOf(service.id);
        return (
          <>
            <input
              class="short"
              inputMode="decimal"
              dir="ltr"
              autoComplete="off"
              aria-label={t('prices.ownOf', { service: nameOf(service) })}
              aria-invalid={wrong.length > 0 ? 'true' : undefined}
              aria-describedby={wrong.length > 0 ? `${id}-${service.id}` : undefined}
              value={rowOf(service.id).price}
              disabled={restricted && !rowOf(service.id).isListed}
              onInput={(event) => change(service.id, { price: event.currentTarget.value })}
            />
            {(!restricted || rowOf(service.id).isListed) && (
              <ComingPriceFields
                label={t('prices.comingOf', { service: nameOf(service) })}
                rows={rowOf(service.id).coming}
                onChange={(coming) => change(service.id, { coming })}
              />
            )}
            <Theirs service={service} began={began} current={current} />
            {wrong.length > 0 && (
              <span class="fault" id={`${id}-${service.id}`}>
                {wrong.map((fault) => (
                  <bdi key={fault}>{fault}</bdi>
                ))}
              </span>
            )}
          </>
        );
      },
    },
  ];
  if (restricted)
    columns.unshift({
      name: 'offered',
      label: t('prices.offered'),
      cell: (service) => (
        <input
          type="checkbox"
          aria-label={t('prices.offer', { service: nameOf(service) })}
          checked={rowOf(service.id).isListed}
          onChange={(event) => change(service.id, { isListed: event.currentTarget.checked })}
        />
      ),
    });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {action.failure && <Failed failure={action.failure} />}
      <div class="field check">
        <input
          id={id}
          type="checkbox"
          checked={restricted}
          onChange={(event) => setRestricted(event.currentTarget.checked)}
        />
        <label for={id}>{t('prices.restrict')}</label>
      </div>
      <p class="faint">{t('prices.hint')}</p>
      <Table
        label={t('partners.prices')}
        columns={columns}
        rows={services}
        id={(service) => service.id}
        empty={t('prices.none')}
      />
      <div class="buttons">
        <button type="submit" class="primary" disabled={action.busy}>
          {t('act.save')}
        </button>
        <button type="button" onClick={onClose}>
          {t('act.cancel')}
        </button>
      </div>
    </form>
  );
}
