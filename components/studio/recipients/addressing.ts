import { isWritable } from '@steward/mail';
import type { TenantTransaction } from '@steward/sql';
import { askRecipients } from './ask.ts';
import { addressees, type Asking, type Addressee, type RecipientPorts } from './recipient.ts';

/** Addresses that a brand names for letters about something else than forms: under the rules of those that forms name. */
export interface Addressing {
  /** Who they are and whether they are written to, each once. */
  among(tx: Asking, addresses: readonly string[]): Promise<readonly Addressee[]>;
  /**
   * Asks those that are written to only once they confirm, each once a day at most. @returns how many were asked
   * @param kept those that the brand had named before: who left is asked where somebody names them anew
   */
  ask(
    tx: TenantTransaction,
    brandId: string,
    addresses: readonly string[],
    kept?: ReadonlySet<string>,
  ): Promise<number>;
  /** Where the reader of an address says what they want. @param digest SHA-256 of the address, in hex */
  links(tenant: string, digest: string): { readonly confirm: string; readonly unsubscribe: string };
}

export const createAddressing = (ports: RecipientPorts): Addressing => ({
  among: async (tx, addresses) => addressees(tx, ports, addresses),
  ask: async (tx, brandId, addresses, kept = new Set()) => {
    const unknown = (await addressees(tx, ports, addresses)).filter(
      ({ address, standing, state, told, left }) =>
        standing === 'unconfirmed' && !told && isWritable(state) && !(left && kept.has(address)),
    );
    return (await askRecipients(tx, ports, { brandId }, unknown)).length;
  },
  links: (tenant, address) => ({
    confirm: ports.links.to('confirm', { tenant, address }),
    unsubscribe: ports.links.to('unsubscribe', { tenant, address }),
  }),
});
