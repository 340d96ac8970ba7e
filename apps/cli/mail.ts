import type { CommandEnvironment } from './instance.ts';
import { retryCommand } from './mail/retry.ts';
import { statusCommand } from './mail/status.ts';
import { UsageError } from './usage.ts';

/** `mail <action>`: one file an action, in `mail/`. */
const actions: Readonly<Record<string, (args: string[], env: CommandEnvironment) => Promise<number>>> = {
  status: statusCommand,
  retry: retryCommand,
};

/** Runs one action on the letters; the answer is the exit code. */
export async function mailCommand([name = '', ...args]: string[], env: CommandEnvironment): Promise<number> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new UsageError(`There is \`mail ${Object.keys(actions).join('`, `mail ')}\`.`);
  return action(args, env);
}
