import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { csvColumns, csvLine, csvRow } from './csv.ts';

test('cells are quoted where they must be, and none is a formula', () => {
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
  for (const text of ['=1+1', '+966501234567', '-1', '@SUM(A1)', '\t=1', ' =1', '\uFEFF=1', '＝1', '\r=1'])
    assert.match(csvLine([text]), /^"?'/, JSON.stringify(text));
  assert.equal(csvLine(['=HYPERLINK("x","y")']), '"\'=HYPERLINK(""x"",""y"")"\r\n');
  for (const text of ['a=b', '1-2', 'a@b.sa', "'x"]) assert.equal(csvLine([text]), `${text}\r\n`);
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
