import type { ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import styles from './form.module.css';

interface ConfirmProps {
  readonly title: string;
  /** What happens, in words. */
  readonly children: ReactNode;
  /** Of `useAct`. */
  readonly act: { readonly error: Error | null; readonly isPending: boolean };
  /** Does it, and closes this where it was done. */
  readonly onConfirm: () => void;
  /** What the button says. */
  readonly submit: string;
  readonly danger?: boolean;
  readonly onClose: () => void;
}

/** Asks before something is done, and says there why it was not. */
export function Confirm(props: ConfirmProps): ReactNode {
  const { title, children, act, onConfirm, submit, danger = false, onClose } = props;
  const words = useWords().parts;
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      <Failure error={act.error} />
      <div className={styles['buttons']}>
        <Button kind={danger ? 'danger' : 'first'} busy={act.isPending} onClick={onConfirm}>
          {submit}
        </Button>
        <Button onClick={onClose}>{words.cancel}</Button>
      </div>
    </Dialog>
  );
}
