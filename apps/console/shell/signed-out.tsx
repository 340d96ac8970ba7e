import { useEffect, type ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import styles from './front.module.css';

/** Where the identity provider leads whoever signed out there too. */
export function SignedOut(): ReactNode {
  const words = useWords().shell;
  useEffect(() => {
    document.title = `${words.signedOut} · ${words.name}`;
  }, [words]);
  return (
    <main className={styles['middle']}>
      <p className={styles['brand']}>{words.name}</p>
      <h1 className={styles['title']}>{words.signedOut}</h1>
      <a href="/" className={styles['way']}>
        {words.signIn}
      </a>
    </main>
  );
}
