import { hotStatement, pg, rowList } from '../db/statement.ts';

/** Files of the builds of browser pages. Rows are locked in the order of their names. */

export const FILES = rowList({ name: pg.text, body: pg.bytea });

export const NOTE_PAGE_FILES = hotStatement({
  name: 'note-page-files',
  takes: { base: pg.text, names: pg.texts, now: pg.timestamptz },
  returns: { name: pg.text },
  text: `
    with known as (
      select base, name from page_files where base = :base and name = any (:names) order by name for no key update
    )
    update page_files f set used_at = greatest(f.used_at, :now) from known
    where f.base = known.base and f.name = known.name returning f.name`,
});

export const INSERT_PAGE_FILES = hotStatement({
  name: 'insert-page-files',
  takes: { base: pg.text, now: pg.timestamptz, ...FILES.takes },
  returns: {},
  text: `
    insert into page_files (base, name, body, used_at)
    select :base, file.name, file.body, :now from ${FILES.as('file')} order by file.name
    on conflict (base, name) do nothing`,
});

export const FIND_PAGE_FILE = hotStatement({
  name: 'find-page-file',
  waitsFor: 'base',
  takes: { base: pg.text, name: pg.text },
  returns: { body: pg.bytea },
  text: 'select body from page_files where base = :base and name = :name',
});

export const DELETE_PAGE_FILES = hotStatement({
  name: 'delete-page-files',
  takes: { before: pg.timestamptz },
  returns: {},
  text: 'delete from page_files where used_at < :before',
});
