import { isDemoPhone } from '../contacts/rules.ts';
import type { MessageKind } from '../partners/account-rules.ts';
import type { Logger } from '../runtime/logger.ts';
import { ProviderError } from './gateway.ts';

/** A message to a customer, or an alert to the operator. */
export type Message = {
  /** Stays the same when a send is repeated. */
  id: string;
  /** E.164. */
  to: string;
  /** `both`: Arabic before English. */
  language: 'ar' | 'en' | 'both';
  kind: MessageKind | 'PAYMENT_LINK' | 'ALERT';
  text: string;
  /** The link in the text; null: it has none. */
  url: string | null;
};

/** The interface of providers of messages. */
export type Notifier = {
  /** `none` sends nothing: its messages are not sent. */
  readonly name: 'none' | 'log' | 'webhook' | 'unifonic';
  /** Resolves when the provider has taken the message. Throws NotifierError. */
  send(message: Message): Promise<void>;
};

export const NO_NOTIFIER: Notifier = { name: 'none', send: async () => {} };

/** A provider has not taken a message; when not `temporary`, this one to this number is refused. */
export class NotifierError extends ProviderError {
  override readonly name = 'NotifierError';
}

/** Does not send messages to customers of the demo data, whose numbers may exist. */
export function withoutDemoCustomers(notifier: Notifier, logger: Pick<Logger, 'debug'>): Notifier {
  return {
    name: notifier.name,
    async send(message) {
      if (!isDemoPhone(message.to)) return await notifier.send(message);
      logger.debug({ messageId: message.id, text: message.text }, 'message to a customer of the demo');
    },
  };
}

/** Logs a line for each message, without the phone number: in a sandbox a developer opens the link in its text. */
export function logNotifier(logger: Pick<Logger, 'info'>): Notifier {
  return {
    name: 'log',
    async send({ id, text }) {
      logger.info({ messageId: id, text }, 'message to a customer');
    },
  };
}
