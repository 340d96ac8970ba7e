import { createHash } from 'node:crypto';
import { NeverApplies } from '@steward/callbacks';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { type Channel, holdChannel, readChannel } from '../channels/channel.ts';
import { event } from '../events.ts';
import type { ImportOnePorts } from '../imports/one.ts';
import { serveChannels } from '../permissions.ts';
import { linkedTo, linkListed } from '../products/link.ts';
import type { Ask } from '../shopify/client.ts';
import { readProduct, type ShopProduct } from '../shopify/product.ts';
import { changesOf, type Described, findOwn, matchVariants, readCurrency, setProduct } from '../shopify/product-set.ts';

interface Row extends Record<string, unknown> {
  readonly product_id: string;
  readonly external_id: string | null;
  readonly offered: boolean;
  readonly said: Buffer | null;
  readonly had: Buffer | null;
  readonly attention: Attention | null;
  readonly detail: string | null;
  /** With all its digits. */
  readonly due: string;
}

type Attention = 'gone' | 'no_price' | 'refused' | 'kept_otherwise';

/** What came of comparing one; without digests it is compared to the end next time. */
interface Compared {
  readonly attention: Attention | null;
  readonly detail?: string | null;
  readonly said?: Buffer;
  readonly had?: Buffer;
  /** As the shop has it now, where it was read. */
  readonly there?: ShopProduct;
}

interface Comparing {
  readonly ports: ImportOnePorts;
  readonly context: TenantContext;
  readonly channel: Channel;
  readonly ask: Ask;
}

/** Products in one round: each takes several questions. */
const mostProducts = 5;

/**
 * Compares what is due of a channel whose products are described here with its shop, and tells it what differs. A webhook may be lost, so each is
 * compared again within a day. One that the shop refuses is noted, and does not stop the others.
 */
export async function compareListings(
  ports: ImportOnePorts,
  context: TenantContext,
  channelId: string,
  ask: Ask,
  signal: AbortSignal,
): Promise<void> {
  const scope = context.require(serveChannels);
  const channel = await readChannel(scope, channelId);
  const rows =
    channel.products === 'shop'
      ? []
      : await scope.read<Row>(sql`
          select product_id, external_id, offered, said, had, attention, detail, due_at::text as due from marketplace.listing
          where tenant_id = ${context.tenant}::uuid and channel_id = ${channelId}::uuid and due_at <= clock_timestamp()
          order by due_at limit ${mostProducts}`);
  for (const row of rows) {
    signal.throwIfAborted();
    try {
      const compared = await compareOne({ ports, context, channel, ask }, row);
      await scope.write(async (tx) => settle(tx, ports, channelId, row, compared));
    } catch (error) {
      // Whatever fails again and again comes after the others.
      await scope.write(async (tx) => {
        await tx.query(sql`
          update marketplace.listing set due_at = clock_timestamp()
          where tenant_id = ${context.tenant}::uuid and channel_id = ${channelId}::uuid and product_id = ${row.product_id}::uuid`);
      });
      throw error;
    }
  }
  await scope.write(async (tx) => goOn(tx, channelId));
}

async function compareOne({ ports, context, channel, ask }: Comparing, row: Row): Promise<Compared> {
  const { product_id: productId } = row;
  let there: ShopProduct | undefined;
  try {
    const externalId = row.external_id ?? (await findOwn(ask, productId));
    there = externalId === undefined ? undefined : await readProduct(ask, externalId);
  } catch (error) {
    if (error instanceof NeverApplies) return { attention: 'refused', detail: error.message };
    throw error;
  }
  if (there === undefined && row.external_id !== null) return { attention: 'gone' };
  const currency = there?.currency ?? (await readCurrency(ask));
  const described = await describe(ports, context, row, currency);
  if (described === undefined) return { attention: 'no_price', ...(there === undefined ? {} : { there }) };
  const said = digestOf({ ...described, currency });
  // As it was left: what the shop made of it then stays so.
  if (there !== undefined && row.said?.equals(said) === true && row.had?.equals(stateOf(there)) === true)
    return { attention: row.attention, detail: row.detail, said, had: stateOf(there), there };
  const known = await linkedTo({ context, query: context.require(serveChannels).read }, channel.id, productId);
  const differing = (one: ShopProduct | undefined) =>
    changesOf(described, one, matchVariants(described.variants, one?.variants ?? [], known), {
      currency,
      counted: channel.stock !== 'none',
    });
  const changes = differing(there);
  if (changes === undefined) {
    if (there === undefined) throw new Error('what is not there differs');
    return { attention: null, said, had: stateOf(there), there };
  }
  const set = await setProduct(ask, there === undefined ? { productId } : { externalId: there.id }, changes);
  if ('refused' in set) return { attention: 'refused', detail: set.refused, ...(there === undefined ? {} : { there }) };
  const after = await readProduct(ask, set.id);
  if (after === undefined) return { attention: 'gone' };
  const still = differing(after);
  return {
    attention: still === undefined ? null : 'kept_otherwise',
    detail: still === undefined ? null : Object.keys(still).join(', '),
    said,
    had: stateOf(after),
    there: after,
  };
}

