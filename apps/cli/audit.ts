import type { CommandEnvironment } from './instance.ts';
import { UsageError } from './usage.ts';
import { exportCommand } from './audit/export.ts';
import { keysCommand } from './audit/keys.ts';
import { proofCommand } from './audit/proof.ts';
import { rotateKeyCommand } from './audit/rotate-key.ts';
import { sealCommand } from './audit/seal.ts';
import { verifyCommand } from './audit/verify.ts';

/** `audit <action>`: one file an action, in `audit/`. */
const actions: Readonly<Record<string, (args: string[], env: CommandEnvironment) => Promise<number>>> = {
  verify: verifyCommand,
  seal: sealCommand,
  proof: proofCommand,
  export: exportCommand,
  keys: keysCommand,
  'rotate-key': rotateKeyCommand,
};

/** Runs one action on the audit log; the answer is the exit code. */
export async function auditCommand([name = '', ...args]: string[], env: CommandEnvironment): Promise<number> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new UsageError(`There is \`audit ${Object.keys(actions).join('`, `audit ')}\`.`);
  return action(args, env);
}
