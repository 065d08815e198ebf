import { canonicalJson } from '../../base/canonical-json.ts';
import { type Instant, toUtcIso } from '../../base/clock.ts';
import { send } from '../../outbound/provider-requests.ts';
import { signature } from '../../outbound/signature.ts';
import { type Notifier, NotifierError } from '../notifier.ts';

export type WebhookOptions = {
  url: string;
  secret: string;
  /** Milliseconds for one request. */
  timeout?: number;
};

const TIMEOUT = 15_000;
/** Statuses about the message or the number itself. All others (access, path, load) are temporary. */
const REFUSED_STATUSES: readonly number[] = [400, 422];
/** The id has been taken before. */
const DUPLICATE_STATUS = 409;

/**
 * Posts JSON to an address of the operator, signed as webhooks of partners are (section 6) at `realNow`, with which
 * receivers compare. Throws NotifierError, which names `variable` and the status, never the address or what is sent.
 */
export async function postSigned(
  { url, secret, timeout = TIMEOUT, variable }: WebhookOptions & { variable: string },
  body: string,
  realNow: Instant,
): Promise<void> {
  const timestamp = toUtcIso(realNow);
  const { status } = await send({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      'x-service-timestamp': timestamp,
      'x-service-signature': signature(secret, timestamp, body),
    },
    body,
    timeout,
  }).catch((error: unknown) => {
    throw new NotifierError(`${variable} gave no answer`, true, error);
  });
  if ((status >= 200 && status < 300) || status === DUPLICATE_STATUS) return;
  const refused = REFUSED_STATUSES.includes(status);
  const keyRefused = status === 401 || status === 403;
  throw new NotifierError(`${variable} answered ${status}`, !refused, undefined, keyRefused);
}

/** Posts messages to an address of the operator. */
export function webhookNotifier(options: WebhookOptions, realNow: () => Instant): Notifier {
  return {
    name: 'webhook',
    async send({ id, to, language, kind, text, url }) {
      const body = canonicalJson({ id, to, language, kind, text, url });
      await postSigned({ ...options, variable: 'NOTIFIER_WEBHOOK_URL' }, body, realNow());
    },
  };
}
