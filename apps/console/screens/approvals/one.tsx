import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { listen } from '../../data/channel.ts';
import { Problem } from '../../data/problem.ts';
import { useApi, type Paged } from '../../data/queries.ts';
import { useSession } from '../../data/session.ts';
import { nameIn } from '../../data/named.ts';
import { Missing } from '../../parts/loaded.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Facts, Page } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { useToolTitle } from '../../parts/tool-title.ts';
import { Go, type To } from '../../shell/go.tsx';
import { useRecord } from '../../shell/record.ts';
import { useWords } from '../../words/language.ts';
import { alikeIn, byPerson, cuesOf, type Action, type Done } from './action.ts';
import styles from './approvals.module.css';
import { Deciding, type Outcome } from './deciding.tsx';
import { HandOver } from './hand-over.tsx';
import { madeBy, refundBy } from './made.ts';
import { Asker, Whole } from './shown.tsx';
import { TooFew } from './too-few.tsx';

/** One action: everything that an approver must have seen, and then the decision. */
export default function ApprovalOne(): ReactNode {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const words = useWords().approvals;
  const query = useApi<Action>('portal', `/api/pending-actions/${encodeURIComponent(id)}`);
  // With it, as one request: the cues are of what is seen first.
  useBefore(id);
  // While another action is loaded, the one before it is not shown in its place.
  const settled = query.data?.id === id || !query.isPlaceholderData;
  return settled && query.data !== undefined ? (
    <Shown key={id} fresh={query.data} />
  ) : (
    <Page title={words.oneTitle}>
      {query.error instanceof Problem && [400, 403, 404].includes(query.error.status) ? (
        <NotYours id={id} />
      ) : (
        <Missing query={query} lines={8} />
      )}
    </Page>
  );
}

function NotYours({ id }: { readonly id: string }): ReactNode {
  const words = useWords().approvals;
  const { addresses } = useSession();
  return (
    <>
      <p>{words.notYours}</p>
      <p>
        <a href={`${addresses.portal}/approvals/${encodeURIComponent(id)}?plain`}>{words.plainPage}</a>
      </p>
    </>
  );
}

