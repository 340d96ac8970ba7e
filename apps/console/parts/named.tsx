import type { ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import { AgentNamed } from './agent-named.tsx';
import { Said } from './said.tsx';

/** Who acted, by a present name. Pages of a site act by a key, whose id says nothing to people: the title has it. */
export function Named({
  of: { principal_type: type, principal_id: id },
  names,
}: {
  readonly of: { readonly principal_type: string; readonly principal_id: string };
  readonly names: Readonly<Record<string, string>> | undefined;
}): ReactNode {
  const words = useWords().parts;
  const name = names?.[`${type}:${id}`];
  if (name === undefined && type === 'service' && id.startsWith('sdk-key:'))
    return <span title={id}>{words.aPage}</span>;
  if (type === 'agent') return <AgentNamed id={id} name={name} />;
  return <Said>{name ?? id}</Said>;
}
