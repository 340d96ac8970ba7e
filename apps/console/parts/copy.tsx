import { useState, type ReactNode } from 'react';
import { legible } from '../data/legible.ts';
import { useWords } from '../words/language.ts';
import { Button } from './button.tsx';
import styles from './copy.module.css';

/** A button that copies, and says that it did until something else has the focus. */
export function Copy({ text, label }: { readonly text: string; readonly label?: string }): ReactNode {
  const words = useWords().parts;
  const [copied, setCopied] = useState(false);
  return (
    <Button
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      onBlur={() => setCopied(false)}
    >
      <span aria-live="polite">{copied ? words.copied : (label ?? words.copy)}</span>
    </Button>
  );
}

/** Text to take elsewhere: shown whole, with its button. */
export function Snippet({ text: given, label }: { readonly text: string; readonly label: string }): ReactNode {
  const text = legible(given);
  return (
    <div className={styles['snippet']}>
      <pre className={styles['text']} tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
      <Copy text={text} />
    </div>
  );
}
