import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, own } from './api.ts';
import { Problem } from './problem.ts';

export interface Session {
  readonly person: { readonly id: string; readonly name: string | null; readonly email: string | null };
  /** Until when the person may decide without a fresh login. */
  readonly deciding_until: string | null;
  readonly ends_at: string;
  readonly production: boolean;
  readonly addresses: Readonly<
    Record<'mcp' | 'portal' | 'accounting' | 'commerce' | 'studio' | 'storefront' | 'issuer', string>
  >;
  readonly version: string;
}

/** What a page asks first is one answer. */
type Answered = Session & { readonly organizations: readonly Organization[] };

export type Role = 'owner' | 'admin' | 'accountant' | 'merchandiser' | 'developer' | 'viewer';

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** What somebody else left unfinished in this tab, whose session ended, is not for who signs in now. */
function forgetOthers(person: string): void {
  const key = 'of person';
  if (![null, person].includes(sessionStorage.getItem(key))) sessionStorage.clear();
  sessionStorage.setItem(key, person);
}

/** Null: nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ client, signal }): Promise<Session | null> => {
    try {
      const { organizations, ...session } = await own<Answered>('/console/session', { signal });
      forgetOthers(session.person.id);
      client.setQueryData(organizationsQuery.queryKey, [...organizations]);
      return session;
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: async ({ signal }) =>
    (await api<{ items: Organization[] }>('portal', '/api/organizations', { signal })).items,
  staleTime: 60_000,
});

/** Who is signed in. Screens are shown to nobody else. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (data === null || data === undefined) throw new Error('nobody is signed in');
  return data;
}
