import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { api } from '../data/api.ts';
import { organizationsQuery, useSession } from '../data/session.ts';
import { useAct } from '../data/step-up.ts';
import { Empty } from '../parts/empty.tsx';
import { Field, Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Said } from '../parts/said.tsx';
import { useWords } from '../words/language.ts';
import styles from './front.module.css';
import { SignOut } from './sign-out.tsx';

/** `/`: which organization; whoever has one alone is led to it. */
export function Choosing(): ReactNode {
  const words = useWords().shell;
  const { addresses } = useSession();
  const organizations = useQuery(organizationsQuery);
  useEffect(() => {
    document.title = `${words.choose} · ${words.name}`;
  }, [words]);
  return (
    <main className={styles['middle']}>
      <p className={styles['brand']}>{words.name}</p>
      <h1 className={styles['title']}>{words.choose}</h1>
      <Loaded query={organizations}>
        {(items) => {
          const [only, ...others] = items;
          if (only === undefined)
            return (
              <Empty title={words.chooseNone} prompt={words.chooseNonePrompt(addresses.mcp)}>
                {words.chooseNoneLead}
              </Empty>
            );
          if (others.length === 0) return <Navigate to={`/o/${only.id}`} replace />;
          return (
            <ul className={styles['ways']}>
              {items.map(({ id, name }) => (
                <li key={id}>
                  <Link to={`/o/${id}`} className={styles['organization']}>
                    <Said>{name}</Said>
                  </Link>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
      <Invited />
      <div>
        <SignOut />
      </div>
    </main>
  );
}

/** For whoever was invited, and is a member of nothing yet or of something else. */
function Invited(): ReactNode {
  const words = useWords().shell;
  const navigate = useNavigate();
  const accept = useAct(
    async (body: Readonly<Record<string, string>>) =>
      api<{ readonly organization: { readonly id: string } }>('portal', '/api/invitations/accept', { body }),
    { onDone: ({ organization }) => void navigate({ to: `/o/${organization.id}` }) },
  );
  return (
    <details className={styles['invited']}>
      <summary>{words.invited}</summary>
      <Form
        submit={words.accept}
        error={accept.error}
        busy={accept.isPending}
        onSubmit={(values) => accept.mutate(values)}
      >
        <Field label={words.invitedSecret} name="secret" />
      </Form>
    </details>
  );
}
