import { forgetCommand } from './bus/forget.ts';
import { pruneCommand } from './bus/prune.ts';
import { replayCommand } from './bus/replay.ts';
import { retryCommand } from './bus/retry.ts';
import { statusCommand } from './bus/status.ts';
import { stuckCommand } from './bus/stuck.ts';
import type { CommandEnvironment } from './instance.ts';
import { UsageError } from './usage.ts';

/** `bus <action>`: one file an action, in `bus/`. */
const actions: Readonly<Record<string, (args: string[], env: CommandEnvironment) => Promise<number>>> = {
  status: statusCommand,
  'dead-letters': stuckCommand,
  retry: retryCommand,
  replay: replayCommand,
  prune: pruneCommand,
  forget: forgetCommand,
};

/** Runs one action on the event bus; the answer is the exit code. */
export async function busCommand([name = '', ...args]: string[], env: CommandEnvironment): Promise<number> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new UsageError(`There is \`bus ${Object.keys(actions).join('`, `bus ')}\`.`);
  return action(args, env);
}
