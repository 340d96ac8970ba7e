import { ConfigError } from '@steward/kernel';
import type { SqlPool } from '@steward/sql';
import { writeKeyNote } from '../format/key-note.ts';
import { type SigningKey, verifierKey } from '../format/note.ts';
import { createKey, finishRotation, type KeySource, readKey } from './key-file.ts';
import { times } from './times.ts';
import { type RegisteredKey, registeredKeys, registerKey } from './registry.ts';

/** This process may not sign: the message says what to do. */
export class KeyUnavailable extends Error {
  override readonly name = 'KeyUnavailable';
}

/** The archive knows a key that follows this one, and the database does not: the message says what to do. */
export class KeyRetired extends ConfigError {}

/** The key of this process, against the keys that the database knows. */
export interface Keyring {
  /**
   * The current key, which signs checkpoints.
   * @throws KeyUnavailable where this process does not have it
   */
  signer(): Promise<SigningKey>;
  /**
   * The key for receipts: this process's own, as long as it is the current one, so that a reader of a receipt finds the
   * key to check it with, and a retired key signs nothing new. Otherwise undefined.
   */
  receiptSigner(): Promise<SigningKey | undefined>;
  /** All keys, past ones too, in the order of their registration. */
  registered(): Promise<readonly RegisteredKey[]>;
  /** This process's own key, known to the database or not. */
  own(): Promise<SigningKey | undefined>;
  /** From now on this process signs no receipt with a key that another one follows. */
  retire(keyId: string): void;
}

interface State {
  readonly own: SigningKey | undefined;
  readonly keys: readonly RegisteredKey[];
  readonly at: number;
}

/** How long a receipt may be signed on what the registry said, in milliseconds: a rotated key stays checkable. */
const trusted = 60_000;

export function createKeyring(pool: SqlPool, source: KeySource): Keyring {
  let own: SigningKey | undefined;
  let last: State | undefined;
  const retired = new Set<string>();

  const look = async (): Promise<State> => {
    for (;;) {
      const keys = await registeredKeys(pool);
      const current = keys.at(-1);
      if (current === undefined) {
        own = (await readKey(source)) ?? (await create(source));
        if (own === undefined) return (last = { own, keys, at: performance.now() });
        // Another process may have been first: then its key is found in the next round.
        await registerKey(pool, undefined, {
          keyId: own.keyId,
          verifierKey: verifierKey(own.publicKey),
          note: writeKeyNote(own, (await times(pool)).from),
        });
        continue;
      }
      // A rotation elsewhere on this machine replaces the file under us.
      if (own?.keyId !== current.keyId) own = await readKey(source);
      if (own?.keyId !== current.keyId && source.path !== undefined)
        own = (await finishRotation(source.path, current.keyId)) ?? own;
      return (last = { own, keys, at: performance.now() });
    }
  };

  return {
    signer: async () => {
      const state = await look();
      const current = state.keys.at(-1);
      if (state.own !== undefined && state.own.keyId === current?.keyId) return state.own;
      throw new KeyUnavailable(refusal(state.own, current, source));
    },
    receiptSigner: async () => {
      const state = last !== undefined && performance.now() - last.at < trusted ? last : await look();
      const { own: mine } = state;
      return mine !== undefined && state.keys.at(-1)?.keyId === mine.keyId && !retired.has(mine.keyId)
        ? mine
        : undefined;
    },
    registered: async () => (await look()).keys,
    own: async () => (await look()).own,
    retire: (keyId) => void retired.add(keyId),
  };
}

const create = async (source: KeySource): Promise<SigningKey | undefined> =>
  source.path !== undefined && source.mayCreate ? createKey(source.path) : undefined;

function refusal(own: SigningKey | undefined, current: RegisteredKey | undefined, source: KeySource): string {
  const where = source.path ?? 'AUDIT_SIGNING_KEY';
  if (current === undefined) return `There is no key at ${where}: put the key there that signs the audit log.`;
  const has = own === undefined ? `there is none at ${where}` : `${where} holds ${own.keyId}`;
  return (
    `The audit log of this database is signed with key ${current.keyId}, and ${has}: give every process the same key ` +
    '(AUDIT_SIGNING_KEY, or a shared DATA_DIR/audit), or restore it from your backup. ' +
    'If it is lost for good, run `steward audit rotate-key --lost`.'
  );
}
