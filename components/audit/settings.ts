import { ConfigError, list, settings } from '@steward/kernel';

export interface AuditSettings {
  /** 32 bytes each, the one for new keys first. Empty: one is made and kept in the data folder. */
  readonly auditMasterKeys: readonly Uint8Array[];
}

const variables = {
  AUDIT_MASTER_KEY: {
    default: '',
    says:
      '64 hex digits, the same in every process: wraps the keys that seal personal data in the audit log. Append older ' +
      'keys after commas. Empty: the server creates one in DATA_DIR.',
  },
} as const;

export const auditSettings = settings(variables, (env): AuditSettings => ({
  auditMasterKeys: list(env, 'AUDIT_MASTER_KEY').map(masterKey),
}));

function masterKey(given: string): Uint8Array {
  if (!/^[0-9a-f]{64}$/.test(given)) {
    throw new ConfigError(
      'AUDIT_MASTER_KEY must be a comma list of keys of 64 lower-case hex digits, such as `openssl rand -hex 32` prints.',
    );
  }
  return Buffer.from(given, 'hex');
}
