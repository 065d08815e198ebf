import type { App, HttpTimeouts } from '../http/edge.ts';
import { ListenError } from '../http/listen-error.ts';
import { buildApp, buildWorkerApp, type Surface, servesMetrics } from './app.ts';
import type { Deps } from './deps.ts';
import type { Lifecycle } from './lifecycle.ts';

/** The addresses of a process. */
export type Addresses = {
  /** Base address of the partner API without `/v1`, or null in a worker-only process. */
  url: string | null;
  operatorUrl: string | null;
  /** The address of a worker-only process's probes; null: none, or the process serves an API. */
  workerUrl: string | null;
};

/** Listens by roles and ports, and sets the addresses. Throws ListenError. */
export async function listen(
  deps: Deps,
  addresses: Addresses,
  { closing }: Lifecycle,
  timeouts: Partial<HttpTimeouts> = {},
): Promise<void> {
  const { config, logger } = deps;
  const listenOn = async (app: App, port: number): Promise<string> => {
    closing({ close: () => app.close() });
    try {
      return await app.listen({ host: config.host, port });
    } catch (error) {
      throw new ListenError(error as Error);
    }
  };
  if (!config.roles.has('api')) {
    if (config.workerPort !== null)
      addresses.workerUrl = await listenOn(buildWorkerApp(deps, timeouts), config.workerPort);
    return;
  }
  const serve = (surfaces: Surface[], port: number): Promise<string> =>
    listenOn(buildApp(deps, surfaces, timeouts), port);
  const surfaces: Surface[] = config.operatorPort === null ? ['partner', 'operator'] : ['partner'];
  addresses.url = await serve(surfaces, config.port);
  if (config.operatorPort === null && !servesMetrics(config, surfaces))
    logger.warn('/metrics is not served: set METRICS_TOKEN, or give the operator a port with OPERATOR_PORT');
  addresses.operatorUrl =
    config.operatorPort === null ? addresses.url : await serve(['operator'], config.operatorPort);
}
