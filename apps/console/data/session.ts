import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { api, own, whenOver } from './api.ts';
import { listen, tell } from './channel.ts';
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

const key = ['session'] as const;
const known = (queries: QueryClient): Session | null | undefined => queries.getQueryData(key);

/** What somebody else left unfinished in this tab, whose session ended, is not for who signs in now. */
function forgetOthers(person: string): void {
  const whose = 'of person';
  if (sessionStorage.getItem(whose) !== person) sessionStorage.clear();
  sessionStorage.setItem(whose, person);
}

/** The page of somebody else: whatever it has in memory goes with it, and none of it is seen meanwhile. */
function loadAnew(): void {
  document.documentElement.hidden = true;
  location.reload();
}

/** Nobody is signed in any more. What was read goes; what was typed stays in the tab, for the same person alone. */
export function endSession(queries: QueryClient): void {
  // Who is here is being asked: that answer says it.
  if (!known(queries)) return;
  // First: what is removed while it is shown would be read again.
  queries.setQueryData(key, null);
  queries.removeQueries({ predicate: ({ queryKey: [first] }) => first !== key[0] });
  queries.getMutationCache().clear();
}

/** Somebody signed out, here or in another tab: what they typed goes too. */
export function signedOut(queries: QueryClient): void {
  endSession(queries);
  sessionStorage.clear();
}

/** From now on this tab is of whoever the other tabs and the answers say. */
export function followSession(queries: QueryClient): void {
  whenOver(() => endSession(queries));
  listen((told) => {
    if (told.type === 'signed-out') signedOut(queries);
    if (told.type === 'stepped-up') void queries.invalidateQueries({ queryKey: key });
    if (told.type !== 'signed-in') return;
    const session = known(queries);
    if (session !== undefined && session?.person.id !== told.person) loadAnew();
  });
}

/** Null: nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: key,
  queryFn: async ({ client, signal }): Promise<Session | null> => {
    try {
      const { organizations, ...session } = await own<Answered>('/console/session', { signal });
      const { id } = session.person;
      const before = known(client);
      if (before !== undefined && before?.person.id !== id) {
        loadAnew();
        return await new Promise<never>(() => {});
      }
      forgetOthers(id);
      if (before === undefined) tell({ type: 'signed-in', person: id });
      client.setQueryData(organizationsQuery.queryKey, [...organizations]);
      return session;
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
  // Somebody else may have signed in where this tab heard nothing of it.
  refetchOnWindowFocus: 'always',
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
