import type { Decider } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { GraphModule } from '@steward/graphql';
import { type Clock, type Log, type Metrics, type RecordedEvent, systemClock } from '@steward/kernel';
import type { Attributed, SqlPool, TenantContext, TenantTransaction, Transaction } from '@steward/sql';
import { createLoop } from '@steward/work';
import { activityRoutes } from './activity/routes.ts';
import { causalityRoutes } from './causality/routes.ts';
import { chainRoutes } from './chains/routes.ts';
import { openChain } from './chains/open.ts';
import { createDenials, type Denial } from './denials/denials.ts';
import type { Spelling } from './envelope/faults.ts';
import { ingest, type Ingested } from './events/ingest.ts';
import { ownEntry, record, recordTogether } from './appending/record.ts';
import { auditGraph } from './events/graph.ts';
import { exporter, type Exporting } from './exports/export.ts';
import type { NamesOf } from './events/names.ts';
import { exportRoutes } from './exports/routes.ts';
import { type Admitted, eventRoutes } from './events/routes.ts';
import { requireAnswerable } from './events/require-answerable.ts';
import { foundation } from './grammars/foundation.ts';
import type { Grammar } from './grammars/grammar.ts';
import { createRegistry } from './grammars/registry.ts';
import { grammarRoutes } from './grammars/routes.ts';
import { createGroupCommit } from './group-commit/group-commit.ts';
import { auditMetrics } from './metrics.ts';
import { createPersonal, type PersonalVerbs } from './personal/personal.ts';
import { personalRoutes } from './personal/routes.ts';
import type { Secrets } from './personal/secrets/secrets.ts';
import { beRecorded } from './policy.ts';
import type { Sign } from './receipts/receipt.ts';

export interface AuditDeps {
  /** The application's login. */
  readonly pool: SqlPool;
  /** What components contribute, beside the grammars that always exist. */
  readonly grammars: readonly Grammar[];
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'registry'>;
  /** 32 bytes each; the first wraps subjects' keys, the others open what they wrapped. Empty: one in the data folder. */
  readonly masterKeys?: readonly Uint8Array[];
  /** Holds a master key of its own, in `audit/`. */
  readonly dataDir: string;
  readonly clock?: Clock;
  readonly namesOf?: NamesOf;
  /** Absent: nobody is given a receipt. */
  readonly sign?: Sign;
}

export interface Audit {
  /** The sink of a tenancy (`TenancyPorts.append`). A fault in an event of our own fails the verb. */
  append(tx: TenantTransaction, events: readonly RecordedEvent[]): Promise<void>;
  /** The same for a transaction that tenants share (`TenancyPorts.together`). */
  appendTogether(tx: Transaction, events: readonly Attributed<RecordedEvent>[]): void;
  /** Opens the chain of a new tenant; first thing in the transaction that makes it. */
  provision(tx: TenantTransaction): Promise<void>;
  /** The verb behind REST and GraphQL. */
  ingest(context: TenantContext, input: unknown, spelling: Spelling): Promise<Ingested>;
  /** Relative to the mount of the component that serves them. `decider` says who erases, places a hold and releases it. */
  routes(guard: Guard<Admitted>, decider: Pick<Decider, 'requireFor'>): Route[];
  /** The audit fields of the GraphQL API. */
  readonly graph: GraphModule;
  readonly export: Exporting;
  readonly personal: PersonalVerbs;
  readonly secrets: Secrets;
  /** When this process last appended, as `performance.now()` counts; -Infinity: never. */
  lastAppended(): number;
  /** To be awaited before the refusal leaves. */
  recordDenied(context: TenantContext, denial: Denial): Promise<void>;
  start(): Promise<void>;
  /** Answers everybody who waits, then sums up what was denied. */
  [Symbol.asyncDispose](): Promise<void>;
}

const settleEvery = 5_000;

export function createAudit(deps: AuditDeps): Audit {
  const { pool, log, clock = systemClock, sign = async () => undefined } = deps;
  const registry = createRegistry([...foundation, ...deps.grammars]);
  const metrics = auditMetrics(deps.metrics, () => groupCommit.size);
  const groupCommit = createGroupCommit({ pool, onFlush: metrics.flushed });
  const personal = createPersonal({ ...deps, registry, masterKeys: deps.masterKeys ?? [] });
  const { keys, open } = personal;
  const append = record(registry, clock, keys);
  const ingestOne = ingest({ registry, groupCommit, keys, open });
  const denials = createDenials({
    append: async (context, event) => {
      const admission = { subject: context.subject, roles: beRecorded.roles };
      return groupCommit.submit(ownEntry(registry, clock, context, event, { admission }));
    },
    clock,
    log,
    count: metrics.denied,
  });
  const appendTogether = recordTogether(registry, clock);
  let lastAppended = -Infinity;
  const appended = (outcome: 'recorded' | 'ingested' | 'replayed', count = 1): void => {
    lastAppended = performance.now();
    metrics.appended(outcome, count);
  };
  const ingestAndCount: Audit['ingest'] = async (context, input, spelling) => {
    const ingested = await ingestOne(context, input, spelling);
    appended(ingested.replayed ? 'replayed' : 'ingested');
    return ingested;
  };
  const namesOf = deps.namesOf ?? (async () => new Map<string, string>());
  const answerable = requireAnswerable(registry);
  const exporting = exporter(namesOf, answerable);
  const settling = createLoop({
    round: async () => {
      keys.settle();
      await denials.settle();
      return settleEvery;
    },
    failed: (error) => log.error({ err: error }, 'the sums of denied calls were not written'),
    retry: { first: settleEvery, longest: settleEvery },
  });
  return {
    append: async (tx, events) => {
      await append(tx, events);
      appended('recorded', events.length);
    },
    appendTogether: (tx, events) => {
      appendTogether(tx, events);
      appended('recorded', events.length);
    },
    provision: openChain,
    ingest: ingestAndCount,
    routes: (guard, decider) => [
      ...eventRoutes(guard, { ingest: ingestAndCount, sign, open, namesOf, requireAnswerable: answerable }),
      ...personalRoutes(guard, keys, decider),
      ...activityRoutes(guard, namesOf),
      ...causalityRoutes(guard, namesOf),
      ...exportRoutes(guard, exporting),
      ...chainRoutes(guard),
      ...grammarRoutes(guard, registry),
    ],
    graph: auditGraph({ ingest: ingestAndCount, sign, open, namesOf, requireAnswerable: answerable }),
    export: exporting,
    personal: personal.verbs,
    secrets: personal.secrets,
    lastAppended: () => lastAppended,
    recordDenied: denials.record,
    start: async () => {
      await personal.start();
      settling.start();
    },
    [Symbol.asyncDispose]: async () => {
      await settling.stop();
      await denials.settle(true);
      await groupCommit.stop();
    },
  };
}