/** A product as it is described here; undefined where a variant has no price in the currency. */
async function describe(
  { products }: Pick<ImportOnePorts, 'products'>,
  context: TenantContext,
  { product_id: productId, offered }: Row,
  currency: string,
): Promise<Described | undefined> {
  const { id, title, description, vendor, type, tags, status, options, variants, media } = await products.get(context, {
    productId,
  });
  const priced = variants.flatMap(({ prices, ...one }) => {
    const price = prices.find((each) => each.currency === currency && each.minQuantity === 1);
    return price === undefined ? [] : [{ ...one, price: price.amount, compareAt: price.compareAt }];
  });
  if (priced.length < variants.length) return undefined;
  return {
    id,
    title,
    description,
    vendor,
    type,
    tags,
    // What was taken off is sold nowhere in the shop, and stays in its orders.
    status: offered || status === 'archived' ? status : 'draft',
    options,
    variants: priced,
    pictures: media.flatMap(({ url, alt }) => (url?.startsWith('https:') === true ? [{ url, alt }] : [])),
  };
}

const digestOf = (value: unknown): Buffer => createHash('sha256').update(JSON.stringify(value, withDigits)).digest();
const withDigits = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** What a shop says of a product, without what is no description. */
const stateOf = ({ updatedAt: _updated, variants, ...about }: ShopProduct): Buffer =>
  digestOf({ ...about, variants: variants.map(({ available: _available, tracked: _tracked, ...one }) => one) });

/** What was marked again meanwhile stays due. */
async function settle(
  tx: TenantTransaction,
  ports: Pick<ImportOnePorts, 'products'>,
  channelId: string,
  row: Row,
  { attention, detail = null, said, had, there }: Compared,
): Promise<void> {
  const held = await holdChannel(tx, channelId);
  if (held.status !== 'connected' || held.products === 'shop') return;
  if (there !== undefined) await linkListed(tx, ports, held, row.product_id, there);
  await tx.query(sql`
    update marketplace.listing set attention = ${attention}, detail = ${detail}, said = ${said ?? null}, had = ${had ?? null},
      external_id = ${there?.id ?? row.external_id},
      due_at = case when due_at <> ${row.due}::timestamptz then due_at else clock_timestamp() + interval '1 day' end
    where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${channelId}::uuid and product_id = ${row.product_id}::uuid`);
  if (there !== undefined && row.external_id === null)
    tx.record(
      event('commerce.channel.product_created', {
        channel_id: channelId,
        product_id: row.product_id,
        external_id: there.id,
      }),
    );
}

/** When the next is due. */
async function goOn(tx: TenantTransaction, channelId: string): Promise<void> {
  const { tenant } = tx.context;
  await holdChannel(tx, channelId);
  await tx.query(sql`
    update marketplace.task t set state = case when n.due is null then 'done' else 'due' end, next_at = n.due, attempts = 0, leased_until = null,
      last_error = null, updated_at = clock_timestamp()
    from (
      select min(i.due_at) as due from marketplace.channel c
      left join marketplace.listing i on i.tenant_id = c.tenant_id and i.channel_id = c.channel_id and c.products = 'here'
      where c.tenant_id = ${tenant}::uuid and c.channel_id = ${channelId}::uuid) n
    where t.tenant_id = ${tenant}::uuid and t.channel_id = ${channelId}::uuid and t.kind = 'listings'`);
}
