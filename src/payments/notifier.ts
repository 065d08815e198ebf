import type { Logger } from '../platform/logger.ts';

/** How a message reaches the customer. */
export type Notifier = {
  readonly name: 'log' | 'unifonic';
  /** `id` is the same when the same message is sent again; `to` is E.164. Throws NotifierError. */
  send(message: { id: string; to: string; text: string }): Promise<void>;
};

/** `temporary`: worth another try later. Otherwise this message to this number is refused for good. */
export class NotifierError extends Error {
  override readonly name = 'NotifierError';
  readonly temporary: boolean;

  constructor(message: string, temporary: boolean, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.temporary = temporary;
  }
}

/** For a sandbox: the text, whose link somebody wants to open, becomes a log line. The number does not. */
export function logNotifier(logger: Pick<Logger, 'info'>): Notifier {
  return {
    name: 'log',
    send: async ({ id, text }) => logger.info({ messageId: id, text }, 'message to a customer'),
  };
}
