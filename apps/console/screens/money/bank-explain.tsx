import { useState, type ReactNode } from 'react';
import { useDraft } from '../../data/draft.ts';
import { isZero, moneyText, type Amount } from '../../data/money.ts';
import { dayText } from '../../data/moment.ts';
import { useGraph } from '../../data/queries.ts';
import { useAmountIn } from '../../parts/amount-in.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Key } from '../../parts/key.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Money } from '../../parts/money.tsx';
import { Day } from '../../parts/moment.tsx';
import { Said } from '../../parts/said.tsx';
import { Go } from '../../shell/go.tsx';
import { useKey } from '../../shell/keys.ts';
import { useLocale, useWords } from '../../words/language.ts';
import { isExplained, leftOf, type BankLine, type Suggestion } from './bank-line.ts';
import { useAccounts } from '../../data/accounts.ts';
import { Picker } from './picker.tsx';
import { useSuggestions, type Explanation, type useReconciling } from './use-reconciling.ts';
import styles from './bank.module.css';

interface ExplainProps {
  readonly line: BankLine;
  readonly lines: readonly BankLine[];
  readonly reconciling: ReturnType<typeof useReconciling>;
  readonly may: boolean;
}

/** One line: what may explain it, and the ways by hand. */
export function Explain({ line, lines, reconciling, may }: ExplainProps): ReactNode {
  const words = useWords().money.bankWords;
  const [picked, setPicked] = useState(0);
  const [way, setWay] = useState<'find' | 'post' | 'split'>();
  const query = useSuggestions(line, lines);
  // Asked for before anybody presses `p`, so that what is typed after it goes into the field.
  useAccounts();
  const suggestions = query.data ?? [];
  const open = may && !isExplained(line);
  const undone = may ? reconciling.undoneAt(line) : undefined;
  const explain = (by: Explanation): void => reconciling.explain(line, by, lines);
  const take = (at: number): void => {
    const suggestion = suggestions[at];
    if (suggestion !== undefined) explain(byOf(suggestion));
  };
  useDigits((digit) => setPicked(digit - 1), open ? suggestions.length : 0);
  useKey('Enter', words.keyMatch, () => take(picked), open && suggestions.length > 0);
  useKey('/', words.keyFind, () => setWay('find'), open);
  useKey('p', words.keyPost, () => setWay('post'), open);
  useKey('s', words.keySplit, () => setWay('split'), open);
  const back = (): void => setWay(undefined);

  return (
    <section className={styles['explain']} aria-label={words.explain}>
      <header className={styles['subject']}>
        <h2>
          <Said>{line.counterparty ?? line.description}</Said>
        </h2>
        <strong>
          <Money
            of={line.unmatched.amount === line.amount.amount || isExplained(line) ? line.amount : line.unmatched}
          />
        </strong>
        <p className={styles['soft']}>
          <Day on={line.day} /> · <Said>{[line.description, line.reference].filter(Boolean).join(' · ')}</Said>
        </p>
      </header>
      <Failure error={reconciling.error} onProposed={reconciling.forget} />
      {isExplained(line) ? (
        <ul className={styles['matches']}>
          {line.matches.map(({ matchId, entryId, amount }) => (
            <li key={matchId}>
              <Go to={`/money/entries/${entryId}`}>{words.openEntry}</Go> <Money of={amount} />
            </li>
          ))}
        </ul>
      ) : way === undefined ? (
        <Loaded query={query} lines={4}>
          {(all) => (
            <>
              {all.length === 0 ? <p className={styles['soft']}>{words.noSuggestions}</p> : null}
              <ol className={styles['suggestions']}>
                {all.slice(0, 9).map((suggestion, at) => (
                  <li key={`${suggestion.entryId ?? suggestion.documentId ?? suggestion.accountCode ?? ''} ${at}`}>
                    <button
                      type="button"
                      className={styles['suggestion']}
                      aria-pressed={at === picked}
                      disabled={!open || reconciling.busy}
                      onClick={() => take(at)}
                    >
                      <Key keys={String(at + 1)} />
                      <span className={styles['what']}>
                        <span className={styles['name']}>
                          {suggestion.kind === 'rule' && suggestion.accountCode !== null ? (
                            words.postTo(suggestion.accountCode)
                          ) : suggestion.kind === 'document' ? (
                            words.pays(suggestion.number ?? '')
                          ) : suggestion.parts.length > 0 ? (
                            <Said>{suggestion.parts.map(({ narration }) => narration).join(' + ')}</Said>
                          ) : (
                            <Said>{suggestion.narration ?? words.oneEntry}</Said>
                          )}
                        </span>
                        <span className={styles['soft']}>
                          <Said>{suggestion.reason}</Said>
                        </span>
                      </span>
                      <span className={styles['much']}>
                        <Money of={suggestion.amount} />
                        <span className={styles['soft']}>{words.sure(suggestion.score)}</span>
                      </span>
                    </button>
                  </li>
                ))}
              </ol>
            </>
          )}
        </Loaded>
      ) : way === 'post' ? (
        <PostTo onClose={back} onPick={(account) => explain({ kind: 'account', account })} />
      ) : (
        <Find
          line={line}
          parts={way === 'split'}
          onClose={back}
          onPick={(entries) => explain({ kind: 'entries', entries })}
        />
      )}
      {open || undone !== undefined ? (
        <div className={styles['ways']}>
          {!open ? null : way === undefined ? (
            <>
              <Button onClick={() => setWay('find')}>{words.find}</Button>
              <Button onClick={() => setWay('post')}>{words.post}</Button>
              <Button onClick={() => setWay('split')}>{words.split}</Button>
            </>
          ) : (
            <Button onClick={back}>{words.back}</Button>
          )}
          {undone === undefined ? null : (
            <Button busy={reconciling.busy} onClick={() => reconciling.undo(line)}>
              {open ? words.undo : words.undoThis}
            </Button>
          )}
        </div>
      ) : null}
    </section>
  );
}

