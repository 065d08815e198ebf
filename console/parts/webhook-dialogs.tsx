import type { WebhookTestResult } from '../contract.ts';
import { instantOf, localOf, number } from '../format.ts';
import { t } from '../language.ts';
import { now } from '../session.ts';
import { Redirect } from './attempt-list.tsx';
import { Dialog } from './dialog.tsx';
import { Facts } from './facts.tsx';
import { Form, TextField, useForm } from './fields.tsx';
import { toast } from './toasts.tsx';

/** The result of a test event. */
export function TestResultDialog({ result, onClose }: { result: WebhookTestResult; onClose: () => void }) {
  const { ok, statusCode, error, durationMs, responseBody, location } = result;
  const duration = number(durationMs);
  return (
    <Dialog title={t('hooks.testTitle')} onClose={onClose}>
      <p class={ok ? 'secret' : 'failed'} role="status">
        {statusCode === null
          ? t('hooks.testUnanswered', { duration })
          : t(ok ? 'hooks.testWorked' : 'hooks.testRefused', { status: statusCode, duration })}
      </p>
      {location !== undefined && <Redirect location={location} />}
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

/**
 * Asks from when on failed deliveries are retried; `recover` takes the instant and resolves to the counts of retried
 * and pending ones.
 */
export function RecoverDialog({
  url,
  recover,
  onClose,
}: {
  url: string;
  recover: (since: string) => Promise<{ recovered: number; waiting: number }>;
  onClose: () => void;
}) {
  const form = useForm({ since: localOf(now.peek() - A_DAY) as string }, ['deliveries']);
  return (
    <Dialog title={t('hooks.recover')} onClose={onClose}>
      <p>
        <code>{url}</code>
      </p>
      <p>{t('hooks.recoverWaiting')}</p>
      <Form
        form={form}
        submit={t('hooks.recover')}
        onClose={onClose}
        onDone={onClose}
        send={async ({ since }) => {
          const { recovered, waiting } = await recover(instantOf(since));
          toast(t('hooks.recovered', { count: number(recovered), waiting: number(waiting) }));
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
