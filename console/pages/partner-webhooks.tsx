import { call } from '../api.ts';
import type { WebhookSubscription } from '../contract.ts';
import { t } from '../language.ts';
import { createdColumn, numberColumn } from '../parts/columns.tsx';
import { Loaded } from '../parts/failed.tsx';
import { given } from '../parts/filters.tsx';
import { Section } from '../parts/page.tsx';
import { SubscriptionsTable, subscriptionColumns } from '../parts/subscriptions-table.tsx';
import { type Column, Pager } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { may } from '../session.ts';

/**
 * A partner's webhook subscriptions. The partner manages them; an operator can test them and retry failed deliveries.
 */
export function PartnerWebhooks({ partnerId }: { partnerId: string }) {
  const query = useQuery(
    'listSubscriptions',
    { query: { partnerId, ...given('sortBy', 'sortOrder', 'page') } as never },
    ['partners', 'deliveries'],
  );
  return (
    <Section title={t('partners.hooks')}>
      <p class="faint">{t('hooks.about')}</p>
      <Loaded query={query}>
        {({ data, meta }) => (
          <>
            <SubscriptionsTable
              label={t('partners.hooks')}
              columns={columns()}
              rows={data}
              empty={t('hooks.none')}
              calls={may('testSubscription') ? CALLS : null}
            />
            <Pager meta={meta} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const CALLS = {
  test: (id: string) => call('testSubscription', { id }),
  recover: (id: string, since: string) => call('recoverSubscription', { id, body: { since } }),
};

const columns = (): Column<WebhookSubscription>[] => [
  ...subscriptionColumns<WebhookSubscription>().map((column) => ({
    ...column,
    sorts: column.name !== 'events',
  })),
  { ...numberColumn('failures', t('hooks.failures')), sorts: true },
  createdColumn(),
];
