import { useState, type ReactNode } from 'react';
import { isZero } from '../../data/money.ts';
import { useMay } from '../../data/organization.ts';
import { useGraph } from '../../data/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Money } from '../../parts/money.tsx';
import { Day } from '../../parts/moment.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { useWords } from '../../words/language.ts';
import type { BankAccount } from './bank-line.ts';
import { ImportStatement } from './bank-import.tsx';
import { bookkeepers } from './may.ts';
import { MoneyTabs } from './tabs.tsx';
import styles from './money.module.css';

/** Bank accounts, and what of their lines nothing explains yet. */
export default function Bank(): ReactNode {
  const words = useWords().money;
  const bank = words.bankWords;
  const may = useMay(...bookkeepers);
  const query = useGraph<{ readonly bankAccounts: readonly BankAccount[] }>('money-bank');
  const [importing, setImporting] = useState(false);
  const byHand = may ? <Button onClick={() => setImporting(true)}>{bank.import}</Button> : undefined;
  return (
    <Page title={words.tabs.bank} lead={bank.lead} actions={byHand} bar={<MoneyTabs />}>
      <Loaded query={query} lines={6}>
        {({ bankAccounts }) =>
          bankAccounts.length === 0 ? (
            <Empty title={bank.empty} prompt={bank.emptyPrompt} action={byHand}>
              {bank.emptyLead}
            </Empty>
          ) : (
            <div className={styles['two']}>
              {bankAccounts.map((account) => (
                <Section
                  key={account.id}
                  title={`${account.code} ${account.name}`}
                  actions={
                    account.unmatchedLines === 0 ? (
                      <Badge tone="held">{bank.allExplained}</Badge>
                    ) : (
                      <Badge tone="waits">{bank.toExplain(account.unmatchedLines)}</Badge>
                    )
                  }
                >
                  <Facts
                    of={[
                      [
                        bank.in,
                        isZero(account.unmatchedIn.amount) ? undefined : <Money key="in" of={account.unmatchedIn} />,
                      ],
                      [
                        bank.out,
                        isZero(account.unmatchedOut.amount) ? undefined : <Money key="out" of={account.unmatchedOut} />,
                      ],
                      [
                        bank.agreedTo,
                        account.agreedTo === null ? bank.notAgreed : <Day key="agreed" on={account.agreedTo} />,
                      ],
                      [bank.lastLine, <Day key="last" on={account.lastLineOn} />],
                    ]}
                  />
                  <div>
                    <ButtonLink
                      kind={account.unmatchedLines === 0 ? 'quiet' : 'first'}
                      to={`/money/bank/${account.code}`}
                    >
                      {account.unmatchedLines === 0 ? bank.openLines : bank.explain}
                    </ButtonLink>
                  </div>
                </Section>
              ))}
            </div>
          )
        }
      </Loaded>
      {importing ? <ImportStatement onClose={() => setImporting(false)} /> : null}
    </Page>
  );
}
