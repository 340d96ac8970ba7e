import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import { Shown } from './said.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

/** A modal dialog while it is rendered. Escape and the button close it. */
export function Dialog({ title, onClose, children, wide = false }: DialogProps): ReactNode {
  const words = useWords().parts;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    dialog.current?.showModal();
    // A browser would choose the button that closes it.
    const fields = [...(dialog.current?.querySelectorAll<HTMLElement>('input, select, textarea') ?? [])];
    (fields.find((field) => field.dataset['focus'] !== undefined) ?? fields[0])?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={wide ? `${styles['dialog']} ${styles['wide']}` : styles['dialog']}
      aria-labelledby={heading}
      // Not `cancel`: browsers spare it where nobody did anything since the dialog opened.
      onClose={onClose}
    >
      <header className={styles['head']}>
        <h2 id={heading}>
          <Shown>{title}</Shown>
        </h2>
        <button type="button" className={styles['close']} aria-label={words.close} onClick={onClose}>
          ✕
        </button>
      </header>
      <div className={styles['body']}>{children}</div>
    </dialog>
  );
}
