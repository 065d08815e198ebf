import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { number } from '../format.ts';
import { t } from '../language.ts';
import { place, setQuery } from '../router.ts';

export type Column<Row> = {
  /** Also the server's sort key, with `sorts`. */
  name: string;
  label: string;
  cell: (row: Row) => ComponentChildren;
  /** Whether the list can be sorted by it; a direction makes it the default order. */
  sorts?: boolean | 'ASC' | 'DESC';
  /** Aligned to the end, for numbers. */
  end?: boolean;
};

/** The query parameters of the order. */
const [SORT, ORDER] = ['sortBy', 'sortOrder'];

/**
 * A list. On narrow screens each row is a block with the columns' names beside the values. `empty` explains an empty
 * list and the next step.
 */
export function Table<Row>({
  label,
  columns,
  rows,
  id,
  empty,
  group,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  id: (row: Row) => string;
  empty: ComponentChildren;
  /** Groups rows by key (null: no group), and renders a head above each group. */
  group?: { of: (row: Row) => string | null; head: (rows: readonly Row[]) => ComponentChildren };
}) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <table class="list" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <HeadCell key={column.name} column={column} />
          ))}
        </tr>
      </thead>
      {partsOf(rows, group?.of).map((part) => (
        <tbody key={id(part.rows[0]!)} class={part.isGroup ? 'group' : undefined}>
          {part.isGroup && (
            <tr>
              <th class="group-head" scope="rowgroup" colSpan={columns.length}>
                {group!.head(part.rows)}
              </th>
            </tr>
          )}
          {part.rows.map((row) => (
            <tr key={id(row)}>
              {columns.map(({ name, label: columnLabel, cell, end }) => (
                <td key={name} data-label={columnLabel} class={end ? 'end' : undefined}>
                  <Cell>{cell(row)}</Cell>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** Longer than any word of both languages: a name without spaces, an address or a reference. */
const LONG_WORD = /[^\s-]{24}/;

/** Only long words may break inside. If all text could, a table would break short words to make room for long ones. */
function Cell({ children }: { children: ComponentChildren }) {
  const cell = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    for (const element of [cell.current!, ...cell.current!.querySelectorAll('*')])
      element.toggleAttribute(
        'data-long',
        [...element.childNodes].some((node) => node instanceof Text && LONG_WORD.test(node.data)),
      );
  });
  return (
    <div class="cell" ref={cell}>
      {children}
    </div>
  );
}

type Part<Row> = { key: string | null; isGroup: boolean; rows: Row[] };

/** The rows in order, with the rows of a group at its first one. */
function partsOf<Row>(rows: readonly Row[], groupOf: (row: Row) => string | null = () => null): Part<Row>[] {
  const parts: Part<Row>[] = [];
  for (const row of rows) {
    const key = groupOf(row);
    const known = key === null ? parts.at(-1) : parts.find((part) => part.key === key);
    if (known?.key === key) known.rows.push(row);
    else parts.push({ key, isGroup: key !== null, rows: [row] });
  }
  return parts;
}

function HeadCell<Row>({ column: { name, label, sorts, end } }: { column: Column<Row> }) {
  const className = end ? 'end' : undefined;
  if (!sorts) {
    return (
      <th scope="col" class={className}>
        {label}
      </th>
    );
  }
  const { query } = place.value;
  const wanted = query.get(SORT!);
  const isSorted = wanted === null ? sorts !== true : wanted === name;
  const isAscending = (query.get(ORDER!) ?? sorts) === 'ASC';
  return (
    <th
      scope="col"
      class={className}
      aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : undefined}
    >
      <button
        type="button"
        class="quiet"
        title={t('table.sort', { column: label })}
        onClick={() => setQuery({ [SORT!]: name, [ORDER!]: isSorted && isAscending ? 'DESC' : 'ASC' })}
      >
        {label} <span aria-hidden="true">{isSorted ? (isAscending ? '▲' : '▼') : '↕'}</span>
      </button>
    </th>
  );
}

type PageMeta = { page: number; limit: number; total: number; totalPages: number };

/** The displayed page of a list and its navigation; `children` are actions on the whole list. */
export function Pager({
  meta: { page, limit, total, totalPages },
  children,
}: {
  meta: PageMeta;
  children?: ComponentChildren;
}) {
  if (total === 0) return null;
  const from = (page - 1) * limit + 1;
  const to = Math.min(page * limit, total);
  return (
    <nav class="pager" aria-label={t('table.pages')}>
      <span>{t('table.range', { from: number(from), to: number(to), total: number(total) })}</span>
      {totalPages > 1 && (
        <>
          <button type="button" disabled={page <= 1} onClick={() => setQuery({ page: page - 1 })}>
            {t('table.previous')}
          </button>
          <button type="button" disabled={page >= totalPages} onClick={() => setQuery({ page: page + 1 })}>
            {t('table.next')}
          </button>
        </>
      )}
      {children}
    </nav>
  );
}
