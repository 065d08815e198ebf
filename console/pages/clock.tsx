import { call } from '../api.ts';
import { TOPICS } from '../changes.ts';
import { dateTime, number } from '../format.ts';
import { t } from '../language.ts';
import { Facts } from '../parts/facts.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { Form, TextField, useForm } from '../parts/fields.tsx';
import { Page, Section } from '../parts/page.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction, useQuery } from '../query.ts';
import { may } from '../session.ts';
import { numberOf } from '../values.ts';

const HOUR = 3_600;
const STEPS = [
  { seconds: HOUR, label: 'clock.hour' },
  { seconds: 24 * HOUR, label: 'clock.day' },
  { seconds: 7 * 24 * HOUR, label: 'clock.week' },
] as const;

/** The clock of a sandbox. */
export default function Clock() {
  const query = useQuery('getClock', {}, ['clock']);
  // Everything depends on the time.
  const action = useAction(TOPICS);
  const form = useForm({ minutes: '30' }, TOPICS);
  const advance = (seconds: number): Promise<unknown> => call('advanceClock', { body: { seconds } });
  async function run(work: () => Promise<unknown>): Promise<void> {
    if (await action.run(work)) toast(t('clock.moved'));
  }
  return (
    <Page title={t('nav.clock')} about={t('clock.about')}>
      <Loaded query={query}>
        {({ data }) => (
          <Section title={t('clock.now')}>
            <Facts
              facts={[
                { label: t('clock.now'), value: dateTime(data.now) },
                { label: t('clock.real'), value: dateTime(data.realNow) },
                {
                  label: t('clock.ahead'),
                  value: t('clock.seconds', { seconds: number(data.offsetSeconds) }),
                },
              ]}
            />
          </Section>
        )}
      </Loaded>
      {may('advanceClock') && (
        <Section title={t('clock.advance')}>
          <div class="buttons">
            {STEPS.map(({ seconds, label }) => (
              <button
                key={label}
                type="button"
                disabled={action.busy}
                onClick={() => void run(() => advance(seconds))}
              >
                {t(label)}
              </button>
            ))}
            <button
              type="button"
              disabled={action.busy}
              onClick={() => void run(() => call('resetClock', {}))}
            >
              {t('clock.reset')}
            </button>
          </div>
          {action.failure && <Failed failure={action.failure} />}
          <Form
            form={form}
            submit={t('clock.advance')}
            onDone={() => toast(t('clock.moved'))}
            send={({ minutes }) => advance(Math.round((numberOf(minutes) ?? 0) * 60) || 0)}
          >
            <TextField form={form} name="minutes" label={t('clock.minutes')} type="number" ltr />
          </Form>
        </Section>
      )}
    </Page>
  );
}
