import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { own } from '../data/api.ts';
import { Missing } from '../parts/loaded.tsx';
import { useWords } from '../words/language.ts';
import styles from './front.module.css';

interface Providers {
  readonly providers: readonly { readonly issuer: string; readonly host: string }[];
  readonly development: boolean;
}

/** Leads to an identity provider and back to where somebody wanted to go. */
export function SignIn(): ReactNode {
  const words = useWords().shell;
  const { pathname, searchStr } = useLocation();
  const query = useQuery({
    queryKey: ['providers'],
    queryFn: async ({ signal }) => own<Providers>('/console/providers', { signal }),
  });
  const { data } = query;
  useEffect(() => {
    document.title = `${words.signIn} · ${words.name}`;
  }, [words]);
  const leading = (issuer: string): string =>
    `/console/sign-in?${new URLSearchParams({ to: `${pathname}${searchStr}`, issuer }).toString()}`;
  return (
    <main className={styles['middle']}>
      <p className={styles['brand']}>{words.name}</p>
      <h1 className={styles['title']}>{words.signIn}</h1>
      <p className={styles['lead']}>{words.signInLead}</p>
      {data === undefined ? <Missing query={query} lines={2} /> : null}
      {data?.providers.map(({ issuer, host }) => (
        <a key={issuer} href={leading(issuer)} className={styles['way']}>
          {data.providers.length === 1 ? words.signIn : words.signInWith(host)}
        </a>
      ))}
      {data?.development === true ? <p className={styles['warning']}>{words.signInDevelopment}</p> : null}
      <p className={styles['foot']}>
        <a href="/about">{words.about}</a>
      </p>
    </main>
  );
}
