import { page, type Page, type PageRequest, placeOf, statement, type TenantContext } from '@steward/sql';
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

const form = /^(\d{4}-\d{2}-\d{2})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** Lines of an account's statements by day, the earliest first. */
export async function listLines(
  context: TenantContext,
  filter: LineFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<BankLine>> {
  const [day, id] = cursor === undefined ? [null, null] : placeOf(cursor, form);
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
        limit + 1,
      ],
    ),
  );
  return page(rows, limit, presentLine, (last) => `${last.day}.${last.id}`);
}
