import { createProviderClient, type Log, ProviderRefused } from '@steward/kernel';
import type { Token } from '../channels/token.ts';
import type { Connector, MarketplaceSettings } from '../settings.ts';
import { missingScopes, scopesIn } from './shop.ts';

export interface OAuthPorts {
  readonly settings: MarketplaceSettings['marketplace'];
  readonly log: Log;
}

/** The shop grants less than the app needs. */
export class ScopesMissing extends Error {
  override readonly name = 'ScopesMissing';
}

/**
 * What a shop grants for a code, or for the token before. Tokens that end are asked for, because public apps may have no others from 2027 on.
 * Sources: https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/offline-access-tokens
 * @throws ProviderRefused where it grants nothing, ProviderUnavailable, ScopesMissing
 */
export async function askForToken(
  { settings, log }: OAuthPorts,
  { clientId, clientSecret }: Connector,
  shop: string,
  grant: { readonly code: string } | { readonly refreshToken: string },
  signal?: AbortSignal,
): Promise<Token> {
  const client = createProviderClient({ name: 'Shopify', base: settings.addressOf(shop), log });
  const { body } = await client.call('POST', '/admin/oauth/access_token', {
    form: {
      client_id: clientId,
      client_secret: clientSecret,
      ...('code' in grant
        ? { code: grant.code, expiring: '1' }
        : { grant_type: 'refresh_token', refresh_token: grant.refreshToken }),
    },
    ...(signal === undefined ? {} : { signal }),
  });
  const said = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const accessToken = textOf(said['access_token']);
  if (accessToken === undefined) throw new ProviderRefused('Shopify answered without a token', 200, 'no_token');
  const granted = scopesIn(textOf(said['scope']) ?? '');
  const missing = missingScopes(granted);
  if (missing.length > 0) throw new ScopesMissing(missing.join(', '));
  const lasts = said['expires_in'];
  return {
    accessToken,
    scopes: granted,
    refreshToken: textOf(said['refresh_token']) ?? null,
    expiresAt: typeof lasts === 'number' && lasts > 0 ? Date.now() + lasts * 1000 : null,
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length > 0 && value.length <= 2_000 ? value : undefined;
