import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Prism between the tests and the service, as a validating proxy: TEST_PRISM=on. Its findings about a response, or
 * about an accepted request, fail the test that made the call. Installed in tools/prism: node scripts/install-tools.ts
 * prism
 */
const SIDES = {
  '/v1': fileURLToPath(new URL('../openapi/partner.json', import.meta.url)),
  '/operator': fileURLToPath(new URL('../openapi/operator.json', import.meta.url)),
};

export const usesPrism = process.env.TEST_PRISM !== undefined;

/** The used part of Prism's packages. */
type Prism = {
  getHttpOperationsFromSpec(file: string): Promise<unknown[]>;
  createServer(
    operations: unknown[],
    options: object,
  ): { listen(port: number, host: string): Promise<string>; close(): Promise<void> };
  createLogger(name: string, options: object): unknown;
};

const prism = (): Prism => {
  const load = createRequire(new URL('../tools/prism/package.json', import.meta.url));
  return {
    ...load('@stoplight/prism-http'),
    ...load('@stoplight/prism-http-server'),
    ...load('@stoplight/prism-core'),
  };
};

const operations = new Map<string, Promise<unknown[]>>();
const proxies = new Map<string, Promise<{ url: string; close(): Promise<void> }>>();

async function startProxy(prefix: keyof typeof SIDES, origin: string) {
  const { getHttpOperationsFromSpec, createServer, createLogger } = prism();
  const file = SIDES[prefix];
  if (!operations.has(file)) operations.set(file, getHttpOperationsFromSpec(file));
  const server = createServer(await operations.get(file)!, {
    cors: false,
    config: {
      isProxy: true,
      upstream: new URL(origin + prefix),
      mock: false,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
    },
    components: { logger: createLogger('prism', { enabled: false }) },
  });
  return { url: await server.listen(0, '127.0.0.1'), close: () => server.close() };
}

/** Closes the proxies of a service, before it is closed itself. */
export async function closePrism(origins: readonly (string | null)[]): Promise<void> {
  for (const origin of origins) {
    for (const prefix of Object.keys(SIDES)) {
      const known = proxies.get(`${origin}${prefix}`);
      proxies.delete(`${origin}${prefix}`);
      await (await known)?.close();
    }
  }
}

type Violation = { location?: string[]; code?: string | number; message: string };

/** Whether the violation is an error in an exchange with this status. */
function counts({ location = [], code, message }: Violation, status: number): boolean {
  const isAccepted = status < 300;
  // An unknown path is not documented, and refused.
  if (message === 'Selected route not found') return isAccepted;
  if (location[0] !== 'request') return true;
  // Lengths in the document apply after trimming; openapi-check.ts checks accepted requests.
  return isAccepted && !(location[1] === 'body' && code === 'maxLength');
}

/**
 * Requests that Prism cannot forward, because it parses them itself: unknown paths and methods, bodies that are not
 * JSON. It has not called the service then.
 */
const NOT_PASSED_ON = /NO_PATH_MATCHED|NO_METHOD_MATCHED|#UNKNOWN|Invalid JSON|INVALID_CONTENT_TYPE/;

/** The response through Prism; null when it cannot forward the request. Throws an assertion with all findings. */
export async function fetchThroughPrism(address: string, init: RequestInit): Promise<Response | null> {
  const { origin, pathname, search } = new URL(address);
  const prefix = (['/v1', '/operator'] as const).find((each) => pathname.startsWith(`${each}/`));
  // Prism does not forward the body null.
  if (prefix === undefined || init.body === 'null') return null;
  const key = origin + prefix;
  if (!proxies.has(key)) proxies.set(key, startProxy(prefix, origin));
  const { url } = await proxies.get(key)!;

  const response = await fetch(url + pathname.slice(prefix.length) + search, init);
  if (response.headers.get('content-type')?.startsWith('application/problem+json')) {
    const problem = await response.text();
    assert.match(problem, NOT_PASSED_ON, `Prism: ${address}`);
    return null;
  }
  const found = response.headers.get('sl-violations') ?? '[]';
  const violations = (found.startsWith('[') ? JSON.parse(found) : [found]) as Violation[];
  const wrong = violations.filter((violation) => counts(violation, response.status));
  assert.deepEqual(wrong, [], `Prism: ${init.method} ${address} was answered ${response.status}`);
  const headers = new Headers(response.headers);
  headers.delete('sl-violations');
  const { status } = response;
  const body = [204, 304].includes(status) ? null : await response.arrayBuffer();
  return new Response(body, { status, headers });
}
