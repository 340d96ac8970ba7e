import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { useWords } from '../../words/language.ts';
import type { Grant } from './agent.ts';

/** What an agent may do, in a sentence. */
export function Terms({
  grant,
  needGrant,
}: {
  readonly grant: Grant | undefined;
  readonly needGrant: boolean;
}): ReactNode {
  const words = useWords().agents;
  if (grant === undefined) return needGrant ? <Badge>{words.mayNothing}</Badge> : words.asPerson;
  if (grant.status === 'revoked') return <Badge tone="error">{words.shutOut}</Badge>;
  if (grant.status === 'suspended') return <Badge tone="waits">{words.suspended}</Badge>;
  if ([grant.tiers, grant.pillars, grant.tools].some((admitted) => admitted?.length === 0)) return words.nothing;
  const parts = [
    grant.tiers === null ? words.everything : listed(grant.tiers, words.tiers),
    grant.pillars === null ? undefined : `${words.inParts} ${listed(grant.pillars, words.pillars)}`,
    grant.tools === null ? undefined : words.toolsOnly(grant.tools.length),
  ];
  return parts.filter(Boolean).join(', ');
}

const listed = (names: readonly string[], words: Readonly<Record<string, string>>): string =>
  names.map((name) => words[name] ?? name).join(', ');
