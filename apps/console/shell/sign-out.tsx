import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { own } from '../data/api.ts';
import { tell } from '../data/channel.ts';
import { signedOut } from '../data/session.ts';
import { Button } from '../parts/button.tsx';
import { Failure } from '../parts/failure.tsx';
import { useWords } from '../words/language.ts';

/** Ends the session, in every tab and at the identity provider, and forgets what was read and typed. */
export function SignOut(): ReactNode {
  const words = useWords().shell;
  const queries = useQueryClient();
  const out = useMutation({
    mutationFn: async () => own<{ readonly leave: string | null }>('/console/sign-out', { method: 'POST' }),
    onSuccess: ({ leave }) => {
      tell({ type: 'signed-out' });
      signedOut(queries);
      // Whoever comes next would be signed in again without being asked.
      if (leave !== null) location.assign(leave);
    },
  });
  return (
    <>
      <Button busy={out.isPending} onClick={() => out.mutate()}>
        {words.signOut}
      </Button>
      <Failure error={out.error} />
    </>
  );
}
