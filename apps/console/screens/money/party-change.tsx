import type { ReactNode } from 'react';
import { graph } from '../../data/graph.ts';
import { useTenant } from '../../data/organization.ts';
import { useGraph } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PrintedFields } from '../../parts/printed.tsx';
import { useWords } from '../../words/language.ts';

interface Party {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly address: string | null;
  readonly vatNumber: string | null;
}

/** What the books say of a customer or supplier. What was issued keeps what it says. */
export function PartyChange({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const { money: words, parts } = useWords();
  const tenant = useTenant();
  const query = useGraph<{ readonly party: Party }>('money-party', { id });
  const act = useAct(async (changes: object) => graph(tenant, 'money-party-update', { id, changes }), {
    onDone: onClose,
  });
  return (
    <Dialog title={words.changeParty} onClose={onClose}>
      <p>{words.changePartyLead}</p>
      <Loaded query={query} lines={6}>
        {({ party }) => (
          <Form
            submit={parts.save}
            error={act.error}
            busy={act.isPending}
            onCancel={onClose}
            onSubmit={({ name = '', email = null, address = null, vatNumber = null }) =>
              act.mutate({ name, email, address, vatNumber })
            }
          >
            <Field label={words.partyName} name="name" value={party.name} />
            <Field label={words.partyEmail} name="email" kind="email" optional value={party.email ?? ''} />
            <PrintedFields of={party} />
          </Form>
        )}
      </Loaded>
    </Dialog>
  );
}
