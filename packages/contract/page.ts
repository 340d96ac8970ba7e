import { badCursor } from '@steward/kernel';
import { z } from 'zod';

const count = z.int().min(1).max(200);

/** How many items of a list are answered at most: 1–200. */
export const pageLimit = count.default(50).meta({ description: 'Most items in one page.' });

/** Characters; principals' ids are the longest that cursors are made of. */
const longestCursor = 310;

const cursorOf = (form: z.ZodType<string>) =>
  z
    .string()
    .refine((text) => text.length <= longestCursor && form.safeParse(text).success, {
      error: badCursor,
      params: { code: 'invalid_cursor' },
    })
    .meta({ description: '`next_cursor` of the previous page.', maxLength: longestCursor });

/**
 * Where a page begins: the `nextCursor` of the page before, which is an id where nothing else is said. Callers need not read it, so no
 * schema shows its form, and one that is none is told as one that another list gave.
 */
export const pageCursor = (form: z.ZodType<string> = z.uuid()) => cursorOf(form).optional();

/** `?limit=` (1–200, default 50) and `?cursor=` of a list, which is an id where nothing else is said. */
export const pageQuery = (cursor: z.ZodType<string> = cursorOf(z.uuid())) =>
  z.strictObject({
    limit: z
      .string()
      .regex(/^[0-9]{1,3}$/, 'Give an integer from 1 to 200')
      .transform(Number)
      .pipe(count)
      .default(50),
    cursor: cursor.optional(),
  });

/** What a list answers. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });
