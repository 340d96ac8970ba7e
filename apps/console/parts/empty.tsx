import type { ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import { Snippet } from './copy.tsx';
import styles from './empty.module.css';

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** What an agent is told so that it does this. */
  readonly prompt?: string;
  /** The way by hand: a button or a link. */
  readonly action?: ReactNode;
}

/** An empty screen teaches: why nothing is here, what to tell an agent, the way by hand. */
export function Empty({ title, children, prompt, action }: EmptyProps): ReactNode {
  const words = useWords().parts;
  return (
    <section className={styles['empty']}>
      <h2>{title}</h2>
      {children === undefined ? null : <div className={styles['lead']}>{children}</div>}
      {prompt === undefined ? null : (
        <>
          <h3>{words.tellAgent}</h3>
          <Snippet text={prompt} label={words.tellAgent} />
        </>
      )}
      {action === undefined ? null : (
        <div className={styles['hand']}>
          {prompt === undefined ? null : <span>{words.orByHand}</span>}
          {action}
        </div>
      )}
    </section>
  );
}
