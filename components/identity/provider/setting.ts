import type { Addresses } from '@steward/kernel';
import type { Accounts } from './accounts.ts';
import type { PresetClient } from './clients/preset.ts';
import type { DevelopmentKeys } from './keys.ts';

export interface Setting {
  readonly issuer: URL;
  readonly addresses: Addresses;
  readonly folder: string;
  readonly keys: DevelopmentKeys;
  readonly accounts: Accounts;
  readonly clients: readonly PresetClient[];
  readonly unsafePublic: boolean;
}
