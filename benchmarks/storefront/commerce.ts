import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { permit } from '@steward/access';
import * as audit from '@steward/audit';
import * as bus from '@steward/bus';
import * as checkout from '@steward/checkout';
import * as commerce from '@steward/commerce';
import * as crm from '@steward/crm';
import * as identity from '@steward/identity';
import {
  clientAddressReader,
  createLog,
  createMetrics,
  createRouter,
  listen,
  newId,
  readConfig,
  systemClock,
} from '@steward/kernel';
import { createLimiter } from '@steward/limits';
import {
  createTenancy,
  openPool,
  platformMigrations,
  sql,
  type TenantContext,
  type TenantTransaction,
} from '@steward/sql';
import * as orders from '@steward/orders';
import * as portal from '@steward/portal';
import * as studio from '@steward/studio';

const unlimited = { perAddressPerMinute: 1_000_000_000, perKeyPerMinute: 1_000_000_000 };
const anything = permit('bench', ['platform']);

export const sources = [
  platformMigrations,
  ...[identity, audit, portal, bus, crm, studio, commerce].map(({ name, migrations: folder }) => ({
    component: name,
    folder,
  })),
];

/** A tenant with a site, a key and a form of eight fields, of which `mapped` go to a contact. */
export interface Shop {
  readonly context: TenantContext;
  readonly key: studio.SiteKey;
  readonly text: string;
  readonly formId: string;
}

