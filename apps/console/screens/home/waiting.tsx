import type { ReactNode } from 'react';
import { isZero, sumOf } from '../../data/money.ts';
import { useMay } from '../../data/organization.ts';
import { useRead } from '../../data/queries.ts';
import { useOwnToDecide, useToDecide, type ToDecide } from '../../data/to-decide.ts';
import { nameIn } from '../../data/named.ts';
import { Missing } from '../../parts/loaded.tsx';
import { AgentNamed } from '../../parts/agent-named.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Go, type To } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import styles from './home.module.css';
import { announced, builders, connected, unbooked } from './reads.ts';
import { standing } from './standing.ts';

/** What stands on this page before the rest is a link. */
const shown = 5;

/** What needs a person: decisions, bank lines that nobody explained, what is overdue, and what does not arrive. */
export function Waiting(): ReactNode {
  const { home: words, shell } = useWords();
  const actions = useToDecide();
  const books = useRead(standing());
  const connections = useRead(connected);
  const postings = useRead(unbooked);
  const builds = useMay(...builders);
  const webhooks = useRead(announced, { enabled: builds });
  const pending = useOwnToDecide();
  const accounts = (books.data?.bankAccounts ?? []).filter(({ unmatchedLines }) => unmatchedLines > 0);
  const overdue = (
    [
      ['overdueIn', 'receivable', books.data?.receivable],
      ['overdueOut', 'payable', books.data?.payable],
    ] as const
  ).flatMap(([name, side, aged]) => {
    const sum = sumOf(aged?.buckets.slice(1) ?? []);
    return sum === undefined || isZero(sum.amount) ? [] : [{ name, side, sum }];
  });
  const broken = (connections.data?.items ?? []).filter(
    ({ failed, status }) => failed > 0 || status === 'awaiting_secrets',
  );
  const stopped = (webhooks.data?.items ?? []).filter(({ status }) => status === 'disabled');
  const unposted = postings.data?.items.length ?? 0;
  const count = pending.length + accounts.length + overdue.length + unposted + broken.length + stopped.length;
  const asked = [actions, books, connections, postings, ...(builds ? [webhooks] : [])].filter(
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
        {pending.slice(0, shown).map(({ id, summary, amount, requestedBy, names, agentNames, expiresAt }) => (
          <Item
            key={id}
            to={`/approvals/${id}`}
            what={<Said>{summary}</Said>}
            more={
              <>
                <CalledBy by={requestedBy.at(-1)} names={names} agentNames={agentNames} />, {words.expires}{' '}
                <Moment at={expiresAt} ago />
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
        {overdue.map(({ name, side, sum }) => (
          <Item
            key={name}
            to={`/money/reports/aged?side=${side}&overdue=yes`}
            what={words[name]}
            end={<Money of={sum} />}
          />
        ))}
        {unposted > 0 ? (
          <Item
            to="/commerce?view=problems"
            what={words.unbooked}
            end={<Badge tone="waits">{words.postings(unposted, postings.data?.nextCursor != null)}</Badge>}
          />
        ) : null}
        {broken.map(({ id, name, failed, lastError }) => (
          <Item
            key={id}
            to={`/commerce/connections?connection=${id}${failed > 0 ? '&status=dead' : ''}`}
            what={<Said>{name}</Said>}
            more={lastError === null ? undefined : <Said>{lastError}</Said>}
            end={<Badge tone="error">{failed > 0 ? words.failed(failed) : words.needsSecret}</Badge>}
          />
        ))}
        {stopped.map(({ id, url }) => (
          <Item
            key={id}
            to={`/developers/webhooks/${id}`}
            what={<Said>{url}</Said>}
            end={<Badge tone="error">{words.stopped}</Badge>}
          />
        ))}
      </ul>
    </Section>
  );
}

function CalledBy({
  by,
  names,
  agentNames,
}: Pick<ToDecide, 'names' | 'agentNames'> & { readonly by: ToDecide['requestedBy'][number] | undefined }): ReactNode {
  if (by === undefined) return null;
  return by.type === 'agent' ? (
    <AgentNamed id={by.id} name={nameIn(agentNames, by.id)} />
  ) : (
    <Said>{nameIn(names, by.id) ?? by.id}</Said>
  );
}

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
