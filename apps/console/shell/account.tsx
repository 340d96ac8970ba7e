import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTenant } from '../data/organization.ts';
import { organizationsQuery, useSession } from '../data/session.ts';
import { Button } from '../parts/button.tsx';
import { Said } from '../parts/said.tsx';
import { chooseLanguage, languages, useLanguage, useWords, type Language } from '../words/language.ts';
import styles from './account.module.css';
import { SignOut } from './sign-out.tsx';
import { applyTheme, chosenTheme, type Theme } from './theme.ts';

/** Who is here, and how the pages look to them. */
export function Account({ onHelp }: { readonly onHelp?: () => void }): ReactNode {
  const words = useWords().shell;
  const tenant = useTenant();
  const { person } = useSession();
  const { data = [] } = useQuery(organizationsQuery);
  const language = useLanguage();
  const [theme, setTheme] = useState(chosenTheme);
  const others = data.filter(({ id }) => id !== tenant);
  return (
    // On a low screen what it opens lies below the rail, with its last button.
    <details
      className={styles['account']}
      name="account"
      onToggle={({ currentTarget }) => currentTarget.open && currentTarget.scrollIntoView({ block: 'nearest' })}
    >
      <summary className={styles['who']}>
        <Said>{person.name ?? person.email ?? person.id}</Said>
      </summary>
      <div className={styles['panel']}>
        {others.length === 0 ? null : (
          <section>
            <h2 className={styles['head']}>{words.otherOrganization}</h2>
            {others.map(({ id, name }) => (
              <Link key={id} to={`/o/${id}`} className={styles['other']}>
                <Said>{name}</Said>
              </Link>
            ))}
          </section>
        )}
        <Link to="/" search={{ all: '1' } as object} className={styles['other']}>
          {words.choose}
        </Link>
        <label className={styles['pick']}>
          {words.theme}
          <select
            value={theme}
            onChange={({ target }) => {
              applyTheme(target.value as Theme);
              setTheme(target.value as Theme);
            }}
          >
            <option value="system">{words.themeSystem}</option>
            <option value="light">{words.themeLight}</option>
            <option value="dark">{words.themeDark}</option>
          </select>
        </label>
        <label className={styles['pick']}>
          {words.language}
          <select value={language} onChange={({ target }) => chooseLanguage(target.value as Language)}>
            {Object.entries(languages).map(([one, name]) => (
              <option key={one} value={one} lang={one}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {onHelp === undefined ? null : <Button onClick={onHelp}>{words.keys}</Button>}
        <SignOut />
      </div>
    </details>
  );
}
