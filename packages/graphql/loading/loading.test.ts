import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createLog, newId } from '@steward/kernel';
import { createTenancy, openPool, sql, type SqlPool, type Tenancy } from '@steward/sql';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import type { Batch, GraphContext } from '../context.ts';
import { createGraph } from '../index.ts';
import { serve, type Served } from '../sample/serve.ts';
import { flights, shelf } from '../sample/shelf.ts';
import { createLoad } from './loading.ts';

describe('values loaded in batches', () => {
  const context = {} as GraphContext;
  const asked: number[][] = [];
  const squares: Batch<number, number> = async (keys) => {
    asked.push([...keys]);
    return new Map(keys.filter((key) => key < 10).map((key) => [key, key * key]));
  };
  beforeEach(() => {
    asked.length = 0;
  });

  it('are read together, and each key once', async () => {
    const load = createLoad(() => context);
    const later = async (): Promise<number | undefined> => {
      await Promise.resolve();
      await Promise.resolve();
      return load(squares, 4);
    };
    assert.deepEqual(await Promise.all([load(squares, 2), load(squares, 3), load(squares, 2), later()]), [4, 9, 4, 16]);
    assert.equal(await load(squares, 3), 9);
    assert.equal(await load(squares, 11), undefined);
    assert.deepEqual(asked, [[2, 3, 4], [11]]);
  });
  it('fail for those who asked, when the read fails', async () => {
    const load = createLoad(() => context);
    const broken: Batch<number, number> = async () => Promise.reject(new Error('gone'));
    const outcomes = await Promise.allSettled([load(broken, 1), load(broken, 2), load(squares, 2)]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled'],
    );
  });
});

describe('a connection over tables of a tenant', () => {
  let db: TestDatabase;
  let pool: SqlPool;
  let tenancy: Tenancy;
  let served: Served;
  const [alpha, beta] = [newId(), newId()];

  before(async () => {
    db = await createTestDatabase([{ component: 'shelf', folder: new URL('../sample/migrations/', import.meta.url) }]);
    pool = openPool({ url: db.appUrl, size: 4 });
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    for (const tenant of [alpha, beta]) {
      await admin.query(
        sql`insert into shelf.author select ${tenant}::uuid, 'a' || n, 'Author ' || n || ' of ' || ${tenant} from generate_series(0, 2) n`,
      );
      await admin.query(
        sql`insert into shelf.book select ${tenant}::uuid, n, 'Book ' || n, 'a' || n % 4 from generate_series(1, 50) n`,
      );
    }
    tenancy = createTenancy({
      pool,
      openTenant: (tenant) => sql`select set_config('app.tenant_id', ${tenant}, true), 'owner' as role`,
      append: async () => undefined,
      publish: async () => undefined,
    });
    const graph = createGraph({ modules: [shelf], graphiql: false, log: createLog('silent') });
    served = await serve(graph, (request) => {
      const subject = { type: 'user', id: 'alice' } as const;
      const tenant = request.headers['x-tenant-id'] === beta ? beta : alpha;
      return tenancy.context({
        tenant,
        chain: [subject],
        subject,
        caller: subject,
        requestId: request.id,
        correlationId: request.id,
      });
    });
  });
  after(async () => {
    await served[Symbol.asyncDispose]();
    await pool.close();
    await db[Symbol.asyncDispose]();
  });

  const query = `query ($after: String) {
    books(first: 20, after: $after) { edges { node { title author { name } } } endCursor hasNextPage } }`;
  interface Page {
    readonly edges: readonly {
      readonly node: { readonly title: string; readonly author: { readonly name: string } | null };
    }[];
    readonly endCursor: string;
    readonly hasNextPage: boolean;
  }

  it('reads the authors of a page in one flight, of this tenant only', async () => {
    flights.length = 0;
    const { body } = await served.ask(query, {}, { 'x-tenant-id': beta });
    const page = body.data?.['books'] as Page;
    assert.equal(page.edges.length, 20);
    assert.deepEqual(page.edges[0]?.node, { title: 'Book 1', author: { name: `Author 1 of ${beta}` } });
    assert.equal(page.edges[2]?.node.author, null);
    assert.deepEqual(
      flights.map((keys) => keys.toSorted()),
      [['a0', 'a1', 'a2', 'a3']],
    );
  });
  it('is walked to its end by cursors, each row once', async () => {
    const titles: string[] = [];
    let after: string | undefined;
    for (let more = true; more;) {
      const { body } = await served.ask(query, { after });
      const page = body.data?.['books'] as Page;
      titles.push(...page.edges.map(({ node }) => node.title));
      [after, more] = [page.endCursor, page.hasNextPage];
    }
    assert.deepEqual(
      titles,
      Array.from({ length: 50 }, (_, index) => `Book ${index + 1}`),
    );
  });
  it('refuses a cursor that it did not issue', async () => {
    const { body } = await served.ask(query, { after: "1' or true --" });
    assert.equal(body.errors?.[0]?.extensions['code'], 'invalid_cursor');
    assert.equal(body.data, null);
  });
});
