import { ownKeys, verifyProof, type About, type Verdict } from './proof.ts';

/** What came of computing everything anew. Without a pinned key it is never called verified, nor is what is of another log. */
export type Told = { readonly is: 'verified' | 'agrees' | 'foreign' | 'unread' | 'broken'; readonly verdict: Verdict };

/** @param pinned the public key that the reader trusts, `steward/audit+…` */
export async function judge(text: string, pinned: string | undefined, about: About): Promise<Told> {
  if (pinned !== undefined) return told(await verifyProof(text, [pinned], about), 'verified');
  const first = await verifyProof(text, [], about);
  const [own] = first.proof === undefined ? [] : ownKeys(first.proof);
  // By its own word: that it agrees with itself is all that can be said.
  return told(own === undefined ? first : await verifyProof(text, [own], about).catch(() => first), 'agrees');
}

const told = (verdict: Verdict, good: Told['is']): Told => ({
  is: verdict.ok ? good : verdict.kind === 'foreign' ? 'foreign' : verdict.kind === 'form' ? 'unread' : 'broken',
  verdict,
});
