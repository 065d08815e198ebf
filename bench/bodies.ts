import { FindOrCreateContact, phoneFormats } from '../src/contacts/schema.ts';
import { parseJson } from '../src/http/json.ts';
import { createRequestChecker } from '../src/http/validation.ts';
import { CalculatePrice } from '../src/pricing/schema.ts';

/**
 * Measures how long a body of 1 MiB blocks the process: processor time of parsing and validation (milliseconds), by
 * kind. `node bench/bodies.ts`
 */

const MIB = 1024 * 1024;
const ROUNDS = 9;

/** JSON of 1 MiB from pieces separated by commas. */
function filled(begin: string, piece: (index: number) => string, end: string): Buffer {
  const pieces: string[] = [];
  for (let length = begin.length + end.length, index = 0; ; index++) {
    const next = piece(index);
    length += next.length + 1;
    if (length > MIB) break;
    pieces.push(next);
  }
  return Buffer.from(begin + pieces.join(',') + end);
}

const name = (index: number): string => index.toString(36);
const checkerFor = createRequestChecker(phoneFormats);
const contact = checkerFor({ body: FindOrCreateContact });
const price = checkerFor({ body: CalculatePrice });
const bodies = {
  'one long text': [contact, filled('{"name":"', () => 'x'.repeat(1_000), '"}')],
  'numbers in a list': [contact, filled('{"name":[', () => '1', ']}')],
  'unknown fields': [contact, filled('{', (index) => `"${name(index)}":1`, '}')],
  'unknown fields of a field': [contact, filled('{"name":{', (index) => `"${name(index)}":1`, '}}')],
  'empty items': [price, filled('{"items":[', () => '{}', ']}')],
  'items of two members': [price, filled('{"items":[', () => '{"a":1,"b":2}', ']}')],
  'one name repeated': [contact, filled('{', () => '"name":1', '}')],
} as const;

for (const [kind, [check, body]] of Object.entries(bodies)) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    try {
      check({ params: {}, query: {}, body: parseJson(body) });
    } catch {
      // Refused by the parser.
    }
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  times.sort((a, b) => a - b);
  const shown = [times[ROUNDS >> 1]!, times[0]!, times.at(-1)!].map((time) => time.toFixed(1));
  console.log(`${kind.padEnd(26)} ${shown[0]} ms (${shown[1]} to ${shown[2]})`);
}
