import type { CommandEnvironment } from './instance.ts';
import { UsageError } from './usage.ts';

type Action = (args: string[], env: CommandEnvironment) => Promise<number>;

/** `audit <action>`: one file an action, in `audit/`, which loads what it needs. */
const actions: Readonly<Record<string, () => Promise<Action>>> = {
  verify: async () => (await import('./audit/verify.ts')).verifyCommand,
  seal: async () => (await import('./audit/seal.ts')).sealCommand,
  proof: async () => (await import('./audit/proof.ts')).proofCommand,
  export: async () => (await import('./audit/export.ts')).exportCommand,
  erase: async () => (await import('./audit/erase.ts')).eraseCommand,
  hold: async () => (await import('./audit/hold.ts')).holdCommand,
  expire: async () => (await import('./audit/expire.ts')).expireCommand,
  keys: async () => (await import('./audit/keys.ts')).keysCommand,
  'rotate-key': async () => (await import('./audit/rotate-key.ts')).rotateKeyCommand,
  rewrap: async () => (await import('./audit/rewrap.ts')).rewrapCommand,
};

/** Runs one action on the audit log; the answer is the exit code. */
export async function auditCommand([name = '', ...args]: string[], env: CommandEnvironment): Promise<number> {
  const load = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (load === undefined) throw new UsageError(`There is \`audit ${Object.keys(actions).join('`, `audit ')}\`.`);
  const action = await load();
  return action(args, env);
}
