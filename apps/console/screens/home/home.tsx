import type { ReactNode } from 'react';
import { useTenant } from '../../data/organization.ts';
import { useSession } from '../../data/session.ts';
import { Page } from '../../parts/page.tsx';
import { useWords } from '../../words/language.ts';
import { Agents } from './agents.tsx';
import { Health } from './health.tsx';
import styles from './home.module.css';
import { MoneyNow } from './money-now.tsx';
import { useSince } from './since.ts';
import { Waiting } from './waiting.tsx';

/** What needs this person, what agents did, how the money stands, and whether the log holds. */
export default function Home(): ReactNode {
  const { home: words, shell } = useWords();
  const { person } = useSession();
  const since = useSince(useTenant(), person.id);
  return (
    <Page title={shell.home} lead={words.lead(person.name ?? person.email ?? person.id)}>
      <MoneyNow />
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <Waiting />
        </div>
        <div className={styles['column']}>
          <Agents since={since} />
          <Health />
        </div>
      </div>
    </Page>
  );
}
