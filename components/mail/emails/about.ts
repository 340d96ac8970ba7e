import { statement, type Statement } from '@steward/sql';

/**
 * How emails that a component owes one reader about these matters fare: `about`, `state` (`queued`, `sent` or `dead`), `settled_at`, `reason` of
 * one that was given up, `returned_at` of one that came back. Those that were settled long ago are not kept.
 */
export const selectOwedAbout = (
  tenant: string,
  { by, abouts, reader }: { readonly by: string; readonly abouts: readonly string[]; readonly reader: string },
): Statement =>
  statement(
    `select about, state, settled_at, reason, returned_at from mail.letter
     where tenant_id = $1::uuid and owed_by = $2 and about = any ($3::text[]) and reader = $4`,
    [tenant, by, abouts, reader],
  );
