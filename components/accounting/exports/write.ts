import { heavily } from '@steward/access';
import { csvRow } from '@steward/contract';
import { statement, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import type { Table } from './tables.ts';

const pageSize = 500;

/**
 * A table as CSV (RFC 4180), a page at a time. Personal data of customers and suppliers is in it, for members only: the
 * heading comes with the first page, so that a stranger is refused before any line.
 */
export async function* tableCsv(context: TenantContext, table: Table): AsyncGenerator<string> {
  const page = (after: string) =>
    context
      .require(heavily(readBooks))
      .read<{ readonly key: string }>(statement(table.select, [context.tenant, after, pageSize]));
  let rows = await page(table.first);
  yield csvRow(table.columns);
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    for (const row of rows) yield csvRow(table.cells(row));
    rows = await page(last.key);
  }
}
