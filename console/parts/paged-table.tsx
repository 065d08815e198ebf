import type { ComponentChildren, ComponentProps } from 'preact';
import type { PageMeta } from '../contract.ts';
import type { Query } from '../query.ts';
import { Loaded } from './failed.tsx';
import { Pager, Table } from './table.tsx';

/** A list or its displayed page, once it is loaded; `children` are actions on the whole list. */
export function PagedTable<Row>({
  query,
  children,
  ...table
}: Omit<ComponentProps<typeof Table<Row>>, 'rows'> & {
  query: Query<{ data: Row[]; meta?: PageMeta }>;
  children?: ComponentChildren;
}) {
  return (
    <Loaded query={query}>
      {({ data, meta }) => (
        <>
          <Table<Row> {...table} rows={data} />
          {meta && <Pager meta={meta}>{children}</Pager>}
        </>
      )}
    </Loaded>
  );
}
