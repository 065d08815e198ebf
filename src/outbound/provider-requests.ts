import { request } from 'undici';

/** The longest response, unless a request says otherwise. */
const MAX_BYTES = 1_048_576;

export type Outgoing = {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Milliseconds of the whole request: connection, headers and the last byte of the body. */
  timeout: number;
  maxBytes?: number;
};

/**
 * One HTTP request to a provider, redirects not followed. `json` is undefined when the body is no JSON.
 * Throws when there is no complete response: no connection, cut off, too late, too long.
 */
export async function send({ method, url, headers, body, timeout, maxBytes = MAX_BYTES }: Outgoing): Promise<{
  status: number;
  text: string;
  json: unknown;
}> {
  // undici's time-outs are per phase; the signal covers all of them.
  const answer = await request(url, {
    method,
    headers: { accept: 'application/json', ...headers },
    body: body ?? null,
    signal: AbortSignal.timeout(timeout),
  });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop destroys the body, and with it the connection.
    if (length > maxBytes) throw new Error(`answer longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: answer.statusCode, text, json: parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // left to the caller
  }
}

/** Whether it is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
