import type { SqlPool } from '@steward/sql';
import { sql } from '@steward/sql';

/** A size of a picture, for whoever has its address. */
export async function pictureFile(
  pool: Pick<SqlPool, 'read'>,
  digest: string,
  width: number,
): Promise<{ readonly mediaType: string; readonly content: Buffer } | undefined> {
  const [row] = await pool.read<{ media_type: string; content: Buffer }>(
    sql`select media_type, content from catalogue.picture_file(${digest}, ${width}::int)`,
  );
  return row === undefined ? undefined : { mediaType: row.media_type, content: row.content };
}
