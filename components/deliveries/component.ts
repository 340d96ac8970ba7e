import type { Decider, ReadAccessProfile } from '@steward/access';
import type { Audit } from '@steward/audit';
import type { Consumer } from '@steward/bus';
import type { Route } from '@steward/contract';
import type { Identity, Integrations } from '@steward/identity';
import { type Addresses, createGuardedPost, type Deferred, type Log, lookupFor, type Metrics } from '@steward/kernel';
import type { Owed, WordsOwed } from '@steward/mail';
import type { Tenancy, TenantTransaction } from '@steward/sql';
import type { Catalogue, Tool } from '@steward/tools';
import type { AgentRequests } from './agents/requests.ts';
import { type Aim, aimAgent, tellAgent, type Telling } from './agents/tell.ts';
import { enqueuer } from './deliveries/enqueue.ts';
import { webhookRoutes } from './endpoints/routes.ts';
import { madeWebhooks } from './endpoints/made.ts';
import { targetOf } from './endpoints/target.ts';
import { webhookTools } from './endpoints/tools.ts';
import type { Webhook } from './endpoints/webhook.ts';
import { writeLetter } from './letters/write.ts';
import { deliveriesMetrics } from './metrics.ts';
import type { DeliveriesPorts } from './ports.ts';
import { createCleanup } from './sending/cleanup.ts';
import { giveUpOn } from './sending/give-up.ts';
import { loadTarget } from './sending/load.ts';
import { defaultTimings, type Timings } from './sending/timings.ts';
import { createWorker } from './sending/worker.ts';
import type { DeliveriesSettings } from './settings.ts';
import type { Announced } from './announced.ts';
import { createStreams } from './stream/streams.ts';
import { streamRoute } from './stream/route.ts';

export const name = 'deliveries';
export const tools: readonly Tool<DeliveriesPorts>[] = webhookTools;
export { deliveriesNouns as nouns } from './nouns.ts';
export { deliveriesSettings as settings } from './settings.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { recorded } from './recorded.ts';
export { deliveriesFail as errors } from './errors.ts';
export { grammar, published } from './events.ts';
export { countWebhooks } from './endpoints/count.ts';
export { forgetTold } from './agents/forget.ts';
export type { AgentRequests, ToldAgent } from './agents/requests.ts';
export type { Telling } from './agents/tell.ts';
export type { AnnouncedTo } from './announced.ts';
export { webhook, type Webhook } from './endpoints/webhook.ts';
export { type Answered, failed, judged, NotSent } from './sending/outcome.ts';
export type { DeliveriesSettings } from './settings.ts';
export { type Judging, targetOf } from './endpoints/target.ts';
export {
  stuckWebhooks,
  summarize as summarizeWebhooks,
  type StuckWebhook,
  type WebhookCount,
} from './operating/summarize.ts';

export interface DeliveriesNeeds {
  readonly config: DeliveriesSettings;
  readonly tenancy: Tenancy;
  readonly identity: Identity;
  readonly audit: Pick<Audit, 'secrets'>;
  readonly portal: { readonly accessProfile: ReadAccessProfile; nameOf(tenant: string): Promise<string> };
  readonly addresses: Pick<Addresses, 'portal'>;
  readonly toolCatalogue: Pick<Catalogue, 'bind'>;
  /** The types of all events that some component announces. */
  readonly announced: Announced;
  readonly decider: Pick<Decider, 'requireFor' | 'decidesThrough'>;
  readonly leaving: () => boolean;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly awaited: {
    readonly deliveries: Deferred<Pick<Deliveries, 'writeLetter'>>;
    readonly agents: Deferred<AgentRequests>;
  };
  /** For tests; what is not given is as usual. */
  readonly timings?: Partial<Timings>;
}

