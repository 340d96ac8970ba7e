import { type Log, Problem, ProviderRefused, ProviderUnavailable } from '@steward/kernel';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { createLoop, type Loop } from '@steward/work';
import { readChannel } from '../channels/channel.ts';
import { announcement, event } from '../events.ts';
import { compareStock, type ComparePorts } from '../inventory/compare.ts';
import { compareListings } from '../listings/compare.ts';
import { serveChannels } from '../permissions.ts';
import { type Ask, askShop } from '../shopify/client.ts';
import { readLocations } from '../shopify/inventory.ts';
import { defineOwnIds } from '../shopify/product-set.ts';
import { contextOf, importOne } from './one.ts';
import { type Page, readPage, registerWebhooks } from './pages.ts';

export interface ImportWorkerPorts extends ComparePorts {
  /** Where shops report. */
  readonly address: string;
  readonly log: Log;
}

/** How often each process looks for work. Milliseconds. */
const every = 2_000;
/** Rounds at once, and tasks of each: a shop that does not answer holds up one round. */
const loopsOfProcess = 3;
const tasksOfRound = 2;
/** After so many failures without a page between, it is given up: a person begins it again. */
const mostAttempts = 20;

type Kind = 'webhooks' | 'products' | 'orders' | 'listings' | 'stock';

/** A shop may take so long to set a product with a thousand variants. Milliseconds. */
const setsWithin = 60_000;

interface Task extends Record<string, unknown> {
  readonly tenant_id: string;
  readonly channel_id: string;
  readonly kind: Kind;
}

/** Carries out a page of tasks that are due; answers how many were tried. */
async function importDue(ports: ImportWorkerPorts, signal: AbortSignal): Promise<number> {
  const due = await ports.tenancy.pool.query<Task>(
    sql`select tenant_id, channel_id, kind from marketplace.claim_tasks(interval '2 minutes', ${tasksOfRound})`,
  );
  const tried = await Promise.allSettled(due.map(async (task) => attempt(ports, task, signal)));
  const failed = tried.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return due.length;
}

async function attempt(ports: ImportWorkerPorts, task: Task, signal: AbortSignal): Promise<void> {
  const context = contextOf(ports, task.tenant_id);
  try {
    const deadline = task.kind === 'listings' ? setsWithin : undefined;
    const ask = await askShop(ports, context, task.channel_id, signal, deadline);
    if (ask === undefined) await give(context, task, 'The channel is disconnected.');
    else await page(ports, context, task, ask, signal);
  } catch (error) {
    if (signal.aborted) return;
    const known = error instanceof ProviderUnavailable || error instanceof ProviderRefused || error instanceof Problem;
    if (!known && !(error instanceof Error && error.name === 'ProviderUnavailable'))
      ports.log.warn({ err: error, tenant: task.tenant_id, channel: task.channel_id }, 'marketplace: an import failed');
    await putOff(
      context,
      task,
      error instanceof Error && known ? error.message : 'An internal error: see the log of the server.',
      error,
    );
  }
}

async function page(
  ports: ImportWorkerPorts,
  context: TenantContext,
  task: Task,
  ask: Ask,
  signal: AbortSignal,
): Promise<void> {
  const scope = context.require(serveChannels);
  const { kind, channel_id: channelId } = task;
  if (kind === 'stock') return compareStock(ports, context, channelId, ask, signal);
  if (kind === 'listings') return compareListings(ports, context, channelId, ask, signal);
  const paged: Paged = { kind, channel_id: channelId };
  const channel = await readChannel(scope, task.channel_id);
  if (kind === 'webhooks') {
    const done = await registerWebhooks(ask, ports.address, channel.stock !== 'none');
    if (channel.products === 'here') await defineOwnIds(ask);
    const locations = JSON.stringify(await readLocations(ask));
    await scope.write(async (tx) => {
      await tx.query(sql`
        update marketplace.channel set webhooks_at = clock_timestamp(), shop_locations = ${locations}::jsonb, updated_at = clock_timestamp()
        where tenant_id = ${context.tenant}::uuid and channel_id = ${task.channel_id}::uuid and status = 'connected'`);
      await turn(tx, paged, { page: { ids: [], next: undefined, total: done }, from: null, done, failed: 0 });
    });
    return;
  }
  const [row] = await scope.read<{ cursor: string | null }>(sql`
    select cursor from marketplace.task
    where tenant_id = ${context.tenant}::uuid and channel_id = ${task.channel_id}::uuid and kind = ${kind}`);
  const from = row?.cursor ?? null;
  const read = await readPage(ask, kind, from);
  let [done, failed] = [0, 0];
  for (const id of read.ids) {
    signal.throwIfAborted();
    if (await importOne(ports, { tenant: task.tenant_id, kind, channel, ask, id })) done += 1;
    else failed += 1;
  }
  await scope.write(async (tx) => turn(tx, paged, { page: read, from, done, failed }));
}

