import type { ReactNode } from 'react';
import { Said } from '../../parts/said.tsx';
import { useWords } from '../../words/language.ts';
import type { Posting } from './types.ts';

/** Why something of an order is not in the books: in words of the page where it has them, otherwise in those of the server. */
export function WhyNot({ of: { reason, detail } }: { readonly of: Pick<Posting, 'reason' | 'detail'> }): ReactNode {
  const words: Readonly<Record<string, string>> = useWords().commerce.postingReasons;
  return words[reason ?? ''] ?? <Said>{detail ?? reason}</Said>;
}
