import type { Guard, Route } from '@steward/contract';
import type { GraphModule } from '@steward/graphql';
import { type Clock, type Log, type Metrics, type RecordedEvent, systemClock } from '@steward/kernel';
import type { SqlPool, TenantContext, TenantTransaction } from '@steward/sql';
import { chainRoutes } from './chains/routes.ts';
import { openChain } from './chains/open.ts';
import { createDenials, type Denial } from './denials/denials.ts';
import type { Spelling } from './envelope/faults.ts';
import { ingest, type Ingested } from './events/ingest.ts';
import { ownEntry, record } from './events/record.ts';
import { auditGraph } from './events/graph.ts';
import { type Admitted, eventRoutes } from './events/routes.ts';
import { foundation } from './grammars/foundation.ts';
import type { Grammar } from './grammars/grammar.ts';
import { createRegistry } from './grammars/registry.ts';
import { grammarRoutes } from './grammars/routes.ts';
import { createLane } from './lane/lane.ts';
import { auditMetrics } from './metrics.ts';
import { createPersonal, type PersonalVerbs } from './personal/personal.ts';
import { personalRoutes } from './personal/routes.ts';
import { beRecorded } from './policy.ts';
import { readReceiptKey, type ReceiptKey } from './receipts/key.ts';
import { signReceipt, type Receipt } from './receipts/receipt.ts';
import type { StoredEvent } from './appending/stored.ts';
import { keyRoutes } from './receipts/routes.ts';

export interface AuditDeps {
  /** The application's login. */
  readonly pool: SqlPool;
  /** What components contribute, beside the grammars that always exist. */
  readonly grammars: readonly Grammar[];
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'registry'>;
  /** 32 bytes each; the first wraps subjects' keys, the others open what they wrapped. Empty: one in the data folder. */
  readonly masterKeys?: readonly Uint8Array[];
  /** Holds the receipt key and a master key of its own, in `audit/`. */
  readonly dataDir: string;
  readonly clock?: Clock;
  /** What principals are called; names are never stored in the log. */
  readonly displayNames?: (ids: readonly string[], context: TenantContext) => Promise<ReadonlyMap<string, string>>;
}

export interface Audit {
  /** The sink of a tenancy (`TenancyPorts.append`). A fault in an event of our own fails the verb. */
  append(tx: TenantTransaction, events: readonly RecordedEvent[]): Promise<void>;
  /** Opens the chain of a new tenant; first thing in the transaction that makes it. */
  provision(tx: TenantTransaction): Promise<void>;
  /** The verb behind REST and GraphQL. */
  ingest(context: TenantContext, input: unknown, spelling: Spelling): Promise<Ingested>;
  /** Relative to the mount of the component that serves them. */
  routes(guard: Guard<Admitted>): Route[];
  /** The audit fields of the GraphQL API. */
  readonly graph: GraphModule;
  readonly personal: PersonalVerbs;
  /** To be awaited before the refusal leaves. */
  recordDenied(context: TenantContext, denial: Denial): Promise<void>;
  start(): Promise<void>;
  /** Answers everybody who waits, then sums up what was denied. */
  stop(): Promise<void>;
}

const settleEvery = 5_000;

export function createAudit(deps: AuditDeps): Audit {
  const { pool, log, clock = systemClock } = deps;
  const registry = createRegistry([...foundation, ...deps.grammars]);
  const metrics = auditMetrics(deps.metrics, () => lane.size);
  const lane = createLane({ pool, onFlush: metrics.flushed });
  const personal = createPersonal({ ...deps, registry, masterKeys: deps.masterKeys ?? [] });
  const { keys, open } = personal;
  const append = record(registry, clock, keys);
  const ingestOne = ingest({ registry, lane, keys, open });
  const denials = createDenials({
    append: async (context, event) => {
      const admission = { subject: context.subject, standings: beRecorded.roles };
      return lane.submit(ownEntry(registry, clock, context, event, { admission }));
    },
    clock,
    log,
    count: metrics.denied,
  });
  let key: Promise<ReceiptKey> | undefined;
  const receiptKey = async (): Promise<ReceiptKey> => {
    key ??= readReceiptKey(deps.dataDir);
    // A failure is not remembered: the disk may be mended.
    key.catch(() => (key = undefined));
    return key;
  };
  const verb: Audit['ingest'] = async (context, input, spelling) => {
    const ingested = await ingestOne(context, input, spelling);
    metrics.appended(ingested.replayed ? 'replayed' : 'ingested');
    return ingested;
  };
  const sign = async (event: StoredEvent): Promise<Receipt> => signReceipt(await receiptKey(), event);
  const displayNames = deps.displayNames ?? (async () => new Map<string, string>());
  let timer: NodeJS.Timeout | undefined;
  return {
    append: async (tx, events) => {
      await append(tx, events);
      events.forEach(() => metrics.appended('recorded'));
    },
    provision: openChain,
    ingest: verb,
    routes: (guard) => [
      ...eventRoutes(guard, { ingest: verb, sign, open }),
      ...personalRoutes(guard, personal.verbs),
      ...chainRoutes(guard),
      ...grammarRoutes(guard, registry),
      ...keyRoutes(receiptKey),
    ],
    graph: auditGraph({ ingest: verb, sign, open, displayNames }),
    personal: personal.verbs,
    recordDenied: denials.record,
    start: async () => {
      await receiptKey();
      await personal.start();
      timer ??= setInterval(() => {
        keys.settle();
        void denials.settle();
      }, settleEvery).unref();
    },
    stop: async () => {
      clearInterval(timer);
      await denials.settle(true);
      await lane.stop();
    },
  };
}
