import type { CommandEnvironment } from './instance.ts';
import { UsageError } from './usage.ts';
import { eraseCommand } from './audit/erase.ts';
import { expireCommand } from './audit/expire.ts';
import { exportCommand } from './audit/export.ts';
import { holdCommand } from './audit/hold.ts';
import { keysCommand } from './audit/keys.ts';
import { proofCommand } from './audit/proof.ts';
import { rewrapCommand } from './audit/rewrap.ts';
import { rotateKeyCommand } from './audit/rotate-key.ts';
import { sealCommand } from './audit/seal.ts';
import { verifyCommand } from './audit/verify.ts';

/** `audit <action>`: one file an action, in `audit/`. */
const actions: Readonly<Record<string, (args: string[], env: CommandEnvironment) => Promise<number>>> = {
  verify: verifyCommand,
  seal: sealCommand,
  proof: proofCommand,
  export: exportCommand,
  erase: eraseCommand,
  hold: holdCommand,
  expire: expireCommand,
  keys: keysCommand,
  'rotate-key': rotateKeyCommand,
  rewrap: rewrapCommand,
};

/** Runs one action on the audit log; the answer is the exit code. */
export async function auditCommand([name = '', ...args]: string[], env: CommandEnvironment): Promise<number> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new UsageError(`There is \`audit ${Object.keys(actions).join('`, `audit ')}\`.`);
  return action(args, env);
}
