import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { own } from '../data/api.ts';
import { tell } from '../data/channel.ts';
import { sessionQuery } from '../data/session.ts';
import { Button } from '../parts/button.tsx';
import { Failure } from '../parts/failure.tsx';
import { useWords } from '../words/language.ts';

/** Ends the session, in every tab, and forgets what was read. */
export function SignOut(): ReactNode {
  const words = useWords().shell;
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => own('/console/sign-out', { method: 'POST' }),
    onSuccess: () => {
      tell({ type: 'signed-out' });
      sessionStorage.clear();
      queries.setQueryData(sessionQuery.queryKey, null);
      queries.removeQueries({ predicate: ({ queryKey: [first] }) => first !== 'session' });
    },
  });
  return (
    <>
      <Button busy={isPending} onClick={() => mutate()}>
        {words.signOut}
      </Button>
      <Failure error={error} />
    </>
  );
}
