import { useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useMay } from '../../data/organization.ts';
import { useGraph, useGraphPages } from '../../data/queries.ts';
import { Button } from '../../parts/button.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Key } from '../../parts/key.tsx';
import { Money } from '../../parts/money.tsx';
import { Day } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { useFilters } from '../../shell/go.tsx';
import { useKey } from '../../shell/keys.ts';
import { pointAt } from '../../shell/record.ts';
import { useWords } from '../../words/language.ts';
import { Agree } from './bank-agree.tsx';
import { Explain } from './bank-explain.tsx';
import { ImportStatement } from './bank-import.tsx';
import { isExplained, linesInPlace, nextOpen, type BankAccount, type BankLine } from './bank-line.ts';
import { Strip } from './bank-strip.tsx';
import { ChoiceFilter, DayFilter, FilterBar } from './filters.tsx';
import { bookkeepers } from './may.ts';
import { MoneyTabs } from './tabs.tsx';
import { useReconciling } from './use-reconciling.ts';
import styles from './bank.module.css';

/** The lines of one account at the left, what explains the one that is looked at at the right. */
export default function BankAccountScreen(): ReactNode {
  const words = useWords().money;
  const bank = words.bankWords;
  const { account: code = '' } = useParams({ strict: false }) as { account?: string };
  const [{ lines, day, line }] = useFilters();
  const may = useMay(...bookkeepers);
  const accounts = useGraph<{ readonly bankAccounts: readonly BankAccount[] }>('money-bank');
  const account = accounts.data?.bankAccounts.find((one) => one.code === code || one.id === code);
  const pages = useGraphPages<BankLine>('money-bank-lines', 'bankLines', {
    account: code,
    ...(lines === 'all' ? {} : { unmatched: true }),
    ...(day === undefined ? {} : { from: day, to: day }),
  });
  const [open, setOpen] = useState<'import' | 'agree'>();
  return (
    <Page
      title={account === undefined ? code : `${account.code} ${account.name}`}
      {...(account === undefined
        ? {}
        : {
            lead:
              account.agreedTo === null ? (
                bank.notAgreed
              ) : (
                <>
                  {bank.agreedTo} <Day on={account.agreedTo} />
                </>
              ),
          })}
      actions={
        may ? (
          <>
            <Button onClick={() => setOpen('import')}>{bank.import}</Button>
            {account === undefined ? null : <Button onClick={() => setOpen('agree')}>{bank.agree}</Button>}
          </>
        ) : null
      }
      bar={
        <MoneyTabs>
          <FilterBar>
            <ChoiceFilter
              name="lines"
              label={words.lines}
              of={[
                ['', bank.unexplained],
                ['all', words.all],
              ]}
            />
            <DayFilter name="day" label={words.day} />
          </FilterBar>
        </MoneyTabs>
      }
    >
      {account === undefined ? null : <Strip account={account} />}
      <Sitting
        key={`${code} ${lines ?? ''} ${day ?? ''} ${line ?? ''}`}
        account={account}
        day={day}
        first={line}
        pages={pages}
        may={may}
      />
      {open === 'import' ? <ImportStatement account={code} onClose={() => setOpen(undefined)} /> : null}
      {open === 'agree' && account !== undefined ? (
        <Agree account={account} onClose={() => setOpen(undefined)} />
      ) : null}
    </Page>
  );
}

