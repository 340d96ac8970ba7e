import type { BusEvent, Consumer } from '@steward/bus';
import type { Identity } from '@steward/identity';
import { dictionary } from '@steward/kernel';
import { foldedAddress, isNews, owe } from '@steward/mail';
import { statement, type TenantTransaction } from '@steward/sql';
import type { Mode } from '../words.ts';
import { aboutOf, buyer, component, type Fact } from './fact.ts';
import { quotas, room, type Wanted } from './quota.ts';
import type { Addressing } from './addressing.ts';
import { addressReader, readerOf, readersIn } from './readers.ts';
import type { LetterSettings } from './settings.ts';

export interface TellingPorts {
  readonly identity: Pick<Identity, 'memberships'>;
  readonly addressing: Pick<Addressing, 'among'>;
  /** Letters of a tenant to buyers in a day. */
  readonly lettersPerDay: number;
}

/** By what is announced in the transaction of the order itself, so that no letter is lost. */
const facts = dictionary<(ids: Readonly<Record<string, string>>) => Fact | undefined>({
  'commerce.order.placed': ({ orderId = '' }) => ({ kind: 'placed', orderId }),
  'commerce.order.cancelled': ({ orderId = '' }) => ({ kind: 'cancelled', orderId }),
  'commerce.order.fulfilled': ({ orderId = '', fulfilmentId = '' }) => ({ kind: 'shipped', orderId, fulfilmentId }),
  'commerce.order.edited': ({ orderId = '', editId = '' }) => ({ kind: 'edited', orderId, editId }),
  'commerce.fulfilment.tracked': ({ orderId = '', fulfilmentId = '', status }) =>
    status === 'delivered' ? { kind: 'delivered', orderId, fulfilmentId } : undefined,
  'commerce.order.refunded': ({ orderId = '', refundId = '' }) => ({ kind: 'refunded', orderId, refundId }),
});

/** Owes letters about orders. They hold ids alone; their words are written from the order's row when their turn comes. */
export const letterConsumer = (ports: TellingPorts): Consumer => ({
  name: 'orders.letters',
  types: Object.keys(facts),
  onFailure: 'dead-letter',
  gathers: 100,
  handle: async (tx, { type, data }: BusEvent) => {
    const fact = facts[type]?.(data as Readonly<Record<string, string>>);
    if (fact !== undefined) await tell(tx, ports, fact);
  },
});

async function tell(tx: TenantTransaction, ports: TellingPorts, fact: Fact): Promise<void> {
  const about = aboutOf(fact);
  const toMerchant = fact.kind === 'placed' || fact.kind === 'edited';
  const [order, members] = await Promise.all([
    orderOf(tx, fact, about),
    toMerchant ? membersFor(tx, ports) : ([] as Wanted[]),
  ]);
  if (order === undefined || !isNews(order.at)) return;
  const named = order.new_orders_to;
  const merchant = named === null || !toMerchant ? members : await addressesFor(tx, ports, named);
  const wanted = [...(await buyerOf(tx, ports, fact, order)), ...merchant];
  await owe(tx, { by: component, about, readers: await room(tx, about, wanted) });
}

interface Ordered {
  readonly email: string | null;
  readonly mode: Mode;
  /** Placed at a marketplace, which writes to its buyers itself. */
  readonly elsewhere: boolean;
  /** When the fact happened. */
  readonly at: Date;
  readonly new_orders_to: LetterSettings['newOrdersTo'];
}

/** When a fact happened that has a row of its own, or is told by one of the order `o`. A plan of its own for each costs less than one for all. */
const happenedAt = {
  placed: 'o.placed_at',
  cancelled: 'coalesce(o.cancelled_at, o.placed_at)',
  shipped: `coalesce((select f.created_at from orders.fulfilment f where f.tenant_id = o.tenant_id and f.fulfilment_id = $3::uuid), o.placed_at)`,
  delivered: `coalesce((select f.delivery_at from orders.fulfilment f where f.tenant_id = o.tenant_id and f.fulfilment_id = $3::uuid), o.placed_at)`,
  refunded: `coalesce((select r.created_at from orders.refund r where r.tenant_id = o.tenant_id and r.refund_id = $3::uuid), o.placed_at)`,
  edited: `coalesce((select d.created_at from orders.edit d where d.tenant_id = o.tenant_id and d.edit_id = $3::uuid), o.placed_at)`,
} as const satisfies Record<Fact['kind'], string>;

/** Whom nobody erases until the letter is noted. */
async function orderOf(tx: TenantTransaction, fact: Fact, about: string): Promise<Ordered | undefined> {
  const { tenant } = tx.context;
  // Behind the kind and the order: what has a row of its own.
  const [, , ...of] = about.split(' ');
  const [row] = await tx.query<Ordered & Record<string, unknown>>(
    statement(
      `select o.email, o.mode, o.channel_id is not null as elsewhere, ${happenedAt[fact.kind]} as at,
         (select s.new_orders_to from orders.letter_setting s where s.tenant_id = o.tenant_id and s.brand_id = o.brand_id) as new_orders_to
       from orders.sales_order o where o.tenant_id = $1::uuid and o.order_id = $2::uuid for key share of o`,
      [tenant, fact.orderId, ...of],
    ),
  );
  return row;
}

/** Of a test nobody buys, and its address may be anybody's: only a member's is written to. */
async function buyerOf(
  tx: TenantTransaction,
  { identity, lettersPerDay }: TellingPorts,
  { kind }: Fact,
  { email, mode, elsewhere }: Ordered,
): Promise<Wanted[]> {
  const address = email ?? undefined;
  if (address === undefined || elsewhere) return [];
  if (mode === 'test' && (await identity.memberships.mailedAmong(tx, [foldedAddress(address)])).size === 0) return [];
  const mostToAddress = kind === 'placed' ? quotas.placedToAddress : quotas.toAddress;
  return [{ reader: buyer, address, most: lettersPerDay, mostToAddress }];
}

const membersFor = async (tx: TenantTransaction, { identity }: TellingPorts): Promise<Wanted[]> =>
  (await readersIn(identity, { read: tx.query })).map((member) => ({
    reader: readerOf(member),
    most: quotas.toMember,
  }));

/** Addresses that settings name in place of the owners. Who did not ask for letters gets no more of them than a buyer does. */
async function addressesFor(
  tx: TenantTransaction,
  { addressing }: TellingPorts,
  named: NonNullable<LetterSettings['newOrdersTo']>,
): Promise<Wanted[]> {
  const ids = new Map(named.map(({ id, address }) => [address, id]));
  const known = await addressing.among(tx, [...ids.keys()]);
  return known
    .filter(({ told }) => told)
    .map(({ address, standing }) => ({
      reader: addressReader(ids.get(address) ?? ''),
      most: quotas.toMember,
      ...(standing === 'unconfirmed' ? { address, mostToAddress: quotas.toAddress } : {}),
    }));
}
