import { sql, statement, type Statement, type TenantScope } from '@steward/sql';
import { conditionsOf, Values } from '../events/conditions.ts';
import type { Filter, Page } from '../events/filter.ts';
import { blockSize as size } from './note-principals.ts';
import { columns, type EventRow, withPrevious } from '../events/row.ts';

const blockSize = BigInt(size);

/** Blocks noted in one transaction, so that even the first search of a long chain makes headway within its time. */
const notedAtOnce = 512;

interface Range {
  readonly first: bigint;
  /** The first sequence that is no more in the range. */
  readonly end: bigint;
}

/**
 * The newest events with a principal in their chain. Looks up the blocks that contain the principal first, a few and then ever
 * more: a principal in every block is found in the newest, and one in three of a thousand blocks is searched for in three.
 */
export async function searchPrincipal(
  scope: TenantScope,
  tenant: string,
  filter: Filter,
  { limit, below = 2n ** 62n }: Page,
): Promise<EventRow[]> {
  const found: EventRow[] = [];
  const tail = { first: await noteBlocks(scope, tenant), end: below };
  for (let take = 4, before = tail.first, ranges: Range[] = [tail]; ; take *= 4, ranges = []) {
    const bound = before < below ? before : below;
    const blocks = await scope.read<{ block: bigint }>(blockStatement(tenant, filter, { below: bound, take }));
    ranges.push(
      ...blocks.map(({ block }) => ({ first: block * blockSize, end: least((block + 1n) * blockSize, below) })),
    );
    if (ranges.length > 0)
      found.push(
        ...(await scope.read<EventRow>(rangesStatement(tenant, filter, { ranges, limit: limit - found.length }))),
      );
    const oldest = blocks.at(-1);
    if (found.length >= limit || oldest === undefined || blocks.length < take) return found;
    before = oldest.block * blockSize;
  }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Notes what is not noted yet; answers the first sequence behind the noted blocks. */
async function noteBlocks(scope: TenantScope, tenant: string): Promise<bigint> {
  for (;;) {
    const [waiting, last] = await scope.readAll([
      sql`select audit.note_principals(${tenant}, ${notedAtOnce}) as blocks`,
      sql`select block from audit.principal_block where tenant_id = ${tenant} order by block desc limit 1`,
    ]);
    const next = ((last?.[0]?.['block'] as bigint | undefined) ?? -1n) + 1n;
    if (waiting?.[0]?.['blocks'] === 0n) return next * blockSize;
  }
}

/** The newest blocks below a sequence that hold the principal. */
function blockStatement(tenant: string, filter: Filter, { below, take }: { below: bigint; take: number }): Statement {
  const { principal, sequenceFrom = 0n, sequenceTo = below, receivedFrom, receivedBefore } = filter;
  const from = sequenceFrom / blockSize;
  const to = least(sequenceTo, below - 1n) / blockSize;
  // The null of a time that is not given stays null, which neither the greatest nor the least regards.
  return sql`
    select block from audit.blocks_with(
      ${tenant}, ${principal},
      greatest(${from}::bigint, audit.first_received(${tenant}, ${receivedFrom ?? null}) / 1024),
      least(${to}::bigint, audit.first_received(${tenant}, ${receivedBefore ?? null}) / 1024),
      ${take}
    ) as block`;
}

function rangesStatement(
  tenant: string,
  filter: Filter,
  { ranges, limit }: { ranges: readonly Range[]; limit: number },
): Statement {
  const values = new Values();
  const conditions = conditionsOf(tenant, filter, values).join(' and ');
  const firsts = values.add(ranges.map(({ first }) => first));
  const ends = values.add(ranges.map(({ end }) => end));
  const most = values.add(limit);
  return statement(
    withPrevious(`
      select e.* from unnest(${firsts}::bigint[], ${ends}::bigint[]) as r (first, after)
      cross join lateral (
        select ${columns} from audit.event
        where ${conditions} and sequence >= r.first and sequence < r.after
        order by sequence desc limit ${most}
      ) e
      order by e.sequence desc limit ${most}`),
    values.all,
  );
}
