import { Fragment } from 'preact';
import { exactTime, number } from '../../format.ts';
import { language, nameOf, t } from '../../language.ts';
import { moneyColumn, numberColumn } from '../../parts/columns.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/failed.tsx';
import { keyColumns } from '../../parts/key-columns.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { PartnerBadge } from '../../parts/partner-badge.tsx';
import { ShareBar } from '../../parts/share-bar.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { href } from '../../router.ts';
import type { Key, Partner, PortalErrorGroup, PortalService } from '../contract.ts';
import { p } from '../language.ts';
import { useQuery } from '../query.ts';
import { may, visitor } from '../visitor.ts';

/** The partner's configuration: keys, limits, domains, services and prices. */
export default function Overview() {
  const query = useQuery('getAccount', {}, ['partners']);
  return (
    <Page title={p('nav.overview')} about={p('overview.about')}>
      <Loaded query={query}>
        {({ data: { partner, keys } }) => (
          <>
            {may('listSubscriptions') && <FailingEndpoints />}
            <Section title={t('partners.keys')}>
              <Table
                label={t('partners.keys')}
                columns={keyColumns()}
                rows={keys}
                id={({ id }) => id}
                empty={p('overview.noKeys')}
              />
            </Section>
            {partner !== null && <Settings partner={partner} />}
            {partner !== null && <Usage keys={keys} limit={partner.rateLimitPerMinute} />}
          </>
        )}
      </Loaded>
      {may('listServices') && <Services />}
    </Page>
  );
}

/** Endpoints whose last attempts failed; renders nothing if there are none. */
function FailingEndpoints() {
  const query = useQuery('listSubscriptions', {}, ['deliveries']);
  const failing = (query.answer?.data ?? []).filter(({ failures }) => failures > 0);
  if (failing.length === 0) return null;
  return (
    <div class="failed">
      <h2>{p('overview.failing')}</h2>
      <ul>
        {failing.map(({ id, url, failures }) => (
          <li key={id}>
            <bdi>
              <code>{url}</code>
            </bdi>{' '}
            <span class="badge bad">{number(failures)}</span>
          </li>
        ))}
      </ul>
      <p>
        <a href={href('/webhooks')}>{p('overview.seeFailing')}</a>
      </p>
    </div>
  );
}

function Settings({ partner }: { partner: Partner }) {
  const { status, rateLimitPerMinute, requireHttpsWebhooks, paymentResponsibility } = partner;
  const { allowedDomains, sandboxDomains, allowedWebhookDomains } = partner;
  const listed = (domains: readonly string[], none: string) =>
    domains.length === 0
      ? none
      : domains.map((domain, index) => (
          <Fragment key={domain}>
            {index > 0 && (language.value === 'ar' ? '، ' : ', ')}
            <bdi dir="ltr">{domain}</bdi>
          </Fragment>
        ));
  return (
    <Section title={p('overview.limits')}>
      <Facts
        facts={[
          { label: p('overview.status'), value: <PartnerBadge status={status} /> },
          visitor.value !== null && {
            label: p('overview.baseUrl'),
            value: <code>{visitor.value.apiUrl}</code>,
          },
          {
            label: p('overview.limit'),
            value: rateLimitPerMinute === null ? t('partners.noLimit') : number(rateLimitPerMinute),
          },
          { label: t('partners.allowedDomains'), value: listed(allowedDomains, p('overview.anyDomain')) },
          sandboxDomains.length > 0 && {
            label: t('partners.sandboxDomains'),
            value: listed(sandboxDomains, ''),
          },
          { label: t('partners.hookDomains'), value: listed(allowedWebhookDomains, p('overview.noHooks')) },
          { label: t('partners.https'), value: requireHttpsWebhooks ? t('field.yes') : t('field.no') },
          {
            label: t('partners.money'),
            value: t(paymentResponsibility === 'PARTNER' ? 'partners.byPartner' : 'partners.byPlatform'),
          },
        ]}
      />
    </Section>
  );
}

const serviceColumns = (): Column<PortalService>[] => [
  {
    name: 'service',
    label: t('field.service'),
    cell: (service) => (
      <>
        <bdi>{nameOf(service)}</bdi>
        <br />
        <code class="faint">{service.id}</code>
      </>
    ),
  },
  {
    name: 'category',
    label: t('cat.category'),
    cell: ({ categoryEn, categoryAr }) => <bdi>{nameOf({ nameEn: categoryEn, nameAr: categoryAr })}</bdi>,
  },
  numberColumn('durationMinutes', t('cat.duration')),
  numberColumn('minimumNoticeMinutes', t('cat.notice')),
  numberColumn('bookingHorizonDays', t('cat.horizon')),
  moneyColumn('price', p('overview.price')),
];

function Services() {
  const query = useQuery('listServices', {}, ['catalogue']);
  return (
    <Section title={t('partners.prices')}>
      <PagedTable
        query={query}
        label={t('partners.prices')}
        columns={serviceColumns()}
        id={({ id }) => id}
        empty={p('overview.noServices')}
      />
    </Section>
  );
}

const errorColumns = (): Column<PortalErrorGroup>[] => [
  {
    name: 'what',
    label: t('error.request'),
    cell: ({ method, route }) => (
      <code>
        {method} {route ?? p('requests.noRoute')}
      </code>
    ),
  },
  {
    name: 'code',
    label: t('error.code'),
    cell: ({ status, code, route }) => (
      <>
        <span class="badge bad">{status}</span>{' '}
        <a href={href('/requests', { code, route })}>
          <code>{code}</code>
        </a>
      </>
    ),
  },
  { name: 'count', label: p('usage.count'), end: true, cell: ({ count }) => number(count) },
  {
    name: 'last',
    label: p('usage.last'),
    cell: ({ lastId, lastAt }) => <a href={href(`/requests/${lastId}`)}>{exactTime(lastAt)}</a>,
  },
];

/** The peak rate of each key against its limit, and refusals by code and route. */
function Usage({ keys, limit }: { keys: readonly Key[]; limit: number | null }) {
  const query = useQuery('getUsage', {}, ['requests']);
  const nameOfKey = (id: string): string => keys.find((key) => key.id === id)?.name ?? id;
  return (
    <Loaded query={query}>
      {({ data: { peaks, errors } }) => (
        <>
          <Section title={p('usage.title')}>
            <Table
              label={p('usage.title')}
              columns={errorColumns()}
              rows={errors}
              id={({ code, status, method, route }) => `${status} ${code} ${method} ${route}`}
              empty={p('usage.none')}
            />
          </Section>
          <Section title={p('usage.peaks')}>
            {peaks.length === 0 ? (
              <p class="empty">{p('usage.noPeaks')}</p>
            ) : (
              <Facts
                facts={peaks.map(({ keyId, requests, at }) => ({
                  label: nameOfKey(keyId),
                  value: (
                    <>
                      {limit !== null && (
                        <ShareBar share={requests / limit} label={`${number(requests)} / ${number(limit)}`} />
                      )}{' '}
                      {limit === null
                        ? p('usage.noLimit', { count: number(requests), time: exactTime(at) })
                        : p('usage.peak', {
                            count: number(requests),
                            limit: number(limit),
                            time: exactTime(at),
                          })}
                    </>
                  ),
                }))}
              />
            )}
          </Section>
        </>
      )}
    </Loaded>
  );
}
