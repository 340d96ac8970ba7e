import { useEffect, useState, type ReactNode } from 'react';
import { graph } from '../../data/graph.ts';
import { useTenant } from '../../data/organization.ts';
import { useAct } from '../../data/step-up.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/form.tsx';
import { useWords } from '../../words/language.ts';
import { useParties, type Party } from './lookups.ts';
import styles from './money.module.css';

/** Milliseconds after the last letter. */
const rest = 250;

/** A customer or supplier: found by a part of the name, or added by it. */
export function PartyField({
  role,
  value,
  onChange,
}: {
  readonly role?: 'customer' | 'supplier';
  readonly value: string;
  readonly onChange: (party: Party) => void;
}): ReactNode {
  const words = useWords().money;
  const tenant = useTenant();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), rest);
    return () => clearTimeout(timer);
  }, [typed]);
  const { parties, known } = useParties(asked, role);
  // Not before the answer to what is typed: somebody who is known would be added again.
  const isNew = role !== undefined && typed.trim() !== '' && known && asked === typed.trim() && parties.length === 0;
  const add = useAct(
    async () =>
      graph<{ readonly createParty: Party }>(tenant, 'money-party-create', {
        input: { name: typed.trim(), customer: role !== 'supplier', supplier: role === 'supplier' },
      }),
    { onDone: ({ createParty }) => onChange(createParty) },
  );
  return (
    <div className={styles['row']}>
      <Field label={words.findParty} name="findParty" kind="search" value={typed} onChange={setTyped} />
      <Field
        label={words.party}
        name="partyId"
        pointer="/input/partyId"
        value={value}
        onChange={(id) => {
          const found = parties.find((one) => one.id === id);
          if (found !== undefined) onChange(found);
        }}
        options={[
          ['', known && parties.length === 0 && asked !== '' ? words.partyNone : words.partyChoose],
          ...parties.map(({ id, name }) => [id, name] as const),
        ]}
      />
      {isNew ? (
        <div>
          <Button busy={add.isPending} onClick={() => add.mutate(undefined)}>
            {words.addParty(typed.trim())}
          </Button>
          <Failure error={add.error} />
        </div>
      ) : null}
    </div>
  );
}
