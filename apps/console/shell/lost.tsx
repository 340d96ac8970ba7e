import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ButtonLink } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';
import { useWords } from '../words/language.ts';
import styles from './front.module.css';

/** An address that leads nowhere. */
export function Lost(): ReactNode {
  const words = useWords().shell;
  return (
    <div className={styles['middle']}>
      <h1 className={styles['title']}>{words.noPage}</h1>
      <p>
        <Link to="/">{words.goHome}</Link>
      </p>
    </div>
  );
}

/** Such an address of an organization, whose navigation stands beside it. */
export function LostWithin(): ReactNode {
  const words = useWords().shell;
  return (
    <Page title={words.noPage} lead={words.noPageHint}>
      <div>
        <ButtonLink to="/">{words.toHome}</ButtonLink>
      </div>
    </Page>
  );
}
