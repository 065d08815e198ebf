import type { Redis } from 'ioredis';
import { connectRedis, REDIS_PAUSE } from './redis.ts';
import { KEPT, memoryWriteMarks, type WriteMarks } from './write-marks.ts';

/** Marks that are open are a sorted set by the end of their time, by the clock of Redis. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local kept = tonumber(ARGV[1])
`;
const BEGIN = `${NOW}
redis.call('ZADD', KEYS[1], now + kept, ARGV[2])
redis.call('PEXPIRE', KEYS[1], kept)
`;
const END = `${NOW}
redis.call('ZREM', KEYS[1], ARGV[2])
redis.call('SET', KEYS[2], ARGV[2], 'PX', kept)
`;
const STATE = `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
return { redis.call('ZCARD', KEYS[1]), redis.call('GET', KEYS[2]) }
`;

type Scripted = Redis & {
  markBegin(open: string, version: string, kept: number, mark: string): Promise<unknown>;
  markEnd(open: string, version: string, kept: number, mark: string): Promise<unknown>;
  markState(open: string, version: string, kept: number): Promise<[number, string | null]>;
};

/**
 * Marks that all processes share. While Redis does not answer nobody knows what others write, nor for as long after it as
 * marks may be missing. When it answers others and not this process, they do not hear of what is written here: they may
 * read it MAX_STALE later (src/runtime/replica.ts).
 */
export function redisWriteMarks(
  url: string,
  onChange: (state: 'shared' | 'away', cause?: Error) => void,
): WriteMarks & { close(): Promise<void> } {
  const redis = connectRedis(url) as Scripted;
  redis.defineCommand('markBegin', { numberOfKeys: 2, lua: BEGIN });
  redis.defineCommand('markEnd', { numberOfKeys: 2, lua: END });
  redis.defineCommand('markState', { numberOfKeys: 2, lua: STATE });
  const own = memoryWriteMarks();
  let awayUntil = 0;
  let state: 'shared' | 'away' = 'shared';
  // Each command tells whether it was answered.
  redis.on('error', () => {});
  // It may have been started anew, without its marks.
  redis.on('close', () => {
    awayUntil = Number.POSITIVE_INFINITY;
  });
  redis.on('ready', () => {
    awayUntil = performance.now() + REDIS_PAUSE;
  });

  function failed(cause: Error): void {
    awayUntil = Math.max(awayUntil, performance.now() + REDIS_PAUSE);
    if (state !== 'away') onChange('away', cause);
    state = 'away';
  }
  const keysOf = (key: string): [string, string] => [`writing:{${key}}`, `wrote:{${key}}`];

  return {
    async begin(key, mark) {
      own.begin(key, mark);
      // Not left out while Redis is away: it may be back, and others may ask it.
      await redis.markBegin(...keysOf(key), KEPT, mark).catch(failed);
    },
    end(key, mark) {
      own.end(key, mark);
      redis.markEnd(...keysOf(key), KEPT, mark).catch(failed);
    },
    async state(key) {
      if (performance.now() < awayUntil) return null;
      try {
        const [open, version] = await redis.markState(...keysOf(key), KEPT);
        if (state !== 'shared') onChange('shared');
        state = 'shared';
        const here = own.state(key);
        return { open: open > 0 || here.open, version };
      } catch (error) {
        failed(error as Error);
        return null;
      }
    },
    async close() {
      redis.disconnect();
    },
  };
}
