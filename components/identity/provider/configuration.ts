import { createGuardedFetch, isLoopback, type Addresses } from '@steward/kernel';
import type { Client, Configuration, KoaContextWithOIDC, ResourceServer } from 'oidc-provider';
import { InvalidTarget } from 'oidc-provider/lib/helpers/errors.js';
import { settleMetadata } from './clients/metadata.ts';
import { errorMain } from './pages/error.ts';
import { pageHeaders, pageText } from './pages/page.ts';
import { signedOutMain, signOutMain } from './pages/sign-out.ts';
import { resourceOf } from './resources.ts';
import { approvalScope, approverClient, offeredScopes } from './scopes.ts';
import { adapterFactory } from './store/adapter.ts';
import type { Setting } from './setting.ts';

const hour = 3600;
const fortnight = 14 * 24 * hour;

/** How `oidc-provider` is to behave; what it leaves to us is in the files beside. */
export function configure(setting: Setting): Configuration {
  const { addresses, accounts, keys, unsafePublic } = setting;
  const mount = setting.issuer.pathname.replace(/\/$/, '');
  return {
    adapter: adapterFactory(setting.folder),
    clients: setting.clients.map((client) => ({ ...client })),
    jwks: { keys: [keys.signing as never] },
    cookies: {
      keys: [keys.secret],
      names: { session: 'steward_idp', interaction: 'steward_idp_step', resume: 'steward_idp_resume' },
      long: { path: `${mount}/`, httpOnly: true, sameSite: 'lax' },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    routes: {
      authorization: '/authorize',
      token: '/token',
      registration: '/register',
      revocation: '/revoke',
      end_session: '/sign-out',
      jwks: '/jwks',
    },
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: Object.keys(offeredScopes),
    claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
    conformIdTokenClaims: false,
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    enabledJWA: { idTokenSigningAlgValues: ['ES256'], clientAuthSigningAlgValues: ['ES256', 'RS256', 'EdDSA'] },
    clientDefaults: {
      // Not 'web': what is left open is settled by `settleMetadata`.
      application_type: null as never,
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
    },
    // Called once for each property named here, for every client, whether or not it has the property.
    extraClientMetadata: {
      properties: ['software_id'],
      validator: (_ctx, _key, _value, metadata) => settleMetadata(metadata),
    },
    ttl: {
      AccessToken: hour,
      AuthorizationCode: 60,
      ClientCredentials: hour,
      Grant: fortnight,
      IdToken: hour,
      Interaction: hour,
      RefreshToken: fortnight,
      Session: 24 * hour,
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // Sessions end with the process, and what was granted does not.
    expiresWithSession: async () => false,
    rotateRefreshToken: true,
    clientBasedCORS: (_ctx, origin, client) => isPageOf(client, origin, setting.issuer),
    fetch: createGuardedFetch({
      accept: 'application/json',
      userAgent: 'steward-development-idp',
      loopback: !unsafePublic,
    }) as never,
    fetchResponseBodyLimits: {
      'client_id metadata document': 16_384,
      jwks_uri: 65_536,
      sector_identifier_uri: 65_536,
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (ctx, form) => {
          ctx.set(pageHeaders);
          ctx.body = pageText({ title: 'Sign out', main: signOutMain(form), unsafePublic });
        },
        postLogoutSuccessSource: async (ctx) => {
          ctx.set(pageHeaders);
          ctx.body = pageText({ title: 'Signed out', main: signedOutMain(), unsafePublic });
        },
      },
      userinfo: { enabled: false },
      resourceIndicators: {
        enabled: true,
        // Clients of before RFC 8707 mean the tool endpoint.
        defaultResource: async (_ctx, _client, oneOf) => oneOf ?? addresses.mcp,
        useGrantedResource: async () => true,
        getResourceServerInfo: (_ctx, indicator, client) => resourceServer(addresses, indicator, client),
      },
    },
    interactions: { url: (_ctx, interaction) => `${mount}/interaction/${interaction.uid}` },
    findAccount: async (_ctx, subject) => {
      const account = await accounts.find(subject);
      if (account === undefined) return undefined;
      return { accountId: subject, claims: async () => ({ sub: subject, email: account.email, name: account.email }) };
    },
    loadExistingGrant: grantFor,
    extraTokenClaims: async (ctx, token) => {
      if (token.kind !== 'AccessToken') return undefined;
      const account = await accounts.find(token.accountId);
      const source = ctx.oidc.entities.AuthorizationCode ?? ctx.oidc.entities.RefreshToken;
      const tenant = token.grantId === undefined ? undefined : await accounts.tenantOf(token.grantId);
      return {
        email: account?.email,
        name: account?.email,
        auth_time: source?.authTime,
        amr: ['dev'],
        sid: source?.sessionUid,
        tenant_id: tenant,
      };
    },
    renderError: (ctx, out) => {
      ctx.set(pageHeaders);
      ctx.body = pageText({ title: 'Error', main: errorMain(out.error, out.error_description), unsafePublic });
    },
  };
}

/**
 * Whether a page may read what is answered to a client: one of ours, one where the client's redirects lead, or one of this
 * machine, where tools are tried.
 */
function isPageOf({ redirectUris = [] }: Client, origin: string, issuer: URL): boolean {
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin) return false;
  return (
    url.origin === issuer.origin ||
    (isLoopback(issuer.hostname) && isLoopback(url.hostname)) ||
    redirectUris.some((redirect) => URL.parse(redirect)?.origin === url.origin)
  );
}

function resourceServer(addresses: Addresses, indicator: string, client: Client): ResourceServer {
  const resource = resourceOf(indicator, addresses);
  if (resource === undefined) {
    throw new InvalidTarget('the resource is no address of this server: use one that it publishes');
  }
  const scopes = Object.keys(offeredScopes);
  if (client.clientId === approverClient) scopes.push(approvalScope);
  return {
    audience: resource.audience,
    scope: scopes.join(' '),
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  };
}

/** What was consented to a moment ago. Nothing older counts, so every connection is shown; the console is our own. */
async function grantFor(ctx: KoaContextWithOIDC) {
  const { oidc } = ctx;
  const grantId = oidc.result?.consent?.grantId;
  if (grantId !== undefined) return oidc.provider.Grant.find(grantId);
  const { account, client } = oidc;
  if (account === undefined || client?.clientId !== approverClient) return undefined;
  const grant = new oidc.provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  grant.addOIDCScope([...oidc.requestParamScopes].join(' '));
  for (const resource of Object.keys(oidc.resourceServers ?? {})) {
    grant.addResourceScope(resource, [...oidc.requestParamScopes].join(' '));
  }
  await grant.save();
  return grant;
}
