import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { listen, tell } from './channel.ts';
import { Problem } from './problem.ts';
import { sessionQuery, useSession } from './session.ts';

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

/** Whether deciding asks for a fresh login first, as things are at this moment. */
export function useWantsLogin(): boolean {
  const { deciding_until: until } = useSession();
  const left = until === null ? 0 : Date.parse(until) - Date.now();
  const queries = useQueryClient();
  const [, lapsed] = useState<string>();
  useEffect(() => {
    if (until === null) return undefined;
    const timer = setTimeout(
      () => {
        lapsed(until);
        void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      },
      Date.parse(until) - Date.now(),
    );
    return () => clearTimeout(timer);
  }, [queries, until]);
  return left <= 0;
}

/** What a press that decides does: it decides, or opens the login that the server said comes first. Then it is to be pressed again. */
export function useDecision(): (decide: () => void) => void {
  // Not by the clock of this machine: one that is fast would ask for a login for ever.
  const { deciding_until: until } = useSession();
  return (decide) => (until === null ? stepUp() : decide());
}

/**
 * Something that a person does. Where it wants a fresh login, `<Failure error={act.error}>` offers one; then the refusal goes and
 * the action stands there again: nothing is sent by itself.
 */
export function useAct<Given, Answer>(
  act: (given: Given) => Promise<Answer>,
  { onDone }: { readonly onDone?: (answer: Answer, given: Given) => void } = {},
): UseMutationResult<Answer, Error, Given> {
  const queries = useQueryClient();
  const mutation = useMutation<Answer, Error, Given>({
    mutationFn: act,
    onSuccess: (answer, given) => {
      // What was done is seen at once, by whoever did it, even where no event tells of it.
      void queries.invalidateQueries();
      onDone?.(answer, given);
    },
  });
  const { error, reset } = mutation;
  useEffect(() => {
    if (!(error instanceof Problem && error.wantsLogin)) return undefined;
    return listen((told) => {
      if (told.type === 'stepped-up') reset();
    });
  }, [error, reset]);
  return mutation;
}
