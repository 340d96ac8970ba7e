import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics, Latency } from './metrics.ts';

test('latencies are told as a Prometheus histogram: cumulative buckets, sum and count, a series for each labels', async () => {
  const { registry, observe } = createMetrics();
  observe('GET', '/a', 200, 0.001);
  observe('GET', '/a', 200, 0.002);
  observe('GET', '/a', 200, 60);
  observe('POST', '/a', 413, 0.03);
  const text = await registry.getSingleMetricAsString('steward_http_request_seconds');
  const lines = text.split('\n');
  assert.ok(lines.includes('# TYPE steward_http_request_seconds histogram'));
  const ok = 'method="GET",route="/a",status="200"';
  assert.ok(lines.includes(`steward_http_request_seconds_bucket{le="0.001",${ok}} 1`));
  assert.ok(lines.includes(`steward_http_request_seconds_bucket{le="0.005",${ok}} 2`));
  assert.ok(lines.includes(`steward_http_request_seconds_bucket{le="10",${ok}} 2`));
  assert.ok(lines.includes(`steward_http_request_seconds_bucket{le="+Inf",${ok}} 3`));
  assert.ok(lines.includes(`steward_http_request_seconds_sum{${ok}} 60.003`));
  assert.ok(lines.includes(`steward_http_request_seconds_count{${ok}} 3`));
  assert.ok(lines.includes('steward_http_request_seconds_count{method="POST",route="/a",status="413"} 1'));
});

test('two servers in one process count for themselves', async () => {
  const one = createMetrics();
  const other = createMetrics();
  one.observe('GET', '/', 200, 1);
  const json = await other.registry.getMetricsAsJSON();
  assert.deepEqual(json.find(({ name }) => name === 'steward_http_request_seconds')?.values, []);
  assert.ok(one.registry.getSingleMetric('steward_http_request_seconds') instanceof Latency);
});
