import { permit } from '@steward/access';
import type { Identity } from '@steward/identity';
import { addressDigest, addressStates, type Owed, type WordsOwed } from '@steward/mail';
import type { PrincipalRef } from '@steward/kernel';
import type { Tenancy, TenantScope, TenantTransaction } from '@steward/sql';
import type { OrderTokens } from '../buyer/token.ts';
import { readShown, type Shown, type ShownPorts } from '../shown/shown.ts';
import { buyer, factOf } from './fact.ts';
import { buyerLetter, merchantLetter } from './letter.ts';
import { readerOf, readersIn } from './readers.ts';

/** The platform's own reading: for letters, and for whoever has an order's link. */
const tellBuyers = permit('orders.tell', ['platform']);
const itself: PrincipalRef = { type: 'system', id: 'orders' };

export interface WritingPorts extends ShownPorts {
  readonly tenancy: Tenancy;
  readonly identity: Pick<Identity, 'memberships'>;
  readonly tokens: OrderTokens;
  /** `{commerce_api_url}` */
  readonly commerce: string;
}

/** Orders of a tenant as the process itself reads them. */
export const readerScope = (tenancy: Tenancy, tenant: string, orderId: string): TenantScope =>
  tenancy
    .systemContext({
      tenant,
      chain: [itself],
      subject: itself,
      caller: itself,
      requestId: `orders-${orderId}`,
      correlationId: orderId,
    })
    .require(tellBuyers);

/**
 * Writes a letter as the order is now. Undefined where nobody is to get it any more: the person was erased, mail servers refuse the address, or the
 * member has left.
 */
export async function writeLetter(
  ports: WritingPorts,
  tenant: string,
  { about, reader }: Owed,
): Promise<WordsOwed | undefined> {
  const fact = factOf(about);
  if (fact === undefined) return undefined;
  const scope = readerScope(ports.tenancy, tenant, fact.orderId);
  const shown = await readShown(scope, fact.orderId, ports, fact.kind === 'refunded' ? fact.refundId : undefined);
  if (shown === undefined) return undefined;
  const page = orderPage(ports, tenant, fact.orderId);
  const to = reader === buyer ? await addressOf(scope, shown) : await memberAddress(ports, scope, reader);
  const letter = reader === buyer ? buyerLetter(fact, shown, page) : merchantLetter(shown, page);
  return letter === undefined || to === undefined ? undefined : { to, ...letter };
}

/** Where its buyer sees an order. */
export const orderPage = (
  { tokens, commerce }: Pick<WritingPorts, 'tokens' | 'commerce'>,
  tenant: string,
  orderId: string,
): string => `${commerce}/orders/${orderId}?t=${tokens.of({ tenant, orderId })}`;

async function addressOf({ context, read }: TenantScope, { order }: Shown): Promise<string | undefined> {
  if (order.email === null) return undefined;
  const digest = addressDigest(order.email);
  const query = read as TenantTransaction['query'];
  const state = (await addressStates({ context, query }, [digest])).get(digest);
  return (state?.stoppedAt ?? null) === null ? order.email : undefined;
}

const memberAddress = async (
  { identity }: WritingPorts,
  scope: TenantScope,
  reader: string,
): Promise<string | undefined> =>
  (await readersIn(identity, scope)).find((member) => readerOf(member) === reader)?.email;
