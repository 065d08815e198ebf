/** The page without a network: its service worker, and the cache that this opens it from. */

const CACHE = 'crew';
const PAGE = '/crew';

/** Keeps the page and its files, and no earlier ones; false: it could not, and what was kept before stays. */
export async function keepPage(): Promise<boolean> {
  // Absent without HTTPS.
  if (!('serviceWorker' in navigator) || !('caches' in window)) return false;
  const files = [...document.querySelectorAll<HTMLLinkElement | HTMLScriptElement>('link[href], script[src]')]
    .map((one) => ('src' in one ? one.src : one.href))
    .filter((address) => address.startsWith(`${location.origin}${PAGE}/`));
  try {
    await navigator.serviceWorker.register(`${PAGE}/worker.js`, { scope: PAGE });
    const cache = await caches.open(CACHE);
    await cache.addAll([PAGE, ...files]);
    const current = new Set([`${location.origin}${PAGE}`, ...files]);
    for (const { url } of await cache.keys()) if (!current.has(url)) await cache.delete(url);
    return true;
  } catch {
    // Without a network, or without room.
    return false;
  }
}
