import { sql, statement, type TenantScope } from '@steward/sql';
import { conditionsOf, Values } from '../events/conditions.ts';
import type { Filter } from '../events/filter.ts';
import { columns, type EventRow, withPrevious } from '../events/row.ts';

/** Rows of one page: an event takes up to some 70 KiB. */
const pageSize = 256;

/** Sequences one statement looks through, so that each takes the same time however little passes the filter. */
const windowSize = 50_000n;

/**
 * The rows that pass a filter, up to `through`, in the order of the sequence, page by page. Rows never change and
 * none is added below the head, so pages agree with one another without a transaction around them; the caller's
 * membership is asked for with each.
 */
export async function* pages(
  scope: TenantScope,
  tenant: string,
  filter: Filter,
  through: bigint,
): AsyncGenerator<EventRow[]> {
  const { receivedFrom, receivedBefore, sequenceFrom, sequenceTo, ...rest } = filter;
  // What is not given is null, which neither the greatest nor the least regards.
  const [bounds] = await scope.read<{ first: bigint; last: bigint }>(sql`
    select greatest(1, ${sequenceFrom ?? null}::bigint, audit.first_received(${tenant}, ${receivedFrom ?? null})) as first,
      least(${through}::bigint, ${sequenceTo ?? null}::bigint, audit.first_received(${tenant}, ${receivedBefore ?? null}) - 1) as last`);
  const last = bounds?.last ?? 0n;
  for (let next = bounds?.first ?? 1n; next <= last;) {
    const end = next + windowSize - 1n < last ? next + windowSize - 1n : last;
    const rows = await scope.read<EventRow>(pageStatement(tenant, { ...rest, sequenceFrom: next, sequenceTo: end }));
    if (rows.length > 0) yield rows;
    next = rows.length < pageSize ? end + 1n : (rows.at(-1) as EventRow).sequence + 1n;
  }
}

function pageStatement(tenant: string, filter: Filter): ReturnType<typeof statement> {
  const values = new Values();
  const conditions = conditionsOf(tenant, filter, values).join(' and ');
  const page = `select ${columns} from audit.event where ${conditions} order by sequence limit ${pageSize}`;
  return statement(withPrevious(page, 'asc'), values.all);
}
