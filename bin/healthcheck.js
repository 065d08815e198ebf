#!/usr/bin/env node
// Is this process alive? For the container image: asks /livez on the port that its role has.
// Alive, not ready: a database that is away is no reason to restart.
const { ROLES = '', PORT = '3000', WORKER_PORT = '' } = process.env;
const roles = ROLES.split(',').map((role) => role.trim().toLowerCase());
const isWorkerOnly = roles.includes('worker') && !roles.includes('api');
const port = isWorkerOnly ? WORKER_PORT.trim() : PORT.trim() || '3000';

if (port === '') {
  console.error('a process with ROLES=worker needs WORKER_PORT to be asked');
  process.exitCode = 1;
} else {
  const answer = await fetch(`http://127.0.0.1:${port}/livez`, { signal: AbortSignal.timeout(2_500) }).catch(
    (error) => ({ ok: false, status: error.cause?.code ?? error.name }),
  );
  if (!answer.ok) console.error(`port ${port}: ${answer.status}`);
  process.exitCode = answer.ok ? 0 : 1;
}
