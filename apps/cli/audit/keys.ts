import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';

/** `audit keys`: the lines that verifiers take, the current key last. */
export async function keysCommand(env: CommandEnvironment): Promise<number> {
  return withInstance(env, async ({ archive }) => {
    const keys = await archive.keys.registered();
    for (const { verifierKey } of keys) console.log(verifierKey);
    return 0;
  });
}
