import { useState } from 'preact/hooks';
import { number } from '../../format.ts';
import { t } from '../../language.ts';
import { ActiveBadge } from '../../parts/active-badge.tsx';
import { eventName } from '../../parts/badge.tsx';
import { Failed, Loaded } from '../../parts/failed.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { RecoverDialog, TestResultDialog } from '../../parts/webhook-dialogs.tsx';
import { useAction } from '../../query.ts';
import { href } from '../../router.ts';
import { call } from '../api.ts';
import type { PortalSubscription, WebhookTestResult } from '../contract.ts';
import { deliveryColumns } from '../delivery-columns.tsx';
import { p } from '../language.ts';
import { useQuery } from '../query.ts';
import { may } from '../visitor.ts';

/** Subscriptions, and their failing deliveries. */
export default function Webhooks() {
  return (
    <Page title={p('nav.webhooks')} about={p('hooks.about')}>
      <Subscriptions />
      <Failing />
    </Page>
  );
}

const columns = (): Column<PortalSubscription>[] => [
  {
    name: 'url',
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
    label: t('hooks.failures'),
    end: true,
    cell: ({ failures }) => (failures === 0 ? number(0) : <span class="badge bad">{number(failures)}</span>),
  },
];

function Subscriptions() {
  const query = useQuery('listSubscriptions', {}, ['deliveries']);
  const action = useAction(['deliveries']);
  const [result, setResult] = useState<WebhookTestResult | null>(null);
  const [recovering, setRecovering] = useState<PortalSubscription | null>(null);
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
    <>
      {action.failure && <Failed failure={action.failure} />}
      <Loaded query={query}>
        {({ data }) => (
          <>
            <Table
              label={p('nav.webhooks')}
              columns={shown}
              rows={data}
              id={({ id }) => id}
              empty={p('hooks.none')}
            />
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
    </>
  );
}

function Failing() {
  const query = useQuery('listDeliveries', { query: { failingWithinHours: 24, limit: 10 } }, ['deliveries']);
  return (
    <Section title={p('hooks.failing')}>
      <Loaded query={query}>
        {({ data, meta: { total } }) => (
          <>
            <Table
              label={p('hooks.failing')}
              columns={deliveryColumns()}
              rows={data}
              id={({ id }) => id}
              empty={
                <>
                  {p('hooks.noneFailing')} <a href={href('/deliveries')}>{p('hooks.see')}</a>
                </>
              }
            />
            {total > data.length && (
              <a href={href('/deliveries', { failingWithinHours: 24 })}>{p('hooks.see')}</a>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
