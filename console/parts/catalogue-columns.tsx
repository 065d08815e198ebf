import { t } from '../language.ts';
import { ActiveBadge } from './active-badge.tsx';
import { numberColumn } from './columns.tsx';
import type { Column } from './table.tsx';

type Named = { nameEn: string; nameAr: string };
type Ordered = { isActive: boolean; sortOrder: number };

/** The names in both languages as columns. */
export const nameColumns = <Row extends Named>(): Column<Row>[] => [
  { name: 'nameEn', sorts: true, label: t('cat.nameEn'), cell: ({ nameEn }) => <bdi>{nameEn}</bdi> },
  { name: 'nameAr', sorts: true, label: t('cat.nameAr'), cell: ({ nameAr }) => <bdi>{nameAr}</bdi> },
];

/** Visibility to partners, and the sort order of lists, which is the default. */
export const orderColumns = <Row extends Ordered>(): Column<Row>[] => [
  {
    name: 'isActive',
    sorts: true,
    label: t('field.status'),
    cell: ({ isActive }) => <ActiveBadge isActive={isActive} />,
  },
  { ...numberColumn('sortOrder', t('cat.order')), sorts: 'ASC' },
];
