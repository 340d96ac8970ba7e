import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Latency, type LatencySeries } from './latency.ts';

export interface Metrics {
  readonly registry: Registry;
  readonly observe: (method: string, route: string, status: number, seconds: number) => void;
}

/** A registry of this server's own, so that several servers in one process do not mix. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const requests = new Latency<'method' | 'route' | 'status'>({
    name: 'steward_http_request_seconds',
    help: 'Time from request to answer, by route.',
    registers: [registry],
  });
  const known = new Map<string, Map<string, Map<number, LatencySeries>>>();
  return {
    registry,
    observe: (method, route, status, seconds) => {
      const byMethod = found(known, route, () => new Map<string, Map<number, LatencySeries>>());
      const byStatus = found(byMethod, method, () => new Map<number, LatencySeries>());
      found(byStatus, status, () => requests.series({ method, route, status: String(status) })).observe(seconds);
    },
  };
}

function found<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

export { Counter, Gauge, Histogram, Latency, type LatencySeries };