function Shown({ fresh }: { readonly fresh: Action }): ReactNode {
  const says = useWords();
  const { approvals: words, deciding } = says;
  const { addresses } = useSession();
  const queries = useQueryClient();
  const top = useRef<HTMLDivElement>(null);
  // What stands here stays until the reader asks for what is there now: nothing is exchanged under a hand that decides.
  const [action, setAction] = useState(fresh);
  const [outcome, setOutcome] = useState<{ readonly was: Outcome; readonly why?: string }>();
  const open = action.state === 'pending';
  const differs = fresh.previewHash !== action.previewHash && fresh.state === 'pending';
  useEffect(() => {
    if (!differs) setAction(fresh);
  }, [fresh, differs]);
  const title = useToolTitle()(action.tool, action.title);
  useRecord({ title, id: action.id, place: 'portal', path: `/api/pending-actions/${action.id}` });
  useEffect(
    () =>
      listen((told) => {
        if (told.type === 'stepped-up') anew('fresh');
      }),
    // oxlint-disable-next-line react/exhaustive-deps
    [],
  );
  /** Shows the action as it is by now, from its beginning. */
  const anew = (was: Outcome, now?: Action, why?: string): void => {
    setOutcome({ was, ...(why === undefined ? {} : { why }) });
    if (now !== undefined) setAction(now);
    void queries.invalidateQueries();
    top.current?.focus();
    window.scrollTo({ top: 0 });
  };
  // The change may come by the stream before the answer to the decision: what asked for a decision then goes.
  const told = outcome === undefined || (outcome.was === 'fresh' && !open) ? undefined : deciding.outcomes[outcome.was];
  return (
    <Page
      title={title}
      lead={
        <span lang="en">
          <Said>{action.summary}</Said>
        </span>
      }
      actions={
        <span className={styles['row']}>
          <Badge
            tone={open ? 'waits' : action.state === 'executed' ? 'held' : action.state === 'failed' ? 'error' : 'plain'}
          >
            {words.states[action.state]}
          </Badge>
          <Go to="/approvals">{words.back}</Go>
        </span>
      }
    >
      <div ref={top} tabIndex={-1} className={styles['one']}>
        {told === undefined ? null : (
          <div
            role="alert"
            className={styles[outcome?.was === 'approved' || outcome?.was === 'rejected' ? 'note' : 'alert']}
          >
            <p>{outcome?.was === 'approved' ? approvedWords(action, says) : told}</p>
            {outcome?.why === undefined ? null : (
              <p>
                <Said>{outcome.why}</Said>
              </p>
            )}
          </div>
        )}
        {differs ? (
          <div role="alert" className={styles['alert']}>
            <p>{words.differs}</p>
            <Button onClick={() => anew('stale', fresh)}>{deciding.lookAgain}</Button>
          </div>
        ) : null}
        {action.final && (open || action.state === 'executed') ? (
          <p className={styles['alert']}>
            <strong>{open ? words.final : deciding.wasFinal}</strong>
          </p>
        ) : null}
        {open ? <TooFew action={action} onDone={() => anew('alone')} /> : <HandOver action={action} />}
        <section className={styles['block']}>
          <Cues action={action} />
          <Facts
            of={[
              [words.amount, action.amount === null ? undefined : <Money key="m" of={action.amount} />],
              [words.why, whyOf(action)],
              [words.askedBy, <Asker key="a" of={action} />],
              [deciding.askedAt, <Moment key="w" at={action.requestedAt} />],
              [words.expires, open ? <Expiry key="e" at={action.expiresAt} /> : undefined],
              [words.approvals, <Votes key="v" action={action} />],
              [
                words.decidedBy,
                action.decidedBy === null ? undefined : (
                  <Said key="d">{nameIn(action.names, action.decidedBy) ?? action.decidedBy}</Said>
                ),
              ],
              [
                deciding.byRule,
                action.ruleId === null ? undefined : (
                  <Go key="s" to={`/settings/policy?rule=${action.ruleId}`}>
                    {deciding.standingRule}
                  </Go>
                ),
              ],
              [words.made, action.state === 'executed' ? <Made key="made" of={action} /> : undefined],
              [words.reason, action.reason === null ? undefined : <Said key="r">{action.reason}</Said>],
              [words.error, action.errorCode === null ? undefined : <code key="c">{action.errorCode}</code>],
            ]}
          />
        </section>
        <Whole of={action} />
        {open && !differs ? (
          <Deciding
            key={action.previewHash}
            action={action}
            possible={outcome?.was !== 'impossible'}
            onOutcome={anew}
          />
        ) : null}
        <p className={styles['foot']}>
          <Go to={`/activity?correlation_id=${encodeURIComponent(action.correlationId)}`}>{deciding.inActivity}</Go>
          <a href={`${addresses.portal}/approvals/${action.id}?plain`}>{words.plainPage}</a>
        </p>
      </div>
    </Page>
  );
}

/** Why, in the words of whoever asked. */
function whyOf({ arguments: given }: Action): ReactNode {
  const said = typeof given === 'object' && given !== null ? (given as Readonly<Record<string, unknown>>) : {};
  const why = [said['reason'], said['note']].filter((one) => typeof one === 'string' && one !== '');
  return why.length === 0 ? undefined : <Said>{why.join(': ')}</Said>;
}

const approvedWords = (
  { state, available, approvals, approvalsNeeded }: Action,
  { approvals: words, deciding }: ReturnType<typeof useWords>,
): string =>
  state === 'pending'
    ? words.counts(available?.counting ?? approvals.length, approvalsNeeded)
    : state === 'failed'
      ? deciding.outcomes.failed
      : deciding.outcomes.approved;