function Sitting({
  account,
  day,
  first,
  pages,
  may,
}: {
  readonly account: BankAccount | undefined;
  /** Of whose lines alone the list is. */
  readonly day: string | undefined;
  /** The line that is looked at first. */
  readonly first: string | undefined;
  readonly pages: ReturnType<typeof useGraphPages<BankLine>>;
  readonly may: boolean;
}): ReactNode {
  const words = useWords().money.bankWords;
  const reconciling = useReconciling(first, account?.agreedTo ?? null);
  const listed = pages.data?.pages.flatMap(({ items }) => items) ?? [];
  const lines = linesInPlace(listed, reconciling.touched);
  const current =
    lines.find(({ id }) => id === reconciling.selected) ??
    lines.find(({ id }) => id === nextOpen(lines, undefined)) ??
    lines[0];
  const at = lines.findIndex(({ id }) => id === current?.id);
  const move = (step: number): void => {
    const next = lines[Math.min(lines.length - 1, Math.max(0, at + step))];
    if (next !== undefined) reconciling.select(next.id);
  };
  useKey('ArrowDown', words.keyDown, () => move(1), lines.length > 0);
  useKey('ArrowUp', words.keyUp, () => move(-1), lines.length > 0);
  const undoable = may && current !== undefined && reconciling.undoneAt(current) !== undefined;
  const undo = (): void => {
    if (current !== undefined) reconciling.undo(current);
  };
  useKey('u', words.keyUndo, undo, undoable);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const close = lines.length - at <= 20;
  useEffect(() => {
    if (close && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [close, hasNextPage, isFetchingNextPage, fetchNextPage]);
  useEffect(() => {
    pointAt(current === undefined ? undefined : { title: current.description, id: current.id });
  }, [current]);

  const none = day === undefined ? words.allExplained : words.dayExplained;
  if (lines.length === 0)
    return (
      <CursorList
        pages={pages}
        empty={<Empty title={none}>{day === undefined ? words.allExplainedLead : undefined}</Empty>}
      >
        {() => null}
      </CursorList>
    );
  // The list counts all of them once its last page is here. Until then the account does, though of every day.
  const counted = lines.filter((line) => !isExplained(line)).length;
  const left = hasNextPage ? (day === undefined ? account?.unmatchedLines : undefined) : counted;
  const states = [
    left === 0 ? none : left !== undefined ? words.toExplain(left) : counted > 0 ? words.toExplainAtLeast(counted) : '',
    reconciling.count > 0 ? words.explainedNow(reconciling.count) : '',
  ];
  return (
    <>
      <div className={styles['columns']}>
        <Lines lines={lines} current={current} onSelect={reconciling.select} onMove={move} />
        <div className={styles['right']}>
          {current === undefined ? null : (
            <Explain
              key={`${current.id} ${isExplained(current)}`}
              line={current}
              lines={lines}
              reconciling={reconciling}
              may={may}
            />
          )}
        </div>
      </div>
      <p className={styles['state']} role="status">
        {states.filter((said) => said !== '').join(' · ')}
      </p>
      {may ? (
        <ul className={styles['keys']}>
          {(
            [
              ['↑', words.keyUp],
              ['↓', words.keyDown],
              ['1–9', words.keyPick],
              ['Enter', words.keyMatch],
              ['/', words.keyFind],
              ['p', words.keyPost],
              ['s', words.keySplit],
              ...(undoable ? [['u', words.keyUndo]] : []),
            ] as const
          ).map(([key, label]) => (
            <li key={key}>
              <Key keys={key} /> {label}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

function Lines({
  lines,
  current,
  onSelect,
  onMove,
}: {
  readonly lines: readonly BankLine[];
  readonly current: BankLine | undefined;
  readonly onSelect: (id: string) => void;
  readonly onMove: (step: number) => void;
}): ReactNode {
  const words = useWords().money.bankWords;
  const list = useRef<HTMLUListElement>(null);
  const id = current?.id;
  useEffect(() => {
    list.current?.querySelector(`[data-line="${id ?? ''}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [id]);
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    onMove(event.key === 'ArrowDown' ? 1 : -1);
    event.preventDefault();
  };
  return (
    <ul
      ref={list}
      className={styles['lines']}
      role="listbox"
      aria-label={words.lines}
      aria-activedescendant={id === undefined ? undefined : `line-${id}`}
      tabIndex={0}
      onKeyDown={press}
    >
      {lines.map((line) => (
        <li
          key={line.id}
          id={`line-${line.id}`}
          data-line={line.id}
          role="option"
          aria-selected={line.id === id}
          className={styles['line']}
          data-explained={isExplained(line)}
          onClick={() => onSelect(line.id)}
        >
          <span className={styles['what']}>
            <span className={styles['name']}>
              <Said>{line.counterparty ?? line.description}</Said>
            </span>
            <span className={styles['soft']}>
              <Day on={line.day} />
              {line.reference === null ? null : (
                <>
                  {' · '}
                  <Said>{line.reference}</Said>
                </>
              )}
            </span>
          </span>
          <span className={styles['much']}>
            <Money of={line.amount} />
            <span className={styles['soft']}>
              {isExplained(line) ? (
                `✓ ${words.explained}`
              ) : line.unmatched.amount === line.amount.amount ? null : (
                <>
                  {words.left} <Money of={line.unmatched} />
                </>
              )}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
