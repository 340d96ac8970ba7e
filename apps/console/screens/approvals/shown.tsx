import { deepest, isBooks, isFlat, isForeign, isMoney, nameOf, namesIn, type Books } from '@steward/approvals/reading';
import { createContext, Fragment, use, type ReactNode } from 'react';
import { legible } from '../../data/legible.ts';
import { isAmount, type Amount } from '../../data/money.ts';
import { nameIn } from '../../data/named.ts';
import { AgentNamed } from '../../parts/agent-named.tsx';
import { CreditedBeyond, creditedIn } from '../../parts/credited.tsx';
import { Facts } from '../../parts/page.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Said } from '../../parts/said.tsx';
import { useWords } from '../../words/language.ts';
import type { Action, Fact } from './action.ts';
import styles from './approvals.module.css';
import { compared, type Change } from './changes.ts';
import { isChosen, labelling } from './labels.ts';

const Called = createContext<ReadonlyMap<string, string>>(new Map());

/** Whether somebody chose what members are called there. */
const Chosen = createContext(false);

const useLabelling = () => labelling(useWords().labels, use(Chosen));

/** Within it, ids are shown by the names of the things that an action is about. */
export function Naming({
  facts,
  children,
}: {
  readonly facts: readonly Fact[];
  readonly children: ReactNode;
}): ReactNode {
  return <Called value={namesIn(facts)}>{children}</Called>;
}

/** An amount as the other pages say it, with every digit of it; what is none as it was written, for an agent wrote it. */
const Exactly = ({ of }: { readonly of: Amount }): ReactNode => (
  <span className={styles['amount']}>
    {isAmount(of) ? <Money of={of} /> : <Said>{`${of.amount} ${of.currency}`}</Said>}
  </span>
);

/** What is no longer is not broken in a table. */
const shortest = 16;

/** Any JSON: of what somebody approves nothing is left out but the size of a picture. */
export function Value({ of: given, depth = 0 }: { readonly of: unknown; readonly depth?: number }): ReactNode {
  const { approvals: words, deciding } = useWords();
  const called = use(Called);
  const { label } = useLabelling();
  const own = use(Chosen);
  // What nothing means is said by what it is of: that nobody is told, or whoever else is told then.
  if (given === null || given === undefined) return <Quiet>{deciding.unset}</Quiet>;
  if (isMoney(given)) return <Exactly of={given} />;
  if (typeof given === 'string' && given === '') return <Quiet>{deciding.emptyText}</Quiet>;
  if (typeof given === 'number' || typeof given === 'boolean') return String(given);
  if (typeof given !== 'object') {
    const name = nameOf(given, called);
    const plain = (
      <span className={String(given).length <= shortest ? styles['short'] : undefined}>
        <Said>{String(given)}</Said>
      </span>
    );
    if (name === undefined) return plain;
    // In a cell its name is enough: ids would be most of a table.
    if (depth === deepest)
      return (
        <span title={String(given)}>
          <Said>{name}</Said>
        </span>
      );
    return (
      <span>
        <Said>{name}</Said> <span className={styles['id']}>{plain}</span>
      </span>
    );
  }
  if (depth > deepest) return <Said>{JSON.stringify(given)}</Said>;
  if (Array.isArray(given)) return <ListOf items={given} depth={depth} />;
  if (isPicture(given)) return <Said>{[given.alt, given.url].filter(Boolean).join(' · ')}</Said>;
  const entries = Object.entries(given);
  if (entries.length === 0) return <Quiet>{words.nothing}</Quiet>;
  const none = entries.filter(([, one]) => isNone(one)).map(([name, one]) => label(name, one, called));
  return (
    <dl className={styles['pairs']}>
      {(none.length > 1 ? entries.filter(([, one]) => !isNone(one)) : entries).map(([name, one]) => (
        <div key={name}>
          <dt>
            <Said>{label(name, one, called)}</Said>
          </dt>
          <dd>
            <Chosen value={own || isChosen(name)}>
              <Value of={one} depth={depth + 1} />
            </Chosen>
          </dd>
        </div>
      ))}
      {none.length > 1 ? (
        <div>
          <dt>{words.none}</dt>
          <dd>
            <Quiet>
              <Said>{none.join(', ')}</Said>
            </Quiet>
          </dd>
        </div>
      ) : null}
    </dl>
  );
}

/** Members without anything are told together. */
const isNone = (one: unknown): boolean => one === null || one === undefined || (Array.isArray(one) && one.length === 0);