/** What is carried out page by page, and ends. */
interface Paged extends Pick<Task, 'channel_id'> {
  readonly kind: Exclude<Kind, 'listings' | 'stock'>;
}

interface Turned {
  readonly page: Page;
  readonly from: string | null;
  readonly done: number;
  readonly failed: number;
}

/** Counts a page and goes on to the next one, unless another process has done so. */
async function turn(tx: TenantTransaction, { channel_id: channelId, kind }: Paged, turned: Turned): Promise<void> {
  const { page: read, from, done, failed } = turned;
  const last = read.next === undefined;
  const [row] = await tx.query<{ done: number; failed: number }>(sql`
    update marketplace.task set cursor = ${read.next ?? null}, done = done + ${done}::int, failed = failed + ${failed}::int,
      total = coalesce(total, ${read.total}::int), state = case when ${last}::boolean then 'done' else 'due' end,
      next_at = case when ${last}::boolean then null else clock_timestamp() end, attempts = 0, leased_until = null, last_error = null, updated_at = clock_timestamp()
    where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${channelId}::uuid and kind = ${kind} and state = 'due'
      and cursor is not distinct from ${from}
    returning done, failed`);
  if (row === undefined || !last) return;
  tx.record(
    event('commerce.channel.import_finished', { channel_id: channelId, kind, done: row.done, failed: row.failed }),
  );
  tx.publish(announcement('commerce.channel.import_finished', { channelId, kind }, { subject: channelId }));
}

/** Later and later, up to ten minutes, or when the shop says; after too many failures an import waits for a person. What is kept in step is never given up. */
async function putOff(context: TenantContext, task: Task, words: string, error: unknown): Promise<void> {
  const most = task.kind === 'stock' || task.kind === 'listings' ? null : mostAttempts;
  const wait = error instanceof ProviderUnavailable ? (error.retryAfter ?? null) : null;
  await context.require(serveChannels).write(async (tx) => {
    await tx.query(sql`
    update marketplace.task set attempts = attempts + 1, leased_until = null, last_error = ${words.slice(0, 1_000)}, updated_at = clock_timestamp(),
      state = case when attempts + 1 >= ${most}::int then 'failed' else 'due' end,
      next_at = case when attempts + 1 >= ${most}::int then null
        else clock_timestamp() + coalesce(make_interval(secs => ${wait}::double precision / 1000), least(interval '1 second' * power(2, least(attempts, 20)), interval '10 minutes')) end
    where tenant_id = ${context.tenant}::uuid and channel_id = ${task.channel_id}::uuid and kind = ${task.kind} and state = 'due'`);
  });
}

async function give(context: TenantContext, task: Task, words: string): Promise<void> {
  await context.require(serveChannels).write(async (tx) => {
    await tx.query(sql`
    update marketplace.task set state = 'failed', next_at = null, leased_until = null, last_error = ${words}, updated_at = clock_timestamp()
    where tenant_id = ${context.tenant}::uuid and channel_id = ${task.channel_id}::uuid and kind = ${task.kind} and state = 'due'`);
  });
}

export function createImporter(ports: ImportWorkerPorts): Loop {
  const loops = Array.from({ length: loopsOfProcess }, () =>
    createLoop({
      round: async (stopping) => ((await importDue(ports, stopping)) > 0 ? 0 : every),
      failed: (err) => ports.log.warn({ err }, 'marketplace: a round failed'),
      retry: { first: every, longest: 30_000 },
      patience: 5_000,
    }),
  );
  return {
    start: () => loops.forEach((loop) => loop.start()),
    stop: async () => void (await Promise.all(loops.map(async (loop) => loop.stop()))),
    wake: (milliseconds) => loops.forEach((loop) => loop.wake(milliseconds)),
  };
}
