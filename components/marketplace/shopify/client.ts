import type { Secrets } from '@steward/audit';
import { createProviderClient, type Log, ProviderRefused, ProviderUnavailable } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { openToken, sealToken, type Opened, type Token } from '../channels/token.ts';
import { event } from '../events.ts';
import { serveChannels } from '../permissions.ts';
import type { MarketplaceSettings } from '../settings.ts';
import { askForToken } from './oauth.ts';
import { listOf, type Members, membersOf, UnexpectedAnswer } from './read.ts';

export interface ClientPorts {
  readonly settings: MarketplaceSettings['marketplace'];
  readonly secrets: Pick<Secrets, 'open' | 'seal'>;
  readonly log: Log;
}

/** Asks one shop by GraphQL; what it answers under `data`. @throws ProviderRefused, ProviderUnavailable */
export type Ask = (query: string, variables?: Members) => Promise<Members>;

/** A token that ends so soon is renewed first. Milliseconds. */
const ahead = 5 * 60_000;

/**
 * How a channel's shop is asked; undefined where the channel is not connected any more. The token is opened for each and kept by nobody.
 * @throws Problem `master_key_missing` (503); ProviderRefused, ProviderUnavailable where a token cannot be renewed
 */
export async function askShop(
  ports: ClientPorts,
  context: TenantContext,
  channelId: string,
  signal: AbortSignal,
  /** Milliseconds until an answer must be there. */
  deadline?: number,
): Promise<Ask | undefined> {
  const { settings, secrets, log } = ports;
  const scope = context.require(serveChannels);
  const opened = await openToken({ context, query: scope.read }, secrets, channelId);
  if (opened === undefined) return undefined;
  const { accessToken } = await fresh(ports, context, channelId, opened, signal);
  const client = createProviderClient({
    name: 'Shopify',
    base: settings.addressOf(opened.shop),
    log,
    ...(deadline === undefined ? {} : { deadline }),
  });
  return async (query, variables = {}) => {
    const { body } = await client.call('POST', `/admin/api/${settings.apiVersion}/graphql.json`, {
      headers: { 'x-shopify-access-token': accessToken },
      body: { query, variables },
      signal,
    });
    const said = membersOf(body);
    const [first] = listOf(said['errors']);
    if (first !== undefined || Array.isArray(said['errors'])) throw faultOf(first ?? {}, said);
    const { data } = said;
    if (typeof data !== 'object' || data === null) throw new UnexpectedAnswer('Shopify answered nothing');
    return membersOf(data);
  };
}

/** @throws what `askForToken` does */
async function fresh(
  ports: ClientPorts,
  context: TenantContext,
  channelId: string,
  { shop, sealed, token }: Opened,
  signal: AbortSignal,
): Promise<Token> {
  const { expiresAt, refreshToken } = token;
  const { connector } = ports.settings;
  if (expiresAt === null || expiresAt - Date.now() > ahead || refreshToken === null || connector === undefined)
    return token;
  // Several may do so at once: Shopify keeps the token before good until the new one is used.
  const renewed = await askForToken(ports, connector, shop, { refreshToken }, signal);
  await context.require(serveChannels).write(async (tx) => {
    const text = await sealToken(tx, ports.secrets, channelId, renewed);
    const renewals = await tx.query(sql`
      update marketplace.channel set token = ${text}, scopes = ${renewed.scopes ?? []}::text[], updated_at = clock_timestamp()
      where tenant_id = ${context.tenant}::uuid and channel_id = ${channelId}::uuid and token = ${sealed} returning channel_id`);
    if (renewals.length > 0) tx.record(event('commerce.channel.renewed', { channel_id: channelId }));
  });
  return renewed;
}

/** A query that costs too much at this moment is tried again once the bucket has filled. */
function faultOf(first: Members, said: Members): Error {
  const { code } = membersOf(first['extensions']);
  if (code !== 'THROTTLED')
    return new ProviderRefused(
      `Shopify refused a query${typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code) ? ` (${code})` : ''}`,
      200,
      typeof code === 'string' ? code : undefined,
    );
  const cost = membersOf(membersOf(said['extensions'])['cost']);
  const { currentlyAvailable: now, restoreRate: rate } = membersOf(cost['throttleStatus']);
  const lacks = Number(cost['requestedQueryCost']) - Number(now);
  const wait = Number.isFinite(lacks) && Number(rate) > 0 ? Math.min(Math.max(lacks / Number(rate), 1), 60) : 2;
  return new ProviderUnavailable('Shopify is asked too much', wait * 1000);
}
