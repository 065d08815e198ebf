import { isDemoPhone } from '../contacts/rules.ts';
import type { Logger } from '../runtime/logger.ts';

/** How a message reaches the customer. */
export type Notifier = {
  readonly name: 'log' | 'unifonic';
  /** `id` is the payment's, the same when the same message is sent again; `to` is E.164. Throws NotifierError. */
  send(message: { id: string; to: string; text: string }): Promise<void>;
};

/** `temporary`: worth a retry later. Otherwise this message to this number is refused permanently. */
export class NotifierError extends Error {
  override readonly name = 'NotifierError';
  readonly temporary: boolean;

  constructor(message: string, temporary: boolean, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.temporary = temporary;
  }
}

/** The same, but that what is meant for customers of the demo data stays here: their numbers may be somebody's. */
export function withoutDemoCustomers(notifier: Notifier, logger: Pick<Logger, 'debug'>): Notifier {
  return {
    name: notifier.name,
    async send(message) {
      if (!isDemoPhone(message.to)) return await notifier.send(message);
      logger.debug({ messageId: message.id, text: message.text }, 'message to a customer of the demo');
    },
  };
}

/**
 * Writes a log line for the message, never with the phone number. In a sandbox the line has the text, so that a developer
 * can open the link. In production it has not: a link gives access to the booking and its payment.
 */
export function logNotifier(
  logger: Pick<Logger, 'info' | 'warn'>,
  deployment: 'sandbox' | 'production',
): Notifier {
  return {
    name: 'log',
    async send({ id, text }) {
      if (deployment === 'sandbox') logger.info({ messageId: id, text }, 'message to a customer');
      else
        logger.warn(
          { messageId: id },
          'a message to a customer was not sent, because NOTIFIER is log: its link is at /operator/bookings/:id',
        );
    },
  };
}
