import { useState, type ReactNode } from 'react';
import { api } from '../data/api.ts';
import { useTenant } from '../data/organization.ts';
import { useAct } from '../data/step-up.ts';
import { useGo } from '../shell/go.tsx';
import { useWords } from '../words/language.ts';
import { Button } from './button.tsx';
import { useArgumentLabel } from './fields.ts';
import { Refusal } from './refusal.tsx';
import styles from './form.module.css';

/**
 * Leaves to approvers what this person may not do alone, or would rather not: it waits under approvals, as what an agent proposes does.
 * @param asks the arguments of the tool, spelled as the tool spells them
 */
export function Propose({
  tool,
  asks,
  onDone,
}: {
  readonly tool: string;
  readonly asks: () => Readonly<Record<string, unknown>>;
  readonly onDone: () => void;
}): ReactNode {
  const words = useWords().parts;
  const tenant = useTenant();
  const go = useGo();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const act = useAct(
    async (body: object) => api<{ readonly id: string }>('portal', '/api/pending-actions', { tenant, body }),
    {
      onDone: ({ id }) => {
        onDone();
        go(`/approvals/${id}`);
      },
    },
  );
  return (
    <div className={styles['propose']}>
      <Button busy={act.isPending} onClick={() => act.mutate({ tool, arguments: asks(), idempotencyKey })}>
        {words.propose}
      </Button>
      <p>{words.proposeHint}</p>
      <Refusal error={act.error} labelOf={useArgumentLabel()} />
    </div>
  );
}
