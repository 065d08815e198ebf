import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { WebhookSubscription, WebhookTestResult } from '../contract.ts';
import { dateTime, number } from '../format.ts';
import { t } from '../language.ts';
import { ActiveBadge } from '../parts/active-badge.tsx';
import { eventName } from '../parts/badge.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { given } from '../parts/filters.tsx';
import { Section } from '../parts/page.tsx';
import { type Column, Pager, Table } from '../parts/table.tsx';
import { RecoverDialog, TestResultDialog } from '../parts/webhook-dialogs.tsx';
import { useAction, useQuery } from '../query.ts';
import { href } from '../router.ts';
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
  const action = useAction(['deliveries']);
  const [result, setResult] = useState<WebhookTestResult | null>(null);
  const [recovering, setRecovering] = useState<WebhookSubscription | null>(null);
  const test = (id: string): Promise<boolean> =>
    action.run(async () => setResult((await call('testSubscription', { id })).data));
  const shown = columns();
  if (may('testSubscription'))
    shown.push({
      name: 'actions',
      label: t('act.actions'),
      cell: (subscription) => (
        <div class="buttons">
          <button
            type="button"
            class="small"
            disabled={action.busy}
            onClick={() => void test(subscription.id)}
          >
            {t('hooks.test')}
          </button>
          <button type="button" class="small" onClick={() => setRecovering(subscription)}>
            {t('hooks.recover')}
          </button>
        </div>
      ),
    });
  return (
    <Section title={t('partners.hooks')}>
      <p class="faint">{t('hooks.about')}</p>
      {action.failure && <Failed failure={action.failure} />}
      <Loaded query={query}>
        {({ data, meta }) => (
          <>
            <Table
              label={t('partners.hooks')}
              columns={shown}
              rows={data}
              id={({ id }) => id}
              empty={t('hooks.none')}
            />
            <Pager meta={meta} />
          </>
        )}
      </Loaded>
      {result && <TestResultDialog result={result} onClose={() => setResult(null)} />}
      {recovering && (
        <RecoverDialog
          url={recovering.url}
          onClose={() => setRecovering(null)}
          recover={async (since) =>
            (await call('recoverSubscription', { id: recovering.id, body: { since } })).data
          }
        />
      )}
    </Section>
  );
}

const columns = (): Column<WebhookSubscription>[] => [
  {
    name: 'url',
    sorts: true,
    label: t('hooks.url'),
    cell: ({ id, url }) => (
      <>
        <code>{url}</code>
        <br />
        <a class="small" href={href('/deliveries', { subscriptionId: id })}>
          {t('hooks.deliveries')}
        </a>
      </>
    ),
  },
  {
    name: 'status',
    sorts: true,
    label: t('field.status'),
    cell: ({ status }) => <ActiveBadge isActive={status === 'ACTIVE'} />,
  },
  {
    name: 'events',
    label: t('hooks.events'),
    cell: ({ events }) => (
      <ul class="plain-list small">
        {events.map((event) => (
          <li key={event}>{eventName(event)}</li>
        ))}
      </ul>
    ),
  },
  {
    name: 'failures',
    sorts: true,
    label: t('hooks.failures'),
    end: true,
    cell: ({ failures }) => number(failures),
  },
  {
    name: 'createdAt',
    sorts: 'DESC',
    label: t('field.created'),
    cell: ({ createdAt }) => dateTime(createdAt),
  },
];
