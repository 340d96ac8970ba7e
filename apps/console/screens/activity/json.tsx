import { piecesOf } from '@steward/approvals/reading';
import type { ReactNode } from 'react';
import styles from './activity.module.css';

/** Text of JSON, with characters that would not be seen named. */
export const Json = ({ text }: { readonly text: string }): ReactNode => (
  <pre className={styles['json']} tabIndex={0} role="group" aria-label="JSON">
    <bdi>
      {piecesOf(text)
        .map(({ text: piece, hidden }) => (hidden ? `⟨${piece}⟩` : piece))
        .join('')}
    </bdi>
  </pre>
);
