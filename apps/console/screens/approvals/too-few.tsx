import type { ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useAct } from '../../data/step-up.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useWords } from '../../words/language.ts';
import type { Action } from './action.ts';
import styles from './approvals.module.css';
import { noRepeat } from './deciding.tsx';

/** Where two people are needed and there are not two: what the organization can do about it. */
export function TooFew({ action, onDone }: { readonly action: Action; readonly onDone: () => void }): ReactNode {
  const words = useWords().approvals;
  const tenant = useTenant();
  const owner = useMay('owner');
  const act = useAct(
    async () => {
      const policy = await api<object>('portal', '/api/approval-policy', { tenant });
      return api('portal', '/api/approval-policy', { tenant, method: 'PUT', body: { ...policy, soleApprover: true } });
    },
    { onDone },
  );
  const { available } = action;
  if (available === null || available.approvers > 1) return null;
  if (available.alone) return <p>{words.aloneAllowed}</p>;
  if (available.approvers === 0) return <p className={styles['alert']}>{words.nobody}</p>;
  return (
    <div className={styles['alert']}>
      <p>{owner ? words.onlyYou : words.onlyOne}</p>
      {owner ? (
        <div>
          <Button busy={act.isPending} onKeyDown={noRepeat} onClick={() => act.mutate()}>
            {words.allowAlone}
          </Button>
        </div>
      ) : null}
      <Failure error={act.error} />
    </div>
  );
}
