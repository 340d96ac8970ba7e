import type { ReactNode } from 'react';
import { DecideAlone } from '../../parts/decide-alone.tsx';
import { useWords } from '../../words/language.ts';
import type { Action } from './action.ts';
import styles from './approvals.module.css';

/** Where two people are needed and there are not two: what the organization can do about it. */
export function TooFew({ action, onDone }: { readonly action: Action; readonly onDone: () => void }): ReactNode {
  const { approvals: words, deciding } = useWords();
  const { available } = action;
  if (available === null || available.approvers > 1) return null;
  if (available.alone) return <p>{deciding.aloneAllowed}</p>;
  if (available.approvers === 0) return <p className={styles['alert']}>{words.nobody}</p>;
  return (
    <div className={styles['alert']}>
      <DecideAlone onDone={onDone} />
    </div>
  );
}
