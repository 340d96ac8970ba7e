import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, type Paged } from '../../data/queries.ts';
import { legible } from '../../data/legible.ts';
import { useSession } from '../../data/session.ts';
import { useAct, useDecision } from '../../data/step-up.ts';
import { awaitsAnother } from '../../data/to-decide.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, noRepeat } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Go, useFilters } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { askerOf, type Action } from './action.ts';
import styles from './approvals.module.css';
import { LoginTold, loginTold } from './deciding.tsx';
import { Asker, Whole } from './shown.tsx';

/** Several of one kind by one agent, each shown whole: only what was on the screen to its end can be ticked. */
export default function Together(): ReactNode {
  const { approvals: words, deciding } = useWords();
  const [{ tool, asker }] = useFilters();
  const { person } = useSession();
  const query = useApi<Paged<Action>>('portal', '/api/pending-actions', {
    query: { state: 'pending', tool, limit: 50 },
  });
  return (
    <Page title={deciding.togetherTitle} lead={deciding.togetherLead} actions={<Go to="/approvals">{words.back}</Go>}>
      <Loaded query={query}>
        {({ items }) => (
          <Batch
            name={`together ${person.id} ${tool} ${asker}`}
            fresh={items.filter((one) => askerOf(one) === asker && !awaitsAnother(one, person.id)).slice(0, 20)}
          />
        )}
      </Loaded>
    </Page>
  );
}

function Batch({ name, fresh }: { readonly name: string; readonly fresh: readonly Action[] }): ReactNode {
  const { approvals: words, deciding } = useWords();
  const tenant = useTenant();
  const may = useMay('owner', 'admin', 'accountant');
  // What stands here stays: a digest that is sent is one that was on the screen.
  const [actions, setActions] = useState(fresh);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  // A login on the way keeps them: of whoever ticked, and of what still is word for word what was ticked.
  const [ticks, setTicks, forgetTicks] = useDraft<readonly string[]>(name, []);
  const ticked = actions.filter((one) => ticks.includes(hash(one)));
  const differs = JSON.stringify(fresh.map(hash)) !== JSON.stringify(actions.map(hash));
  const anew = (): void => {
    setActions(fresh);
    setSeen(new Set());
    forgetTicks();
    window.scrollTo({ top: 0 });
  };
  const act = useAct(
    async () =>
      api<Paged<Action>>('portal', '/api/pending-actions/approve', {
        tenant,
        body: { actions: ticked.map(({ id, previewHash }) => ({ id, previewHash })) },
      }),
    { onDone: forgetTicks },
  );
  const decide = useDecision();
  if (act.data !== undefined)
    return (
      <ul role="alert" className={styles['note']}>
        {act.data.items.map(({ id, summary, state }) => (
          <li key={id} className={styles['row']}>
            <Go to={`/approvals/${id}`}>
              <Said>{summary}</Said>
            </Go>
            <Badge tone={state === 'executed' ? 'held' : state === 'failed' ? 'error' : 'waits'}>
              {words.states[state]}
            </Badge>
          </li>
        ))}
      </ul>
    );
  if (actions.length === 0) return <Empty title={words.none0} />;
  return (
    <div className={styles['one']}>
      {actions.map((action) => (
        <section key={action.id} className={styles['block']} aria-label={legible(action.summary)}>
          <h2>
            <Go to={`/approvals/${action.id}`}>
              <Said>{action.summary}</Said>
            </Go>
          </h2>
          <p>
            <Asker of={action} /> {action.amount === null ? null : <Money of={action.amount} />}
          </p>
          {action.final ? <p className={styles['alert']}>{words.final}</p> : null}
          <Unfolded>
            <Whole of={action} />
          </Unfolded>
          <Seen onSeen={() => setSeen((before) => new Set([...before, action.id]))} />
          {may ? (
            <label className={styles['tick']}>
              <input
                type="checkbox"
                disabled={!seen.has(action.id) && !ticked.includes(action)}
                checked={ticked.includes(action)}
                onChange={({ target: { checked } }) =>
                  setTicks([...ticks.filter((one) => one !== hash(action)), ...(checked ? [hash(action)] : [])])
                }
              />
              {words.tick}
            </label>
          ) : null}
        </section>
      ))}
      <Failure error={act.error} />
      {differs ? (
        <div role="alert" className={styles['alert']}>
          <p>{words.differs}</p>
          <Button onClick={anew}>{deciding.lookAgain}</Button>
        </div>
      ) : may ? (
        <div className={styles['sticky']}>
          <Button
            kind="first"
            busy={act.isPending}
            disabled={ticked.length === 0}
            onKeyDown={noRepeat}
            aria-describedby={loginTold}
            onClick={() => decide(() => act.mutate())}
          >
            {deciding.approveTicked(ticked.length)}
          </Button>
          <LoginTold />
        </div>
      ) : null}
    </div>
  );
}

const hash = ({ id, previewHash }: Action): string => `${id} ${previewHash}`;

/** What is decided together is seen whole: nothing is folded but what stays as it is, and nothing scrolls by itself. */
function Unfolded({ children }: { readonly children: ReactNode }): ReactNode {
  const whole = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    for (const one of whole.current?.querySelectorAll<HTMLDetailsElement>(
      'details:not([data-stays], [data-stays] *)',
    ) ?? [])
      one.open = true;
  }, []);
  return (
    <div ref={whole} className={styles['unfolded']}>
      {children}
    </div>
  );
}

/** Tells once that the end of what stands above it was on the screen. */
function Seen({ onSeen }: { readonly onSeen: () => void }): ReactNode {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(onSeen);
  useEffect(() => {
    latest.current = onSeen;
  });
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === true) latest.current();
    });
    if (end.current !== null) watch.observe(end.current);
    return () => watch.disconnect();
  }, []);
  return <div ref={end} aria-hidden="true" />;
}
