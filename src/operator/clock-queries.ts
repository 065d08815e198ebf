import type { Tx } from '../db/connection.ts';
import { firstOf, rowsOf, tablesOf } from '../db/tables.ts';
import type { SandboxClockTable } from './table.ts';

const tables = tablesOf<{ sandbox_clock: SandboxClockTable }>();

/** The stored offset of the clock in seconds; locks it until the end of the transaction. */
export async function lockOffset(tx: Tx): Promise<number> {
  const row = await firstOf(tx, tables.selectFrom('sandbox_clock').select('offset_seconds').forUpdate());
  return row?.offset_seconds ?? 0;
}

/** Stores the offset of the clock in seconds. */
export async function setOffset(tx: Tx, seconds: number): Promise<void> {
  await rowsOf(tx, tables.updateTable('sandbox_clock').set({ offset_seconds: seconds }));
}
