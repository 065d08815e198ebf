import { exactTime, number } from '../../format.ts';
import { language, t } from '../../language.ts';
import { numberColumn } from '../../parts/columns.tsx';
import { Loaded } from '../../parts/failed.tsx';
import { Form, SelectField, useForm } from '../../parts/fields.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { href } from '../../router.ts';
import { call } from '../api.ts';
import type { Certification, CertificationPoint, PortalSubscription, SandboxCustomer } from '../contract.ts';
import { p } from '../language.ts';
import { useQuery } from '../query.ts';
import { FaultSimulator, RunningRuns } from '../simulator.tsx';
import { may } from '../visitor.ts';

/** Simulations that belong to no booking, and the certification. */
export default function Sandbox() {
  return (
    <Page title={p('nav.sandbox')} about={p('sandbox.about')}>
      {may('listCertifications') && <Webhooks />}
      {may('listRunningRuns') && <RunningRuns />}
      {may('listCustomers') && <Customers />}
    </Page>
  );
}

function Webhooks() {
  const query = useQuery('listSubscriptions', {}, ['deliveries']);
  return (
    <Loaded query={query}>
      {({ data }) => {
        const active = data.filter(({ status }) => status === 'ACTIVE');
        return (
          <>
            <Certifications subscriptions={active} />
            <FaultSimulator subscriptions={active} />
          </>
        );
      }}
    </Loaded>
  );
}

/** Certification events depend on the partner's bookings and deliveries. */
const TOPICS = ['bookings', 'deliveries'] as const;

function Certifications({ subscriptions }: { subscriptions: readonly PortalSubscription[] }) {
  const query = useQuery('listCertifications', { query: { language: language.value } }, TOPICS);
  return (
    <Section title={p('cert.title')}>
      <p>{p('cert.about')}</p>
      {may('startCertification') && subscriptions.length > 0 && <Start subscriptions={subscriptions} />}
      <Loaded query={query}>
        {({ data: [latest, ...earlier] }) =>
          latest === undefined ? (
            <p>{p(subscriptions.length > 0 ? 'cert.none' : 'cert.noReceiver')}</p>
          ) : (
            <>
              <Latest certification={latest} />
              {earlier.length > 0 && (
                <details>
                  <summary>{p('cert.earlier')}</summary>
                  <ul class="plain-list">
                    {earlier.map((one) => (
                      <li key={one.id}>
                        <Summary certification={one} />
                      </li>
                    ))}
                  </ul>
                </details>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function Start({ subscriptions }: { subscriptions: readonly PortalSubscription[] }) {
  const form = useForm({ id: subscriptions[0]!.id }, TOPICS);
  return (
    <Form
      form={form}
      submit={p('cert.start')}
      send={({ id }) => call('startCertification', { body: { subscriptionId: id } })}
    >
      <SelectField
        form={form}
        name="id"
        label={t('hooks.url')}
        options={subscriptions.map(({ id, url }) => ({ value: id, label: url }))}
      />
    </Form>
  );
}

function Summary({ certification: { startedAt, status, score, pageUrl } }: { certification: Certification }) {
  return (
    <>
      {exactTime(startedAt)}{' '}
      <span class={status === 'RUNNING' ? 'badge' : score.passed === score.of ? 'badge good' : 'badge bad'}>
        {p('cert.score', { passed: number(score.passed), of: number(score.of) })}
      </span>{' '}
      {status === 'RUNNING' && p('cert.running')}{' '}
      <a href={`${pageUrl}?lang=${language.value}`} target="_blank" rel="noreferrer">
        {t('statements.print.html')}
      </a>
    </>
  );
}

const STATES = {
  waiting: 'badge',
  passed: 'badge good',
  failed: 'badge bad',
  'not-applicable': 'badge',
} as const;

const points = (): Column<CertificationPoint>[] => [
  { name: 'point', label: p('cert.point'), cell: ({ id }) => p(`point.${id}`) },
  {
    name: 'state',
    label: t('field.status'),
    cell: ({ state }) => <span class={STATES[state]}>{p(`cert.${state}`)}</span>,
  },
  {
    name: 'found',
    label: p('cert.found'),
    cell: ({ found, waitsFor, state, requestIds, deliveryIds }) => (
      <>
        {found}
        {state === 'waiting' && <div class="small">{waitsFor}</div>}
        <div class="small">
          {requestIds.slice(0, MAX_LISTED).map((id) => (
            <a key={id} href={href('/requests', { requestId: id })}>
              {p('cert.request')}{' '}
            </a>
          ))}
          {deliveryIds.slice(0, MAX_LISTED).map((id) => (
            <a key={id} href={href(`/deliveries/${id}`)}>
              {p('cert.delivery')}{' '}
            </a>
          ))}
        </div>
      </>
    ),
  },
];
/** The number of listed requests and deliveries for each criterion. */
const MAX_LISTED = 3;

function Latest({ certification }: { certification: Certification }) {
  return (
    <>
      <p>
        <Summary certification={certification} />
      </p>
      <Table
        label={p('cert.title')}
        columns={points()}
        rows={certification.points}
        id={({ id }) => id}
        empty={p('cert.none')}
      />
    </>
  );
}

const customers = (): Column<SandboxCustomer>[] => [
  { name: 'phone', label: t('field.phone'), cell: ({ phone }) => <bdi dir="ltr">{phone}</bdi> },
  { name: 'script', label: p('customer.does'), cell: ({ script }) => p(`script.${script}`) },
  numberColumn('everySeconds', p('sim.every')),
];

function Customers() {
  const query = useQuery('listCustomers', {});
  return (
    <Section title={p('customer.title')}>
      <p>{p('customer.about')}</p>
      <PagedTable
        query={query}
        label={p('customer.title')}
        columns={customers()}
        id={({ phone }) => phone}
        empty=""
      />
    </Section>
  );
}
