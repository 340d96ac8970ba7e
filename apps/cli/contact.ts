import type { CommandEnvironment } from './instance.ts';
import { UsageError } from './usage.ts';

/** `contact erase`. */
export async function contactCommand([name = '', ...args]: string[], env: CommandEnvironment): Promise<number> {
  if (name !== 'erase') throw new UsageError('There is `contact erase`.');
  // What people are made of is loaded by whoever needs it.
  const { eraseCommand } = await import('./contact/erase.ts');
  return eraseCommand(args, env);
}
