import { setTimeout as wait } from 'node:timers/promises';
import { violations } from './checker.ts';
import { type Clients, gather } from './clients.ts';
import type { Receiver, Scene } from './scene.ts';

/** Time for the claims of a dead worker to expire, and its work to be done (milliseconds). */
const SETTLE_WITHIN = 90_000;
const READY_WITHIN = 30_000;

export async function ready(base: string): Promise<void> {
  const end = performance.now() + READY_WITHIN;
  for (;;) {
    const isReady = await fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false, // it does not listen yet
    );
    if (isReady) return;
    if (performance.now() > end) throw new Error(`${base} is not ready`);
    await wait(50);
  }
}

/** The remaining violations: checks repeatedly until there is none, or the time is up. */
export async function settled(
  base: string,
  scene: Scene,
  clients: Clients,
  receiver: Receiver,
  teams: number,
): Promise<string[]> {
  const end = performance.now() + SETTLE_WITHIN;
  for (;;) {
    let found: string[];
    try {
      found = violations(await gather(base, scene, clients, receiver), teams);
    } catch (error) {
      found = [`the service does not answer: ${(error as Error).message}`];
    }
    if (found.length === 0 || performance.now() > end) return found;
    await wait(1_000);
  }
}