/** The same nine keys at each line, as many of them as there are suggestions. */
function useDigits(act: (digit: number) => void, count: number): void {
  const { keyPick } = useWords().money.bankWords;
  useKey('1', keyPick, () => act(1), count >= 1);
  useKey('2', keyPick, () => act(2), count >= 2);
  useKey('3', keyPick, () => act(3), count >= 3);
  useKey('4', keyPick, () => act(4), count >= 4);
  useKey('5', keyPick, () => act(5), count >= 5);
  useKey('6', keyPick, () => act(6), count >= 6);
  useKey('7', keyPick, () => act(7), count >= 7);
  useKey('8', keyPick, () => act(8), count >= 8);
  useKey('9', keyPick, () => act(9), count >= 9);
}

function byOf({ kind, accountCode, entryId, documentId, amount, parts }: Suggestion): Explanation {
  if (documentId !== null) return { kind: 'document', documentId, amount: amount.amount.replace('-', '') };
  if (kind === 'rule' && accountCode !== null) return { kind: 'account', account: accountCode };
  if (parts.length > 0)
    return { kind: 'entries', entries: parts.map((part) => ({ entryId: part.entryId, amount: part.amount.amount })) };
  return { kind: 'entries', entries: [{ entryId: entryId ?? '', amount: amount.amount }] };
}

