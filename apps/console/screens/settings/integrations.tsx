import type { ReactNode } from 'react';
import { useMay } from '../../data/organization.ts';
import { useApi } from '../../data/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Section } from '../../parts/page.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useWords } from '../../words/language.ts';

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

interface All {
  readonly items: readonly Integration[];
}

/** Whoever made it, marked where they left. */
export function MadeBy({
  of: { createdBy, createdByName, createdByLeft },
}: {
  readonly of: Pick<Integration, 'createdBy' | 'createdByLeft'> & { readonly createdByName?: string | null };
}): ReactNode {
  const words = useWords().settings;
  return createdBy === null ? (
    words.madeUnknown
  ) : (
    <>
      <Said>{createdByName ?? createdBy}</Said>{' '}
      {createdByLeft === null ? null : <Badge tone="waits">{words.left[createdByLeft]}</Badge>}
    </>
  );
}

/** All of it, with whoever made it: what somebody who left has made, or knows a secret of, is marked. */
export function Integrations(): ReactNode {
  const { agents, settings: words } = useWords();
  const may = useMay('owner', 'admin');
  const { data } = useApi<All>('portal', '/api/integrations', { enabled: may });
  if (!may || data === undefined || data.items.length === 0) return null;
  const marked = ({ createdByLeft, knownToLeft }: Integration): number =>
    Number(createdByLeft === null) + Number(knownToLeft.length === 0);
  return (
    <Section title={words.integrations}>
      <p>{words.integrationsLead}</p>
      <Table
        label={words.integrations}
        rows={data.items.toSorted((a, b) => marked(a) - marked(b))}
        rowKey={({ kind, id }) => `${kind} ${id}`}
        columns={[
          { head: words.name, first: true, cell: ({ name }) => <Said>{name}</Said> },
          { head: words.kind, cell: ({ kind }) => agents.kinds[kind] },
          { head: words.madeBy, cell: (one) => <MadeBy of={one} /> },
          { head: agents.through, cell: ({ createdThrough }) => <Said>{createdThrough ?? ''}</Said>, wide: true },
          { head: words.since, cell: ({ createdAt }) => <Moment at={createdAt} ago />, wide: true },
          {
            head: words.toDo,
            cell: ({ knownToLeft, suspendedAt }) =>
              suspendedAt === null ? (
                knownToLeft.length === 0 ? null : (
                  <Badge tone="error">{words.rotateIt}</Badge>
                )
              ) : (
                <Badge tone="waits">{words.suspended}</Badge>
              ),
          },
        ]}
      />
    </Section>
  );
}

/** What a member made, or was shown a secret of, before they are removed: it goes on. */
export function LeftBehind({ member }: { readonly member: string }): ReactNode {
  const { agents, settings: words } = useWords();
  const { data } = useApi<All>('portal', '/api/integrations', { query: { member } });
  return data === undefined || data.items.length === 0 ? null : (
    <Leaves title={words.leavesLead} items={data.items} kinds={agents.kinds} />
  );
}

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
