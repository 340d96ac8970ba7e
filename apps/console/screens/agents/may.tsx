import type { ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { useTenant } from '../../data/organization.ts';
import { useAct } from '../../data/step-up.ts';
import { Form } from '../../parts/form.tsx';
import { useWords } from '../../words/language.ts';
import { pillars, tiers } from './agent.ts';
import styles from './agents.module.css';
import { tickedIn, Ticks } from './ticks.tsx';

const choices = ['everything', 'propose', 'read', 'areas'] as const;
type Choice = (typeof choices)[number];

/** Of each choice the tiers that it grants; where there are none it narrows nothing. */
const granted: Readonly<Record<Choice, readonly (typeof tiers)[number][] | undefined>> = {
  everything: undefined,
  propose: ['read', 'approval'],
  read: ['read'],
  areas: undefined,
};

/** What somebody new may do from now on, in the words of an owner: until it is said, as much as its person. */
export function MayDo({ id }: { readonly id: string }): ReactNode {
  const words = useWords().agents;
  const tenant = useTenant();
  const [choice, setChoice, forget] = useDraft<Choice>(`grant ${id}`, 'everything');
  const act = useAct(async (body: object) => api('portal', '/api/agent-grants', { tenant, body }), { onDone: forget });
  return (
    <Form
      submit={words.grantNow}
      busy={act.isPending}
      error={act.error}
      onProposed={forget}
      onSubmit={(_values, form) =>
        act.mutate({
          agentId: id,
          tiers: granted[choice],
          pillars: choice === 'areas' ? tickedIn(form, 'pillar', pillars) : undefined,
        })
      }
    >
      <fieldset className={styles['fields']}>
        <legend>{words.chooseMay}</legend>
        {choices.map((one) => (
          <label key={one} className={styles['choice']}>
            <input type="radio" name="may" value={one} checked={one === choice} onChange={() => setChoice(one)} />
            <span>
              {words.choices[one]}
              <span className={styles['quiet']}>{words.choiceMeans[one]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {choice === 'areas' ? (
        <Ticks title={words.pillarsTitle} kind="pillar" names={pillars} labels={words.pillars} ticked={() => false} />
      ) : null}
    </Form>
  );
}
