import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { pg } from '../db/statement.ts';
import {
  columnsGiven,
  columnsShown,
  fieldsHidden,
  fieldsShown,
  givenFields,
  shownFields,
  viewBy,
  withField,
} from './fields.ts';
import { Nullable, Stamp } from './schemas.ts';

const PETS = Type.Boolean({ description: 'Whether pets live there' });
const COLUMNS = {
  id: pg.text,
  has_pets_in_home: withField(pg.nullable(pg.boolean), { given: PETS, shown: PETS, to: ['partner', 'crew'] }),
  inner_note: withField(pg.nullable(pg.text), { given: Type.String() }),
  told: withField(pg.nullable(pg.text), { shown: Type.String(), to: ['crew'] }),
};

test('bodies take the fields that are given, responses have those of their reader', () => {
  assert.deepEqual(Object.keys(givenFields(COLUMNS)), ['hasPetsInHome', 'innerNote']);
  assert.deepEqual(shownFields(COLUMNS, 'partner'), { hasPetsInHome: PETS });
  assert.deepEqual(columnsShown(COLUMNS, 'crew'), ['has_pets_in_home', 'told']);
  const row = { id: 'x', has_pets_in_home: false, inner_note: 'secret', told: 'ring' };
  assert.deepEqual(fieldsShown(COLUMNS, 'partner', row), { hasPetsInHome: false });
  assert.deepEqual(fieldsShown(COLUMNS, 'crew', row), { hasPetsInHome: false, told: 'ring' });
  assert.deepEqual(fieldsHidden(COLUMNS, 'crew'), { hasPetsInHome: null, told: null });
});

test('a new row has null for what is not given, a change keeps it, and false is a value', () => {
  assert.deepEqual(columnsGiven(COLUMNS, {}), { has_pets_in_home: null, inner_note: null });
  const before = { has_pets_in_home: true, inner_note: 'old', told: 'ring' };
  assert.deepEqual(columnsGiven(COLUMNS, { hasPetsInHome: false }, before), {
    has_pets_in_home: false,
    inner_note: 'old',
  });
});

test('a view has the fields of its response: columns, and what is given', () => {
  const Shown = Type.Object({
    id: Type.String(),
    isActive: Type.Boolean(),
    price: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
    nameEn: Type.String(),
    createdAt: Stamp(),
    endedAt: Nullable(Stamp()),
    minutes: Type.Integer(),
  });
  const row = {
    ...{ id: 'a', is_active: true, price: '9.50', created_at: 0, ended_at: null, minutes: 30 },
    secret: 'kept',
  };
  const view = { id: 'a', isActive: true, price: 9.5, nameEn: 'A', endedAt: null, minutes: 30 };
  assert.deepEqual(viewBy(Shown, row, { nameEn: 'A' }), { ...view, createdAt: '1970-01-01T03:00:00+03:00' });
  assert.equal(viewBy(Shown, { ...row, price: null }, { nameEn: 'A' }).price, null);
  assert.equal(viewBy(Shown, row, { nameEn: 'A', price: 1 }).price, 1);
});
