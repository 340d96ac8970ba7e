import type { ReactNode } from 'react';
import { Said } from '../../parts/said.tsx';
import { Go } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import type { Posting } from './types.ts';

/** What is mended where the console says how orders are posted. */
const ofProfile: ReadonlySet<string> = new Set(['posting_account_missing', 'posting_account_unusable', 'profile_off']);

/** Why something of an order is not in the books: in words of the page where it has them, otherwise in those of the server. */
export function WhyNot({ of: { reason, detail } }: { readonly of: Pick<Posting, 'reason' | 'detail'> }): ReactNode {
  const words: Readonly<Record<string, string>> = useWords().commerce.postingReasons;
  const { books } = useWords().selling;
  const said = words[reason ?? ''];
  if (said === undefined) return <Said>{detail ?? reason}</Said>;
  return ofProfile.has(reason ?? '') ? (
    <>
      {said} <Go to="/commerce/shipping">{books}</Go>
    </>
  ) : (
    said
  );
}
