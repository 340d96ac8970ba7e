import { permit } from '@steward/access';
import type { Identity } from '@steward/identity';
import { addressDigest, addressStates, type Owed, type WordsOwed } from '@steward/mail';
import type { PrincipalRef } from '@steward/kernel';
import type { Tenancy, TenantScope, TenantTransaction } from '@steward/sql';
import type { OrderTokens } from '../buyer/token.ts';
import type { Language } from '../shown/format.ts';
import { readShown, type Shown, type ShownPorts } from '../shown/shown.ts';
import { buyer, factOf } from './fact.ts';
import { buyerLetter, merchantLetter, type Places } from './letter.ts';
import type { Addressing } from './addressing.ts';
import { addressReader, readerOf, readersIn } from './readers.ts';

/** The platform's own reading: for letters, and for whoever has an order's link. */
const tellBuyers = permit('orders.tell', ['platform']);
const itself: PrincipalRef = { type: 'system', id: 'orders' };

/** In which language whoever runs the shop is written to: that of its invoices. The books are accounting's. */
export interface SellerPorts {
  readonly sellerLanguage: (tx: Pick<TenantTransaction, 'context' | 'query'>) => Promise<Language>;
}

export interface WritingPorts extends ShownPorts, SellerPorts {
  readonly tenancy: Tenancy;
  readonly identity: Pick<Identity, 'memberships'>;
  readonly addressing: Pick<Addressing, 'among' | 'links'>;
  readonly tokens: OrderTokens;
  /** `{commerce_api_url}` */
  readonly commerce: string;
  /** `{portal_api_url}` */
  readonly portal: string;
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
  const shown = await readShown(scope, fact.orderId, ports, fact);
  if (shown === undefined) return undefined;
  const at = { page: orderPage(ports, tenant, fact.orderId), pictures: ports.commerce };
  if (reader === buyer) {
    const to = await addressOf(scope, shown);
    const letter = buyerLetter(fact, shown, at);
    if (letter === undefined || to === undefined) return undefined;
    return { to, ...letter, replyTo: await replyToOf(ports, scope, shown) };
  }
  const found = await merchantOf(ports, scope, shown, reader);
  if (found === undefined) return undefined;
  const query = scope.read as TenantTransaction['query'];
  const language = await ports.sellerLanguage({ context: scope.context, query });
  const console = consolePage(ports.portal, tenant, fact.orderId);
  const letter = merchantLetter(fact, shown, language, { ...at, console, wish: found.wish });
  return letter && { to: found.to, ...letter, unsubscribe: found.wish?.unsubscribe };
}

/** Where its buyer sees an order. */
export const orderPage = (
  { tokens, commerce }: Pick<WritingPorts, 'tokens' | 'commerce'>,
  tenant: string,
  orderId: string,
): string => `${commerce}/orders/${orderId}?t=${tokens.of({ tenant, orderId })}`;

/** Where members see it, once they signed in. */
const consolePage = (portal: string, tenant: string, orderId: string): string =>
  `${new URL(portal).origin}/o/${tenant}/commerce/orders/${orderId}`;

async function addressOf({ context, read }: TenantScope, { order }: Shown): Promise<string | undefined> {
  if (order.email === null) return undefined;
  const digest = addressDigest(order.email);
  const query = read as TenantTransaction['query'];
  const state = (await addressStates({ context, query }, [digest])).get(digest);
  return (state?.stoppedAt ?? null) === null ? order.email : undefined;
}

/** Where buyers answer to: not to somebody who is a member no more. */
async function replyToOf(
  { addressing }: Pick<WritingPorts, 'addressing'>,
  { context, read }: TenantScope,
  { letters: { replyTo } }: Shown,
): Promise<string | undefined> {
  if (replyTo === null) return undefined;
  const [known] = await addressing.among({ context, query: read as TenantTransaction['query'] }, [replyTo]);
  return known?.left === true ? undefined : replyTo;
}

/** A reader who runs the shop, as they are told at this moment; undefined where they are not. */
async function merchantOf(
  { identity, addressing }: WritingPorts,
  { context, read }: TenantScope,
  { letters: { newOrdersTo } }: Shown,
  reader: string,
): Promise<{ readonly to: string; readonly wish?: Places['wish'] } | undefined> {
  if (newOrdersTo === null) {
    const member = (await readersIn(identity, { read })).find((one) => readerOf(one) === reader);
    return member?.email === undefined ? undefined : { to: member.email };
  }
  const named = newOrdersTo.find(({ id }) => addressReader(id) === reader);
  if (named === undefined) return undefined;
  const query = read as TenantTransaction['query'];
  const [known] = await addressing.among({ context, query }, [named.address]);
  if (known?.told !== true) return undefined;
  const { confirm, unsubscribe } = addressing.links(context.tenant, known.digest);
  return {
    to: known.address,
    wish: { confirm: known.standing === 'unconfirmed' ? confirm : undefined, unsubscribe },
  };
}
