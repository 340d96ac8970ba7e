import type { BusEvent, Consumer } from '@steward/bus';
import type { Deliveries } from '@steward/deliveries';
import { sql, type TenantTransaction } from '@steward/sql';
import type { Mode, Protocol, Standing } from '../words.ts';
import { refusalOf } from './told.ts';

/** A checkout of an agent that became an order. */
export interface AgentSale {
  readonly checkoutId: string;
  readonly agentId: string;
  readonly brandId: string;
  readonly mode: Mode;
}

/** How a protocol tells agents of orders. */
export interface OrderTelling<Sale extends AgentSale> {
  readonly protocol: Protocol;
  /** Undefined: it is no order of an agent. */
  readonly saleOf: (tx: TenantTransaction, orderId: string) => Promise<Sale | undefined>;
  /** What the agent is told, to the byte; undefined: nothing. @param release of the protocol, as the agent said last, if it says one */
  readonly bodyOf: (
    tx: TenantTransaction,
    about: { readonly orderId: string; readonly sale: Sale; readonly release: string; readonly event: BusEvent },
  ) => Promise<string | undefined>;
}

/** After these the agent sees another order than before. */
const types = [
  'commerce.order.placed',
  'commerce.order.paid',
  'commerce.order.edited',
  'commerce.order.cancelled',
  'commerce.order.fulfilled',
  'commerce.order.refunded',
  'commerce.fulfilment.updated',
  'commerce.fulfilment.tracked',
  'commerce.return.requested',
  'commerce.return.received',
];

/**
 * Has agents told of the orders that they placed: of each event once, and of the events of an order in their order. What is told is the order as it is when the event is handled, which
 * is as new as the event or newer. Whoever may not ask for the order is not told of it: an agent that is shut out, while the door is closed, or open in the other mode.
 */
export const orderTeller = <Sale extends AgentSale>(
  { protocol, saleOf, bodyOf }: OrderTelling<Sale>,
  deliveries: Pick<Deliveries, 'tell'>,
): Consumer => ({
  name: `${protocol}.orders`,
  types,
  onFailure: 'dead-letter',
  gathers: 30,
  handle: async (tx, event) => {
    const orderId = String(event.data['orderId']);
    const sale = await saleOf(tx, orderId);
    const to = sale === undefined ? undefined : await recipientOf(tx, sale, protocol);
    if (sale === undefined || to === undefined) return;
    const { agentId, brandId } = sale;
    const body = await bodyOf(tx, { orderId, sale, release: to.release, event });
    if (body === undefined) return;
    await deliveries.tell(tx, { agentId, brandId, url: to.url, event, subject: orderId, body });
  },
});

async function recipientOf(
  tx: TenantTransaction,
  { agentId, brandId, mode }: AgentSale,
  protocol: Protocol,
): Promise<{ readonly url: string | undefined; readonly release: string } | undefined> {
  const { tenant } = tx.context;
  const [row] = await tx.query<{
    standing: Standing;
    trusted_only: boolean;
    webhook_url: string | null;
    release: string | null;
  }>(sql`
    select a.standing, d.trusted_only, a.webhook_url, a.release from agentic.agent a
    join agentic.door d on d.tenant_id = a.tenant_id and d.brand_id = a.brand_id and d.protocol = a.protocol and d.active and d.mode = ${mode}
    where a.tenant_id = ${tenant}::uuid and a.agent_id = ${agentId}::uuid and a.brand_id = ${brandId}::uuid and a.protocol = ${protocol}`);
  if (row === undefined || refusalOf(row, { trustedOnly: row.trusted_only }) !== undefined) return undefined;
  const { webhook_url: url, release } = row;
  if (url === null) return undefined;
  // Agents without profiles are told where the organization says.
  if (protocol === 'acp') return { url: undefined, release: '' };
  return release === null ? undefined : { url, release };
}
