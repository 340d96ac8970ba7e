import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { api } from '../data/api.ts';
import { organizationsQuery, useSession } from '../data/session.ts';
import { useAct } from '../data/step-up.ts';
import { Snippet } from '../parts/copy.tsx';
import { Field, Form } from '../parts/form.tsx';
import { later } from '../parts/later.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Said } from '../parts/said.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useWords } from '../words/language.ts';
import styles from './front.module.css';
import { SignOut } from './sign-out.tsx';

const Opening = later(async () => import('./opening.tsx'));

/** `/`: which organization; whoever has one alone is led to it, unless they ask for all (`?all`), to join or open another one. */
export function Choosing(): ReactNode {
  const words = useWords().shell;
  const { addresses } = useSession();
  const organizations = useQuery(organizationsQuery);
  const { all } = useSearch({ strict: false }) as { readonly all?: unknown };
  const [opened, setOpened] = useState<string>();
  useEffect(() => {
    document.title = `${words.choose} · ${words.name}`;
  }, [words]);
  // One that is new has nothing to show but how its first agent comes.
  if (opened !== undefined)
    return <Navigate to={`/o/${opened}/agents/hire`} search={{ opened: '1' } as object} replace />;
  return (
    <main className={styles['middle']}>
      <p className={styles['brand']}>{words.name}</p>
      <h1 className={styles['title']}>{words.choose}</h1>
      <Loaded query={organizations}>
        {(items) => {
          const [only, ...others] = items;
          if (only === undefined)
            return (
              <>
                <p className={styles['lead']}>{words.chooseNone}</p>
                <Suspense fallback={<Skeleton lines={6} />}>
                  <Opening onOpened={setOpened} />
                </Suspense>
                <details className={styles['invited']}>
                  <summary>{words.byAgent}</summary>
                  <Snippet text={words.chooseNonePrompt(addresses.mcp)} label={words.byAgent} />
                </details>
              </>
            );
          if (others.length === 0 && all === undefined) return <Navigate to={`/o/${only.id}`} replace />;
          return (
            <>
              <ul className={styles['ways']}>
                {items.map(({ id, name }) => (
                  <li key={id}>
                    <Link to={`/o/${id}`} className={styles['organization']}>
                      <Said>{name}</Said>
                    </Link>
                  </li>
                ))}
              </ul>
              <Another onOpened={setOpened} />
            </>
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

/** For whoever has one already; what it takes is loaded once it is asked for. */
function Another({ onOpened }: { readonly onOpened: (id: string) => void }): ReactNode {
  const words = useWords().shell;
  const [asked, setAsked] = useState(false);
  return (
    <details className={styles['invited']} onToggle={() => setAsked(true)}>
      <summary>{words.openAnother}</summary>
      {asked ? (
        <Suspense fallback={<Skeleton lines={6} />}>
          <Opening onOpened={onOpened} />
        </Suspense>
      ) : null}
    </details>
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
