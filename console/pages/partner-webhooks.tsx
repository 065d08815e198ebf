import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { WebhookSubscription, WebhookTestResult } from '../contract.ts';
import { dateTime, instantOf, localOf, number } from '../format.ts';
import { t } from '../language.ts';
import { ActiveBadge } from '../parts/active-badge.tsx';
import { eventName } from '../parts/badge.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { Form, TextField, useForm } from '../parts/fields.tsx';
import { given } from '../parts/filters.tsx';
import { Section } from '../parts/page.tsx';
import { type Column, Pager, Table } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction, useQuery } from '../query.ts';
import { href } from '../router.ts';
import { may, now } from '../session.ts';

/** Where a partner's events are delivered. The partner manages it; an operator tests it and sends again what failed. */
export function PartnerWebhooks({ partnerId }: { partnerId: string }) {
  const query = useQuery('listSubscriptions', { query: { partnerId, ...given('page') } as never }, [
    'partners',
    'deliveries',
  ]);
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
      {result && <TestResult result={result} onClose={() => setResult(null)} />}
      {recovering && <Recover subscription={recovering} onClose={() => setRecovering(null)} />}
    </Section>
  );
}

const columns = (): Column<WebhookSubscription>[] => [
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
  { name: 'failures', label: t('hooks.failures'), end: true, cell: ({ failures }) => number(failures) },
  { name: 'createdAt', label: t('field.created'), cell: ({ createdAt }) => dateTime(createdAt) },
];

function TestResult({ result, onClose }: { result: WebhookTestResult; onClose: () => void }) {
  const { ok, statusCode, error, durationMs, responseBody } = result;
  const duration = number(durationMs);
  return (
    <Dialog title={t('hooks.testTitle')} onClose={onClose}>
      <p class={ok ? 'secret' : 'failed'} role="status">
        {statusCode === null
          ? t('hooks.testUnanswered', { duration })
          : t(ok ? 'hooks.testWorked' : 'hooks.testRefused', { status: statusCode, duration })}
      </p>
      <Facts
        facts={[
          error !== null && { label: t('hooks.error'), value: <code>{error}</code> },
          responseBody !== '' && { label: t('hooks.answer'), value: <pre>{responseBody}</pre> },
        ]}
      />
    </Dialog>
  );
}

const A_DAY = 86_400_000;

function Recover({
  subscription: { id, url },
  onClose,
}: {
  subscription: WebhookSubscription;
  onClose: () => void;
}) {
  const form = useForm({ since: localOf(now.peek() - A_DAY) as string }, ['deliveries']);
  return (
    <Dialog title={t('hooks.recover')} onClose={onClose}>
      <p>
        <code>{url}</code>
      </p>
      <Form
        form={form}
        submit={t('hooks.recover')}
        onClose={onClose}
        onDone={onClose}
        send={async ({ since }) => {
          const { data } = await call('recoverSubscription', { id, body: { since: instantOf(since) } });
          toast(t('hooks.recovered', { count: number(data.recovered) }));
        }}
      >
        <TextField
          form={form}
          name="since"
          label={t('hooks.since')}
          hint={t('hooks.sinceHint')}
          type="datetime-local"
          required
        />
      </Form>
    </Dialog>
  );
}
