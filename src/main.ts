import { enableCompileCache, flushCompileCache } from 'node:module';
import { DataDirDamagedError, DataDirInUseError, DataDirUnusableError } from './db/data-dir.ts';
import { compileEmbedded } from './db/embedded-module.ts';
import { DatabaseTooNewError, DatabaseUnfitError } from './db/migrate.ts';
import { SecretsKeyError } from './db/sealing.ts';
import { DatabaseUnavailableError } from './db/unavailable.ts';
import { ListenError } from './http/listen-error.ts';
import { type Config, ConfigError, parseConfig } from './program/config.ts';
import type { Service } from './program/service.ts';
import type { Logger } from './runtime/logger.ts';
import type { Tracing } from './runtime/tracing.ts';

/** The time-out of a stop before the process exits anyway (milliseconds); orchestrators kill a little later. */
const STOP_WITHIN = 25_000;

/** Starts the service from the environment, and stops it on SIGTERM or SIGINT. */
export async function main(): Promise<void> {
  const started = performance.now();
  // Caches compiled code between starts.
  enableCompileCache();
  let config: Config | undefined;
  let service: Service;
  try {
    config = parseConfig(process.env);
    // Compiled by other threads while this one loads the program.
    if (config.databaseUrl === null) compileEmbedded();
    const { createLogger } = await import('./runtime/logger.ts');
    let tracing: Tracing | null = null;
    const traceIds = () => tracing?.active()?.ids ?? {};
    const logger = createLogger(config.logLevel, undefined, config.tracing ? traceIds : undefined);
    process.on('uncaughtException', (error) => {
      logger.fatal({ err: error }, 'an error that nothing expected: the process ends');
      end(logger, 1);
    });
    if (config.deployment === 'production') logWarnings(logger);
    const { startService } = await import('./program/service.ts');
    if (config.tracing) {
      // OpenTelemetry is loaded only with a configured exporter.
      const { startTracing } = await import('./runtime/tracing-sdk.ts');
      tracing = startTracing((error) => logger.warn({ err: error }, 'traces could not be exported'));
    }
    service = await startService(config, { logger, tracing });
  } catch (error) {
    const { deployment } = error instanceof ConfigError ? error : config!;
    await logStartFailure(deployment, explain(error as StartError, config));
    process.exit(1);
  }
  const { logger } = service.deps;
  const { drainSeconds } = config;
  // Before the service reports that it is ready.
  stopOnSignals(logger, Math.max(STOP_WITHIN, (drainSeconds + 20) * 1000), () => service.close());
  announce(config, service, performance.now() - started);
  flushCompileCache();
}

function stopOnSignals(logger: Logger, within: number, close: () => Promise<void>): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping: accepted requests finish first');
    setTimeout(() => {
      logger.error('could not stop in time: the process exits');
      end(logger, 1);
    }, within).unref();
    close().then(
      () => {
        logger.info('stopped');
        end(logger, 0);
      },
      (error) => {
        logger.error({ err: error }, 'could not stop cleanly');
        end(logger, 1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** The time-out for the last lines of the log (milliseconds). */
const LOG_WITHIN = 1_000;

/**
 * Ends the process when its log is written, or after a time-out: the reader of a pipe may have closed it or stopped
 * reading.
 */
function end(logger: Logger, code: number): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), LOG_WITHIN);
  logger.flush(() => process.exit(code));
}

/** Node prints its warnings as text otherwise. */
function logWarnings(logger: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logger.warn({ err: warning }, 'Node.js warning'));
}

type StartError = Error & { code?: string; path?: string };

/** Logs why the start failed: as JSON in production, else as plain text. */
async function logStartFailure(deployment: Config['deployment'], message: string): Promise<void> {
  if (deployment === 'sandbox') {
    console.error(message);
    return;
  }
  const { createLogger } = await import('./runtime/logger.ts');
  createLogger('fatal', process.stderr).fatal(message);
}

