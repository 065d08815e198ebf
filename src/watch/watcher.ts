import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Instant } from '../base/clock.ts';
import { writeWhole } from '../db/data-dir.ts';
import { WATCHER } from '../http/metrics-route.ts';
import { send } from '../outbound/provider-requests.ts';
import type { Logger } from '../runtime/logger.ts';
import { alertOf, type Channel } from './channels.ts';
import { type Episode, FACTS, follow, KEPT, type Sample, untold } from './rules.ts';

/** Base addresses of the processes, and the address that names the deployment in what is told. */
type WatchSettings = {
  alerts: { urls: readonly string[]; stateFile: string };
  metricsToken: string | null;
  publicUrl: string;
};

/** Of one reading: a process that hangs, drips or floods does not answer. Milliseconds. */
const LIMITS = { timeout: 5_000, maxBytes: 8 * 1_048_576 };
/** A line of figures. */
const LINE = /^(?:#.*|[a-zA-Z_:][\w:]*(?:\{.*\})? \S+.*)?$/;

/** The figures of a process. Throws when it does not answer with those of this service. */
async function readFigures(base: string, token: string | null): Promise<string> {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const headers = { accept: 'text/plain', 'user-agent': WATCHER, ...authorization };
  const { status, text } = await send({ method: 'GET', url: `${base}/metrics`, headers, ...LIMITS });
  const isOurs = /^build_info\{/m.test(text) && text.split('\n').every((line) => LINE.test(line));
  if (status !== 200 || !isOurs) throw new Error(`it answered ${status}${isOurs ? '' : ' without figures'}`);
  return text;
}

/**
 * Watches processes, and tells each channel of each fact once, also across restarts. `tick` reads every process, judges,
 * remembers, and tells what is due; it does not throw.
 */
export function createWatcher(
  { alerts: { urls, stateFile: file }, metricsToken, publicUrl }: WatchSettings,
  channels: readonly Channel[],
  logger: Logger,
): { tick(now: Instant): Promise<void> } {
  let { episodes, saved } = readMemory(file, logger);
  let samples: Sample[] = [];
  let canSave = true;
  const { host } = new URL(publicUrl);

  const read = (url: string): Promise<string | null> =>
    readFigures(url, metricsToken).catch((error) => {
      logger.warn({ err: error, url }, 'a process gives no figures');
      return null;
    });

  function save(): void {
    const text = JSON.stringify(episodes.filter(({ openedAt }) => openedAt !== null));
    if (text === saved) return;
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeWhole(file, text);
      [saved, canSave] = [text, true];
    } catch (error) {
      if (canSave) logger.error({ err: error }, 'ALERT_STATE cannot be written: the next start tells again');
      canSave = false;
    }
  }

  async function tell(episode: Episode, { name, kind, tell: send }: Channel): Promise<Episode['told']> {
    const state = untold(episode, name);
    if (state === null) return {};
    const about = { fact: episode.fact, process: episode.process, state, channel: kind };
    const at = state === 'OVER' ? episode.endedAt! : episode.openedAt!;
    try {
      await send(alertOf(episode, state, at, { host, channel: name }));
    } catch (error) {
      logger.warn({ ...about, err: error }, 'not told: it is tried again');
      return {};
    }
    logger.info(about, 'told');
    return { [name]: state };
  }

  return {
    async tick(now) {
      const answers = await Promise.all(urls.map(async (url) => [url, await read(url)] as const));
      samples = [...samples.filter(({ at }) => at >= now - KEPT), { at: now, processes: new Map(answers) }];
      episodes = follow(episodes, samples);
      save();
      episodes = await Promise.all(
        episodes.map(async (episode) => {
          const taken = await Promise.all(channels.map((channel) => tell(episode, channel)));
          return { ...episode, told: Object.assign({}, episode.told, ...taken) };
        }),
      );
      save();
    },
  };
}

/** What was told before this start; a file that is missing or broken is begun anew. */
function readMemory(file: string, logger: Logger): { episodes: Episode[]; saved: string } {
  const isEpisode = ({ fact, process, since, told }: Episode): boolean =>
    Object.hasOwn(FACTS, fact) &&
    (process === null || URL.canParse(process)) &&
    since > 0 &&
    told instanceof Object;
  try {
    const saved = readFileSync(file, 'utf8');
    const episodes: Episode[] = JSON.parse(saved);
    if (!episodes.every(isEpisode)) throw new Error('it has what is no episode');
    return { episodes, saved };
  } catch (error) {
    logger.warn({ err: error, file }, 'nothing is remembered: ALERT_STATE is begun anew');
    return { episodes: [], saved: '' };
  }
}
