import { createHash } from 'node:crypto';
import { statement, type TenantTransaction } from '@steward/sql';
import type { Picture } from './pictures.ts';

/** Changes of the pictures of a tenant wait for each other, before they hold products: a picture that is let go may be wanted again. */
export async function holdMedia(tx: TenantTransaction): Promise<void> {
  await tx.query(
    statement(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`catalogue.medium ${tx.context.tenant}`]),
  );
}

/** The address of a picture; verification makes the same of the rows. */
export function digestOf(tenant: string, { width, height, sizes }: Picture): string {
  const hash = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
  const said = sizes.map(({ fits, mediaType, content }) => ` ${fits} ${mediaType} ${hash(content)}`);
  return createHash('sha256')
    .update(`${tenant} ${width} ${height}${said.join('')}`)
    .digest('hex');
}

export const bytesOf = ({ sizes }: Picture): number => sizes.reduce((sum, { content }) => sum + content.length, 0);

/** Keeps a picture, once. @returns its digest */
export async function keepPicture(tx: TenantTransaction, picture: Picture): Promise<string> {
  const { tenant } = tx.context;
  const digest = digestOf(tenant, picture);
  const made = await tx.query(
    statement(
      `insert into catalogue.picture (tenant_id, digest, width, height) values ($1::uuid, $2, $3::int, $4::int)
       on conflict do nothing returning digest`,
      [tenant, digest, picture.width, picture.height],
    ),
  );
  if (made.length === 0) return digest;
  await tx.queryAll([
    ...picture.sizes.map(({ fits, mediaType, content }) =>
      statement(
        `insert into catalogue.picture_size (tenant_id, digest, fits, media_type, content) values ($1::uuid, $2, $3::int, $4, $5)`,
        [tenant, digest, fits, mediaType, Buffer.from(content)],
      ),
    ),
    statement(
      `insert into catalogue.pictured as t (tenant_id, bytes) values ($1::uuid, $2::bigint)
       on conflict (tenant_id) do update set bytes = t.bytes + excluded.bytes`,
      [tenant, bytesOf(picture)],
    ),
  ]);
  return digest;
}

/** Takes pictures away that no product and no brand shows any more. */
export async function dropPictures(tx: TenantTransaction, digests: readonly string[]): Promise<void> {
  if (digests.length === 0) return;
  const { tenant } = tx.context;
  const unused = `select d from unnest($2::text[]) d
    where not exists (select from catalogue.medium m where m.tenant_id = $1::uuid and m.digest = d)`;
  await tx.queryAll([
    statement(
      `with gone as (delete from catalogue.picture_size s where s.tenant_id = $1::uuid and s.digest in (${unused})
         returning octet_length(s.content) as bytes)
       update catalogue.pictured t set bytes = t.bytes - (select coalesce(sum(g.bytes), 0) from gone g) where t.tenant_id = $1::uuid`,
      [tenant, digests],
    ),
    statement(`delete from catalogue.picture p where p.tenant_id = $1::uuid and p.digest in (${unused})`, [
      tenant,
      digests,
    ]),
  ]);
}
