import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TestContext } from 'node:test';
import { type Faulty, type Reply, startFaulty } from './faults.ts';

/** A local server with the published contract of Unifonic's `POST /rest/SMS/messages`. */

export type Sms = { id: number; to: string; text: string; correlationId: string | null };

export type UnifonicServer = Faulty & {
  /** The value of `baseUrl`. */
  url: string;
  appSid: string;
  senderId: string;
  /** Accepted, in order; `to` without the plus. */
  messages: Sms[];
  /** Refuses every message this way until it is removed: `{ status: 200, errorCode: 'ER-01' }`. */
  refusal: { status: number; errorCode: string } | null;
};

function refuse(status: number, errorCode: string, message: string): Reply {
  return { status, json: { success: false, message, errorCode, data: {} } };
}

/** Starts it; it is closed after the test. */
export async function startUnifonic(t: TestContext): Promise<UnifonicServer> {
  const appSid = randomUUID();
  const senderId = 'TestSender';
  const messages: Sms[] = [];

  function answer(request: IncomingMessage, url: URL, text: string): Reply {
    if (request.method !== 'POST' || url.pathname !== '/rest/SMS/messages') {
      return refuse(404, 'ER-00', 'Not found');
    }
    if (request.headers['content-type'] !== 'application/x-www-form-urlencoded') {
      return refuse(406, 'ER-00', 'Wrong parameter format');
    }
    const form = new URLSearchParams(text);
    const [to, body] = [form.get('Recipient') ?? '', form.get('Body') ?? ''];
    if (!form.has('AppSid')) return refuse(402, 'ER-00', 'Missing parameter AppSid');
    if (form.get('AppSid') !== appSid) return refuse(401, 'ER-00', 'Authentication failed');
    if (server.refusal) return refuse(server.refusal.status, server.refusal.errorCode, 'refused');
    if (!['1', '3', '5', '6'].includes(form.get('MessageType') ?? '6')) {
      return refuse(406, 'ER-00', 'Wrong parameter format');
    }
    if (form.get('SenderID') !== senderId)
      return refuse(480, 'ER-08', 'This user cannot use specified SenderID');
    if (!/^[1-9]\d*$/.test(to)) return refuse(410, 'ER-02', 'Invalid recipient format');
    // Lengths are checked after the rest of the request.
    if (to.length < 11) return refuse(200, 'ER-04', 'Dest num is too short');
    if (to.length > 15) return refuse(200, 'ER-03', 'Dest num is too long');
    if (body === '') return refuse(449, 'ER-06', 'Message body is empty');
    if (messages.some((message) => message.to === to && message.text === body)) {
      return refuse(409, 'ER-09', 'This message is duplicate');
    }
    const id = 42_000_000_000_000 + messages.length;
    const correlationId = form.get('CorrelationID');
    messages.push({ id, to, text: body, correlationId });
    return {
      status: 200,
      json: {
        success: true,
        message: '',
        errorCode: 'ER-00',
        data: {
          MessageID: id,
          CorrelationID: correlationId,
          Status: 'Sent',
          NumberOfUnits: 0,
          Cost: 0,
          Balance: 0,
          Recipient: to,
          TimeCreated: '2022-09-06 14:06:25.979',
          CurrencyCode: '',
        },
      },
    };
  }

  const faulty = await startFaulty(t, answer, (status) => refuse(status, 'ER-99', 'Request failed').json);
  const server: UnifonicServer = Object.assign(faulty, {
    url: faulty.origin,
    appSid,
    senderId,
    messages,
    refusal: null,
  });
  return server;
}
