import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { listen } from '../data/channel.ts';
import { sessionQuery } from '../data/session.ts';
import { Failure } from '../parts/failure.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import styles from './front.module.css';
import { SignIn } from './sign-in.tsx';

/** Pages for a person: whoever is not signed in may do so, and comes back to where they wanted. */
export function SignedIn(): ReactNode {
  const queries = useQueryClient();
  const { data, error, isPending, refetch } = useQuery(sessionQuery);
  useEffect(
    () =>
      listen((told) => {
        if (told.type === 'signed-out') queries.setQueryData(sessionQuery.queryKey, null);
      }),
    [queries],
  );
  if (isPending)
    return (
      <main className={styles['middle']}>
        <Skeleton />
      </main>
    );
  if (data === undefined)
    return (
      <main className={styles['middle']}>
        <Failure error={error} again={() => void refetch()} />
      </main>
    );
  return data === null ? <SignIn /> : <Outlet />;
}
