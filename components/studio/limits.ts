import { sql, type TenantTransaction } from '@steward/sql';
import { studioFail } from './errors.ts';

/** How much a tenant may make, so that a runaway tenant does not fill the disk. */
export interface StudioLimits {
  /** Disabled ones included. */
  readonly sites: number;
  /** Of all sites, ended ones included. */
  readonly keys: number;
  /** In use; ten times as many with those that are archived. */
  readonly forms: number;
  /** Of all forms. */
  readonly versions: number;
  /** What a site may have each of its keys ask in a minute. */
  readonly requestsPerMinute: number;
}

const withArchived = 10;

/**
 * Checks the limit before one more is made; nobody else in the tenant makes one until the transaction ends. The caller must already have locked
 * the rows that it needs, so that the holder of this lock waits for nobody. `restored`: a form that was archived.
 * @throws Problem `site_limit`, `sdk_key_limit`, `form_limit`, `form_version_limit` (409)
 */
export async function requireRoom(
  tx: TenantTransaction,
  limits: StudioLimits,
  kind: 'site' | 'key' | 'form' | 'restored' | 'version',
): Promise<void> {
  const { tenant } = tx.context;
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`studio.limits ${tenant}`}, 0))`);
  if (kind === 'site') {
    const [row] = await tx.query<Count>(
      sql`select count(*)::int as made from studio.site where tenant_id = ${tenant}::uuid`,
    );
    if (isFull(row, limits.sites))
      throw studioFail(
        'site_limit',
        `The tenant has ${limits.sites} sites, the most allowed, disabled ones included: reuse a site, or ask the operator ` +
          'to raise STUDIO_SITES_PER_TENANT.',
      );
  } else if (kind === 'key') {
    const [row] = await tx.query<Count>(
      sql`select count(*)::int as made from studio.sdk_key where tenant_id = ${tenant}::uuid`,
    );
    if (isFull(row, limits.keys))
      throw studioFail(
        'sdk_key_limit',
        `The tenant has issued ${limits.keys} keys, the most allowed, ended ones included: use a live key, or ask the ` +
          'operator to raise STUDIO_KEYS_PER_TENANT.',
      );
  } else if (kind === 'version') {
    // Versions have numbers without a gap.
    const [row] = await tx.query<Count>(
      sql`select coalesce(sum(latest_version), 0)::int as made from studio.form where tenant_id = ${tenant}::uuid`,
    );
    if (isFull(row, limits.versions))
      throw studioFail(
        'form_version_limit',
        `The tenant has published ${limits.versions} versions of forms, the most allowed: publish an older version by its ` +
          'number, or ask the operator to raise STUDIO_VERSIONS_PER_TENANT.',
      );
  } else {
    const [row] = await tx.query<Count & { used: number }>(sql`
      select count(*)::int as made, count(*) filter (where archived_at is null)::int as used
      from studio.form where tenant_id = ${tenant}::uuid`);
    if ((row?.used ?? 0) >= limits.forms)
      throw studioFail(
        'form_limit',
        `The tenant has ${limits.forms} forms in use, the most allowed: archive forms that nobody needs, or ask the ` +
          'operator to raise STUDIO_FORMS_PER_TENANT.',
      );
    if (kind === 'form' && isFull(row, limits.forms * withArchived))
      throw studioFail(
        'form_limit',
        `The tenant has ${limits.forms * withArchived} forms, the most allowed, archived ones included: restore a form and ` +
          'change it, or ask the operator to raise STUDIO_FORMS_PER_TENANT.',
      );
  }
}

interface Count extends Record<string, unknown> {
  readonly made: number;
}

const isFull = (row: Count | undefined, most: number): boolean => (row?.made ?? 0) >= most;
