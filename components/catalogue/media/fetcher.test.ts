import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sql, type TenantContext } from '@steward/sql';
import { startHttps } from '@steward/testing';
import { png } from '../fixtures/pictures.ts';
import { byDoor, createWorld, type World } from '../fixtures/world.ts';
import { createProducts } from '../products/create.ts';
import { getProduct } from '../products/get.ts';
import { addMedia } from './add.ts';

const good = (response: ServerResponse): void => {
  response.setHeader('content-type', 'image/png').end(png(20, 20, 1));
};
const silent = (): void => undefined;
/** Never silent for long, and never done. */
const dripping = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'image/png' });
  const drip = setInterval(() => response.write('.'), 20);
  response.on('close', () => clearInterval(drip));
};

describe('the fetcher of pictures', () => {
  let world: World | undefined;
  let host: Awaited<ReturnType<typeof startHttps>>;
  let asked: string[] = [];
  let answer: (response: ServerResponse, tenant: string) => void;
  before(async () => {
    host = await startHttps((request, response) => {
      const [, tenant = ''] = (request.url ?? '').split('/');
      asked.push(tenant);
      answer(response, tenant);
    });
  });
  afterEach(async () => {
    await world?.[Symbol.asyncDispose]();
    asked = [];
  });
  after(async () => host[Symbol.asyncDispose]());

  const wish = async ({ deps }: World, context: TenantContext, name: string, many: number): Promise<string> => {
    const { products } = await byDoor(createProducts)(context, { products: [{ title: name }] }, deps);
    const productId = products[0]?.id ?? '';
    const media = Array.from({ length: many }, (_one, index) => ({ productId, url: `${host.url}/${name}/${index}` }));
    await byDoor(addMedia)(context, { media }, deps);
    return productId;
  };
  const statuses = async ({ deps }: World, context: TenantContext, productId: string) =>
    (await byDoor(getProduct)(context, { productId }, deps)).media.map(({ status }) => status);

  test('fetches for other tenants while the hosts of one do not answer, and after what came before', async () => {
    const own = (world = await createWorld());
    const [slow, other] = [await own.tenant(), await own.tenant()];
    answer = (response, tenant) => (tenant === 'slow' ? silent() : good(response));
    await wish(own, slow.context, 'slow', 20);
    const id = await wish(own, other.context, 'other', 3);
    own.fetchMedia();
    while ((await statuses(own, other.context, id)).some((status) => status !== 'ready')) await setTimeout(10);
    assert.equal(asked.filter((name) => name === 'slow').length, 2);
  });

  test('takes one for each tenant in turn', async () => {
    const own = (world = await createWorld());
    const names = ['one', 'two', 'three'];
    answer = good;
    const waiting: [TenantContext, string][] = [];
    for (const name of names) {
      const { context } = await own.tenant();
      waiting.push([context, await wish(own, context, name, 6)]);
    }
    own.fetchMedia();
    for (const [context, id] of waiting)
      while ((await statuses(own, context, id)).includes('pending')) await setTimeout(10);
    const first = asked.slice(0, 9);
    for (const name of names) assert.ok(first.filter((one) => one === name).length >= 2, first.join());
    const turns = await own.admin.query(
      sql`select from catalogue.medium_turn t where due_at <= clock_timestamp() and exists (
        select from catalogue.medium m where m.tenant_id = t.tenant_id and m.next_at is not null)`,
    );
    assert.deepEqual(turns, []);
  });

  test('gives a host so long in all, however it drips, and leaves the rest of it for later', async () => {
    const own = (world = await createWorld({ deadline: 300 }));
    const { context } = await own.tenant();
    answer = dripping;
    const id = await wish(own, context, 'slow', 12);
    own.fetchMedia();
    const due = async () => {
      const [row] = await own.admin.query<{ many: number }>(
        sql`select count(*)::int as many from catalogue.medium
          where tenant_id = ${context.tenant}::uuid and (attempts = 0 or next_at > clock_timestamp() + interval '2 minutes')`,
      );
      return row?.many;
    };
    while ((await due()) !== 0) await setTimeout(20);
    assert.deepEqual(new Set(await statuses(own, context, id)), new Set(['pending']));
    assert.ok(asked.length <= 4, `${asked.length} were asked for`);
  });
});
