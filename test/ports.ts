import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of 127.0.0.1 that is free, and outside of those that the system gives to others meanwhile (from 32768 on). */
export async function freePort(): Promise<number> {
  const port = 12_000 + Math.floor(Math.random() * 20_000);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    // It is in use.
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}
