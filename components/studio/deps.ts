import type { TenantTransaction } from '@steward/sql';
import type { StudioLimits } from './limits.ts';
import type { RecipientPorts } from './recipients/recipient.ts';

/** What the studio's verbs are given beside their tenant. */
export interface StudioDeps {
  /** Keys are derived from it; the same in every process. */
  readonly secret: Uint8Array;
  /** How much a tenant may make. */
  readonly limits: StudioLimits;
  /** `{storefront_api_url}`, for the addresses that answers name. */
  readonly storefront: string;
  /**
   * The id of a brand in use: the one named, or the default one where none is named; undefined when there is no such
   * brand in the transaction's tenant. Brands are the portal's.
   */
  readonly brandIn: (tx: TenantTransaction, brandId: string | undefined) => Promise<string | undefined>;
  /** The custom fields of the tenant's active contact schema. Contacts are the crm's. */
  readonly contactFields: (tx: TenantTransaction) => Promise<ContactFields>;
  /** Who an address that a form names is, and what its emails lead to. */
  readonly recipients: RecipientPorts;
  /** To be called once a change is committed: what this process keeps of it is forgotten. */
  readonly forget: Forget;
}

/** Custom fields of contacts, by key; a set of keys will do. */
export interface ContactFields {
  has(key: string): boolean;
  keys(): Iterable<string>;
  /** Why a field would refuse a value, in words; undefined where it takes it, or where that depends on the visitor. */
  fault?(key: string, value: unknown): string | undefined;
}

export interface Forget {
  key(keyId: string): void;
  /** Its keys and its forms. */
  site(siteId: string): void;
  form(formId: string): void;
}
