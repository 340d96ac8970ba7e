import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { askAgain } from '../data/queries.ts';
import { useWaiting } from '../data/waiting.ts';
import { Button } from '../parts/button.tsx';
import { useWords } from '../words/language.ts';
import styles from './shell.module.css';

/** Says what is waited for, wherever somebody is. */
export function Waits(): ReactNode {
  const { shell: words, parts } = useWords();
  const queries = useQueryClient();
  const waiting = useWaiting();
  return (
    <div role="status" className={styles['waits']}>
      {waiting === undefined ? null : (
        <div>
          <p>{words[waiting]}</p>
          <Button onClick={() => void askAgain(queries)}>{parts.again}</Button>
        </div>
      )}
    </div>
  );
}
