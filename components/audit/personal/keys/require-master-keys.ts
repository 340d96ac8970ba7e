import { ConfigError } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import type { MasterKeys } from './master-key.ts';

/**
 * Refuses a start without a master key that wraps keys of subjects: personal data would be unreadable here.
 * @throws ConfigError naming the key and what to do
 */
export async function requireMasterKeys(pool: SqlPool, masters: MasterKeys): Promise<void> {
  const rows = await pool.read<{ id: string }>(sql`select master as id from audit.masters_in_use() as used (master)`);
  const missing = rows.map(({ id }) => id).filter((id) => !masters.some((master) => master.id === id));
  if (missing.length > 0)
    throw new ConfigError(
      `Personal data in the audit log is sealed under master keys that are not here: ${missing.join(', ')}. ` +
        'Add them to AUDIT_MASTER_KEY after a comma, or restore audit/master-key in DATA_DIR from your backup; ' +
        'if one is lost for good, `steward audit rewrap --lost <id>` erases what only it opens.',
    );
}
