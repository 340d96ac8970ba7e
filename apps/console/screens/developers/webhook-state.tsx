import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { useWords } from '../../words/language.ts';

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[] | null;
  readonly description: string | null;
  readonly signing: string;
  readonly status: 'active' | 'paused' | 'disabled';
  readonly reason: 'secret_missing' | 'member' | 'failing' | 'gone' | 'abandoned' | null;
  readonly publicKeys: readonly string[];
  readonly statusAt: string;
}

/** Green sends, amber waits for somebody, red was stopped because nothing arrived. */
export function WebhookState({
  of: { status, reason },
}: {
  readonly of: Pick<Webhook, 'status' | 'reason'>;
}): ReactNode {
  const words = useWords().developers;
  const tone = status === 'active' ? 'held' : status === 'disabled' ? 'error' : 'waits';
  return <Badge tone={tone}>{status === 'active' ? words.sends : words[reason ?? 'member']}</Badge>;
}
