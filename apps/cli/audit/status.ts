import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';

/** `audit status`: how far days are sealed and what is in the way; exit 1 where days are over and not sealed, or will not be. */
export async function statusCommand({ json }: { json: boolean }, env: CommandEnvironment): Promise<number> {
  return withInstance(env, async ({ archive }) => {
    const status = await archive.status();
    const { sealedThrough = 'no day', over, unsealedDays, waiting, more, early } = status;
    if (json) {
      console.log(JSON.stringify(status, null, 2));
    } else {
      for (const { owner, day, there } of waiting) {
        console.log(`${owner === 'platform' ? owner : `tenant ${owner}`}: ${day} is not sealed yet`);
        for (const what of there) console.log(`  in the archive, and not signed: ${what}`);
      }
      if (more > 0) console.log(`${more} more are not sealed.`);
      for (const path of early) console.log(`under a day that is not over, where it will be in the way: ${path}`);
      console.log(`Sealed through ${sealedThrough}; ${over} is over, ${unsealedDays} days are not sealed.`);
    }
    return unsealedDays === 0 && early.length === 0 ? 0 : 1;
  });
}
