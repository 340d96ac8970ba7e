import type { Caller, AccessProfile } from '@steward/access';
import { createLog, createMetrics, createRouter, fail, listen, newId, systemClock } from '@steward/kernel';
import { createCatalogue, createTools, tools as own, type ToolsDeps } from '@steward/tools';
import { askingTools } from './asking-tools.ts';
import { contentTools } from './content-tools.ts';

export interface SuiteServer extends AsyncDisposable {
  readonly url: string;
  /** Headers that a request needs; the suite cannot send any of its own. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The product's own endpoint with the suite's tools, an owner's token and a tenant. */
export async function startSuiteServer(): Promise<SuiteServer> {
  const log = createLog('silent');
  const metrics = createMetrics();
  const listener = await listen('127.0.0.1', 0, log);
  const origin = `http://127.0.0.1:${listener.port}`;
  const token = newId();
  const tenant = newId();
  const unused: ToolsDeps['recordDenied'] = async () => undefined;
  const tools = createTools({
    addresses: { mcp: `${origin}/mcp`, mcpAlias: `${origin}/rpc` },
    internalAddress: 'http://127.0.0.1:1/internal/mcp',
    version: '0.1.0',
    toolCatalogue: createCatalogue(own, [...contentTools, ...askingTools]),
    authenticate: (authorization) => {
      if (authorization !== `Bearer ${token}`) throw fail('unauthenticated', 'The suite sends one token.');
      return owner;
    },
    authorizationServers: [`${origin}/idp`],
    accessProfile: (_caller, named) => (named === tenant ? standing : undefined),
    orgsOf: async () => [],
    contextFor: (caller, named, requestId) => ({
      tenant: named,
      chain: caller.chain,
      subject: caller.subject,
      caller: caller.principal,
      requestId,
      correlationId: requestId,
      spend: () => undefined,
      require: () => {
        throw new TypeError('the suite has no database');
      },
    }),
    recordDenied: unused,
    platformStatus: async () => ({ ready: true, checks: [] }),
    stateKey: crypto.getRandomValues(new Uint8Array(32)),
    metrics,
    log,
    clock: systemClock,
  });
  const router = await createRouter({
    server: listener.server,
    mounts: [],
    doors: tools.doors,
    log,
    observe: metrics.observe,
  });
  listener.open(router.handle);
  return {
    url: `${origin}/mcp`,
    headers: { authorization: `Bearer ${token}`, 'x-tenant-id': tenant },
    [Symbol.asyncDispose]: async () => {
      await listener.close(0);
      await router.close();
    },
  };
}

const owner: Caller = {
  principal: { type: 'user', id: 'owner' },
  subject: { type: 'user', id: 'owner' },
  agentId: 'suite',
  chain: [{ type: 'user', id: 'owner' }],
  human: true,
  service: false,
  displayName: 'Owner',
  email: undefined,
  scopes: new Set(['mcp:read', 'mcp:write']),
  namesToolScopes: true,
  platformRoles: new Set(),
  audiences: [],
  clientId: 'suite',
  issuer: undefined,
  tenantClaim: undefined,
  authTime: undefined,
  expiresAt: Number.MAX_SAFE_INTEGER,
};

const standing: AccessProfile = {
  role: 'owner',
  persona: 'general',
  entitlements: new Set(['read', 'write']),
  deniedTools: new Set(),
  policyVersion: 1,
  accessVersion: 0n,
  grant: undefined,
  validUntil: Number.MAX_SAFE_INTEGER,
};
