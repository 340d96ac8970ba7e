import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createLog, fail } from '@steward/kernel';
import type { GraphModule } from '../schema/builder.ts';
import { serve } from '../sample/serve.ts';
import { createGraph } from '../index.ts';
import { z } from 'zod';
import { doing } from './effect.ts';
import { taking } from './of-schema.ts';

const log = createLog('silent');
const admitted: string[] = [];

const shelf: GraphModule = (builder) => {
  const book = builder.objectRef<{ title: string }>('Book').implement({
    fields: (t) => ({
      title: t.exposeString('title'),
      price: t.int({ nullable: true, extensions: doing('service_get_price'), resolve: () => 3 }),
    }),
  });
  builder.queryFields((t) => ({
    books: t.field({
      type: [book],
      extensions: doing('service_list_books'),
      resolve: () => [{ title: 'One' }, { title: 'Two' }],
    }),
  }));
  builder.mutationFields((t) => ({
    keep: t.field({
      type: 'String',
      extensions: doing(({ rare }: { readonly rare: boolean }) => (rare ? 'service_lock_book' : 'service_keep_book')),
      ...taking(builder, z.strictObject({ rare: z.boolean() }), ({ rare }) => String(rare)),
    }),
  }));
};

describe('fields that say what they do', () => {
  let served: Awaited<ReturnType<typeof serve>>;
  before(async () => {
    served = await serve(
      createGraph({
        modules: [shelf],
        admit: (effect, field) =>
          effect === 'service_list_books'
            ? undefined
            : async ({ request }) => {
                admitted.push(field);
                if (request.headers['x-may'] !== String(effect)) throw fail('insufficient_scope');
              },
        graphiql: false,
        log,
      }),
    );
  });
  after(async () => served[Symbol.asyncDispose]());

  it('are resolved only where their caller is admitted, each by itself', async () => {
    const query = '{ books { title price } }';
    const refused = await served.ask(query);
    assert.deepEqual(refused.body.data, {
      books: [
        { title: 'One', price: null },
        { title: 'Two', price: null },
      ],
    });
    assert.deepEqual(
      refused.body.errors?.map(({ extensions }) => extensions['code']),
      ['insufficient_scope', 'insufficient_scope'],
    );
    const { body } = await served.ask(query, {}, { 'x-may': 'service_get_price' });
    assert.deepEqual(body, {
      data: {
        books: [
          { title: 'One', price: 3 },
          { title: 'Two', price: 3 },
        ],
      },
    });
    assert.deepEqual(new Set(admitted), new Set(['Book.price']));
  });

  it('may say it by their arguments', async () => {
    const may = { 'x-may': 'service_keep_book' };
    assert.deepEqual((await served.ask('mutation { keep(rare: false) }', {}, may)).body, { data: { keep: 'false' } });
    const { body } = await served.ask('mutation { keep(rare: true) }', {}, may);
    assert.equal(body.errors?.[0]?.extensions['code'], 'insufficient_scope');
  });

  it('are all there are at the root: one that forgot makes no graph', () => {
    const forgetful: GraphModule = (builder) => {
      builder.queryFields((t) => ({ genre: t.string({ resolve: () => 'fiction' }) }));
    };
    assert.throws(
      () => createGraph({ modules: [shelf, forgetful], admit: () => undefined, graphiql: false, log }),
      /Query\.genre does not say what it does/,
    );
  });
});
