import type { ReactNode } from 'react';
import { dayOf } from '../../data/moment.ts';
import { sumOf, type Amount } from '../../data/money.ts';
import { useRead } from '../../data/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Money } from '../../parts/money.tsx';
import { Go, type To } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import styles from './home.module.css';
import { standing } from './standing.ts';

/** Four figures, each of which leads to what it is made of. */
export function MoneyNow(): ReactNode {
  const words = useWords().home;
  const today = dayOf(Date.now());
  const month = `from=${today.slice(0, 7)}-01&to=${today}`;
  return (
    <section aria-label={words.money}>
      <Loaded query={useRead(standing())} lines={3}>
        {({ profitAndLoss, cashFlow, receivable, payable }) => (
          <div className={styles['figures']}>
            <Figure to={`/money/reports/cash-flow?${month}`} name={words.cash} value={cashFlow.closing} />
            <Figure
              to={`/money/reports/profit-and-loss?${month}&compare=month`}
              name={words.profit}
              value={profitAndLoss.result}
            >
              {profitAndLoss.comparedResult === null ? null : (
                <>
                  {words.before} <Money of={profitAndLoss.comparedResult} />
                </>
              )}
            </Figure>
            <Figure to="/money/reports/aged?side=receivable" name={words.owedToYou} value={receivable.total}>
              {words.overdue} <Money of={sumOf(receivable.buckets.slice(1))} />
            </Figure>
            <Figure to="/money/reports/aged?side=payable" name={words.youOwe} value={payable.total}>
              {words.overdue} <Money of={sumOf(payable.buckets.slice(1))} />
            </Figure>
          </div>
        )}
      </Loaded>
    </section>
  );
}

interface FigureProps {
  readonly to: To;
  readonly name: string;
  readonly value: Amount;
  readonly children?: ReactNode;
}

const Figure = ({ to, name, value, children }: FigureProps): ReactNode => (
  <Go to={to} className={styles['figure']}>
    <span className={styles['name']}>{name}</span>
    <span className={styles['value']}>
      <Money of={value} />
    </span>
    {children === undefined || children === null ? null : <span className={styles['soft']}>{children}</span>}
  </Go>
);
