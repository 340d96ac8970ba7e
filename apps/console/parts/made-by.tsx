import type { ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import { Badge } from './badge.tsx';
import { Said } from './said.tsx';

/** What gives data or entry to somebody outside. */
export interface Integration {
  readonly kind:
    | 'webhook'
    | 'agent_credential'
    | 'product_feed'
    | 'sdk_key'
    | 'connection'
    | 'channel'
    | 'machine'
    | 'invitation'
    | 'grant';
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly createdAt: string;
  readonly createdBy: string | null;
  readonly createdByName: string | null;
  readonly createdThrough: string | null;
  readonly createdByLeft: 'removed' | 'suspended' | null;
  readonly knownToLeft: readonly string[];
  readonly suspendedAt: string | null;
}

/** Whoever made it, marked where they left. */
export function MadeBy({
  of: { createdBy, createdByName, createdByLeft },
}: {
  readonly of: Pick<Integration, 'createdBy' | 'createdByLeft'> & { readonly createdByName?: string | null };
}): ReactNode {
  const words = useWords().parts;
  return createdBy === null ? (
    words.madeUnknown
  ) : (
    <>
      <Said>{createdByName ?? createdBy}</Said>{' '}
      {createdByLeft === null ? null : <Badge tone="waits">{words.left[createdByLeft]}</Badge>}
    </>
  );
}

/** What goes on, by name. */
export function Leaves({
  title,
  items,
  kinds,
}: {
  readonly title: string;
  readonly items: readonly Pick<Integration, 'kind' | 'id' | 'name'>[];
  readonly kinds: Readonly<Record<Integration['kind'], string>>;
}): ReactNode {
  return items.length === 0 ? null : (
    <>
      <p>{title}</p>
      <ul>
        {items.map(({ kind, id, name }) => (
          <li key={`${kind} ${id}`}>
            <Said>{name}</Said> ({kinds[kind]})
          </li>
        ))}
      </ul>
    </>
  );
}
