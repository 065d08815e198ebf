import { validationError } from '../base/errors.ts';
import type { App } from '../http/edge.ts';
import { ANSWER_FAULTS, type AnswerFault } from './fault-rules.ts';

/** Remembered requests of a process: enough for repetitions that come within minutes. */
const MAX_REMEMBERED = 10_000;

/**
 * X-Sandbox-Fault: what the request asks for is done and committed, and its connection is closed instead of an answer;
 * once for each request ID of a partner, so that a repetition is answered. Refusals are answered.
 */
export function loseAnswers(app: App): void {
  const lost = new Set<string>();

  app.addHook('preHandler', (request, _reply, done) => {
    const fault = request.headers['x-sandbox-fault'];
    const isKnown = fault === undefined || ANSWER_FAULTS.includes(fault as AnswerFault);
    done(isKnown ? undefined : validationError([`X-Sandbox-Fault must be ${ANSWER_FAULTS.join(', ')}`]));
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.headers['x-sandbox-fault'] !== undefined && reply.statusCode < 400) {
      const id = `${request.caller.partnerId} ${request.id}`;
      if (!lost.has(id)) {
        lost.add(id);
        if (lost.size > MAX_REMEMBERED) for (const oldest of lost.values().take(1)) lost.delete(oldest);
        request.raw.socket.destroy();
      }
    }
    done(null, payload);
  });
}
