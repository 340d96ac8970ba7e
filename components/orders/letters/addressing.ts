import type { TenantTransaction } from '@steward/sql';

/** Enough of a transaction to ask who somebody is. */
export type Asking = Pick<TenantTransaction, 'query'> & { readonly context: { readonly tenant: string } };

/** An address that settings name. */
export interface Addressee {
  /** As the settings have it. */
  readonly address: string;
  /** SHA-256 of it, in hex. */
  readonly digest: string;
  /** Who wanted the letters: somebody of the tenant, the reader who confirmed, or nobody yet. */
  readonly standing: 'member' | 'confirmed' | 'unconfirmed';
  /** It is of somebody who is a member no more. */
  readonly left: boolean;
  /** Whether it is written to. */
  readonly told: boolean;
}

/** What is known of addresses that a tenant chose, and what their readers want. Others keep that, and the rules of it. */
export interface Addressing {
  among(tx: Asking, addresses: readonly string[]): Promise<readonly Addressee[]>;
  /** Asks those that are written to only once they confirm. @param kept those that settings named before @returns how many were asked */
  ask(tx: TenantTransaction, brandId: string, addresses: readonly string[], kept: ReadonlySet<string>): Promise<number>;
  links(tenant: string, digest: string): { readonly confirm: string; readonly unsubscribe: string };
}
