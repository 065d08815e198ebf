import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { WebhookSubscription, WebhookTestResult } from '../contract.ts';
import { t } from '../language.ts';
import { useAction } from '../query.ts';
import { href } from '../router.ts';
import { ActionButton } from './action-button.tsx';
import { ActiveBadge } from './active-badge.tsx';
import { eventName } from './badge.tsx';
import { Failed } from './failed.tsx';
import { type Column, Table } from './table.tsx';
import { RecoverDialog, TestResultDialog } from './webhook-dialogs.tsx';

type Subscription = Pick<WebhookSubscription, 'id' | 'url' | 'status' | 'events' | 'failures'>;

/** The columns that the operator's list and that of the portal have in common. */
export const subscriptionColumns = <Row extends Subscription>(): Column<Row>[] => [
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
];

type Calls = {
  test: (id: string) => Promise<{ data: WebhookTestResult }>;
  recover: (id: string, since: string) => Promise<{ data: { recovered: number; waiting: number } }>;
};

/** Webhook subscriptions with their actions, by the calls of the interface; null: the role may not. */
export function SubscriptionsTable<Row extends Subscription>({
  label,
  columns,
  rows,
  empty,
  calls,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  empty: ComponentChildren;
  calls: Calls | null;
}) {
  const action = useAction(['deliveries']);
  const [result, setResult] = useState<WebhookTestResult | null>(null);
  const [recovering, setRecovering] = useState<Row | null>(null);
  const shown = [...columns];
  if (calls !== null)
    shown.push({
      name: 'actions',
      label: t('act.actions'),
      cell: (subscription) => (
        <div class="buttons">
          <ActionButton
            action={action}
            run={async () => setResult((await calls.test(subscription.id)).data)}
            kind="small"
          >
            {t('hooks.test')}
          </ActionButton>
          <button type="button" class="small" onClick={() => setRecovering(subscription)}>
            {t('hooks.recover')}
          </button>
        </div>
      ),
    });
  return (
    <>
      {action.failure && <Failed failure={action.failure} />}
      <Table label={label} columns={shown} rows={rows} id={({ id }) => id} empty={empty} />
      {result && <TestResultDialog result={result} onClose={() => setResult(null)} />}
      {calls && recovering && (
        <RecoverDialog
          url={recovering.url}
          onClose={() => setRecovering(null)}
          recover={async (since) => (await calls.recover(recovering.id, since)).data}
        />
      )}
    </>
  );
}