/** The storefront as the server runs it, with limits that are counted and never reached. @param quotas whether those are, too */
export async function openCommerce(databaseUrl: string, { quotas = false } = {}) {
  const pool = openPool({ url: databaseUrl, size: 16 });
  const log = createLog('silent');
  const metrics = createMetrics();
  const dataDir = await mkdtemp(join(tmpdir(), 'steward-bench-'));
  const grammars = [commerce.grammar, crm.grammar, studio.grammar];
  const chain = audit.createAudit({ pool, grammars, log, metrics, dataDir });
  const together = { append: chain.appendTogether, publish: bus.publishTogether };
  const tenancy = createTenancy({
    pool,
    openTenant: identity.openTenant,
    append: chain.append,
    publish: bus.publish,
    together,
    ...(quotas ? { spend: (tenant, what, amount) => meter.spend(tenant, what, amount) } : {}),
  });
  const config = readConfig({ DATA_DIR: dataDir }, [identity, studio, portal]);
  const platform = { type: 'system', id: 'platform' } as const;
  const meter = portal.createMeter({
    quotasOf: portal.quotasOf,
    plans: config.plans,
    ceilings: config.ceilings,
    makeRoom: checkout.makeRoom,
    counters: {
      attachmentBytes: async () => ({ amount: 0 }),
      callbackBytes: async () => ({ amount: 0 }),
      cartBytes: async (context) => ({ amount: await checkout.cartBytes(context) }),
      submissions: async (context, before) => {
        const count = await commerce.countSubmissions(context, before as commerce.SubmissionCount | undefined);
        return { ...count, amount: count.settled + count.recent };
      },
      events: async (context) => ({ amount: (await audit.readChain(context, {})).head?.sequence ?? 0 }),
      webhooks: async () => ({ amount: 0 }),
    },
    within: (tenant) =>
      tenancy.systemContext({
        tenant,
        chain: [platform],
        subject: platform,
        caller: platform,
        requestId: 'b',
        correlationId: 'b',
      }),
    clock: systemClock,
    log,
  });
  const listener = await listen('127.0.0.1', 0, log);
  const addresses = config.addresses(listener.port);
  const studioComponent = studio.createStudio({
    tenancy,
    log,
    secret: Buffer.alloc(32, 7),
    limits: config.studio,
    storefront: addresses.storefront,
    brandIn: async (tx) => tx.context.tenant,
    recipients: {
      membersAmong: async () => new Set(),
      leftAmong: async () => new Map(),
      toStrangers: true,
      links: studio.createLinks(Buffer.alloc(32, 7), addresses.studio, systemClock),
    },
    contactFields: async () => new Set(),
    submissionPage: (id) => `${addresses.commerce}/api/submissions/${id}`,
  });
  const ports = {
    contactOf: async (tx: TenantTransaction, buyer: orders.Buyer) =>
      (await crm.resolveContact(tx, { ...buyer, custom: {} })).contactId,
  };
  const secret = Buffer.alloc(32, 7);
  const orderTokens = orders.createOrderTokens(secret);
  const sessions = checkout.sessionDeps({
    secret,
    orders: {
      place: async (tx, placing, beside) => orders.place(tx, placing, ports, beside),
      preparePlacing: async (tx, checkoutId) => orders.preparePlacing(tx, checkoutId, ports),
      orderTokens,
      payments: orders.createPayments({ settings: { api: new URL('http://127.0.0.1:9'), account: undefined }, log }),
      howToPay: async (_tx, settings, choice) => orders.instructionsFor(settings, choice),
      orderPage: (_tenant, orderId) => `${addresses.commerce}/orders/${orderId}`,
    },
  });
  const shop = commerce.createCommerce({
    tenancy,
    identity: identity.createIdentity({ config, addresses, pool, tenancy, clock: systemClock, log }),
    addresses,
    clientAddress: clientAddressReader([]),
    storefront: studioComponent.storefront,
    limiter: createLimiter({ url: '', pool, log, metrics }),
    checkout: { sessions },
    orders: { orderTokens },
    limits: unlimited,
    tellsContact: true,
    log,
    metrics,
  });
  const router = await createRouter({
    server: listener.server,
    mounts: [{ base: addresses.commerce, register: (scope) => shop.mount(scope) }],
    doors: [],
    log,
    observe: metrics.observe,
  });
  listener.open(shop.quickly(router.handle));
  const tenant = async (): Promise<TenantContext> => {
    const owner = { type: 'user', id: 'alice' } as const;
    const admission = {
      tenant: newId(),
      chain: [owner],
      subject: owner,
      caller: owner,
      requestId: 'b',
      correlationId: 'b',
    };
    await tenancy
      .systemContext(admission)
      .require(anything)
      .write(async (tx) => {
        await tx.query(sql`insert into identity.member (tenant_id, principal_type, principal_id, role)
          values (${admission.tenant}, 'user', 'alice', 'owner')`);
        await chain.provision(tx);
      });
    return tenancy.context(admission);
  };
  return {
    pool,
    port: listener.port,
    submit: shop.submit,
    ingest: chain.ingest,
    meter,
    open: async (mapped: boolean): Promise<Shop> => {
      const context = await tenant();
      const { deps, storefront } = studioComponent;
      const site = await studio.createSite(context, { name: 'Shop', origins: ['https://shop.example'] }, deps);
      const issued = await studio.issueKey(context, { siteId: site.id, label: 'Web', mode: 'live' }, deps);
      const made = await studio.createForm(
        context,
        {
          siteId: site.id,
          name: 'Contact',
          fields: Array.from({ length: 8 }, (_one, n) => ({
            name: n === 0 ? 'email' : `field_${n}`,
            label: `Field ${n}`,
            type: 'text',
            required: n < 3,
            ...(mapped && n === 0 ? { mapsTo: 'email' } : {}),
          })),
        },
        studioComponent.deps,
      );
      await studio.publishForm(context, { formId: made.id }, deps);
      const text = issued.key ?? '';
      const key = await storefront.keyOf(text);
      if (key === undefined) throw new Error('the key is not known');
      return { context, key, text, formId: made.id };
    },
    close: async () => {
      await shop[Symbol.asyncDispose]();
      await studioComponent[Symbol.asyncDispose]();
      await chain[Symbol.asyncDispose]();
      await router.close();
      await listener.close(0);
      await pool.close();
    },
  };
}
