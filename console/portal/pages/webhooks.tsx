import { number } from '../../format.ts';
import { t } from '../../language.ts';
import { Loaded } from '../../parts/failed.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { SubscriptionsTable, subscriptionColumns } from '../../parts/subscriptions-table.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { href } from '../../router.ts';
import { call } from '../api.ts';
import type { PortalSubscription } from '../contract.ts';
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
  ...subscriptionColumns<PortalSubscription>(),
  {
    name: 'failures',
    label: t('hooks.failures'),
    end: true,
    cell: ({ failures }) => (failures === 0 ? number(0) : <span class="badge bad">{number(failures)}</span>),
  },
];

const CALLS = {
  test: (id: string) => call('testSubscription', { id }),
  recover: (id: string, since: string) => call('recoverSubscription', { id, body: { since } }),
};

function Subscriptions() {
  const query = useQuery('listSubscriptions', {}, ['deliveries']);
  return (
    <Loaded query={query}>
      {({ data }) => (
        <SubscriptionsTable
          label={p('nav.webhooks')}
          columns={columns()}
          rows={data}
          empty={p('hooks.none')}
          calls={may('testSubscription') ? CALLS : null}
        />
      )}
    </Loaded>
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
