import type { ReactNode } from 'react';
import { Tabs } from '../../parts/tabs.tsx';
import { useWords } from '../../words/language.ts';
import styles from './money.module.css';

/** The pages of money, which no print shows. */
export function MoneyTabs({ children }: { readonly children?: ReactNode }): ReactNode {
  const words = useWords().money.tabs;
  return (
    <div className={styles['bar']}>
      <Tabs
        label={words.label}
        of={[
          ['/money', words.overview],
          ['/money/documents', words.documents, 'pages'],
          ['/money/payments', words.payments, 'pages'],
          ['/money/bank', words.bank, 'pages'],
          ['/money/reports', words.reports, 'pages'],
          ['/money/entries', words.entries, 'pages'],
          ['/money/close', words.close],
        ]}
      />
      {children}
    </div>
  );
}
