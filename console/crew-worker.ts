/**
 * The service worker of the crew's page: the page and its files come from the cache when there is no network. It asks
 * the network first for the page, which names its files; those never change.
 */

type Lifetime = Event & { waitUntil(work: Promise<unknown>): void };
type Fetched = Lifetime & { request: Request; respondWith(response: Promise<Response>): void };
type Scope = EventTarget & { skipWaiting(): Promise<void>; clients: { claim(): Promise<void> } };

const worker = self as unknown as Scope;
const PAGE = '/crew';

worker.addEventListener('install', (event) => (event as Lifetime).waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => (event as Lifetime).waitUntil(worker.clients.claim()));

worker.addEventListener('fetch', (event) => {
  const { request, respondWith } = event as Fetched;
  const { pathname } = new URL(request.url);
  if (request.method !== 'GET' || pathname.startsWith(`${PAGE}/api/`)) return;
  const isFile = pathname.startsWith(`${PAGE}/assets/`);
  if (isFile || request.mode === 'navigate') respondWith.call(event, isFile ? file(request) : page(request));
});

async function file(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(PAGE);
    if (kept === undefined) throw error;
    return kept;
  }
}
