import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOf, own } from '../data/api.ts';
import { Problem } from '../data/problem.ts';
import { keyOf } from '../data/queries.ts';
import { organizationsQuery, useSession } from '../data/session.ts';
import { Loaded, Missing } from '../parts/loaded.tsx';
import { useWords } from '../words/language.ts';
import styles from './front.module.css';
import { SignOut } from './sign-out.tsx';

/** `/console/approvals/{id}`, where addresses in mail and in agents' answers lead: to the action in whichever organization has it. */
export function Led(): ReactNode {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const words = useWords();
  const { addresses } = useSession();
  const organizations = useQuery(organizationsQuery);
  const path = `/api/pending-actions/${encodeURIComponent(id)}`;
  const found = useQuery({
    queryKey: ['led', id],
    enabled: organizations.data !== undefined,
    queryFn: async ({ client, signal }) => {
      const all = organizations.data ?? [];
      // Of one, the screen says itself that there is no such action.
      if (all.length === 1) return all[0]?.id ?? null;
      for (const { id: tenant } of all)
        try {
          const action = await own<object>(addressOf('portal', path, { tenant }), { signal });
          // The screen to which it leads need not ask for it again.
          client.setQueryData(keyOf(tenant, 'portal', path), action);
          return tenant;
        } catch (error) {
          if (!(error instanceof Problem) || ![400, 403, 404].includes(error.status)) throw error;
        }
      return null;
    },
  });
  if (typeof found.data === 'string')
    return <Navigate to={`/o/${found.data}/approvals/${encodeURIComponent(id)}`} replace />;
  return (
    <main className={styles['middle']}>
      <h1 className={styles['title']}>{words.approvals.oneTitle}</h1>
      {organizations.data === undefined ? <Missing query={organizations} /> : null}
      <Loaded query={found}>
        {() => (
          <>
            <p>{words.approvals.notYours}</p>
            <p>
              <a href={`${addresses.portal}/approvals/${encodeURIComponent(id)}?plain`}>{words.approvals.plainPage}</a>
            </p>
            <p>
              <Link to="/">{words.shell.goHome}</Link>
            </p>
            <div>
              <SignOut />
            </div>
          </>
        )}
      </Loaded>
    </main>
  );
}
