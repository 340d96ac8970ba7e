import { fail } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import type { Batch, GraphModule } from '../index.ts';
import { taking } from '../schema/of-schema.ts';

interface Author {
  readonly id: string;
  readonly name: string;
}

interface Book {
  readonly id: number;
  readonly title: string;
  readonly authorId: string;
}

interface Page {
  readonly books: readonly Book[];
  readonly more: boolean;
}

const readShelf = { name: 'shelf.read', roles: new Set(['owner']) };

/** Keys of each flight that read authors. */
export const flights: string[][] = [];

const authorsById: Batch<string, Author> = async (ids, { tenant }) => {
  flights.push([...ids]);
  const rows = await tenant
    .require(readShelf)
    .read<Author & Record<string, unknown>>(
      sql`select author_id as id, name from shelf.author where author_id = any(${ids}::text[])`,
    );
  return new Map(rows.map((author) => [author.id, author]));
};

/** A page of a list as a connection, and what belongs to its rows through one batch: how components read tables. */
export const shelf: GraphModule = (builder) => {
  const author = builder
    .objectRef<Author>('Author')
    .implement({ fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name') }) });
  const book = builder.objectRef<Book>('Book').implement({
    fields: (t) => ({
      title: t.exposeString('title'),
      author: t.field({
        type: author,
        nullable: true,
        resolve: async ({ authorId }, _, { load }) => load(authorsById, authorId),
      }),
    }),
  });
  const edge = builder.objectRef<Book>('BookEdge').implement({
    fields: (t) => ({
      cursor: t.string({ resolve: cursorOf }),
      node: t.field({ type: book, resolve: (row) => row }),
    }),
  });
  const page = builder.objectRef<Page>('BookConnection').implement({
    fields: (t) => ({
      edges: t.field({ type: [edge], resolve: ({ books }) => books }),
      endCursor: t.string({ nullable: true, resolve: ({ books }) => books.map(cursorOf).at(-1) ?? null }),
      hasNextPage: t.boolean({ resolve: ({ more }) => more }),
    }),
  });
  builder.queryField('books', (t) =>
    t.field({
      type: page,
      ...taking(builder, pageInput, async ({ first: count, after }, { tenant }) => {
        const rows = await tenant.require(readShelf).read<Book & Record<string, unknown>>(sql`
          select book_id as id, title, author_id as "authorId" from shelf.book
          where book_id > ${positionOf(after)} order by book_id limit ${count + 1}`);
        return { books: rows.slice(0, count), more: rows.length > count };
      }),
    }),
  );
};

const pageInput = z.strictObject({ first: z.int().min(1).max(200).default(20), after: z.string().optional() });

const cursorOf = ({ id }: Book): string => Buffer.from(`book:${id}`).toString('base64url');

function positionOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const id = /^book:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (id === undefined) throw fail('invalid_cursor');
  return Number(id);
}
