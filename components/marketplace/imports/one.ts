import { NeverApplies } from '@steward/callbacks';
import { newId, Problem } from '@steward/kernel';
import type { Tenancy, TenantContext, TenantTransaction } from '@steward/sql';
import { type Channel, holdChannel } from '../channels/channel.ts';
import { importOrder } from '../orders/import.ts';
import { fetchOrder } from '../orders/projection.ts';
import { serveChannels } from '../permissions.ts';
import type { ImportPorts } from '../ports.ts';
import { importProduct } from '../products/import.ts';
import type { Ask, ClientPorts } from '../shopify/client.ts';
import { readProduct } from '../shopify/product.ts';

export interface ImportOnePorts extends ImportPorts, ClientPorts {
  readonly tenancy: Tenancy;
}

/** Of one thing: all that comes of it is one workflow in the log. */
export function contextOf({ tenancy }: Pick<ImportOnePorts, 'tenancy'>, tenant: string): TenantContext {
  const service = { type: 'service', id: 'marketplace' } as const;
  const requestId = newId();
  return tenancy.systemContext({
    tenant,
    chain: [service],
    subject: service,
    caller: service,
    requestId,
    correlationId: requestId,
  });
}

interface One {
  readonly tenant: string;
  readonly kind: 'products' | 'orders';
  readonly channel: Channel;
  readonly ask: Ask;
  readonly id: string;
}

/** One product or order, in a transaction of its own. Whether it could be imported: what never can be is counted, and does not stop the others. */
export async function importOne(ports: ImportOnePorts, { tenant, kind, channel, ask, id }: One): Promise<boolean> {
  const context = contextOf(ports, tenant);
  try {
    if (kind === 'products') {
      const product = await readProduct(ask, id);
      if (product === undefined) return true;
      await connected(context, channel, async (tx, own) => importProduct(tx, ports, own, product));
    } else {
      const fetched = await fetchOrder(context, channel, ask, id);
      if (fetched === undefined) return true;
      await connected(context, channel, async (tx, own) =>
        importOrder(tx, ports, own, fetched.order, fetched.products),
      );
    }
    return true;
  } catch (error) {
    if (error instanceof NeverApplies || (error instanceof Problem && error.status < 500)) {
      ports.log.warn(
        { because: error.message, kind, id, channel: channel.id },
        'marketplace: something cannot be imported',
      );
      return false;
    }
    throw error;
  }
}

/** Nothing is imported once the channel was disconnected meanwhile. */
const connected = async (
  context: TenantContext,
  { id }: Channel,
  work: (tx: TenantTransaction, channel: Channel) => Promise<unknown>,
): Promise<void> =>
  context.require(serveChannels).write(async (tx) => {
    const held = await holdChannel(tx, id);
    if (held.status === 'connected') await work(tx, held);
  });
