import type { ReactNode } from 'react';
import { Tabs } from '../../parts/tabs.tsx';
import { useWords } from '../../words/language.ts';
import { pagesWithin } from '../pages.ts';
import styles from './money.module.css';

/** The pages of money, which no print shows. */
export function MoneyTabs({ children }: { readonly children?: ReactNode }): ReactNode {
  const words = useWords();
  return (
    <div className={styles['bar']}>
      <Tabs label={words.money.tabs.label} of={pagesWithin.money(words)} />
      {children}
    </div>
  );
}
