import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Account } from './account.ts';

/**
 * Whether the account may pass through the folder and all above it, and, for a file, read it. Judged by the permission
 * bits: an access list that grants more is overlooked, which costs a copy but never a failure.
 */
export function canReach(path: string, account: Account | undefined): boolean {
  if (account === undefined) return true;
  const stat = statSync(path);
  if (!allows(stat, account, stat.isDirectory() ? 0o5 : 0o4)) return false;
  return canPass(dirname(path), account);
}

/** Whether the account may pass through the folder and all above it. */
export function canPass(folder: string, account: Account | undefined): boolean {
  if (account === undefined) return true;
  for (let at = folder; ; at = dirname(at)) {
    if (!allows(statSync(at), account, 0o1)) return false;
    if (at === dirname(at)) return true;
  }
}

function allows(stat: { mode: number; uid: number; gid: number }, account: Account, wanted: number): boolean {
  const shift = stat.uid === account.uid ? 6 : stat.gid === account.gid ? 3 : 0;
  return ((stat.mode >> shift) & wanted) === wanted;
}
