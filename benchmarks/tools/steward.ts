import { createServer } from 'node:http';
import type { AccessProfile } from '@steward/access';
import { createIdentity, asAgent } from '@steward/identity';
import { createLog, createMetrics, createRouter, systemClock } from '@steward/kernel';
import { createTenancy, openPool, statement } from '@steward/sql';
import { createCatalogue, createTools, tools as own } from '@steward/tools';
import { catalogue } from './catalogue.ts';
import { contend } from './contestant.ts';

/** Steward's endpoint with the real token check; profiles come from a table that is never missed, as its cache would. */
contend(async ({ dataDir, issuer, mcp, tenants }) => {
  const log = createLog('warn');
  const metrics = createMetrics();
  const unused = async (): Promise<void> => undefined;
  const pool = openPool({ url: 'postgres://127.0.0.1:1/none' });
  const tenancy = createTenancy({ pool, openTenant: () => statement('select 1'), append: unused, publish: unused });
  const identity = createIdentity({
    config: { issuers: [], serviceTokens: [], dataDir },
    addresses: { issuer },
    pool,
    tenancy,
    clock: systemClock,
    log,
  });
  const profiles = new Map(tenants.map((tenant) => [tenant, profileIn()]));
  const tools = createTools({
    addresses: { mcp, mcpAlias: `${new URL(mcp).origin}/rpc` },
    internalAddress: 'http://127.0.0.1:1/internal/mcp',
    version: '0.0.1',
    toolCatalogue: createCatalogue([...own, ...catalogue]),
    authenticate: identity.authenticate,
    authorizationServers: [issuer],
    accessProfile: (_caller, tenant) => profiles.get(tenant),
    orgsOf: async () => [],
    contextFor: (caller, tenant, requestId) => identity.context(asAgent(caller), tenant, { requestId }),
    recordDenied: unused,
    platformStatus: async () => ({ ready: true, checks: [] }),
    stateKey: new Uint8Array(32),
    metrics,
    log,
    clock: systemClock,
  });
  const server = createServer();
  const { handle } = await createRouter({ server, mounts: [], doors: tools.doors, log, observe: metrics.observe });
  server.on('request', handle);
  return server;
});

const profileIn = (): AccessProfile => ({
  role: 'owner',
  persona: 'general',
  entitlements: new Set(['read', 'write']),
  deniedTools: new Set(),
  policyVersion: 1,
  accessVersion: 0n,
  grant: undefined,
  validUntil: Number.MAX_SAFE_INTEGER,
});
