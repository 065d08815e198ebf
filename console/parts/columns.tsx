import { dateTime, money, number } from '../format.ts';
import { t } from '../language.ts';
import { Linked } from './linked.tsx';
import type { Column } from './table.tsx';

/** Columns that lists of several pages have. */

type OfBooking = { bookingId: string; trackingReference: string };

export const bookingColumn = <Row extends OfBooking>(): Column<Row> => ({
  name: 'trackingReference',
  label: t('field.tracking'),
  cell: ({ bookingId, trackingReference }) => (
    <Linked address={`/bookings/${bookingId}`} text={trackingReference} />
  ),
});

export const partnerColumn = <Row extends { partnerName: string }>(): Column<Row> => ({
  name: 'partner',
  label: t('field.partner'),
  cell: ({ partnerName }) => <bdi>{partnerName}</bdi>,
});

/** SAR. */
export const moneyColumn = <Name extends string, Row extends Record<Name, number>>(
  name: Name,
  label: string,
): Column<Row> => ({ name, label, end: true, cell: (row) => <bdi>{money(row[name])}</bdi> });

export const numberColumn = <Name extends string, Row extends Record<Name, number>>(
  name: Name,
  label: string,
): Column<Row> => ({ name, label, end: true, cell: (row) => number(row[name]) });

/** When the row was created, the default order of its list. */
export const createdColumn = <Row extends { createdAt: string }>(): Column<Row> => ({
  name: 'createdAt',
  sorts: 'DESC',
  label: t('field.created'),
  cell: ({ createdAt }) => dateTime(createdAt),
});
