import { fail, isId } from '@steward/kernel';
import { statement, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { type BankLine, lineColumns, presentLine } from './line.ts';

export interface LineFilter {
  /** Code or id. */
  readonly account: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only lines of which a part is not explained yet. */
  readonly unmatched?: boolean | undefined;
}

export interface LinePage {
  readonly items: BankLine[];
  readonly nextCursor: string | null;
}

/** Lines of an account's statements by day, the earliest first. */
export async function listLines(
  context: TenantContext,
  filter: LineFilter,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<LinePage> {
  const [day, id] = page.cursor === undefined ? [null, null] : readCursor(page.cursor);
  const rows = await context.require(readBooks).read(
    statement(
      `select * from (select ${lineColumns} from accounting.account a
         join accounting.bank_line l on l.tenant_id = a.tenant_id and l.account_id = a.account_id
         where a.tenant_id = $1::uuid and (a.code = $2 or a.account_id::text = lower($2))
           and ($3::date is null or l.day >= $3) and ($4::date is null or l.day <= $4)
           and ($5::date is null or (l.day, l.line_id) > ($5::date, $6::uuid))
         order by l.day, l.line_id) lines
       where not $7::boolean or unmatched <> 0 limit $8::int`,
      [
        context.tenant,
        filter.account,
        filter.from ?? null,
        filter.to ?? null,
        day,
        id,
        filter.unmatched ?? false,
        page.limit + 1,
      ],
    ),
  );
  const items = rows.slice(0, page.limit).map(presentLine);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > page.limit && last !== undefined ? `${last.day}.${last.id}` : null };
}

function readCursor(cursor: string): [string, string] {
  const match = /^(\d{4}-\d{2}-\d{2})\.(.+)$/.exec(cursor);
  if (match?.[1] === undefined || !isId(match[2] ?? '') || Number.isNaN(Date.parse(match[1])))
    throw fail('invalid_cursor', 'Send back the next_cursor of an earlier page as it was.');
  return [match[1], match[2] ?? ''];
}
