import type { ReactNode } from 'react';
import { legible } from '../../data/legible.ts';
import styles from './activity.module.css';

/** Text of JSON, with characters that would not be seen named. */
export const Json = ({ text }: { readonly text: string }): ReactNode => (
  <pre className={styles['json']} tabIndex={0} role="group" aria-label="JSON">
    <bdi>{legible(text)}</bdi>
  </pre>
);
