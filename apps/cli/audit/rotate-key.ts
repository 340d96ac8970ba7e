import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';

/** `audit rotate-key`: a new signing key, vouched for by the present one; running servers on its file take it up by themselves. */
export async function rotateKeyCommand({ lost }: { lost: boolean }, env: CommandEnvironment): Promise<number> {
  return withInstance(env, async ({ archive }) => {
    const { key, verifierKey, previous, path, configured } = await archive.rotateKey({ lost });
    console.log(
      lost
        ? `Key ${key.keyId} signs from now on. Nothing vouches for it: tell those who verify to trust it too.`
        : `Key ${key.keyId} signs from now on; ${previous} vouches for it.`,
    );
    console.log(
      configured
        ? `It is in ${path}: put it in the place of AUDIT_SIGNING_KEY of every process and restart them. Until then they do not seal.`
        : `It is in ${path}. Give it to processes that do not share this file.`,
    );
    console.log(verifierKey);
    return 0;
  });
}
