import { fail, Problem } from '@steward/kernel';
import type { Batch, GraphModule } from '../index.ts';
import { z } from 'zod';
import { inputOf, taking } from '../schema/of-schema.ts';
import { weigh } from '../schema/weight.ts';

export interface Author {
  readonly id: string;
  readonly name: string;
}

export interface Book {
  readonly kind: 'Book';
  readonly id: string;
  readonly title: string;
  readonly authorId: string;
  readonly printed: number;
  readonly sold: bigint;
  readonly notes: object;
  readonly tags: readonly (string | null)[];
}

export interface Magazine {
  readonly kind: 'Magazine';
  readonly id: string;
  readonly title: string;
  readonly issue: number;
}

const authors = new Map(['ann', 'bob', 'cy'].map((id) => [id, { id, name: `Author ${id}` }]));

export const books: readonly Book[] = Array.from({ length: 40 }, (_, index) => ({
  kind: 'Book',
  id: `b${index}`,
  title: `Book ${index}`,
  authorId: ['ann', 'bob', 'cy'][index % 3] ?? 'ann',
  printed: Date.UTC(2026, 0, 1 + index),
  sold: 2n ** 60n + BigInt(index),
  notes: { shelf: index, ['__proto__']: 'own' },
  tags: index % 2 === 0 ? ['new', null] : [],
}));

const magazines: readonly Magazine[] = [{ kind: 'Magazine', id: 'm1', title: 'Ledger Weekly', issue: 7 }];

/** How often authors were read, for the test of batching. */
export const reads: string[][] = [];

const authorsById: Batch<string, Author> = async (ids) => {
  reads.push([...ids]);
  return new Map([...authors].filter(([id]) => ids.includes(id)));
};

/** A schema with everything that execution has to get right, and nothing of the business. */
export const library: GraphModule = (builder) => {
  const author = builder.objectRef<Author>('Author').implement({
    fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name') }),
  });
  const item = builder.interfaceRef<Book | Magazine>('Item').implement({
    resolveType: (value) => value.kind,
    fields: (t) => ({ id: t.exposeID('id'), title: t.exposeString('title') }),
  });
  const book = builder.objectRef<Book>('Book').implement({
    interfaces: [item],
    fields: (t) => ({
      printed: t.expose('printed', { type: 'DateTime' }),
      sold: t.expose('sold', { type: 'BigInt' }),
      notes: t.expose('notes', { type: 'JSON' }),
      tags: t.expose('tags', {
        type: ['String'],
        nullable: { list: false, items: true },
        extensions: weigh({ size: 4 }),
      }),
      author: t.field({
        type: author,
        nullable: true,
        resolve: async ({ authorId }, _, { load }) => load(authorsById, authorId),
      }),
      cover: t.string({ nullable: true, resolve: () => Promise.reject(fail('unavailable', 'Covers are away.')) }),
      spine: t.string({ resolve: () => Promise.reject(new Error('password=hunter2')) }),
      label: t.string({
        ...taking(
          builder,
          z.strictObject({ prefix: z.string().default('No.') }),
          ({ prefix }, _context, { id }: Book) => `${prefix} ${id}`,
        ),
      }),
    }),
  });
  builder.objectRef<Magazine>('Magazine').implement({
    interfaces: [item],
    fields: (t) => ({ issue: t.exposeInt('issue'), late: t.string({ resolve: async () => 'late' }) }),
  });
  const genre = builder.enumType('Genre', { values: { FACT: { value: 1 }, FICTION: { value: 2 } } as const });
  inputOf(builder, 'Order', order.shape.order, {
    members: {
      book: { type: 'ID' },
      at: { type: 'DateTime' },
      meta: { type: 'JSON' },
      most: { type: 'BigInt' },
      genres: { type: [genre] },
    },
  });
  builder.queryFields((t) => ({
    books: t.field({
      type: [book],
      ...taking(
        builder,
        z.strictObject({ limit: z.int().default(20), after: z.string().optional() }),
        ({ limit, after }) => {
          const start = after === undefined ? 0 : books.findIndex(({ id }) => id === after) + 1;
          return books.slice(start, start + limit);
        },
      ),
    }),
    book: t.field({
      type: book,
      nullable: true,
      ...taking(builder, z.strictObject({ id: z.string() }), async ({ id }) => books.find((one) => one.id === id), {
        members: { id: { type: 'ID' } },
      }),
    }),
    items: t.field({ type: [item], nullable: true, resolve: async () => [...magazines, ...books.slice(0, 2)] }),
    genre: t.field({
      type: genre,
      ...taking(builder, z.strictObject({ of: genreValue.optional() }), ({ of }) => of ?? 2, {
        members: { of: { type: genre } },
      }),
    }),
    missing: t.string({ resolve: async () => null as unknown as string }),
    broken: t.stringList({ nullable: { list: true, items: false }, resolve: () => ['a', null as unknown as string] }),
    refused: t.string({
      nullable: true,
      resolve: () => {
        throw new Problem('out_of_stock', 409, 'Out of stock', 'The shelf is empty.', {
          errors: [{ pointer: '/book', code: 'gone', detail: 'Gone.' }],
        });
      },
    }),
    never: t.string({ nullable: true, resolve: async () => new Promise<string>(() => undefined) }),
    echo: t.string({ ...taking(builder, order, (given) => shown(given.order)) }),
  }));
  builder.mutationFields((t) => ({
    order: t.string({ ...taking(builder, order, async (given) => shown(given.order)) }),
    fails: t.string({ nullable: true, resolve: () => Promise.reject(fail('conflict', 'Twice.')) }),
  }));
};

const genreValue = z.union([z.literal(1), z.literal(2)]);
const order = z.strictObject({
  order: z.strictObject({
    book: z.string(),
    count: z.int().default(1),
    at: z.string().optional(),
    meta: z.unknown().optional(),
    most: z.bigint().optional(),
    genres: z.array(genreValue).optional(),
  }),
});

const shown = (value: object): string =>
  JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner));
