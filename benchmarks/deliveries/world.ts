import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { permit, roles } from '@steward/access';
import { createWorld as createAudited } from '@steward/audit/testing';
import { createBus, migrations as busMigrations, type Bus } from '@steward/bus';
import * as deliveries from '@steward/deliveries';
import { createIdentity } from '@steward/identity';
import { createLog, createMetrics, deferred, newId, readConfig, systemClock, undeclared } from '@steward/kernel';
import { migrations as mailMigrations } from '@steward/mail';
import { sql, type TenantContext } from '@steward/sql';
import { messageOf } from '../child.ts';

export const type = 'bench.thing.happened';
export const anything = permit('anything', [...roles, 'platform']);

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** What came since the last time this was asked. */
  came(): Promise<[id: string, at: number][]>;
}

export async function openReceiver(): Promise<Receiver> {
  const child = fork(new URL('./receiver.ts', import.meta.url));
  const { port } = await messageOf<{ port: number }>(child);
  return {
    url: `http://127.0.0.1:${port}/`,
    came: async () => {
      child.send('came');
      return messageOf(child);
    },
    [Symbol.asyncDispose]: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

export interface World extends AsyncDisposable {
  /** A bus and what sends, as a server has them; `publish` is where events come from. */
  start(): void;
  /** One event of each tenant in turn, in a transaction of its own. @returns its id, once it is committed */
  publish(n: number): Promise<string>;
  /** Many at once. */
  publishMany(count: number): Promise<void>;
}

/** Tenants, each with one webhook to the receiver. */
export async function createWorld(tenants: number, url: string): Promise<World> {
  const audited = await createAudited([
    { component: 'mail', folder: mailMigrations },
    { component: 'bus', folder: busMigrations },
    { component: deliveries.name, folder: deliveries.migrations },
  ]);
  const dataDir = await mkdtemp(join(tmpdir(), 'steward-bench-'));
  let bus: Bus | undefined;
  const process = audited.process({
    grammars: [deliveries.grammar],
    size: 24,
    publish: async (tx, events) => bus?.publish(tx, events),
  });
  const { tenancy, pool, audit } = process;
  const log = createLog('silent');
  const identity = createIdentity({
    config: { issuers: [], serviceTokens: [], dataDir },
    addresses: { issuer: 'http://127.0.0.1/idp' },
    pool,
    tenancy,
    clock: systemClock,
    log,
  });
  const metrics = createMetrics();
  const made = deliveries.create({
    config: readConfig({ DATA_DIR: dataDir, WEBHOOKS_TO_LOOPBACK: 'allow' }, [deliveries]),
    tenancy,
    identity,
    audit,
    portal: { accessProfile: async () => undefined, nameOf: async () => '' },
    addresses: { portal: 'http://127.0.0.1/portal' },
    toolCatalogue: { bind: () => undefined },
    announced: new Map([[type, undefined]]),
    decider: { requireFor: () => undefined, decidesThrough: () => false },
    leaving: () => false,
    log,
    metrics,
    awaited: { deliveries: deferred('deliveries'), agents: deferred('agents') },
  });
  bus = createBus({ tenancy, log, metrics, consumers: made.consumers });
  const contexts: TenantContext[] = [];
  for (let n = 0; n < tenants; n += 1) {
    const tenant = await process.tenant();
    const webhookId = newId();
    const sealed = await process
      .system(tenant)
      .require(anything)
      .write(async (tx) =>
        audit.secrets.seal(tx, `deliveries.endpoint/${webhookId}/${webhookId}`, Buffer.alloc(32, 1)),
      );
    await audited.admin.query(sql`
      insert into deliveries.endpoint (tenant_id, endpoint_id, url, ordering, signing, status, begins_after)
      values (${tenant}, ${webhookId}, ${url}, 'subject', 'hmac', 'active', 0)`);
    await audited.admin.query(
      sql`insert into deliveries.queue (tenant_id, endpoint_id) values (${tenant}, ${webhookId})`,
    );
    await audited.admin.query(sql`
      insert into deliveries.secret (tenant_id, endpoint_id, secret_id, sealed) values (${tenant}, ${webhookId}, ${webhookId}, ${sealed})`);
    contexts.push(process.system(tenant));
  }
  const publish = async (n: number, count: number): Promise<string> => {
    let last = '';
    await (contexts[n % contexts.length] as TenantContext).require(anything).write(async (tx) => {
      for (let one = 0; one < count; one += 1)
        last = tx.publish(undeclared({ type, source: 'bench', subject: newId(), data: { orderId: newId() } }));
    });
    return last;
  };
  return {
    start: () => {
      bus?.start();
      made.start();
    },
    publish: async (n) => publish(n, 1),
    publishMany: async (count) => {
      for (let n = 0; n < count; n += 50) await publish(n / 50, 50);
    },
    [Symbol.asyncDispose]: async () => {
      await made[Symbol.asyncDispose]();
      await bus?.[Symbol.asyncDispose]();
      await identity[Symbol.asyncDispose]();
      await audited[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
