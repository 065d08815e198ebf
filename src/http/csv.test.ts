import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { csvColumns, csvLine, csvRow } from './csv.ts';

test('cells are quoted where needed, and none is a formula', () => {
  const cells = [
    'a',
    'a,b',
    'a "b"',
    'a\nb',
    'a\r\nb',
    '',
    null,
    undefined,
    0,
    -1.5,
    true,
    ['x', 1],
    'العليا',
  ];
  assert.equal(csvLine(cells), 'a,"a,b","a ""b""","a\nb","a\r\nb",,,,0,-1.5,true,"[""x"",1]",العليا\r\n');
  assert.equal(csvLine(['a;b', 'a|b', 'a\tb']), '"a;b","a|b","a\tb"\r\n');
  assert.equal(csvLine(['\u001b[2Ja\u202eb', 'line 1\nline 2']), '\\u001b[2Ja\\u202eb,"line 1\nline 2"\r\n');
  for (const text of ['=1+1', '+966501234567', '-1', '@SUM(A1)', '\t=1', ' =1', '\uFEFF=1', '＝1', '\r=1'])
    assert.match(csvLine([text]), /^"?'/, JSON.stringify(text));
  assert.equal(csvLine(['=HYPERLINK("x","y")']), '"\'=HYPERLINK(""x"",""y"")"\r\n');
  for (const text of ['a=b', '1-2', 'a@b.sa', "'x"]) assert.equal(csvLine([text]), `${text}\r\n`);
});

/** The cells of a file, as read with this separator, with or without support for quotes. */
function cellsOf(file: string, separator: string, heedsQuotes: boolean): string[] {
  if (!heedsQuotes) return file.split(/\r\n|\r|\n/).flatMap((line) => line.split(separator));
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < file.length; at++) {
    const sign = file[at]!;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (file[at + 1] === '"') cell += file[at++];
      else isQuoted = false;
    } else if (sign === '"' && cell === '') isQuoted = true;
    else if (sign === separator || sign === '\r' || sign === '\n') {
      cells.push(cell);
      cell = '';
    } else cell += sign;
  }
  return [...cells, cell];
}

test('no cell is a formula with any separator', () => {
  const signs = [
    '=',
    '+',
    '-',
    '@',
    '＝',
    ',',
    ';',
    '|',
    '\t',
    '\r',
    '\n',
    '"',
    "'",
    ' ',
    '\uFEFF',
    'a',
    '1',
  ];
  const controls = ['\u001b', '\u0085', '\u2028', '\u202e', '\u2066', 'ع'];
  const texts = fc
    .array(fc.constantFrom(...signs, ...controls), { maxLength: 12 })
    .map((parts) => parts.join(''));
  const cells = fc.oneof(texts, fc.constant(null), fc.constant(7), fc.array(texts));
  fc.assert(
    fc.property(fc.array(cells, { minLength: 1 }), (row) => {
      const line = csvLine(row);
      for (const separator of [',', ';', '\t', '|'])
        for (const heedsQuotes of [true, false])
          for (const cell of cellsOf(line, separator, heedsQuotes))
            assert.doesNotMatch(
              cell,
              /^[\s\uFEFF"]*[=+\-@＝＋－＠]/,
              JSON.stringify([line, separator, heedsQuotes]),
            );
      assert.doesNotMatch(line, /(?![\t\r\n])[\p{Cc}\u2028\u202e\u2066]/u);
    }),
    { numRuns: 3_000 },
  );
});

test('columns follow from the schema, nested ones and those that may be null included', () => {
  const schema = Type.Object({
    id: Type.String(),
    contact: Type.Object({ name: Type.String(), tags: Type.Array(Type.String()) }),
    end: Type.Union([Type.Object({ at: Type.String() }), Type.Null()]),
  });
  const columns = csvColumns(schema);
  assert.deepEqual(
    columns.map(({ name }) => name),
    ['id', 'contact.name', 'contact.tags', 'end.at'],
  );
  assert.equal(csvRow(columns, { id: '1', contact: { name: 'N', tags: [] }, end: null }), '1,N,[],\r\n');
  assert.equal(csvRow(columns, { id: '2', end: { at: 'x' } }), '2,,,x\r\n');
});
