/** A refusal by the booking service: branch on `code`, and look into `details` (docs/errors.md). */
export class Refusal extends Error {
  constructor(status, { code, message, details, requestId }) {
    super(`${message} (request ${requestId})`);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

const TRIES = 4;
const TIMEOUT = 30_000;

/**
 * Calls the booking service with the partner's key. `data` of the answer, or a Refusal. Time-outs, lost connections,
 * 500 and 429 are tried again; every operation that this application uses may be repeated (docs/retries.md).
 */
export function createClient(baseUrl, key) {
  return async function call(method, path, body) {
    for (let attempt = 1; ; attempt++) {
      const response = await send(method, `${baseUrl}/partners${path}`, key, body);
      if (response.ok) return (await response.json()).data;
      const again = response.status === 429 || response.status >= 500;
      if (!again || attempt === TRIES) throw await refusal(response);
      await pause(attempt, Number(response.headers.get('retry-after') ?? 0));
    }
  };

  async function send(method, url, apiKey, body) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await fetch(url, {
          method,
          headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(TIMEOUT),
        });
      } catch (error) {
        if (attempt === TRIES) throw new Error(`no answer from ${url}`, { cause: error });
        await pause(attempt, 0);
      }
    }
  }
}

/** What stands between is a proxy's page when it is no envelope. */
async function refusal(response) {
  const text = await response.text();
  if (response.headers.get('content-type')?.startsWith('application/json'))
    return new Refusal(response.status, JSON.parse(text).error);
  return new Error(`status ${response.status} without an envelope: ${text.slice(0, 200)}`);
}

/** Grows from half a second, with jitter; `least` in seconds is what the service asked for. */
function pause(attempt, least) {
  const grown = 500 * 2 ** (attempt - 1) * (0.5 + Math.random());
  return new Promise((resolve) => setTimeout(resolve, Math.max(grown, least * 1000)));
}