function PostTo({
  onPick,
  onClose,
}: {
  readonly onPick: (account: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const words = useWords().money.bankWords;
  const query = useAccounts();
  return (
    <Loaded query={query}>
      {(accounts) => (
        <Picker
          label={words.postLabel}
          onClose={onClose}
          onPick={onPick}
          of={accounts
            .filter(({ control }) => !['receivable', 'payable', 'bank'].includes(control ?? ''))
            .map(({ code, name }) => ({ id: code, text: `${code} ${name}`, shown: `${code} ${name}` }))}
        />
      )}
    </Loaded>
  );
}

interface Candidate {
  readonly entryId: string;
  readonly number: string;
  readonly date: string;
  readonly narration: string;
  /** What of it is open. */
  readonly amount: Amount;
}

interface Part {
  readonly entryId: string;
  readonly amount: string;
}

function Find({
  line,
  parts: several,
  onPick,
  onClose,
}: {
  readonly line: BankLine;
  readonly parts: boolean;
  readonly onPick: (entries: readonly Part[]) => void;
  readonly onClose: () => void;
}): ReactNode {
  const words = useWords().money.bankWords;
  const locale = useLocale();
  const query = useGraph<{ readonly openBankEntries: readonly Candidate[] }>('money-bank-open', { lineId: line.id });
  const [parts, setParts, forget] = useDraft<readonly Part[]>(`parts ${line.id}`, []);
  const { currency } = line.amount;
  const amountIn = useAmountIn();
  // What is being typed may be no amount yet.
  const read = parts.flatMap(({ entryId, amount: text }) => {
    const amount = amountIn(text);
    return amount === undefined ? [] : [{ entryId, amount }];
  });
  const ready = parts.length > 0 && read.length === parts.length;
  const left = leftOf(
    line,
    read.map(({ amount }) => amount),
  );
  return (
    <Loaded query={query}>
      {({ openBankEntries: candidates }) => {
        const offered = candidates.filter((one) => !parts.some(({ entryId }) => entryId === one.entryId));
        const pick = (entryId: string): void => {
          const found = candidates.find((one) => one.entryId === entryId);
          if (found === undefined) return;
          const { amount } = found.amount;
          if (several) setParts([...parts, { entryId, amount: smaller(amount, left) }]);
          else onPick([{ entryId, amount: smaller(amount, line.unmatched.amount) }]);
        };
        const all = (): void => {
          if (!ready) return;
          forget();
          onPick(read);
        };
        return (
          <>
            <Picker
              label={several ? words.splitLabel : words.findLabel}
              onClose={onClose}
              onPick={pick}
              onAll={all}
              of={offered.map((one) => {
                return {
                  id: one.entryId,
                  text: `${one.number} ${one.narration} ${one.amount.amount} ${one.date}`,
                  shown: (
                    <>
                      <span className={styles['what']}>
                        <Said>{one.narration}</Said>
                        <span className={styles['soft']}>
                          {one.number} · {dayText(one.date, locale)}
                        </span>
                      </span>
                      <Money of={one.amount} />
                    </>
                  ),
                };
              })}
            />
            {several ? (
              <div className={styles['parts']}>
                {parts.map(({ entryId, amount }, at) => (
                  <label key={entryId} className={styles['part']}>
                    <Said>{candidates.find((one) => one.entryId === entryId)?.narration}</Said>
                    <input
                      inputMode="decimal"
                      aria-invalid={amountIn(amount) === undefined || undefined}
                      value={amount}
                      onChange={({ target }) =>
                        setParts(parts.map((part, place) => (place === at ? { ...part, amount: target.value } : part)))
                      }
                    />
                  </label>
                ))}
                <p className={styles['soft']}>
                  {words.left} {moneyText({ amount: left, currency }, locale)}
                </p>
                <div>
                  <Button kind={isZero(left) ? 'first' : 'quiet'} disabled={!ready} onClick={all}>
                    {words.matchParts} <Key keys="Mod Enter" />
                  </Button>
                </div>
              </div>
            ) : null}
          </>
        );
      }}
    </Loaded>
  );
}

/** Of two amounts of one sign, the one nearer to zero. */
function smaller(a: string, b: string): string {
  const size = (text: string): bigint => BigInt(text.replace(/[-.]/g, ''));
  return size(a) <= size(b) ? a : b;
}
