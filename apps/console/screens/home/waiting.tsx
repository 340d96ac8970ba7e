import type { ReactNode } from 'react';
import { isZero, sumOf } from '../../data/money.ts';
import { useMay } from '../../data/organization.ts';
import { useApi, type Paged } from '../../data/queries.ts';
import { useOwnToDecide, useToDecide, type ToDecide } from '../../data/to-decide.ts';
import { Missing } from '../../parts/loaded.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Go, type To } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import styles from './home.module.css';
import { useStanding } from './standing.ts';

interface Connection {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly failed: number;
  readonly lastError: string | null;
}

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly status: 'active' | 'paused' | 'disabled';
}

/** What stands on this page before the rest is a link. */
const shown = 5;

/** What needs a person: decisions, bank lines that nobody explained, what is overdue, and what does not arrive. */
export function Waiting(): ReactNode {
  const { home: words, shell } = useWords();
  const actions = useToDecide();
  const standing = useStanding();
  const connections = useApi<Paged<Connection>>('portal', '/api/connections', { query: { limit: 50 } });
  const builds = useMay('owner', 'admin', 'developer');
  const webhooks = useApi<Paged<Webhook>>('portal', '/api/webhooks', { query: { limit: 50 }, enabled: builds });
  const pending = useOwnToDecide();
  const accounts = (standing.data?.bankAccounts ?? []).filter(({ unmatchedLines }) => unmatchedLines > 0);
  const overdue = (
    [
      ['overdueIn', standing.data?.receivable],
      ['overdueOut', standing.data?.payable],
    ] as const
  ).flatMap(([name, aged]) => {
    const sum = sumOf(aged?.buckets.slice(1) ?? []);
    return sum === undefined || isZero(sum.amount) ? [] : [{ name, sum }];
  });
  const broken = (connections.data?.items ?? []).filter(
    ({ failed, status }) => failed > 0 || status === 'awaiting_secrets',
  );
  const stopped = (webhooks.data?.items ?? []).filter(({ status }) => status === 'disabled');
  const count = pending.length + accounts.length + overdue.length + broken.length + stopped.length;
  const asked = [actions, standing, connections, ...(builds ? [webhooks] : [])].filter(
    ({ data }) => data === undefined,
  );
  const missing = asked.find(({ failureReason }) => failureReason !== null) ?? asked[0];
  return (
    <Section
      title={words.waits}
      actions={pending.length > 0 ? <Badge tone="waits">{shell.toDecide(pending.length)}</Badge> : null}
    >
      {missing !== undefined && (count === 0 || missing.failureReason !== null) ? (
        <Missing query={missing} lines={6} />
      ) : null}
      {missing === undefined && count === 0 ? (
        <div className={styles['calm']}>
          <p>{words.nothingWaits}</p>
        </div>
      ) : null}
      <ul className={styles['items']}>
        {pending.slice(0, shown).map(({ id, summary, amount, requestedBy, names, expiresAt }) => (
          <Item
            key={id}
            to={`/approvals/${id}`}
            what={<Said>{summary}</Said>}
            more={
              <>
                <Said>{calledBy(requestedBy, names)}</Said>, {words.expires} <Moment at={expiresAt} ago />
              </>
            }
            end={amount === null ? null : <Money of={amount} />}
          />
        ))}
        {pending.length > shown ? <Item to="/approvals" what={words.moreToDecide(pending.length - shown)} /> : null}
        {accounts.map(({ id, code, name, unmatchedLines, unmatchedIn, unmatchedOut }) => (
          <Item
            key={id}
            to={`/money/bank/${code}`}
            what={
              <>
                {words.unexplained} <Said>{name}</Said>
              </>
            }
            more={
              <>
                <Money of={unmatchedIn} /> {words.in}, <Money of={unmatchedOut} /> {words.out}
              </>
            }
            end={<Badge tone="waits">{words.lines(unmatchedLines)}</Badge>}
          />
        ))}
        {overdue.map(({ name, sum }) => (
          <Item key={name} to="/money" what={words[name]} end={<Money of={sum} />} />
        ))}
        {broken.map(({ id, name, failed, lastError }) => (
          <Item
            key={id}
            to="/developers"
            what={<Said>{name}</Said>}
            more={lastError === null ? undefined : <Said>{lastError}</Said>}
            end={<Badge tone="error">{failed > 0 ? words.failed(failed) : words.needsSecret}</Badge>}
          />
        ))}
        {stopped.map(({ id, url }) => (
          <Item key={id} to="/developers" what={<Said>{url}</Said>} end={<Badge tone="error">{words.stopped}</Badge>} />
        ))}
      </ul>
    </Section>
  );
}

const calledBy = (by: ToDecide['requestedBy'], names: ToDecide['names']): string | undefined => {
  const id = by.at(-1)?.id;
  return id === undefined ? undefined : (names[id] ?? id);
};

interface ItemProps {
  readonly to: To;
  /** What it is. */
  readonly what: ReactNode;
  /** What else to know, below it. */
  readonly more?: ReactNode;
  readonly end?: ReactNode;
}

const Item = ({ to, what, more, end }: ItemProps): ReactNode => (
  <li>
    <Go to={to} className={styles['item']}>
      <span className={styles['what']}>{what}</span>
      {end ?? null}
      {more === undefined ? null : <span className={styles['soft']}>{more}</span>}
    </Go>
  </li>
);
