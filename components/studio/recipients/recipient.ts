import { addressDigest, addressStates, foldedAddress, isWritable, type AddressState } from '@steward/mail';
import type { Statement, TenantTransaction } from '@steward/sql';
import type { Links } from './links.ts';

/** Enough of a transaction to ask who somebody is. */
export type Asking = Pick<TenantTransaction, 'query'> & { readonly context: { readonly tenant: string } };

export interface RecipientPorts {
  /** Those of the addresses, in lower case, that are members' of the tenant. */
  readonly membersAmong: (tx: Asking, addresses: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Those that were members' until they were removed or suspended, in lower case, and when that was. */
  readonly leftAmong: (tx: Asking, addresses: readonly string[]) => Promise<ReadonlyMap<string, Date>>;
  /** Whether addresses are written to that are neither a member's nor confirmed. */
  readonly toStrangers: boolean;
  readonly links: Links;
}

/** Who wanted the emails: somebody of the tenant, the reader who confirmed, or nobody yet. */
export const standings = ['member', 'confirmed', 'unconfirmed'] as const;
type Standing = (typeof standings)[number];

/** An address that a form names, and what is known of it. */
export interface Addressee {
  /** As the form has it. */
  readonly address: string;
  readonly digest: string;
  readonly standing: Standing;
  readonly state: AddressState | undefined;
  /** It is of somebody who is a member no more, and has not confirmed since that they are to have emails: none are sent there. */
  readonly left: boolean;
  /** Whether it receives emails about submissions. */
  readonly told: boolean;
}

/** Each address once, whatever its case, in the order given. */
export async function addressees(
  tx: Asking,
  { membersAmong, leftAmong, toStrangers }: Pick<RecipientPorts, 'membersAmong' | 'leftAmong' | 'toStrangers'>,
  addresses: readonly string[],
): Promise<Addressee[]> {
  const byDigest = new Map(addresses.toReversed().map((address) => [addressDigest(address), address]));
  const digests = [...byDigest.keys()].toReversed();
  const folded = addresses.map(foldedAddress);
  const members = await membersAmong(tx, folded);
  const gone = await leftAmong(tx, folded);
  const states = await addressStates(tx, digests);
  return digests.map((digest): Addressee => {
    const address = byDigest.get(digest) ?? '';
    const state = states.get(digest);
    const leftAt = gone.get(foldedAddress(address));
    const confirmed = hasConfirmed(state, leftAt);
    const standing = members.has(foldedAddress(address)) ? 'member' : confirmed ? 'confirmed' : 'unconfirmed';
    const left = standing === 'unconfirmed' && leftAt !== undefined;
    const told = isWritable(state) && !left && (toStrangers || standing !== 'unconfirmed');
    return { address, digest, standing, state, left, told };
  });
}

/** What counts of somebody who left is what they were asked since, and said then. */
function hasConfirmed(state: AddressState | undefined, leftAt: Date | undefined): boolean {
  const { confirmedAt = null, askedAt = null } = state ?? {};
  if (confirmedAt === null || leftAt === undefined) return confirmedAt !== null;
  return askedAt !== null && askedAt > leftAt && confirmedAt > askedAt;
}

/** Of an event by which submissions go to strangers, or these are asked whether they want them: data leaves the organization. */
export const takesPeople = (strangers: readonly string[]): { readonly takesPeople?: string } =>
  strangers.length === 0
    ? {}
    : {
        takesPeople:
          `A person decides whether submissions go to ${strangers.join(', ')}: neither a member’s address, nor confirmed, nor one that ` +
          'visitors’ submissions went to before.',
      };

/** Reading by single statements, as verbs that only read do it. */
export const askingBy = (tenant: string, query: (statement: Statement) => Promise<unknown[]>): Asking => ({
  context: { tenant },
  query: query as Asking['query'],
});
