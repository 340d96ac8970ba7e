import type { ReactNode } from 'react';
import { Page } from '../../parts/page.tsx';
import { Go } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { reportNames } from './report-names.ts';
import { MoneyTabs } from './tabs.tsx';
import styles from './money.module.css';

export default function Reports(): ReactNode {
  const words = useWords().money;
  return (
    <Page title={words.tabs.reports} lead={words.reportsLead} bar={<MoneyTabs />}>
      <ul className={styles['tiles']}>
        {reportNames.map((name) => (
          <li key={name}>
            <Go to={`/money/reports/${name}`} className={styles['tile']}>
              <strong>{words.reports[name]}</strong>
              <span>{words.reportHints[name]}</span>
            </Go>
          </li>
        ))}
      </ul>
    </Page>
  );
}
