import type { Bus } from '@steward/bus';
import { fail, isLoopback, type Deferred, type Metrics, type Scope } from '@steward/kernel';
import { requireWritable, type SqlPool } from '@steward/sql';

export interface Readiness {
  readonly ready: boolean;
  /** An optional one is shown, and does not make the process unready. */
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly optional?: true }[];
}

export interface ReadinessPorts {
  /** Of its own, so that a process whose requests take every connection is not taken out of service for that. */
  readonly pool: SqlPool;
  readonly bus: Deferred<Pick<Bus, 'healthy' | 'natsHealthy'>>;
  /** Whether this process was asked to stop. */
  readonly leaving: () => boolean;
}

/** Whether this process can do its work; migrations were checked at start, before anything was served. */
export function readiness({ pool, bus, leaving }: ReadinessPorts): () => Promise<Readiness> {
  let asked: Promise<boolean> | undefined;
  /** One question at a time, however many ask. */
  const takesWrites = async (): Promise<boolean> => {
    asked ??= ask(pool).finally(() => (asked = undefined));
    return asked;
  };
  return async () => {
    const database = await takesWrites();
    const checks = [
      { name: 'database', ok: database },
      { name: 'bus', ok: database && bus.given.healthy },
      // Events wait for it in the outbox: taking every process out of service would lose what they still can do.
      ...(bus.given.natsHealthy === undefined
        ? []
        : [{ name: 'nats', ok: bus.given.natsHealthy, optional: true } as const]),
      ...(leaving() ? [{ name: 'stopping', ok: false }] : []),
    ];
    return { ready: checks.every(({ ok, optional }) => ok || optional === true), checks };
  };
}

const ask = async (pool: SqlPool): Promise<boolean> =>
  pool
    .withClient(async (client) => {
      await requireWritable(client);
      return true;
    })
    .catch(() => false);

export function healthRoutes(scope: Scope, ready: () => Promise<Readiness>): void {
  scope.get('/healthz', async () => ({ status: 'alive' }));
  scope.get('/readyz', async () => {
    const state = await ready();
    if (!state.ready) {
      const failing = state.checks.filter(({ ok, optional }) => !ok && optional !== true).map(({ name }) => name);
      throw fail('unavailable', `Not ready: ${failing.join(', ')}.`, { headers: { 'retry-after': '2' } });
    }
    return { status: 'ready', checks: state.checks };
  });
}

/** For programs of this machine: a page that a rebound DNS name leads here is none. */
export function metricsRoute(scope: Scope, metrics: Metrics): void {
  scope.get('/metrics', async ({ headers: { host } }, reply) => {
    if (!isLoopback(URL.parse(`http://${host ?? ''}`)?.hostname ?? '')) throw fail('misdirected_request');
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}
