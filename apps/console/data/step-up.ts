import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { listen, tell } from './channel.ts';
import { Problem } from './problem.ts';
import { sessionQuery } from './session.ts';

export const steppedUpPath = '/console/stepped-up';

/**
 * Opens a fresh login, from a click. Where a window is refused, as on phones, this page goes there and comes back: what was
 * written must be a draft (data/draft.ts).
 */
export function stepUp(): void {
  const login = (to: string): string => `/console/step-up?to=${encodeURIComponent(to)}`;
  const opened = window.open(login(steppedUpPath), 'steward-step-up', 'popup,width=480,height=680');
  if (opened === null) location.assign(login(location.pathname + location.search));
}

/** In the window where somebody logged in afresh: tells the others and closes. */
export function steppedUp(): void {
  tell({ type: 'stepped-up' });
  window.close();
}

/**
 * Something that a person does. Where it wants a fresh login, `wantsLogin` is true until there was one: the action is then
 * shown again, and nothing is sent by itself.
 */
export function useAct<Given, Answer>(
  act: (given: Given) => Promise<Answer>,
  { onDone }: { readonly onDone?: (answer: Answer, given: Given) => void } = {},
): UseMutationResult<Answer, Error, Given> & { readonly wantsLogin: boolean } {
  const queries = useQueryClient();
  const [wantsLogin, setWantsLogin] = useState(false);
  useEffect(
    () =>
      listen((told) => {
        if (told.type !== 'stepped-up') return;
        setWantsLogin(false);
        void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      }),
    [queries],
  );
  const mutation = useMutation<Answer, Error, Given>({
    mutationFn: act,
    onMutate: () => setWantsLogin(false),
    onError: (error) => setWantsLogin(error instanceof Problem && error.wantsLogin),
    onSuccess: (answer, given) => {
      // What was done is seen at once, by whoever did it, even where no event tells of it.
      void queries.invalidateQueries();
      onDone?.(answer, given);
    },
  });
  return { ...mutation, wantsLogin };
}
