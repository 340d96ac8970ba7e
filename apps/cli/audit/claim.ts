import { allTenants } from '@steward/portal';
import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';
import { UsageError } from '../command.ts';

/** `audit claim --reason`: the archive belongs to this database from now on; repeating it finishes what was cut off. */
export async function claimCommand(
  { reason, 'new-archive': newArchive }: { reason: string; 'new-archive': boolean },
  env: CommandEnvironment,
): Promise<number> {
  if (reason === '' || reason.length > 500 || /\p{Cc}|\p{Cs}/u.test(reason))
    throw new UsageError('Say why: --reason with 1 to 500 characters. It stays in the archive.');
  return withInstance(env, async ({ archive, operator, ownerUrl }) => {
    const tenants = await allTenants(ownerUrl());
    const { claim, changed } = await archive.takeOver(reason, { newArchive });
    for (const tenant of tenants) await archive.noteTakenOver(operator(tenant), claim);
    console.log(
      changed
        ? `Claim ${claim.number}: the archive belongs to database ${claim.database} of installation ${claim.installation} from now on.`
        : `The archive belongs to this database already, by claim ${claim.number}.`,
    );
    if (changed && claim.lost.length > 0)
      console.log(
        `Of ${claim.lost.length} tenants rows were acknowledged that are not here; what is sealed from now on bears incarnation ${claim.incarnation}.`,
      );
    return 0;
  });
}
