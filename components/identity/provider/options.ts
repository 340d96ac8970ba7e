import type { Addresses, Log } from '@steward/kernel';
import type { PresetClient } from './clients/preset.ts';
import type { TenantChoice } from './pages/consent.ts';

export interface ProviderOptions {
  /** Public base URL of the provider. */
  readonly issuer: string;
  readonly dataDir: string;
  /** What tokens can be for. */
  readonly resources: Addresses;
  /** The tenants a person may choose from at consent. */
  readonly tenantsOf: (subject: string) => Promise<readonly TenantChoice[]>;
  readonly log: Log;
  /** Clients besides the console that need no registration. */
  readonly clients?: readonly PresetClient[];
  /** Where the console takes its codes; `/signed-in` at the issuer's origin by default. */
  readonly consoleRedirects?: readonly string[];
  /** Where it is led back to after signing out here; nowhere by default. */
  readonly consoleSignedOut?: readonly string[];
  /** DEV_IDP=unsafe-public: every page says so. */
  readonly unsafePublic?: boolean;
}
