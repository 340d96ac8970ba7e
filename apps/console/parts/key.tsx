import type { ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import styles from './key.module.css';

/** Keys as they are pressed: `g a` is one after the other, `Mod k` both at once. */
export function Key({ keys }: { readonly keys: string }): ReactNode {
  const { keyThen } = useWords().shell;
  const atOnce = keys.startsWith('Mod ');
  const mod = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
  return (
    <span className={styles['keys']}>
      {keys.split(' ').map((key, at) => (
        <span key={key}>
          {at > 0 && !atOnce ? <span className={styles['then']}> {keyThen} </span> : null}
          <kbd className={styles['key']}>{key === 'Mod' ? mod : key}</kbd>
        </span>
      ))}
    </span>
  );
}
