import type { Rule } from '../http/validation.ts';

/** The upper 32 bits of an xid8 are the epoch; the lower ones are never 0. */
const isTransactionId = (id: bigint): boolean => id % 2n ** 32n !== 0n;

/** PostgreSQL's text of a snapshot, `xmin:xmax:xip,…`, ascending. */
export function isSnapshot(text: string): boolean {
  if (text.length > 10_000 || !/^\d{1,19}:\d{1,19}:(\d{1,19}(,\d{1,19})*)?$/.test(text)) return false;
  const [xmin = '', xmax = '', list = ''] = text.split(':');
  const running = list === '' ? [] : list.split(',').map(BigInt);
  const [from, until] = [BigInt(xmin), BigInt(xmax)];
  return (
    isTransactionId(from) &&
    isTransactionId(until) &&
    from <= until &&
    until < 2n ** 63n &&
    running.every((xid, index) => xid >= from && xid < until && (index === 0 || xid > running[index - 1]!))
  );
}

/** The form of `asOf`. */
export const SNAPSHOT: Rule<string> = {
  check: isSnapshot,
  message: 'must be a value that a list returned',
};
