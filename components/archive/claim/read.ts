import { hash } from 'node:crypto';
import { openNote } from '../format/note.ts';
import { claimPath } from '../format/paths.ts';
import type { ArchiveTarget } from '../targets/target.ts';
import { readBounded } from '../sealing/days/archived-day.ts';
import { type Claim, readClaim } from './note.ts';

export interface SignedClaim extends Claim {
  /** Of the note's bytes, lower-case hex. */
  readonly sha256: string;
}

/** Some 500 000 tenants that lost rows. */
const mostBytes = 64 << 20;

/** The number of the last object under the name of a claim, whatever it is; 0 where there is none. */
export async function lastClaimNumber(target: ArchiveTarget): Promise<number> {
  let last = 0;
  for await (const path of target.list('platform/claims/')) {
    const number = Number(/^platform\/claims\/(\d{9})\.note$/.exec(path)?.[1] ?? 0);
    if (claimPath(number) === path) last = Math.max(last, number);
  }
  return last;
}

/**
 * The claim that counts, the last one; `unreadable` if the file is none, or no known key signed it.
 * @param known keys as `verifierKey` writes them
 */
export async function readLastClaim(
  target: ArchiveTarget,
  known: readonly string[],
): Promise<SignedClaim | 'unreadable' | undefined> {
  const number = await lastClaimNumber(target);
  if (number === 0) return undefined;
  const stored = await readBounded(target, claimPath(number), mostBytes);
  if (stored === undefined || stored === false) return 'unreadable';
  return openClaim(stored.bytes, number, known) ?? 'unreadable';
}

/** Every claim that a known key signed, in their order. */
export async function readAllClaims(target: ArchiveTarget, known: readonly string[]): Promise<SignedClaim[]> {
  const claims: SignedClaim[] = [];
  for (let number = await lastClaimNumber(target); number > 0; number -= 1) {
    const stored = await readBounded(target, claimPath(number), mostBytes);
    const claim = stored === undefined || stored === false ? undefined : openClaim(stored.bytes, number, known);
    if (claim !== undefined) claims.unshift(claim);
  }
  return claims;
}

/** Undefined where these bytes are no claim of that number by a known key. */
export function openClaim(bytes: Buffer, number: number, known: readonly string[]): SignedClaim | undefined {
  try {
    const claim = readClaim(openNote(bytes.toString(), known).text);
    return claim.number === number ? { ...claim, sha256: hash('sha256', bytes) } : undefined;
  } catch {
    return undefined;
  }
}
