import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cluster } from './cluster.ts';

/**
 * A health check of whether a server accepts writes: 200, else 503. On a real machine this is a small script beside
 * PostgreSQL, or Patroni's API.
 */
export async function openCheck(cluster: Cluster): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer(async (_request, response) => {
    const takesWrites = await cluster.run<{ standby: boolean }>('select pg_is_in_recovery() as standby').then(
      ([row]) => !row!.standby,
      () => false, // it does not respond
    );
    response.writeHead(takesWrites ? 200 : 503).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
