import { fail } from '@steward/kernel';
import { type Row, sql, type TenantScope, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { logoContentsOf } from '../contents.ts';
import { event } from '../events.ts';

export const byBrand = { brandId: z.uuid().meta({ description: 'From service_list_brands.' }) };

/** What a brand shows beside its name. */
export const brandLogo = z.object({
  brandId: z.uuid(),
  logo: z
    .object({
      /** What is at it never changes: another logo has another address. */
      url: z.string(),
      width: z.int(),
      height: z.int(),
    })
    .nullable()
    .meta({ description: 'What is shown. Null: there is none.' }),
  fetching: z
    .object({ source: z.string(), status: z.enum(['pending', 'failed']), failure: z.string().nullable() })
    .nullable()
    .meta({ description: 'An address whose picture takes its place once it is fetched, or could not be fetched.' }),
});

export const noBrand = (): Error => fail('not_found', 'There is no such brand: list the brands for their ids.');

interface Logo {
  /** Where it is served, behind commerce's address. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/** The logo of a brand of the context's tenant, also once the brand is archived; for whoever shows the brand. */
export async function logoOf(
  { context, read }: Pick<TenantScope, 'context' | 'read'>,
  brandId: string,
): Promise<Logo | undefined> {
  const shown = (await logosOf(read, context.tenant, brandId)).find(({ digest }) => digest !== null);
  return shown === undefined ? undefined : placed(shown);
}

/** Rows of a brand: at most one that is shown, and one that waits or failed. */
export const logosOf = async (read: TenantScope['read'], tenant: string, brandId: string): Promise<LogoRow[]> =>
  read<LogoRow>(sql`
    select m.medium_id, m.digest, m.source, m.failure, i.width, i.height
    from catalogue.medium m left join catalogue.picture i on i.tenant_id = m.tenant_id and i.digest = m.digest
    where m.tenant_id = ${tenant}::uuid and m.brand_id = ${brandId}::uuid`);

export interface LogoRow extends Row {
  readonly medium_id: string;
  readonly digest: string | null;
  readonly source: string | null;
  readonly failure: string | null;
  readonly width: number | null;
  readonly height: number | null;
}

const placed = ({ digest, width, height }: LogoRow): Logo => ({
  path: `/media/${digest ?? ''}`,
  width: width ?? 0,
  height: height ?? 0,
});

const located = ({ path, width, height }: Logo, at: string) => ({ url: `${at}${path}`, width, height });

/** @param at the address that pictures are served at */
export function presentLogo(brandId: string, rows: readonly LogoRow[], at: string): z.output<typeof brandLogo> {
  const shown = rows.find(({ digest }) => digest !== null);
  const other = rows.find(({ digest }) => digest === null);
  return {
    brandId,
    logo: shown === undefined ? null : located(placed(shown), at),
    fetching:
      other === undefined
        ? null
        : {
            source: other.source ?? '',
            status: other.failure === null ? 'pending' : 'failed',
            failure: other.failure,
          },
  };
}

/** Says in the log what a row of a brand holds now. */
export async function logoChanged(tx: TenantTransaction, brandId: string, mediumId: string): Promise<void> {
  tx.record(
    event('commerce.brand_logo.changed', {
      brand_id: brandId,
      medium_id: mediumId,
      content_sha256: await logoContentsOf(tx, mediumId),
    }),
  );
}

/** Takes rows of a brand away. @returns the digests of pictures that they had */
export async function dropLogos(
  tx: TenantTransaction,
  brandId: string,
  rows: readonly Pick<LogoRow, 'medium_id' | 'digest'>[],
): Promise<string[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ medium_id: id }) => id);
  await tx.query(
    sql`delete from catalogue.medium where tenant_id = ${tx.context.tenant}::uuid and medium_id = any (${ids}::uuid[])`,
  );
  for (const id of ids) tx.record(event('commerce.brand_logo.removed', { brand_id: brandId, medium_id: id }));
  return rows.flatMap(({ digest }) => digest ?? []);
}