const soon = 24 * 3_600_000;

function Expiry({ at }: { readonly at: string }): ReactNode {
  return (
    <span className={Date.parse(at) - Date.now() < soon ? styles['soon'] : undefined}>
      <Moment at={at} ago /> (<Moment at={at} />)
    </span>
  );
}

function Votes({ action }: { readonly action: Action }): ReactNode {
  const { approvals: words, deciding } = useWords();
  const { approvals: votes, approvalsNeeded: needed, reasons, names, available } = action;
  return (
    <span>
      {words.ofNeeded(available?.counting ?? votes.length, needed)}
      {votes.map(({ approver }, at) => (
        <span key={approver}>
          {at === 0 ? ': ' : ', '}
          <Said>{nameIn(names, approver) ?? approver}</Said>
        </span>
      ))}
      {available !== null && available.counting < votes.length ? `; ${deciding.countsNot}` : null}
      {reasons.length === 0 ? null : (
        <span className={styles['quiet']}>
          {' '}
          ({reasons.map((reason) => (words.reasons as Readonly<Record<string, string>>)[reason] ?? reason).join('; ')})
        </span>
      )}
    </span>
  );
}

interface Booked {
  readonly sourceId: string;
  readonly documentId: string | null;
}

/** The way to what came of it, and where that has no page, such as a setting, to its event. */
function Made({ of }: { readonly of: Action }): ReactNode {
  const { deciding, shell } = useWords();
  const refund = refundBy(of);
  const booked = useApi<Paged<Booked>>('commerce', '/api/order-postings', {
    query: { orderId: refund?.order, limit: 100 },
    enabled: refund !== undefined,
  });
  const note = booked.data?.items.find(({ sourceId }) => sourceId === refund?.id)?.documentId;
  const made: readonly (readonly [To, string])[] = [
    ...(note == null ? [] : [[`/money/documents/${note}`, shell.kinds.document] as const]),
    ...madeBy(of).map(({ kind, to }) => [to, shell.kinds[kind]] as const),
  ];
  const event = [`/activity?correlation_id=${encodeURIComponent(of.correlationId)}`, deciding.inActivity] as const;
  return (made.length === 0 ? [event] : made).map(([to, name], at) => (
    <span key={to}>
      {at === 0 ? '' : ', '}
      <Go to={to}>{name}</Go>
    </span>
  ));
}

/** Actions of the same tool that were carried out. */
const useBefore = (id: string) =>
  useApi<Paged<Done>>('portal', '/api/pending-actions/summaries', {
    query: { like: id, state: 'executed', limit: 100 },
  });

/** What is unusual about it, from what this tool did before. */
function Cues({ action }: { readonly action: Action }): ReactNode {
  const { deciding } = useWords();
  const open = action.state === 'pending';
  const { data } = useBefore(action.id);
  if (!open) return null;
  const cues = data === undefined ? undefined : cuesOf(action, data.items);
  const alike = alikeIn(action);
  return (
    <ul className={styles['cues']}>
      {action.reasons.includes('new_payee') ? <li>{deciding.cueNewPayee}</li> : null}
      {action.reasons.includes('new_destination') ? <li>{deciding.cueNewDestination}</li> : null}
      {alike.length === 0 ? null : (
        <li>
          {deciding.cueAlike} <Said>{alike.join(', ')}</Said>
        </li>
      )}
      {action.approvalsNeeded > 1 && action.available?.alone !== true ? <li>{deciding.cueSecond}</li> : null}
      {cues?.above === undefined ? null : (
        <li>
          {deciding.cueAbove} <Money of={cues.above} />
        </li>
      )}
      {cues?.first === true ? <li>{byPerson(action) ? deciding.cueFirstPerson : deciding.cueFirst}</li> : null}
      {Date.parse(action.expiresAt) - Date.now() < soon ? <li>{deciding.cueExpires}</li> : null}
    </ul>
  );
}
