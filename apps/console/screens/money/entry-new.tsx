import { useState, type ReactNode } from 'react';
import { isZero } from '../../data/money.ts';
import { difference, sum } from '../../data/decimal.ts';
import { useDraft } from '../../data/draft.ts';
import { graph } from '../../data/graph.ts';
import { useTenant } from '../../data/organization.ts';
import { useAct } from '../../data/step-up.ts';
import { amountsIn, useAmountIn } from '../../parts/amount-in.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { useGo } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { today } from './days.ts';
import { useAccounts } from '../../data/accounts.ts';
import { ofSubledger } from './lookups.ts';
import { MoneyTabs } from './tabs.tsx';
import { TotalsShown } from './totals-shown.tsx';
import styles from './money.module.css';

interface Line {
  readonly account: string;
  readonly memo: string;
  readonly debit: string;
  readonly credit: string;
}

interface Draft {
  readonly date: string;
  readonly narration: string;
  readonly lines: readonly Line[];
}

const emptyLine: Line = { account: '', memo: '', debit: '', credit: '' };

/** An entry by hand: what is debited and credited is the same in sum, or it is not posted. */
export default function NewEntry(): ReactNode {
  const words = useWords().money;
  const tenant = useTenant();
  const go = useGo();
  const [draft, change, forget] = useDraft<Draft>(`${tenant} entry`, {
    date: today(),
    narration: '',
    lines: [emptyLine, emptyLine],
  });
  const [key] = useState(() => crypto.randomUUID());
  const { data: all = [] } = useAccounts();
  const accounts = all.filter((one) => !ofSubledger(one));
  const currency = all[0]?.currency ?? 'EUR';
  const amountIn = useAmountIn();
  const amountsOf = (side: 'debit' | 'credit'): readonly string[] =>
    amountsIn(
      draft.lines.map((line) => line[side]),
      amountIn,
    );
  const [debits, credits] = [amountsOf('debit'), amountsOf('credit')];
  const [debit, credit] = [sum('0', ...debits), sum('0', ...credits)];
  const left = difference(debit, credit);
  const asked = {
    date: draft.date,
    narration: draft.narration,
    currency,
    lines: draft.lines
      .filter((line) => line.debit !== '' || line.credit !== '')
      .map((line) => ({
        account: line.account,
        ...(line.debit === '' ? {} : { debit: line.debit }),
        ...(line.credit === '' ? {} : { credit: line.credit }),
        ...(line.memo === '' ? {} : { memo: line.memo }),
      })),
  };
  const act = useAct(
    async () => {
      const { postJournalEntry } = await graph<{ readonly postJournalEntry: { readonly id: string } }>(
        tenant,
        'money-entry-post',
        {
          input: { ...asked, idempotencyKey: key },
        },
      );
      return postJournalEntry.id;
    },
    {
      onDone: (id) => {
        forget();
        go(`/money/entries/${id}`);
      },
    },
  );
  const set = (part: Partial<Draft>): void => change({ ...draft, ...part });
  const setLine = (at: number, part: Partial<Line>): void =>
    set({ lines: draft.lines.map((line, place) => (place === at ? { ...line, ...part } : line)) });
  return (
    <Page title={words.newEntry} lead={words.newEntryLead} bar={<MoneyTabs />}>
      <Form
        onSubmit={() => act.mutate(undefined)}
        error={act.error}
        busy={act.isPending}
        submit={words.post}
        onProposed={forget}
      >
        <div className={styles['row']}>
          <Field
            label={words.day}
            name="date"
            pointer="/input/date"
            kind="date"
            value={draft.date}
            onChange={(date) => set({ date })}
          />
          <Field
            label={words.narration}
            name="narration"
            pointer="/input/narration"
            value={draft.narration}
            onChange={(narration) => set({ narration })}
          />
        </div>
        <Section title={words.lines}>
          <div className={styles['lines']}>
            {draft.lines.map((line, at) => (
              <div
                key={at}
                className={`${styles['line']} ${styles['entryLine']}`}
                role="group"
                aria-label={words.lineAt(at + 1)}
              >
                <Field
                  label={words.account}
                  name={`account${at}`}
                  pointer={`/input/lines/${at}/account`}
                  value={line.account}
                  onChange={(account) => setLine(at, { account })}
                  options={[
                    ['', words.accountChoose],
                    ...accounts.map(({ id, code, name }) => [id, `${code} ${name}`] as const),
                  ]}
                />
                <Field
                  label={words.memo}
                  name={`memo${at}`}
                  pointer={`/input/lines/${at}/memo`}
                  value={line.memo}
                  onChange={(memo) => setLine(at, { memo })}
                />
                <Field
                  label={words.debit}
                  name={`debit${at}`}
                  pointer={`/input/lines/${at}/debit`}
                  kind="amount"
                  currency={currency}
                  value={line.debit}
                  onChange={(amount) => setLine(at, { debit: amount, credit: '' })}
                />
                <Field
                  label={words.credit}
                  name={`credit${at}`}
                  pointer={`/input/lines/${at}/credit`}
                  kind="amount"
                  currency={currency}
                  value={line.credit}
                  onChange={(amount) => setLine(at, { credit: amount, debit: '' })}
                />
                <Button
                  aria-label={words.removeLine(at + 1)}
                  disabled={draft.lines.length === 2}
                  onClick={() => set({ lines: draft.lines.filter((_, place) => place !== at) })}
                >
                  ✕
                </Button>
              </div>
            ))}
          </div>
          <div>
            <Button onClick={() => set({ lines: [...draft.lines, emptyLine] })}>{words.addLine}</Button>
          </div>
          <div aria-live="polite">
            {debits.length + credits.length === 0 ? null : (
              <TotalsShown
                rows={[
                  [words.debit, { amount: debit, currency }],
                  [words.credit, { amount: credit, currency }],
                  [isZero(left) ? words.balanced : words.difference, { amount: left, currency }],
                ]}
              />
            )}
          </div>
        </Section>
      </Form>
    </Page>
  );
}
