import { isObject, send } from '../../outbound/provider-requests.ts';
import { type Notifier, NotifierError } from '../notifier.ts';

export type UnifonicOptions = {
  appSid: string;
  senderId: string;
  /** Without a slash at the end. */
  baseUrl?: string;
  /** Milliseconds for one request. */
  timeout?: number;
};

const BASE_URL = 'https://el.cloud.unifonic.com';
const TIMEOUT = 15_000;
/** The class of service messages, which Saudi operators demand. */
const SERVICE_MESSAGE = '3';

/**
 * Statuses and error codes about the message or the number itself. All others (balance, sender name, key, load) are
 * temporary.
 */
const REFUSED_STATUSES: readonly number[] = [
  400, 406, 410, 412, 415, 417, 421, 422, 449, 450, 460, 481, 482, 483,
];
const REFUSED_CODES: readonly unknown[] = ['ER-02', 'ER-03', 'ER-04', 'ER-06', 'ER-07'];
/** The AppSid is unknown or revoked. */
const KEY_CODE = 'ER-01';
const DUPLICATE_STATUS = 409;
const DUPLICATE_CODE = 'ER-09';

/** SMS through Unifonic's REST API. Errors name its status and code, never the number or the text. */
export function unifonicNotifier(options: UnifonicOptions): Notifier {
  const { appSid, senderId, baseUrl = BASE_URL, timeout = TIMEOUT } = options;
  return {
    name: 'unifonic',
    async send({ id, to, text }) {
      const { status, json } = await send({
        method: 'POST',
        url: `${baseUrl}/rest/SMS/messages`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          AppSid: appSid,
          SenderID: senderId,
          Recipient: to.replace(/^\+/, ''),
          Body: text,
          responseType: 'JSON',
          CorrelationID: id,
          MessageType: SERVICE_MESSAGE,
          async: 'false',
        }).toString(),
        timeout,
      }).catch((error: unknown) => {
        throw new NotifierError('Unifonic gave no answer', true, error);
      });
      const answer = isObject(json) ? json : {};
      // Booleans come as text in some responses.
      const accepted = status >= 200 && status < 300 && String(answer.success) === 'true';
      // Links are unique: the same text to the same number is an earlier try that succeeded.
      const sentBefore = status === DUPLICATE_STATUS || answer.errorCode === DUPLICATE_CODE;
      if (accepted || sentBefore) return;
      const code = typeof answer.errorCode === 'string' ? answer.errorCode.slice(0, 20) : 'no code';
      const refused = REFUSED_STATUSES.includes(status) || REFUSED_CODES.includes(answer.errorCode);
      const keyRefused = status === 401 || answer.errorCode === KEY_CODE;
      throw new NotifierError(`Unifonic answered ${status}, ${code}`, !refused, undefined, keyRefused);
    },
  };
}
