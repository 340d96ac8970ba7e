import { z } from 'zod';

/** `?limit=` (1–200, default 50) and `?cursor=` of every list (contracts §1). */
export const pageQuery = <C extends z.ZodType<string>>(cursor: C) =>
  z.strictObject({
    limit: z
      .string()
      .regex(/^[0-9]{1,3}$/, 'Give an integer from 1 to 200')
      .transform(Number)
      .pipe(z.int().min(1).max(200))
      .default(50),
    cursor: cursor.optional(),
  });
