import { request } from 'undici';

/** The longest response of a provider. */
const MAX_BYTES = 1_048_576;

export type Outgoing = {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Milliseconds of the whole request: connection, headers and the last byte of the body. */
  timeout: number;
};

/**
 * One HTTP request to a provider, redirects not followed. `json` is undefined when the body is no JSON.
 * Throws when there is no complete response: no connection, cut off, too late, longer than MAX_BYTES.
 */
export async function send({ method, url, headers, body, timeout }: Outgoing): Promise<{
  status: number;
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
    if (length > MAX_BYTES) throw new Error(`answer longer than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return { status: answer.statusCode, json: parseJson(Buffer.concat(chunks).toString('utf8')) };
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
