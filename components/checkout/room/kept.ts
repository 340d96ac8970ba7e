import { type Row, sql, type Statement, type TenantContext } from '@steward/sql';
import { keepDrafts } from '../permissions.ts';
import { type Part, partNames } from './parts.ts';

/** Bytes as the database keeps them. */
export type Kept = Readonly<Record<Part, number>>;

/** What is kept of carts, of checkouts without an order, and of what requests for them were answered; functions/count-kept.sql counts it. */
export const selectKept = (tenant: string): Statement =>
  sql`select part, sum(bytes)::float8 as bytes from checkout.kept where tenant_id = ${tenant}::uuid group by part`;

export const keptFrom = (rows: readonly Row[]): Kept => {
  const found = new Map(rows.map(({ part, bytes }) => [part, Number(bytes)]));
  return Object.fromEntries(partNames.map((part) => [part, found.get(part) ?? 0])) as Kept;
};

export const readKept = async (context: TenantContext): Promise<Kept> =>
  keptFrom(await context.require(keepDrafts).read(selectKept(context.tenant)));

/** Bytes of all of it. What was bought is not among them: it stays, and is no draft. */
export const cartBytes = async (context: TenantContext): Promise<number> =>
  Object.values(await readKept(context)).reduce((sum, bytes) => sum + bytes, 0);
