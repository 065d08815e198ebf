const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];
const EVERYWHERE = ['0.0.0.0', '::'];

/** Whether a URL is within the origins of this service, for a request to the port. */
export type IsOwnOrigin = (address: string, port: number | undefined) => boolean;

/**
 * The service's own origins: that of PUBLIC_URL, and the one it listens on, with the names of this machine when it
 * listens on loopback or on every interface. Compares scheme, host and port.
 */
export function ownOrigins({ publicUrl, host }: { publicUrl: string; host: string }): IsOwnOrigin {
  const publicOrigin = new URL(publicUrl).origin;
  const name = host.includes(':') ? `[${host}]` : host;
  const isLocal = EVERYWHERE.includes(host) || LOOPBACK.includes(name);
  const names = new Set([name, ...(isLocal ? LOOPBACK : [])]);
  return (address, port) => {
    if (!URL.canParse(address)) return false;
    const { origin, protocol, hostname, port: named } = new URL(address);
    if (origin === publicOrigin) return true;
    return protocol === 'http:' && names.has(hostname) && Number(named || 80) === port;
  };
}
