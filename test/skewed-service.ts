import { HOUR } from '../src/base/clock.ts';
import { parseConfig } from '../src/program/config.ts';
import { startService } from '../src/program/service.ts';

/** A process whose machine's clock is an hour ahead. Prints its address when it is ready. */
const service = await startService(parseConfig(process.env), { machine: () => Date.now() + HOUR });
process.stdout.write(`serves ${service.url}\n`);
process.on('SIGTERM', () => service.close().then(() => process.exit(0)));
