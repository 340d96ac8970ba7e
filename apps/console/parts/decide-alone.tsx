import type { ReactNode } from 'react';
import { api } from '../data/api.ts';
import { useMay, useTenant } from '../data/organization.ts';
import { useAct } from '../data/step-up.ts';
import { useWords } from '../words/language.ts';
import { Button, noRepeat } from './button.tsx';
import { Refusal } from './refusal.tsx';

/** Where two people are needed and only one may approve: what the organization can do about it. */
export function DecideAlone({ onDone }: { readonly onDone?: () => void }): ReactNode {
  const words = useWords().parts;
  const tenant = useTenant();
  const owner = useMay('owner');
  const act = useAct(
    async () => {
      const policy = await api<object>('portal', '/api/approval-policy', { tenant });
      return api('portal', '/api/approval-policy', { tenant, method: 'PUT', body: { ...policy, soleApprover: true } });
    },
    onDone === undefined ? {} : { onDone },
  );
  if (act.isSuccess) return <p role="status">{words.aloneNow}</p>;
  return (
    <>
      <p>{words.onlyOne}</p>
      {owner ? (
        <div>
          <Button busy={act.isPending} onKeyDown={noRepeat} onClick={() => act.mutate()}>
            {words.allowAlone}
          </Button>
        </div>
      ) : null}
      <Refusal error={act.error} />
    </>
  );
}
