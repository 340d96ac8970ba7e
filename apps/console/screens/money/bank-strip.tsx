import { useState, type ReactNode } from 'react';
import { difference, minor, negated } from '../../data/decimal.ts';
import { isZero, type Amount } from '../../data/money.ts';
import { useGraph } from '../../data/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Money } from '../../parts/money.tsx';
import { useWords } from '../../words/language.ts';
import type { BankAccount } from './bank-line.ts';
import { OutstandingEntries } from './bank-outstanding.tsx';
import { moved, today } from './days.ts';
import styles from './bank.module.css';

export interface Standing {
  readonly opening: Amount;
  readonly closing: Amount;
  readonly bookBalance: Amount;
  readonly outstanding: Amount;
  readonly difference: Amount;
  readonly unmatchedLines: number;
}

/** Nothing, with the digits of the account's currency. */
export const nothingOf = ({ unmatchedIn }: BankAccount): string =>
  minor(0n, unmatchedIn.amount.split('.')[1]?.length ?? 0);

/** Up to where an account stands today: what is agreed is left alone, and asked is a day after it. */
export const standsOn = ({ lastLineOn, agreedTo }: BankAccount): string =>
  [today(), lastLineOn ?? '', agreedTo === null ? '' : moved(agreedTo, { days: 1 })].toSorted().at(-1) ?? today();

/** What the bank's lines add up to, what the books say, and what lies between. */
export function Strip({ account }: { readonly account: BankAccount }): ReactNode {
  const words = useWords().money.bankWords;
  const zero = nothingOf(account);
  // Asked with a closing balance of nothing, the difference is what the lines add up to.
  const to = standsOn(account);
  const query = useGraph<{ readonly reconciliation: Standing }>('money-bank-standing', {
    input: { account: account.code, to, closing: zero },
  });
  // Where no line is left to explain, these alone are the difference.
  const [asked, setAsked] = useState<boolean>();
  const open = asked ?? account.unmatchedLines === 0;
  return (
    <Loaded query={query} lines={1}>
      {({ reconciliation }) => {
        const { currency } = account;
        const bank = negated(reconciliation.difference.amount);
        const between = difference(bank, reconciliation.bookBalance.amount);
        const some = !isZero(reconciliation.outstanding.amount);
        return (
          <>
            <dl className={styles['strip']}>
              <div>
                <dt>{words.bank}</dt>
                <dd>
                  <Money of={{ amount: bank, currency }} />
                </dd>
              </div>
              <div>
                <dt>{words.books}</dt>
                <dd>
                  <Money of={reconciliation.bookBalance} />
                </dd>
              </div>
              <div data-zero={isZero(between)}>
                <dt>{words.difference}</dt>
                <dd>
                  <Money of={{ amount: between, currency }} />
                </dd>
              </div>
              <div>
                <dt>{words.outstanding}</dt>
                <dd>
                  <Money of={reconciliation.outstanding} />{' '}
                  {some ? (
                    <Button onClick={() => setAsked(!open)}>
                      {open ? words.hideOutstanding : words.showOutstanding}
                    </Button>
                  ) : null}
                </dd>
              </div>
            </dl>
            {some && open ? <OutstandingEntries account={account.code} to={to} closing={zero} /> : null}
          </>
        );
      }}
    </Loaded>
  );
}