/** Production logs JSON only; a sandbox prints a banner. */
function announce(config: Config, service: Service, milliseconds: number): void {
  if (config.deployment === 'sandbox') {
    console.log(banner(config, service, milliseconds, process.stdout.isTTY === true));
    return;
  }
  const { logger } = service.deps;
  const { url, operatorUrl, workerUrl } = service;
  const { build } = service.deps;
  const roles = [...config.roles];
  logger.info({ build, roles, url, operatorUrl, workerUrl, milliseconds: Math.round(milliseconds) }, 'ready');
}

/** Returns one line, with a remedy if there is one; with the stack at log level debug. */
function explain(thrown: StartError, config: Config | undefined): string {
  const error = thrown instanceof DatabaseUnavailableError ? (thrown.cause as StartError) : thrown;
  const database = config?.databaseUrl == null ? 'in DATA_DIR' : 'at DATABASE_URL';
  const known = explainKnown(error, database);
  if (known !== null) return known.replaceAll(/\s*\n\s*/g, ' ');
  if (['debug', 'trace'].includes(config?.logLevel ?? '')) return error.stack ?? error.message;
  return `could not start: ${error.message.replaceAll(/\s*\n\s*/g, ' ')} (LOG_LEVEL=debug shows where)`;
}

function explainKnown(error: StartError, database: string): string | null {
  if (
    error instanceof ConfigError ||
    error instanceof DataDirInUseError ||
    error instanceof DataDirUnusableError ||
    error instanceof DataDirDamagedError ||
    error instanceof DatabaseTooNewError ||
    error instanceof DatabaseUnfitError ||
    error instanceof ListenError ||
    error instanceof SecretsKeyError
  ) {
    return error.message;
  }
  if (error.code === '42501')
    return `the role in DATABASE_URL may not do what migrations do: ${error.message}: make it the owner of the database`;
  return isOfDatabase(error)
    ? `the database ${database} cannot be used: ${error.message || error.code}`
    : null;
}

/** Whether PostgreSQL refused or could not be reached: names, networks, certificates, time-outs. */
function isOfDatabase({ code = '', message, path }: StartError): boolean {
  if (path !== undefined) return false; // a file's
  return (
    /^(?:(?!ERR_)E[A-Z_]+|[0-9A-Z]{5}|ERR_TLS_\w+|\w*(?:CERT|SIGNATURE)\w*)$/.test(code) ||
    /^(?:timeout expired|timeout exceeded when|Connection terminated|The server does not support SSL|SASL)/.test(
      message,
    )
  );
}

/** The banner of a sandbox; on a terminal with a link to the console that signs in. */
export function banner(
  config: Pick<Config, 'deployment' | 'operatorToken'>,
  service: Pick<Service, 'url' | 'operatorUrl' | 'operatorToken' | 'demo'>,
  milliseconds: number,
  isTerminal: boolean,
): string {
  if (service.url === null) return `Partner Booking Service: worker running (${config.deployment})`;
  const base = `${service.url}/v1`;
  const lines = [
    '',
    `Partner Booking Service is ready (${config.deployment}, ${Math.round(milliseconds)} ms)`,
    '',
    `  base URL          ${base}`,
    `  operator          ${service.operatorUrl}/operator`,
  ];
  // The operator knows a token from the environment; it is not printed to the terminal.
  const isOwnToken = config.operatorToken === null;
  if (isOwnToken) lines.push(`  operator token    ${service.operatorToken}`);
  // A file may have other readers, and must not contain the token.
  if (isTerminal)
    lines.push(
      `  console           ${service.operatorUrl}/console${isOwnToken ? `#token=${service.operatorToken}` : ''}`,
    );
  if (service.demo !== null) {
    const { keys, booking } = service.demo;
    if (keys.crew !== undefined) lines.push(`  demo crew page    ${service.url}/crew#link=${keys.crew}`);
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
