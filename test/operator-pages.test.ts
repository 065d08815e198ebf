import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { TEXTS } from '../console/texts.ts';
import { startTestService } from './harness.ts';
import { runToEnd } from './terminal.ts';

/**
 * The pages for the people of the operator's office, which no partner is served: the console by day, privacy, and what to do
 * when data got out. What they quote of the console, the command line and the database exists, in both languages.
 */

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const page = (name: string): string => read(`docs/${name}.md`);
const PAGES = ['console', 'privacy', 'data-breach'] as const;
const withTwins = PAGES.flatMap((name) => [page(name), page(`${name}.ar`)]);

type Language = 'en' | 'ar';
const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** The text as a pattern; with hardly a word beside its placeholders it would be every text, and is none. */
function patternOf(text: string): RegExp | null {
  const parts = text.split(/\{\w+\}/);
  if (parts.length > 1 && parts.join('').replaceAll(/\P{L}/gu, '').length < 4) return null;
  return new RegExp(`^${parts.map(escaped).join('.+')}$`);
}

const patternsOf = (language: Language) =>
  Object.entries(TEXTS).flatMap(([key, text]) => {
    const pattern = patternOf(text[language]);
    return pattern === null ? [] : [{ key, pattern }];
  });
const PATTERNS = { en: patternsOf('en'), ar: patternsOf('ar') };

const keysOf = (label: string, language: Language): string[] =>
  PATTERNS[language].flatMap(({ key, pattern }) => (pattern.test(label) ? [key] : []));

/** The quoted labels of each section: what stands between asterisks outside of code. */
const labelsOf = (text: string): string[][] =>
  text
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/`[^`]*`/g, '')
    .split(/^#+ .*$/m)
    .map((section) =>
      [...section.matchAll(/\*+([^*]+)\*+/g)].map(([, label]) => label!.replaceAll(/\s+/g, ' ')),
    );

/** The labels that the console has not, and those of a section that its twin has not. */
function wrongLabels(english: string, arabic: string): string[] {
  const [one, other] = [labelsOf(english), labelsOf(arabic)];
  const check = (
    labels: readonly string[],
    language: Language,
    others: readonly string[],
    otherOne: Language,
  ) => {
    const known = new Set(others.flatMap((label) => keysOf(label, otherOne)));
    return labels.flatMap((label) => {
      const keys = keysOf(label, language);
      if (keys.length === 0) return [`unknown: ${label}`];
      return keys.some((key) => known.has(key)) ? [] : [`alone: ${label}`];
    });
  };
  return [
    ...(one.length === other.length ? [] : ['sections']),
    ...one.flatMap((labels, at) => check(labels, 'en', other[at] ?? [], 'ar')),
    ...other.flatMap((labels, at) => check(labels, 'ar', one[at] ?? [], 'en')),
  ];
}

test('what is quoted of the console are its words, and the same ones in both languages', () => {
  for (const name of PAGES) assert.deepEqual(wrongLabels(page(name), page(`${name}.ar`)), [], name);
  assert.ok(labelsOf(page('console')).flat().length > 150);
});

test('a label that the console has not, or that one language lacks, is found', () => {
  const english = '# A\n\n*Board*, *Move 3 visits* and `*code*`\n';
  const arabic = '# A\n\n*لوحة التوزيع* و*نقل المواعيد: 3*\n';
  assert.deepEqual(wrongLabels(english, arabic), []);
  assert.deepEqual(wrongLabels(english.replace('Board', 'Bord'), arabic), [
    'unknown: Bord',
    'alone: لوحة التوزيع',
  ]);
  assert.deepEqual(wrongLabels(english, arabic.replace('لوحة التوزيع', 'اليوم')), [
    'alone: Board',
    'alone: اليوم',
  ]);
  assert.deepEqual(wrongLabels(`${english}## B\n`, arabic), ['sections']);
});

test('operations that the pages name exist, with their actions in the audit log', () => {
  const known = (['operator', 'partner'] as const).flatMap((name) => {
    const { paths } = JSON.parse(read(`openapi/${name}.json`)) as { paths: Record<string, object> };
    const base = name === 'operator' ? '/operator' : '/v1';
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${base}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      ),
    );
  });
  const named = withTwins.flatMap((text) =>
    [...text.matchAll(/`((?:GET|POST|PATCH|PUT|DELETE) \/[^`?]*)/g)].map(([, operation]) => operation!),
  );
  assert.ok(named.length > 30);
  for (const operation of named) assert.ok(known.includes(operation), operation);

  const actions = [page('data-breach'), page('data-breach.ar')].flatMap((text) =>
    [...text.matchAll(/`([a-z-]+\.[a-z_-]+)`/g)].map(([, action]) => action!),
  );
  assert.ok(actions.length > 20);
  for (const action of actions) assert.ok(`audited.${action}` in TEXTS, action);
});

test('commands and variables that the pages name exist', async () => {
  const commands = withTwins.flatMap((text) =>
    [...text.matchAll(/(?:npx partner-booking |`(?=(?:keys|partners) \w))(\w+)((?: [a-z-]+)?)/g)].map(
      ([, group, command]) => [group!, command!.trim()].filter(Boolean),
    ),
  );
  const distinct = new Set(commands.map((words) => words.join(' ')));
  assert.ok(distinct.size >= 8, [...distinct].join());
  for (const command of distinct) {
    const { code, stdout } = await runToEnd([...command.split(' '), '--help'], {});
    assert.deepEqual([code, stdout.includes(`partner-booking ${command} [`)], [0, true], command);
  }
  const variables = JSON.parse(read('src/program/variables.json'));
  const named = withTwins.flatMap((text) =>
    [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)].map(([, variable]) => variable!),
  );
  const OTHERS = ['OPEN_BOOKINGS'];
  for (const variable of named) assert.ok(variable in variables || OTHERS.includes(variable), variable);
});

test('the questions of the page about data that got out are ones that the database answers', async (t) => {
  const { db } = (await startTestService(t)).deps;
  const ID = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
  for (const name of ['data-breach', 'data-breach.ar']) {
    const [, sql] = /^```sql\n([\s\S]*?)^```$/m.exec(page(name))!;
    const statements = sql!.trim().replaceAll('<id>', ID).split(/;\n?/).filter(Boolean);
    assert.equal(statements.length, 2);
    for (const text of statements)
      assert.equal(Number((await db.rows<{ count: number }>({ text }))[0]!.count), 0);
  }
});