/** A picture is its description and address: how many dots it has decides nothing. */
const isPicture = (given: object): given is { readonly url: string; readonly alt?: string | null } =>
  'url' in given &&
  typeof given.url === 'string' &&
  Object.keys(given).every((key) => ['url', 'alt', 'width', 'height'].includes(key));

/** A list of more items is folded behind how many they are. */
const foldedFrom = 8;

const Quiet = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <span className={styles['quiet']}>{children}</span>
);

function ListOf({ items, depth }: { readonly items: readonly unknown[]; readonly depth: number }): ReactNode {
  const words = useWords().approvals;
  if (items.length === 0) return <Quiet>{words.none}</Quiet>;
  const whole = <Listed items={items} depth={depth} />;
  if (items.length < foldedFrom) return whole;
  return (
    <details className={styles['details']}>
      <summary>{words.items(items.length)}</summary>
      {whole}
    </details>
  );
}

function Listed({ items, depth }: { readonly items: readonly unknown[]; readonly depth: number }): ReactNode {
  const called = use(Called);
  const { label } = useLabelling();
  if (!isFlat(items))
    return (
      <ul className={styles['list']}>
        {items.map((item, at) => (
          <li key={at}>
            <Value of={item} depth={depth + 1} />
          </li>
        ))}
      </ul>
    );
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  return (
    <Grid
      heads={names.map((name) => ({
        head: label(
          name,
          items.map((item) => item[name]),
          called,
        ),
        end: items.some((item) => isMoney(item[name])),
      }))}
      rows={items.map((item) =>
        names.map((name) => (Object.hasOwn(item, name) ? <Value key={name} of={item[name]} depth={deepest} /> : '')),
      )}
    />
  );
}

interface Head {
  readonly head: string;
  readonly end?: boolean;
}

