import type { ReactNode } from 'react';
import { useApi, type Paged } from '../../data/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { MadeBy } from '../../parts/made-by.tsx';
import { useWords } from '../../words/language.ts';

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[] | null;
  readonly description: string | null;
  readonly signing: string;
  readonly status: 'active' | 'paused' | 'disabled';
  readonly reason:
    | 'secret_missing'
    | 'member'
    | 'failing'
    | 'gone'
    | 'abandoned'
    | 'client_shut_out'
    | 'shut_out_stopped'
    | null;
  readonly publicKeys: readonly string[];
  readonly createdBy: string | null;
  readonly createdThrough: string | null;
  readonly createdByLeft: 'removed' | 'suspended' | null;
  readonly secretKnownToLeft: boolean;
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

/** Whoever made it, and what is to be done where they left. */
export function Known({ of }: { readonly of: Webhook }): ReactNode {
  const words = useWords().parts;
  const { data } = useMembers();
  const made = data?.items.find(({ principalId }) => principalId === of.createdBy);
  return (
    <>
      <MadeBy of={{ ...of, createdByName: made?.displayName ?? made?.email ?? null }} />{' '}
      {of.secretKnownToLeft ? <Badge tone="error">{words.rotateIt}</Badge> : null}
    </>
  );
}

interface Member {
  readonly principalId: string;
  readonly displayName: string | null;
  readonly email: string | null;
}

const useMembers = () => useApi<Paged<Member>>('portal', '/api/members', { query: { limit: 100 } });
