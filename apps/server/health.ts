import type { Bus } from '@steward/bus';
import { fail, isLoopback, type Metrics, type Scope } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';

export interface Readiness {
  readonly ready: boolean;
  /** An optional one is shown, and does not make the process unready. */
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly optional?: true }[];
}

/** Whether this process can do its work; migrations were checked at start, before anything was served. */
export const readiness = (pool: SqlPool, bus: Pick<Bus, 'healthy' | 'natsHealthy'>) => async (): Promise<Readiness> => {
  const database = await pool.query(sql`select 1 as one`).then(
    () => true,
    () => false,
  );
  const checks = [
    { name: 'database', ok: database },
    { name: 'bus', ok: database && bus.healthy },
    // Events wait for it in the outbox: taking every process out of service would lose what they still can do.
    ...(bus.natsHealthy === undefined ? [] : [{ name: 'nats', ok: bus.natsHealthy, optional: true } as const]),
  ];
  return { ready: checks.every(({ ok, optional }) => ok || optional === true), checks };
};

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
