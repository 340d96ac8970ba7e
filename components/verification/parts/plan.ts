import type pg from 'pg';
import { blockRows } from '../rows/principal-blocks.ts';
import type { Part } from './part.ts';

export interface Plan {
  readonly parts: readonly Part[];
  /** Tenants that have a head. */
  readonly tenants: ReadonlySet<string>;
  /** What the heads say. */
  readonly events: number;
}

export interface PlanOptions {
  readonly workers: number;
  /** Nothing but this tenant. */
  readonly tenant?: string | undefined;
  /** Events in a part, about; a part has to be worth its connections. */
  readonly share?: number;
  /** A tenant is never cut: its days are compared as a whole. */
  readonly whole?: boolean;
}

const leastEvents = 20_000;
/** In one part: their heads are held in memory. */
const mostTenants = 10_000;

/**
 * Shares the log out: tenants together as long as they are small, a large one in ranges of sequences. All parts
 * together are the whole log, tenants without a head too.
 */
export async function planParts(client: pg.Client, options: PlanOptions): Promise<Plan> {
  const { tenant: only, workers } = options;
  const { rows } = await client.query<{ tenant: string; events: string }>(
    `select tenant_id as tenant, sequence as events from audit.head where $1::uuid is null or tenant_id = $1 order by tenant_id`,
    [only ?? null],
  );
  const events = rows.reduce((sum, row) => sum + Number(row.events), 0);
  const tenants = new Set(rows.map(({ tenant }) => tenant));
  const share = options.share ?? Math.max(leastEvents, Math.ceil(events / workers));
  const parts: Part[] = [];
  let after: string | undefined;
  let gathered = 0;
  let count = 0;
  const close = (through: string | undefined): void => {
    parts.push({ after, through });
    after = through;
    gathered = 0;
    count = 0;
  };
  for (const row of rows) {
    const own = Number(row.events);
    if (own > share && options.whole !== true) {
      close(before(row.tenant));
      parts.push(...(await ranges(client, row.tenant, share)));
      after = row.tenant;
      continue;
    }
    gathered += own;
    count += 1;
    if (gathered >= share || count >= mostTenants) close(row.tenant);
  }
  if (only === undefined) close(undefined);
  else if (!parts.some((part) => 'tenant' in part)) parts.push({ tenant: only, from: 1, to: undefined });
  return { parts: only === undefined ? parts : parts.filter((part) => 'tenant' in part), tenants, events };
}

/** Up to the last row, whatever the head says: so the last range meets the end of the chain. */
async function ranges(client: pg.Client, tenant: string, share: number): Promise<Part[]> {
  const { rows } = await client.query<{ last: string | null }>(
    'select max(sequence) as last from audit.event where tenant_id = $1',
    [tenant],
  );
  const last = Number(rows[0]?.last ?? 0);
  // Whole blocks, whose principals are compared together.
  const even = Math.ceil(last / Math.max(1, Math.ceil(last / share)));
  const size = even < blockRows ? Math.max(1, even) : Math.ceil(even / blockRows) * blockRows;
  const pieces = Math.ceil((last + 1) / size);
  return Array.from({ length: pieces }, (_, index) => ({
    tenant,
    from: Math.max(1, index * size),
    to: index === pieces - 1 ? undefined : (index + 1) * size,
  }));
}

/** The id just before one. */
function before(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
