import { useEffect, type ReactNode } from 'react';
import { legible } from '../data/legible.ts';
import { useWords } from '../words/language.ts';
import { Said, Shown } from './said.tsx';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Which of several pages under one title this is: the title of the window says it too. */
  readonly part?: string | undefined;
  /** One sentence that says what this is for. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  /** Tabs, filters: between the title and what the page shows. */
  readonly bar?: ReactNode;
  readonly children: ReactNode;
}

/** Every screen is one of these. */
export function Page({ title, part, lead, actions, bar, children }: PageProps): ReactNode {
  const { name } = useWords().shell;
  useEffect(() => {
    document.title = [part ?? '', title, name].filter(Boolean).map(legible).join(' · ');
  }, [part, title, name]);
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <div className={styles['titles']}>
          <h1 className={styles['title']} tabIndex={-1}>
            <Said>{title}</Said>
          </h1>
          {lead === undefined ? null : (
            <p className={styles['lead']}>
              <Shown>{lead}</Shown>
            </p>
          )}
        </div>
        {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
      </header>
      {bar}
      {children}
    </div>
  );
}

/** A part of a page: a heading with what belongs to it, on a surface of its own. */
export function Section({
  title,
  actions,
  children,
  plain = false,
}: {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Without a surface. */
  readonly plain?: boolean;
}): ReactNode {
  return (
    <section className={plain ? styles['plain'] : styles['section']}>
      <div className={styles['sectionHead']}>
        <h2>
          <Shown>{title}</Shown>
        </h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** Names and what they have: `[['Number', …], …]`. What is undefined is left out. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ReactNode])[] }): ReactNode {
  return (
    <dl className={styles['facts']}>
      {of
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>
              <Shown>{name}</Shown>
            </dt>
            <dd>
              <Shown>{value}</Shown>
            </dd>
          </div>
        ))}
    </dl>
  );
}
