import { useEffect } from 'preact/hooks';
import { changed } from '../changes.ts';
import type { ErrorCode } from '../contract.ts';
import { failureText } from '../failure-text.ts';
import { number } from '../format.ts';
import { language, t } from '../language.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { Form, SelectField, TextField, useForm } from '../parts/fields.tsx';
import { Section } from '../parts/page.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction } from '../query.ts';
import { href } from '../router.ts';
import { isSandbox } from '../session.ts';
import { numberOf } from '../values.ts';
import { call } from './api.ts';
import {
  FAULT_KINDS,
  SCRIPTS,
  type SetFaultRequest,
  type SimulatorRun,
  type SimulatorRunReason,
  type StartRunRequest,
} from './contract.ts';
import { type PortalKey, p } from './language.ts';
import { useQuery } from './query.ts';
import { may } from './visitor.ts';

/** Simulations in a sandbox: the field, customers, and webhook failures. Absent in production. */

const TOPICS = ['bookings', 'deliveries'] as const;

/** Advances a booking, step by step or by a script. */
export function BookingSimulator({ bookingId }: { bookingId: string }) {
  return isSandbox && may('advanceBooking') ? <BookingSteps bookingId={bookingId} /> : null;
}

function BookingSteps({ bookingId }: { bookingId: string }) {
  const runs = useQuery('listRuns', { bookingId }, TOPICS);
  const action = useAction(TOPICS);
  const form = useForm({ script: 'complete', everySeconds: '5' }, TOPICS);
  return (
    <Section title={p('sim.title')}>
      <p>{p('sim.about')}</p>
      <div class="buttons">
        <ActionButton action={action} run={() => call('advanceBooking', { bookingId })}>
          {p('sim.advance')}
        </ActionButton>
      </div>
      {action.failure && <Failed failure={action.failure} />}
      <Form
        form={form}
        submit={p('sim.start')}
        onDone={() => toast(p('sim.started'))}
        send={({ script, everySeconds }) =>
          call('startRun', {
            bookingId,
            body: {
              script: script as StartRunRequest['script'],
              everySeconds: numberOf(everySeconds),
            },
          })
        }
      >
        <div class="columns">
          <SelectField
            form={form}
            name="script"
            label={p('sim.script')}
            options={SCRIPTS.map((script) => ({ value: script, label: p(`script.${script}`) }))}
          />
          <TextField form={form} name="everySeconds" label={p('sim.every')} type="number" ltr />
        </div>
      </Form>
      <Loaded query={runs}>
        {({ data }) => (data.length === 0 ? <p class="faint">{p('sim.none')}</p> : <Runs runs={data} />)}
      </Loaded>
    </Section>
  );
}

/** The active runs of all bookings. */
export function RunningRuns() {
  const query = useQuery('listRunningRuns', {}, TOPICS);
  return (
    <Section title={p('sim.running')}>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? <p class="faint">{p('sim.noneRuns')}</p> : <Runs runs={data} withBooking />
        }
      </Loaded>
    </Section>
  );
}

const RUN_BADGES: Record<SimulatorRun['status'], string> = {
  RUNNING: 'badge',
  COMPLETED: 'badge good',
  FAILED: 'badge bad',
  STOPPED: 'badge',
};

const REASONS: Partial<Record<string, PortalKey>> = {
  INVALID_TRANSITION: 'sim.notAllowed',
  CONFLICT: 'sim.conflict',
  BOOKING_CREATION_FAILED: 'sim.noSlot',
};

/** Why a run ended: in English in the words of the service, else by its code. */
function reasonText({ code, message }: SimulatorRunReason): string {
  if (language.value === 'en') return message;
  const known = REASONS[code];
  return known === undefined
    ? failureText({
        status: 422,
        code: code as ErrorCode,
        details: {},
        isWorded: false,
        message,
        route: null,
      })
    : p(known);
}

/** The interval of reloads during a run, in milliseconds. */
const RUN_POLL_MS = 2_000;

function Runs({ runs, withBooking = false }: { runs: readonly SimulatorRun[]; withBooking?: boolean }) {
  const action = useAction(TOPICS);
  const isRunning = runs.some(({ status }) => status === 'RUNNING');
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => changed(TOPICS), RUN_POLL_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return (
    <>
      {action.failure && <Failed failure={action.failure} />}
      <ul class="plain-list">
        {runs.map(({ id, bookingId, script, status, reason, steps }) => (
          <li key={id} class="buttons">
            <span>{p(`script.${script}`)}</span>
            <span class={RUN_BADGES[status]}>{p(`sim.${status}`)}</span>
            <span>
              {p('sim.steps', {
                done: number(steps.filter((step) => step.status === 'DONE').length),
                total: number(steps.length),
              })}
            </span>
            {withBooking && (
              <a href={href(`/bookings/${bookingId}`)}>
                {t('field.bookingId')} <code>{bookingId.slice(0, 8)}</code>
              </a>
            )}
            {reason !== null && (
              <span>
                <bdi>{reasonText(reason)}</bdi> <code>{reason.code}</code>
              </span>
            )}
            {status === 'RUNNING' && may('stopRun') && (
              <ActionButton action={action} run={() => call('stopRun', { bookingId, runId: id })}>
                {p('sim.stop')}
              </ActionButton>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Makes the next deliveries of a subscription fail, to test a receiver. */
export function FaultSimulator({ subscriptions }: { subscriptions: readonly { id: string; url: string }[] }) {
  return isSandbox && may('setFault') && subscriptions.length > 0 ? (
    <Faults subscriptions={subscriptions} />
  ) : null;
}

function Faults({ subscriptions }: { subscriptions: readonly { id: string; url: string }[] }) {
  const form = useForm({ id: subscriptions[0]!.id, kind: 'duplicate', count: '1' }, ['deliveries']);
  const query = useQuery('listFaults', { id: form.values.id }, ['deliveries']);
  const action = useAction(['deliveries']);
  return (
    <Section title={p('fault.title')}>
      <p>{p('fault.about')}</p>
      <Form
        form={form}
        submit={p('fault.set')}
        onDone={() => toast(p('fault.isSet'))}
        send={({ id, kind, count }) =>
          call('setFault', {
            id,
            body: { kind: kind as SetFaultRequest['kind'], count: numberOf(count) ?? 0 },
          })
        }
      >
        <div class="columns">
          <SelectField
            form={form}
            name="id"
            label={t('delivery.subscription')}
            options={subscriptions.map(({ id, url }) => ({ value: id, label: url }))}
          />
          <SelectField
            form={form}
            name="kind"
            label={p('fault.kind')}
            options={FAULT_KINDS.map((kind) => ({ value: kind, label: p(`fault.${kind}`) }))}
          />
          <TextField form={form} name="count" label={p('fault.count')} type="number" ltr />
        </div>
      </Form>
      {action.failure && <Failed failure={action.failure} />}
      <Loaded query={query}>
        {({ data: { faults } }) =>
          faults.length === 0 ? (
            <p class="faint">{p('fault.none')}</p>
          ) : (
            <>
              <ul class="plain-list">
                {faults.map(({ kind, remaining }) => (
                  <li key={kind}>{`${p(`fault.${kind}`)}: ${number(remaining)}`}</li>
                ))}
              </ul>
              <div class="buttons">
                <ActionButton action={action} run={() => call('clearFaults', { id: form.values.id })}>
                  {p('fault.clear')}
                </ActionButton>
              </div>
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
