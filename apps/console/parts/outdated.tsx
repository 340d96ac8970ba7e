import type { ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import { Button } from './button.tsx';
import styles from './refusal.module.css';

/** In place of what could not be loaded, mostly since another version was deployed. */
export function Outdated(): ReactNode {
  const words = useWords().parts;
  return (
    <div className={`${styles['failure']} ${styles['waits']}`} role="alert">
      <p className={styles['title']}>{words.notLoaded}</p>
      <p>{words.outdatedHint}</p>
      <Reload />
    </div>
  );
}

export function Reload(): ReactNode {
  return (
    <div>
      <Button kind="first" onClick={() => location.reload()}>
        {useWords().parts.reload}
      </Button>
    </div>
  );
}
