import { isDemoPhone } from '../contacts/rules.ts';
import type { Logger } from '../runtime/logger.ts';

/** The interface of providers of messages. */
export type Notifier = {
  readonly name: 'log' | 'unifonic';
  /** `id` is the payment's, also for repeated messages; `to` is E.164. Throws NotifierError. */
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

/**
 * Logs a line for each message, without the phone number. In a sandbox the line has the text, so that a developer can
 * open the link; not in production, because the link gives access to the booking.
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