export interface Deliveries {
  readonly serves: readonly [{ readonly at: 'portal'; readonly routes: readonly Route[] }];
  readonly consumers: readonly Consumer[];
  readonly integrations: readonly Integrations[];
  /** For the mail worker: the words of a letter about a webhook. */
  writeLetter(tenant: string, owed: Owed): Promise<WordsOwed | undefined>;
  /** Has an agent told of an event, from the caller's transaction on. */
  tell(tx: TenantTransaction, telling: Telling): Promise<void>;
  /**
   * Says where an agent whose protocol has no address of its own is told; its first secret has it begin.
   * @throws Problem `invalid_request` (400)
   */
  aim(tx: TenantTransaction, to: Aim): Promise<{ readonly webhook: Webhook; readonly changed: boolean }>;
  start(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Its routes are served at the portal's address: `/api/webhooks…` and `/api/events/stream`. */
export function create(needs: DeliveriesNeeds): Deliveries {
  const { config, tenancy, identity, audit, portal, addresses, toolCatalogue, log, metrics, awaited } = needs;
  const { ports: allowed, toLoopback, suite, deadline, streams: mostStreams, streamsPerTenant } = config.webhooks;
  const { pool } = tenancy;
  const counters = deliveriesMetrics(metrics, pool);
  const { secrets } = audit;
  const { announced } = needs;
  const post = createGuardedPost({ loopback: toLoopback, ports: allowed, deadline, bytesKept: 2_048 });
  const worker = createWorker({
    pool,
    post: post.post,
    deadline,
    timings: { ...defaultTimings, ...(suite ? { downAfter: Infinity } : {}), ...needs.timings },
    load: loadTarget({ tenancy, secrets, agents: awaited.agents }),
    giveUp: async (tenant, endpointId, reason) => giveUpOn({ tenancy, identity }, tenant, endpointId, reason),
    metrics: counters,
    log,
  });
  const cleanup = createCleanup({ tenancy, identity, pool, log });
  const streams = createStreams({
    pool,
    most: { tenant: streamsPerTenant, process: mostStreams },
    leaving: needs.leaving,
    counted: counters.streams,
    log,
  });
  identity.heed((tenant) => streams.judgeAgain(tenant));
  const ports: DeliveriesPorts = {
    secrets,
    accessProfile: portal.accessProfile,
    decider: needs.decider,
    tenancy,
    announced,
    judge: (url) => void lookupFor(url, { loopback: toLoopback, ports: allowed, plain: true }),
    changed: worker.changed,
  };
  toolCatalogue.bind(tools, ports);
  const guard = identity.tenant(addresses.portal);
  const writing = { tenancy, identity, organizationName: async (tenant: string) => portal.nameOf(tenant) };
  const deliveries: Deliveries = {
    serves: [
      {
        at: 'portal',
        routes: [
          ...webhookRoutes(guard, ports),
          streamRoute(guard, { streams, accessProfile: portal.accessProfile, decider: needs.decider, announced }),
        ],
      },
    ],
    consumers: [
      enqueuer([...announced.keys()], (tenant) => {
        worker.queued(tenant);
        streams.told();
      }),
    ],
    integrations: [madeWebhooks(ports)],
    writeLetter: async (tenant, owed) => writeLetter(writing, tenant, owed),
    tell: async (tx, telling) => {
      const { tenant } = tx.context;
      const told = await tellAgent(tx, telling);
      if (told === undefined) return;
      tx.afterCommit(() => {
        if (told.moved) worker.changed(tenant, told.webhookId);
        worker.queued(tenant);
      });
    },
    aim: async (tx, to) => {
      const done = await aimAgent(tx, { ...to, url: targetOf(ports, to.url) });
      tx.afterCommit(() => worker.changed(tx.context.tenant, done.webhook.id));
      return done;
    },
    start: () => {
      worker.start();
      cleanup.start();
      streams.start();
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([worker.stop(), cleanup.stop(), streams.stop()]);
      post.close();
    },
  };
  awaited.deliveries.give(deliveries);
  return deliveries;
}
