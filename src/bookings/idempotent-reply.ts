import type { FastifyReply } from 'fastify';
import type { Answer } from './idempotency.ts';

/** Sends a stored response; a repeated one has the header Idempotent-Replayed. */
export function sendStored(reply: FastifyReply, { status, body, replayed }: Answer, requestId: string) {
  if (replayed) reply.header('idempotent-replayed', 'true');
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(replayed ? withRequestId(status, body, requestId) : body) as never;
}

/** The stored body; a refusal with the ID of the current request. */
function withRequestId(status: number, body: string, requestId: string): string {
  if (status < 400) return body;
  const { error, ...envelope } = JSON.parse(body);
  return JSON.stringify({ ...envelope, error: { ...error, requestId } });
}
