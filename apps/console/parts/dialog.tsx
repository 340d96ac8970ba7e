import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useWords } from '../words/language.ts';
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
    const shown = dialog.current;
    shown?.showModal();
    // A dialog gives the focus to its first control, which closes it; whoever fills something in begins there.
    shown?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={wide ? `${styles['dialog']} ${styles['wide']}` : styles['dialog']}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className={styles['head']}>
        <h2 id={heading}>{title}</h2>
        <button type="button" className={styles['close']} aria-label={words.close} onClick={onClose}>
          ✕
        </button>
      </header>
      <div className={styles['body']}>{children}</div>
    </dialog>
  );
}
