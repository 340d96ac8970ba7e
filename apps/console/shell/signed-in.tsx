import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sessionQuery } from '../data/session.ts';
import { Missing } from '../parts/loaded.tsx';
import styles from './front.module.css';
import { SignIn } from './sign-in.tsx';
import { Waits } from './waits.tsx';

/** Pages for a person: whoever is not signed in may do so, and comes back to where they wanted. */
export function SignedIn(): ReactNode {
  const query = useQuery(sessionQuery);
  const { data } = query;
  if (data === undefined)
    return (
      <main className={styles['middle']}>
        <Waits />
        <Missing query={query} />
      </main>
    );
  return data === null ? <SignIn /> : <Outlet />;
}
