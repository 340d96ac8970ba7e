import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createWorld, hireAgent, openShop } from '@steward/conformance/world';

const { paths } = JSON.parse(readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};
const start = '/commerce/storefront/v1/forms/{formId}/start';
const keyed = Object.entries(paths).flatMap(([path, methods]) =>
  path.startsWith('/commerce/storefront/v1/') ? Object.keys(methods).map((method) => [method, path] as const) : [],
);

test('every route of a storefront counts towards the limits that its path has, whatever else its address says', async () => {
  await using world = await createWorld();
  await using agent = await hireAgent(world, 'limits@example.com');
  const { key } = await openShop(agent, ['https://shop.example'], []);
  const found: string[] = [];
  for (const [method, path] of keyed)
    for (const query of ['', `?${start.replace('{formId}', 'a')}`, '?/start']) {
      const at = path.replaceAll(/\{\w+\}/g, '0198a6c2-0000-7000-8000-000000000000');
      const answer = await fetch(`${new URL(world.server.addresses.storefront).origin}${at}${query}`, {
        method: method.toUpperCase(),
        headers: { 'x-service-sdk-key': key },
      });
      await answer.body?.cancel();
      const policy = answer.headers.get('ratelimit-policy') ?? '';
      const names = [...policy.matchAll(/"([\w-]+)"/g)].map(([, name]) => name);
      const kind = path === start ? 'storefront-start' : 'storefront';
      if (names.join() !== `${kind}-address,${kind}-key`) found.push(`${method} ${path}${query}: ${policy}`);
    }
  assert.ok(keyed.length > 20);
  assert.deepEqual(found, []);
});
