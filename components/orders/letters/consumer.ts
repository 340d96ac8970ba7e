import type { BusEvent, Consumer } from '@steward/bus';
import type { Identity } from '@steward/identity';
import { foldedAddress, isNews, owe } from '@steward/mail';
import { sql, type TenantTransaction } from '@steward/sql';
import type { Mode } from '../words.ts';
import { aboutOf, buyer, component, type Fact } from './fact.ts';
import { quotas, room, type Wanted } from './quota.ts';
import { readerOf, readersIn } from './readers.ts';

export interface TellingPorts {
  readonly identity: Pick<Identity, 'memberships'>;
  /** Letters of a tenant to buyers in a day. */
  readonly lettersPerDay: number;
}

/** By what is announced in the transaction of the order itself, so that no letter is lost. */
const facts: Readonly<Record<string, (ids: Readonly<Record<string, string>>) => Fact>> = {
  'commerce.order.placed': ({ orderId = '' }) => ({ kind: 'placed', orderId }),
  'commerce.order.cancelled': ({ orderId = '' }) => ({ kind: 'cancelled', orderId }),
  'commerce.order.fulfilled': ({ orderId = '', fulfilmentId = '' }) => ({ kind: 'shipped', orderId, fulfilmentId }),
  'commerce.order.refunded': ({ orderId = '', refundId = '' }) => ({ kind: 'refunded', orderId, refundId }),
};

/** Owes letters about orders. They hold ids alone; their words are written from the order's row when their turn comes. */
export const letterConsumer = (ports: TellingPorts): Consumer => ({
  name: 'orders.letters',
  types: Object.keys(facts),
  onFailure: 'dead-letter',
  handle: async (tx, { type, data }: BusEvent) => {
    const fact = facts[type]?.(data as Readonly<Record<string, string>>);
    if (fact !== undefined) await tell(tx, ports, fact);
  },
});

async function tell(tx: TenantTransaction, ports: TellingPorts, fact: Fact): Promise<void> {
  const about = aboutOf(fact);
  const order = await orderOf(tx, fact);
  if (order === undefined || !isNews(order.at)) return;
  const wanted = [
    ...(await buyerOf(tx, ports, fact, order)),
    ...(fact.kind === 'placed' ? await membersFor(tx, ports) : []),
  ];
  await owe(tx, { by: component, about, readers: await room(tx, about, wanted) });
}

interface Ordered {
  readonly email: string | null;
  readonly mode: Mode;
  /** When the fact happened. */
  readonly at: Date;
}

/** Whom nobody erases until the letter is noted. */
async function orderOf(tx: TenantTransaction, fact: Fact): Promise<Ordered | undefined> {
  const { tenant } = tx.context;
  const [row] = await tx.query<{ email: string | null; mode: Mode; at: Date }>(sql`
    select o.email, o.mode, coalesce(
        (select f.created_at from orders.fulfilment f where f.tenant_id = o.tenant_id and f.fulfilment_id = ${'fulfilmentId' in fact ? fact.fulfilmentId : null}::uuid),
        (select r.created_at from orders.refund r where r.tenant_id = o.tenant_id and r.refund_id = ${'refundId' in fact ? fact.refundId : null}::uuid),
        case when ${fact.kind} = 'cancelled' then o.cancelled_at end, o.placed_at) as at
    from orders.sales_order o where o.tenant_id = ${tenant}::uuid and o.order_id = ${fact.orderId}::uuid for key share of o`);
  return row === undefined ? undefined : { email: row.email, mode: row.mode, at: row.at };
}

/** Of a test nobody buys, and its address may be anybody's: only a member's is written to. */
async function buyerOf(
  tx: TenantTransaction,
  { identity, lettersPerDay }: TellingPorts,
  { kind }: Fact,
  { email, mode }: Ordered,
): Promise<Wanted[]> {
  const address = email ?? undefined;
  if (address === undefined) return [];
  if (mode === 'test' && (await identity.memberships.mailedAmong(tx, [foldedAddress(address)])).size === 0) return [];
  const mostToAddress = kind === 'placed' ? quotas.placedToAddress : quotas.toAddress;
  return [{ reader: buyer, address, most: lettersPerDay, mostToAddress }];
}

const membersFor = async (tx: TenantTransaction, { identity }: TellingPorts): Promise<Wanted[]> =>
  (await readersIn(identity, { read: tx.query })).map((member) => ({
    reader: readerOf(member),
    most: quotas.toMember,
  }));
