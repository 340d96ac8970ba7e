import { csvRow } from '@steward/contract';
import { statement, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import type { Table } from './tables.ts';

const pageSize = 500;

/** A table as CSV (RFC 4180), a page at a time. Personal data of customers and suppliers is in it, for members only. */
export async function* tableCsv(context: TenantContext, table: Table): AsyncGenerator<string> {
  yield csvRow(table.columns);
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows = await context.require(readBooks).read(statement(table.select, [context.tenant, after, pageSize]));
    for (const row of rows) yield csvRow(table.cells(row));
    const last = rows.at(-1);
    if (last === undefined) return;
    after = String(last['key']);
  }
}
