import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** Colour means something: amber waits for you, green is held or verified, red is an error. */
export type Tone = 'plain' | 'waits' | 'held' | 'error' | 'accent';

export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }): ReactNode {
  return <span className={`${styles['badge']} ${styles[tone]}`}>{children}</span>;
}
