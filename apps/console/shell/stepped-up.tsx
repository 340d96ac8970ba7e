import { useEffect, type ReactNode } from 'react';
import { steppedUp } from '../data/step-up.ts';
import { useWords } from '../words/language.ts';
import styles from './front.module.css';

/** Where a fresh login ends, in a window of its own. */
export function SteppedUp(): ReactNode {
  const words = useWords().shell;
  useEffect(() => steppedUp(), []);
  return (
    <main className={styles['middle']}>
      <h1 className={styles['title']}>{words.steppedUp}</h1>
    </main>
  );
}
