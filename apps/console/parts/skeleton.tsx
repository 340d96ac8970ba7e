import type { ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import styles from './skeleton.module.css';

/** Holds the place of what is being loaded. */
export function Skeleton({ lines = 4 }: { readonly lines?: number }): ReactNode {
  const words = useWords().parts;
  return (
    <div className={styles['skeleton']} role="status" aria-label={words.loading}>
      {Array.from({ length: lines }, (_, at) => (
        <div key={at} className={styles['line']} />
      ))}
    </div>
  );
}
