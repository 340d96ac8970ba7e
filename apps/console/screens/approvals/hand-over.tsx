import type { ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useAct } from '../../data/step-up.ts';
import { Button } from '../../parts/button.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Facts } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { useWords } from '../../words/language.ts';
import type { Action } from './action.ts';
import styles from './approvals.module.css';

interface Secret {
  readonly email: string;
  readonly role: string;
  readonly secret: string;
  readonly expiresAt: string;
}

/** An invitation that came about by approval: whoever decides makes the secret of it. */
export function HandOver({ action: { tool, state, result } }: { readonly action: Action }): ReactNode {
  const { approvals: words, deciding } = useWords();
  const tenant = useTenant();
  const may = useMay('owner', 'admin');
  const invitation = (result as { readonly data?: { readonly invitation_id?: string } } | null)?.data?.invitation_id;
  const act = useAct(async (id: string) =>
    api<Secret>('portal', `/api/invitations/${id}/secret`, { tenant, method: 'POST' }),
  );
  if (!may || tool !== 'service_invite_member' || state !== 'executed' || invitation === undefined) return null;
  const { data } = act;
  return (
    <section className={styles['block']}>
      <h2>{deciding.handOver}</h2>
      {data === undefined ? (
        <div>
          <Button busy={act.isPending} onClick={() => act.mutate(invitation)}>
            {deciding.makeSecret}
          </Button>
        </div>
      ) : (
        <div role="status" className={styles['part']}>
          <p>{deciding.handOverHint}</p>
          <Facts
            of={[
              [deciding.secretFor, <Said key="e">{data.email}</Said>],
              [words.role, data.role],
              [words.expires, <Moment key="m" at={data.expiresAt} />],
            ]}
          />
          <Snippet text={data.secret} label={words.secret} />
        </div>
      )}
      <Failure error={act.error} />
    </section>
  );
}
