import { createServer } from 'node:http';

/**
 * Receives webhooks and counts them; reports its port at the start, and the time when the wanted number has arrived.
 */
let wanted = 0;
let seen = 0;
let firstAt = 0;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.end('ok');
    if (++seen === 1) firstAt = performance.now();
    if (seen === wanted) process.send!({ milliseconds: performance.now() - firstAt });
  });
});
server.keepAliveTimeout = 60_000;
process.on('message', (message: { wanted: number }) => {
  wanted = message.wanted;
  seen = 0;
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  process.send!({ port: (server.address() as { port: number }).port });
});
