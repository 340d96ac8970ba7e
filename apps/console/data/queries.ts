import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  useInfiniteQuery,
  useQuery,
  type Query as OneQuery,
  type UseQueryResult,
} from '@tanstack/react-query';
import { api, type Place, type Query } from './api.ts';
import { graph } from './graph.ts';
import { useTenant } from './organization.ts';
import { Problem } from './problem.ts';
import { followSession } from './session.ts';
import { waitFor, waited } from './waiting.ts';

/**
 * The error policy: what passes by itself (nothing answers, 429, 503) is asked again until it is answered, and the shell says so; a session that
 * ended leads to the page to sign in (data/session.ts); everything else is for the screen to show.
 */
export function createQueries(): QueryClient {
  const queries = new QueryClient({
    queryCache: new QueryCache({ onSuccess: () => waited() }),
    mutationCache: new MutationCache({ onSuccess: () => waited() }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // The policy is ours: a browser that says it is offline may reach a server on this machine.
        networkMode: 'always',
        retry: (_count, error) => {
          const again = error instanceof Problem && error.passing;
          if (again) waitFor(error);
          return again;
        },
        retryDelay: restAfter,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  followSession(queries);
  return queries;
}

const restAfter = (count: number, error: unknown): number =>
  Math.min((error instanceof Problem ? error.wait : undefined) ?? 500 * 2 ** count, 30_000);

/** All that is not answered, at once, instead of when its turn comes. */
export async function askAgain(queries: QueryClient): Promise<void> {
  const open = new Set(
    queries.getQueryCache().findAll({
      type: 'active',
      predicate: ({ state: { fetchStatus, status } }) => fetchStatus !== 'idle' || status === 'error',
    }),
  );
  const predicate = (query: OneQuery): boolean => open.has(query);
  await queries.cancelQueries({ predicate });
  await queries.refetchQueries({ predicate });
}

/** By what the cache knows an answer of `useApi`. */
export const keyOf = (tenant: string, place: Place, path: string, query: Query = {}): readonly unknown[] => [
  tenant,
  place,
  path,
  query,
];

/** What is read of an organization: by a part of a screen with `useRead`, or before there is one (data/ahead.ts). */
export type Read<T = unknown> = (tenant: string) => {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<T>;
};

/** A route of an organization; asked again when something happens there (data/events.ts). */
export const readApi =
  <T>(place: Place, path: string, query?: Query): Read<T> =>
  (tenant) => ({
    queryKey: keyOf(tenant, place, path, query),
    queryFn: async ({ signal }) => api<T>(place, path, { tenant, query, signal }),
  });

/** `documents/NAME.graphql` in an organization. */
export const readGraph =
  <T>(document: string, variables: Readonly<Record<string, unknown>> = {}): Read<T> =>
  (tenant) => ({
    queryKey: [tenant, 'accounting', document, variables],
    queryFn: async ({ signal }) => graph<T>(tenant, document, variables, { signal, reads: true }),
  });

interface Reading {
  readonly enabled?: boolean;
}

/** Of the organization that is open. */
export const useRead = <T>(read: Read<T>, { enabled = true }: Reading = {}): UseQueryResult<T> =>
  useQuery({ ...read(useTenant()), enabled, placeholderData: keepPreviousData });

export const useApi = <T>(
  place: Place,
  path: string,
  { query, ...reading }: Reading & { readonly query?: Query } = {},
): UseQueryResult<T> => useRead(readApi<T>(place, path, query), reading);

export const useGraph = <T>(
  document: string,
  variables: Readonly<Record<string, unknown>> = {},
  reading: Reading = {},
): UseQueryResult<T> => useRead(readGraph<T>(document, variables), reading);

export interface Paged<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string | null;
  readonly next_cursor?: string | null;
}

/** Milliseconds until what is under way is asked for again. */
const soon = 2_000;

/**
 * Pages of a list by cursor, for `CursorList`.
 * @param passing says of an item that it is under way, and that the stream of events will not tell of its end
 */
export function usePages<T>(place: Place, path: string, query: Query = {}, passing?: (item: T) => boolean) {
  const tenant = useTenant();
  return useInfiniteQuery({
    queryKey: [tenant, place, path, query, 'pages'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      api<Paged<T>>(place, path, { tenant, query: { ...query, cursor: pageParam }, signal }),
    getNextPageParam: (page) => page.nextCursor ?? page.next_cursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      passing !== undefined && data?.pages.some(({ items }) => items.some(passing)) === true ? soon : false,
  });
}

/** Pages of a GraphQL list by cursor: `field` of `documents/NAME.graphql` has them, and `Head` beside them. */
export function useGraphPages<T, Head = object>(
  document: string,
  field: string,
  variables: Readonly<Record<string, unknown>> = {},
) {
  const tenant = useTenant();
  return useInfiniteQuery({
    queryKey: [tenant, 'accounting', document, variables, 'pages'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const answer = await graph<Readonly<Record<string, Paged<T> & Head>>>(
        tenant,
        document,
        { ...variables, cursor: pageParam },
        { signal, reads: true },
      );
      const page = answer[field];
      if (page === undefined) throw new Error(`${document} has no field ${field}`);
      return page;
    },
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}
