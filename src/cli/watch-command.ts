import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { parseConfig } from '../program/config.ts';
import { createLogger } from '../runtime/logger.ts';
import { openChannels } from '../watch/channels.ts';
import { createWatcher } from '../watch/watcher.ts';
import { CliError } from './session.ts';
import type { Terminal } from './terminal.ts';

/** Milliseconds between two readings, as of the quickest rules of deploy/monitoring/alerts.yml. */
const INTERVAL = 15_000;

/** `partner-booking watch`: reads the figures of the processes until it is stopped, and tells who is to be told. */
export function watchCommand(program: Command, { environment, untilStopped }: Terminal): void {
  program
    .command('watch')
    .description('tell ALERT_PHONES and ALERT_WEBHOOK_URL of grave trouble, without the database')
    .action(async () => {
      const config = parseConfig(environment);
      const logger = createLogger(config.logLevel);
      const channels = openChannels(config, systemClock, logger);
      if (channels.length === 0)
        throw new CliError('nobody to tell: set ALERT_PHONES with NOTIFIER, or ALERT_WEBHOOK_URL');
      const watcher = createWatcher(config, channels, logger);
      const { urls } = config.alerts;
      logger.info({ urls, channels: channels.map(({ kind, to }) => `${kind} ${to}`) }, 'watching');
      const signal = untilStopped();
      while (!signal.aborted)
        await Promise.all([
          watcher.tick(systemClock.now()),
          sleep(INTERVAL, null, { signal }).catch(() => {}),
        ]);
      logger.info('stopped');
    });
}
