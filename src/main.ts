import { enableCompileCache, flushCompileCache } from 'node:module';
import { type Config, ConfigError, parseConfig } from './config.ts';
import { DataDirInUseError } from './platform/data-dir.ts';
import { DatabaseTooNewError } from './platform/migrate.ts';
import type { Service } from './service.ts';

/** How long a stop may take before the process ends anyway (milliseconds); orchestrators kill after 30 s. */
const STOP_WITHIN = 25_000;

/** Starts the service from the environment and stops it on SIGTERM or SIGINT. */
export async function main(): Promise<void> {
  const started = performance.now();
  // Compiled code is kept from one start to the next: loading the program takes a third of the time then.
  enableCompileCache();
  let service: Service;
  try {
    const config = parseConfig(process.env);
    const { startService } = await import('./service.ts');
    service = await startService(config);
    console.log(banner(config, service, performance.now() - started));
    flushCompileCache();
  } catch (error) {
    console.error(explain(error as Error & { code?: string; port?: number }));
    process.exit(1);
  }

  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_WITHIN).unref();
    service.close().then(
      () => process.exit(0),
      (error) => {
        console.error(`could not stop cleanly: ${error.message}`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** One line for what the person who starts it can mend; the whole error otherwise. */
function explain(error: Error & { code?: string; port?: number }): string {
  if (
    error instanceof ConfigError ||
    error instanceof DataDirInUseError ||
    error instanceof DatabaseTooNewError
  ) {
    return error.message;
  }
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${error.port} is in use: stop what uses it, or set PORT (or OPERATOR_PORT)`;
    case 'EACCES':
      return error.port === undefined
        ? error.message
        : `port ${error.port} may not be opened by this user: set PORT`;
    case 'EADDRNOTAVAIL':
      return 'HOST is not an address of this machine';
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case '28P01':
    case '3D000':
      return `the database at DATABASE_URL cannot be used: ${error.message || error.code}`;
    default:
      return error.stack ?? error.message;
  }
}

function banner(config: Config, service: Service, milliseconds: number): string {
  if (service.url === null) return `Partner Booking Service: worker running (${config.deployment})`;
  const base = `${service.url}/v1`;
  const lines = [
    '',
    `Partner Booking Service is ready (${config.deployment}, ${Math.round(milliseconds)} ms)`,
    '',
    `  base URL          ${base}`,
    `  operator          ${service.operatorUrl}/operator`,
  ];
  // One that came from the environment is known to whoever set it, and stays out of the terminal's history.
  if (config.operatorToken === null) lines.push(`  operator token    ${service.operatorToken}`);
  if (service.demo !== null) {
    const { keys, booking } = service.demo;
    lines.push(`  demo key PARTNER  ${keys.partner}`, `  demo key PLATFORM ${keys.platform}`);
    if (booking !== null) {
      lines.push(
        '',
        'Book something:',
        '',
        `  curl -s ${base}/partners/bookings -H 'x-api-key: ${keys.partner}' -H 'Content-Type: application/json' -d '${JSON.stringify(booking)}'`,
      );
    }
  }
  lines.push('');
  return lines.join('\n');
}

if (import.meta.main) await main();
