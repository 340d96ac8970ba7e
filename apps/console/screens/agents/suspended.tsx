import type { ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi } from '../../data/queries.ts';
import type { Role } from '../../data/session.ts';
import { useAct } from '../../data/step-up.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useWords } from '../../words/language.ts';
import styles from './agents.module.css';

/** What is suspended because its client was shut out, or would be. */
export interface Suspends {
  readonly kind: 'member' | 'grant' | 'invitation' | 'webhook' | 'agent_credential' | 'product_feed';
  readonly id: string;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly role: Role | null;
}

interface Suspension extends Suspends {
  readonly client: string;
  readonly roleThrough: string | null;
  readonly suspendedAt: string;
}

const nameOf = ({ displayName, email, id }: Suspends): string => displayName ?? email ?? id;

/** What lost its access because an agent was shut out, or only because this one was, and the way back; nothing where there is none. */
export function Suspended({ through }: { readonly through?: string }): ReactNode {
  const { agents: words, settings, parts } = useWords();
  const may = useMay('owner', 'admin');
  const { data } = useApi<{ readonly items: readonly Suspension[] }>('portal', '/api/suspensions', { enabled: may });
  const items = data?.items.filter(
    ({ client, roleThrough }) => through === undefined || client === through || roleThrough === through,
  );
  if (!may || items === undefined || items.length === 0) return null;
  return (
    <Section title={words.suspendedTitle}>
      <p className={styles['quiet']}>{words.suspendedLead}</p>
      <Table
        label={words.suspendedTitle}
        rows={items}
        rowKey={({ kind, id }) => `${kind} ${id}`}
        columns={[
          { head: settings.who, first: true, cell: (one) => <Said>{nameOf(one)}</Said> },
          { head: settings.kind, cell: ({ kind }) => words.kinds[kind] },
          { head: settings.role, cell: ({ role }) => (role === null ? null : settings[role]) },
          { head: words.through, cell: ({ client, roleThrough }) => <Said>{roleThrough ?? client}</Said> },
          { head: settings.since, cell: ({ suspendedAt }) => <Moment at={suspendedAt} ago />, wide: true },
          {
            head: parts.actions,
            align: 'end',
            cell: ({ kind, id }) => <Restore kind={kind} id={id} />,
          },
        ]}
      />
    </Section>
  );
}

/** The way back of one of them, beside it wherever it is listed. */
export function Restore({ kind, id }: Pick<Suspends, 'kind' | 'id'>): ReactNode {
  const words = useWords().agents;
  const tenant = useTenant();
  const act = useAct(async () => api('portal', '/api/suspensions/restore', { tenant, body: { kind, id } }));
  return (
    <>
      <Button busy={act.isPending} onClick={() => act.mutate()}>
        {words.restore}
      </Button>
      <Failure error={act.error} />
    </>
  );
}

/** Who and what lose their access with an agent: by name, and how many there are. */
export function WouldSuspend({ items }: { readonly items: readonly Suspends[] }): ReactNode {
  const { agents: words, settings } = useWords();
  if (items.length === 0) return <p>{words.suspendsNothing}</p>;
  return (
    <>
      <p>{words.suspends(items.length)}</p>
      <ul className={styles['listed']}>
        {items.map((one) => (
          <li key={`${one.kind} ${one.id}`}>
            <Said>{nameOf(one)}</Said>{' '}
            <span className={styles['quiet']}>
              {[words.kinds[one.kind], one.role === null ? '' : settings[one.role]].filter(Boolean).join(', ')}
            </span>
          </li>
        ))}
      </ul>
      <p>{words.suspendsHint}</p>
    </>
  );
}
