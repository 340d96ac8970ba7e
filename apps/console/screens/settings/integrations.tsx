import type { ReactNode } from 'react';
import { useMay } from '../../data/organization.ts';
import { useApi } from '../../data/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { type Integration, Leaves, MadeBy } from '../../parts/made-by.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useWords } from '../../words/language.ts';

interface All {
  readonly items: readonly Integration[];
}

/** All of it, with whoever made it: what somebody who left has made, or knows a secret of, is marked. */
export function Integrations(): ReactNode {
  const { agents, parts, settings: words } = useWords();
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
          { head: parts.madeBy, cell: (one) => <MadeBy of={one} /> },
          { head: parts.madeThrough, cell: ({ createdThrough }) => <Said>{createdThrough ?? ''}</Said>, wide: true },
          { head: words.since, cell: ({ createdAt }) => <Moment at={createdAt} ago />, wide: true },
          {
            head: words.toDo,
            cell: ({ knownToLeft, suspendedAt }) =>
              suspendedAt === null ? (
                knownToLeft.length === 0 ? null : (
                  <Badge tone="error">{parts.rotateIt}</Badge>
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
