import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueryClient } from '@tanstack/react-query';
import { endSession, sessionQuery, signedOut } from './session.ts';

const used = (): QueryClient => {
  const queries = new QueryClient({
    defaultOptions: { queries: { gcTime: Infinity }, mutations: { gcTime: Infinity } },
  });
  queries.setQueryData(sessionQuery.queryKey, { person: { id: 'alice' } } as never);
  queries.setQueryData(['organizations'], []);
  queries.setQueryData(['tenant', 'portal', '/api/webhooks', {}], { items: [{ url: 'https://example.com/' }] });
  queries.getMutationCache().build(queries, { mutationKey: ['invite'] });
  sessionStorage.setItem('draft of a note', 'unsent');
  return queries;
};
const left = (queries: QueryClient): unknown => [
  queries
    .getQueryCache()
    .getAll()
    .map(({ queryKey, state }) => [queryKey, state.data]),
  queries.getMutationCache().getAll().length,
  sessionStorage.length,
];

test('where a session ends, nothing stays of what was read or sent, and what was typed does', () => {
  const queries = used();
  endSession(queries);
  assert.deepEqual(left(queries), [[[['session'], null]], 0, 1]);
});

test('where somebody signs out, nothing stays of what was typed either, also after the session ended', () => {
  const queries = used();
  endSession(queries);
  signedOut(queries);
  assert.deepEqual(left(queries), [[[['session'], null]], 0, 0]);
});

test('what was asked for by whoever was here is not kept when it is answered after they went', async () => {
  const queries = used();
  const { promise, resolve } = Promise.withResolvers<string>();
  const asked = queries.fetchQuery({ queryKey: ['tenant', 'portal', '/api/members'], queryFn: async () => promise });
  endSession(queries);
  resolve('of alice');
  await asked.catch(() => {});
  assert.deepEqual(left(queries), [[[['session'], null]], 0, 1]);
});
