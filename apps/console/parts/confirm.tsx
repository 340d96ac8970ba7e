import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import styles from './form.module.css';

interface ConfirmProps<Given, Answer> {
  readonly title: string;
  /** What happens, in words. */
  readonly children: ReactNode;
  /** Of `useAct`. */
  readonly act: UseMutationResult<Answer, Error, Given>;
  readonly given: Given;
  /** What the button says. */
  readonly submit: string;
  readonly danger?: boolean;
  readonly onClose: () => void;
}

/** Asks before something is done, and says there why it was not. */
export function Confirm<Given, Answer>(props: ConfirmProps<Given, Answer>): ReactNode {
  const { title, children, act, given, submit, danger = false, onClose } = props;
  const words = useWords().parts;
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      <Failure error={act.error} />
      <div className={styles['buttons']}>
        <Button
          kind={danger ? 'danger' : 'first'}
          busy={act.isPending}
          onClick={() => act.mutate(given, { onSuccess: onClose })}
        >
          {submit}
        </Button>
        <Button onClick={onClose}>{words.cancel}</Button>
      </div>
    </Dialog>
  );
}
