import { Fragment, type ReactNode } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { Named } from '../../parts/named.tsx';
import { useWords } from '../../words/language.ts';
import type { LogEvent } from './event.ts';

/** Who acted, the agent first: packer for alice@example.com. */
export function Who({ of }: { readonly of: Pick<LogEvent, 'principal_chain' | 'display_names'> }): ReactNode {
  const words = useWords().activity;
  return of.principal_chain.toReversed().map((principal, at) => (
    <Fragment key={`${principal.principal_type}:${principal.principal_id}`}>
      {at === 0 ? null : ` ${words.forWhom} `}
      <Named of={principal} names={of.display_names} />
    </Fragment>
  ));
}

export function Sealed({ is }: { readonly is: boolean }): ReactNode {
  const words = useWords().activity;
  return <Badge tone={is ? 'held' : 'plain'}>{is ? words.sealed : words.open}</Badge>;
}