/** On a phone each row of several columns is a card with their heads in it: what lies beyond an edge is not seen. */
export function Grid({
  heads,
  rows,
}: {
  readonly heads: readonly Head[];
  readonly rows: readonly ReactNode[][];
}): ReactNode {
  return (
    <div className={styles['wide']} tabIndex={0} role="group" aria-label={useWords().approvals.table}>
      <table className={[styles['grid'], heads.length > 2 ? styles['many'] : ''].join(' ').trim()} role="table">
        <thead role="rowgroup">
          <tr role="row">
            {heads.map(({ head, end }, at) => (
              <th key={at} scope="col" role="columnheader" className={end === true ? styles['end'] : undefined}>
                <Said>{head}</Said>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((cells, at) => (
            <tr key={at} role="row">
              {cells.map((cell, place) => (
                <td
                  key={place}
                  role="cell"
                  data-label={legible(heads[place]?.head ?? '')}
                  className={heads[place]?.end === true ? styles['end'] : undefined}
                >
                  {cell === '' ? null : <div>{cell}</div>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What the tool says it would do: journal lines and balances as an accountant reads them, anything else as it is. */
export function Preview({ of, asOf }: { readonly of: unknown; readonly asOf: string }): ReactNode {
  return isBooks(of) ? <OfBooks of={of} asOf={asOf} /> : <Value of={of} />;
}

function OfBooks({
  of: { entries, balances, ...rest },
  asOf,
}: {
  readonly of: Books;
  readonly asOf: string;
}): ReactNode {
  const { approvals: words, deciding } = useWords();
  // A column of nothing would push amounts out of a phone.
  const noted = entries.some(({ lines }) => lines.some(({ memo }) => memo !== null));
  return (
    <div className={styles['part']}>
      {entries.map((entry, at) => (
        <Fragment key={at}>
          <h3>
            {words.journalEntry} <Said>{entry.date}</Said>
            {entry.narration === undefined ? null : (
              <>
                : <Said>{entry.narration}</Said>
              </>
            )}
          </h3>
          {isForeign(entry) ? (
            <p>
              {deciding.atRate} <Said>{entry.rate}</Said>
            </p>
          ) : null}
          <Grid
            heads={[
              { head: words.account },
              { head: words.debit, end: true },
              { head: words.credit, end: true },
              ...(noted ? [{ head: words.memo }] : []),
            ]}
            rows={entry.lines.map(({ code, name, debit, credit, memo }) => [
              <Said key="a">{`${code} ${name}`}</Said>,
              debit === null ? '' : <Exactly key="d" of={debit} />,
              credit === null ? '' : <Exactly key="c" of={credit} />,
              ...(noted ? [memo === null ? '' : <Said key="m">{memo}</Said>] : []),
            ])}
          />
        </Fragment>
      ))}
      {entries.length === 0 ? <p>{deciding.postsNothing}</p> : null}
      {balances.length === 0 ? null : (
        <>
          <h3>
            {deciding.balancesAsOf} <Moment at={asOf} />
          </h3>
          <Grid
            heads={[{ head: words.account }, { head: words.before, end: true }, { head: words.after, end: true }]}
            rows={balances.map(({ code, name, before, after }) => [
              <Said key="a">{`${code} ${name}`}</Said>,
              <Exactly key="b" of={before} />,
              <Exactly key="c" of={after} />,
            ])}
          />
        </>
      )}
      {Object.keys(rest).length === 0 ? null : <Value of={rest} />}
    </div>
  );
}

/** So many things that stay as they are stand by themselves; more are folded behind how many they are. */
const fewStay = 6;

function Heading({ of: { noun, name, id } }: { readonly of: Fact }): ReactNode {
  return (
    <>
      <Said>{useLabelling().noun(noun)}</Said>: <Said>{name ?? id}</Said>
    </>
  );
}

/** What the action is about: what changes first, then what it leaves as it is, which is not repeated beside what changes. */
function Things({ of }: { readonly of: readonly Fact[] }): ReactNode {
  const { approvals: words, deciding } = useWords();
  const changed = of.flatMap((fact) => (fact.after == null ? [] : [{ fact, ...comparedIn(fact, fact.after) }]));
  const stays = [
    ...changed.map(({ fact, stays: rest }) => [fact, rest] as const),
    ...of.flatMap((fact) => (fact.after === undefined ? [[fact, fact.before] as const] : [])),
  ].filter(([, rest]) => Object.keys(rest).length > 0);
  const staying = stays.map(([fact, rest]) => (
    <details key={`${fact.noun} ${fact.id}`} className={styles['details']} data-stays>
      <summary>
        <Heading of={fact} />
      </summary>
      <Value of={rest} />
    </details>
  ));
  return (
    <>
      {[
        ...Map.groupBy(
          once(changed).filter(({ changes }) => changes.length > 0),
          ({ fact: { noun } }) => noun,
        ),
      ].map(([noun, things]) => (
        <Changing key={noun} of={things} />
      ))}
      {of
        .filter(({ after }) => after === null)
        .map((fact) => (
          <div key={`${fact.noun} ${fact.id}`} className={styles['part']}>
            <h3>
              <Heading of={fact} />
            </h3>
            <p className={styles['alert']}>{words.gone}</p>
            <Value of={fact.before} />
          </div>
        ))}
      {staying.length <= fewStay ? (
        staying
      ) : (
        <details className={styles['details']} data-stays>
          <summary>{deciding.thingsStay(staying.length)}</summary>
          {staying}
        </details>
      )}
    </>
  );
}

interface Changed {
  readonly fact: Fact;
  readonly changes: readonly Change[];
}

function comparedIn(
  { before }: Fact,
  after: Readonly<Record<string, unknown>>,
): { readonly changes: readonly Change[]; readonly stays: Readonly<Record<string, unknown>> } {
  const whole = compared(before, { ...before, ...after });
  return { changes: whole.changes, stays: (whole.stays ?? {}) as Readonly<Record<string, unknown>> };
}

/** Things of one noun: what changes of each, in one table. */
function Changing({ of: things }: { readonly of: readonly Changed[] }): ReactNode {
  const words = useWords().approvals;
  const called = use(Called);
  const { noun, path: labelled } = useLabelling();
  const [one] = things;
  if (one === undefined) return null;
  const several = things.length > 1;
  return (
    <div className={styles['part']}>
      <h3>{several ? <Said>{noun(one.fact.noun)}</Said> : <Heading of={one.fact} />}</h3>
      <Grid
        heads={[{ head: words.what }, { head: words.before }, { head: words.after }]}
        rows={things.flatMap(({ fact: { name, id }, changes }) =>
          changes.map(({ path, before, after }) => [
            <Said key="k">
              {[...(several ? [name ?? id] : []), ...labelled(path, [before, after], called)].join(' · ')}
            </Said>,
            <Value key="b" of={before} />,
            <Value key="a" of={after} />,
          ]),
        )}
      />
    </div>
  );
}

/** What changes of an item that is a thing of its own is told there. */
function once(things: readonly Changed[]): readonly Changed[] {
  const tell = (id: string, { path, before, after }: Change): string =>
    JSON.stringify([id, path.at(-1), String(before), String(after)]);
  const told = new Set(
    things.flatMap(({ fact: { id }, changes }) =>
      changes.flatMap((one) => (one.path.length === 1 && isPlain(one) ? [tell(id, one)] : [])),
    ),
  );
  return things.map((thing) => ({
    ...thing,
    changes: thing.changes.filter((one) => one.item === undefined || !isPlain(one) || !told.has(tell(one.item, one))),
  }));
}

const isPlain = ({ before, after }: Change): boolean =>
  [before, after].every((one) => typeof one !== 'object' || one === null);

/** What came out otherwise than it had been shown. */
export function Drift({ of }: { readonly of: Action['changed'] }): ReactNode {
  const { approvals: words, deciding } = useWords();
  const called = use(Called);
  const { path } = useLabelling();
  return (
    <Grid
      heads={[{ head: deciding.ofWhat }, { head: words.what }, { head: words.was }, { head: words.is }]}
      rows={of.map(({ of: thing, pointer, before, after }) => [
        thing === undefined ? deciding.thePreview : <Said key="o">{thing}</Said>,
        <Said key="p">{path(pointer.slice(1).split('/'), [before, after], called).join(' · ')}</Said>,
        <Value key="b" of={before} />,
        <Value key="a" of={after} />,
      ])}
    />
  );
}

/** What people changed of what was asked for. */
export function Edits({ of }: { readonly of: Action }): ReactNode {
  const words = useWords().approvals;
  const called = use(Called);
  const { path } = useLabelling();
  return of.edits.map(({ editor, at, changed }) => (
    <div key={at} className={styles['part']}>
      <p>
        <Said>{nameIn(of.names, editor) ?? editor}</Said>, <Moment at={at} />
      </p>
      <Grid
        heads={[{ head: words.where }, { head: words.before }, { head: words.after }]}
        rows={changed.map(({ pointer, before, after }) => [
          <Said key="p">{path(pointer.slice(1).split('/'), [before, after], called).join(' · ')}</Said>,
          <Value key="b" of={before} />,
          <Value key="a" of={after} />,
        ])}
      />
    </div>
  ));
}

/** One of those who asked. */
export function Named({
  by,
  of: { names, agentNames },
}: {
  readonly by: Action['requestedBy'][number] | undefined;
  readonly of: Pick<Action, 'names' | 'agentNames'>;
}): ReactNode {
  if (by === undefined) return null;
  return by.type === 'agent' ? (
    <AgentNamed id={by.id} name={nameIn(agentNames, by.id)} />
  ) : (
    <Said>{nameIn(names, by.id) ?? by.id}</Said>
  );
}

/** Who asked, for whom. */
export function Asker({ of }: { readonly of: Action }): ReactNode {
  const words = useWords().approvals;
  const [first, ...acting] = of.requestedBy;
  return (
    <span>
      {acting.map((one) => (
        <Fragment key={one.id}>
          <Named by={one} of={of} /> {words.forWhom}{' '}
        </Fragment>
      ))}
      <Named by={first} of={of} />
    </span>
  );
}

/** Everything that an approver must have seen of an action, but for the heading. */
export function Whole({ of: action }: { readonly of: Action }): ReactNode {
  const { approvals: words, deciding } = useWords();
  const open = action.state === 'pending';
  return (
    <Naming facts={action.facts}>
      {open && action.changed.length > 0 ? (
        <section className={styles['block']}>
          <h2>{deciding.whatChanged}</h2>
          <Drift of={action.changed} />
        </section>
      ) : null}
      <section className={styles['block']}>
        <h2>{open ? deciding.wouldHappen : deciding.wasShown}</h2>
        <CreditedBeyond of={creditedIn(action.preview)} />
        <Preview of={action.preview} asOf={action.shownAt} />
      </section>
      {action.facts.length === 0 ? null : (
        <section className={styles['block']}>
          <h2>{open ? deciding.isAbout : deciding.wasAbout}</h2>
          <Things of={action.facts} />
        </section>
      )}
      <section className={styles['block']}>
        <h2>{deciding.askedFor}</h2>
        <Value of={action.arguments} />
      </section>
      {action.edits.length === 0 ? null : (
        <section className={styles['block']}>
          <h2>{deciding.peopleChanged}</h2>
          <Edits of={action} />
        </section>
      )}
      {action.result === null ? null : (
        <details className={styles['block']}>
          <summary>{words.result}</summary>
          <Value of={action.result} />
        </details>
      )}
      <details className={styles['block']} data-stays>
        <summary>{words.record}</summary>
        <Facts
          of={[
            [words.tool, <code key="t">{action.tool}</code>],
            [words.action, <code key="a">{action.id}</code>],
            [words.digest, <code key="d">{action.previewHash}</code>],
            [words.correlation, <Said key="c">{action.correlationId}</Said>],
          ]}
        />
      </details>
    </Naming>
  );
}
