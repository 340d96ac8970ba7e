import type { ReactNode } from 'react';
import { sumOf, type Amount } from '../../data/money.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Money } from '../../parts/money.tsx';
import { Go, type To } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import styles from './home.module.css';
import { useStanding } from './standing.ts';

/** Four figures, each of which leads to what it is made of. */
export function MoneyNow(): ReactNode {
  const words = useWords().home;
  return (
    <section aria-label={words.money}>
      <Loaded query={useStanding()} lines={3}>
        {({ profitAndLoss, cashFlow, receivable, payable }) => (
          <div className={styles['figures']}>
            <Figure to="/money" name={words.cash} value={cashFlow.closing} />
            <Figure to="/money" name={words.profit} value={profitAndLoss.result}>
              {profitAndLoss.comparedResult === null ? null : (
                <>
                  {words.before} <Money of={profitAndLoss.comparedResult} />
                </>
              )}
            </Figure>
            <Figure to="/money" name={words.owedToYou} value={receivable.total}>
              {words.overdue} <Money of={sumOf(receivable.buckets.slice(1))} />
            </Figure>
            <Figure to="/money" name={words.youOwe} value={payable.total}>
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
