import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useTenant } from '../../data/organization.ts';
import { useApi, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Facts } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { useWords } from '../../words/language.ts';
import { Search } from '../commerce/search.tsx';
import styles from './people.module.css';
import { valueText, type Contact, type CustomField } from './types.ts';

/** Two contacts side by side, and what is left of both: the one that stays keeps its own values and takes those that it lacks. */
export function Merge({
  of,
  fields,
  onClose,
}: {
  readonly of: Contact;
  readonly fields: readonly CustomField[];
  readonly onClose: () => void;
}): ReactNode {
  const words = useWords().people;
  const tenant = useTenant();
  const [q, setQ] = useState(of.name ?? '');
  const [other, setOther] = useState<Contact>();
  const found = useApi<Paged<Contact>>('commerce', '/api/contacts', {
    query: { query: q, limit: 10 },
    enabled: q.length > 1,
  });
  const act = useAct(
    async (duplicateId: string) => api('commerce', `/api/contacts/${of.id}/merge`, { tenant, body: { duplicateId } }),
    { onDone: onClose },
  );
  const side = (contact: Contact, rest: Contact | undefined): ReactNode => (
    <Facts
      of={[
        [words.name, <Said key="name">{contact.name ?? rest?.name}</Said>],
        [words.email, <Said key="email">{contact.email ?? rest?.email}</Said>],
        [words.phone, <Said key="phone">{contact.phone ?? rest?.phone}</Said>],
        ...fields.map(
          ({ key, label }) =>
            [label, <Said key={key}>{valueText(contact.custom[key] ?? rest?.custom[key])}</Said>] as const,
        ),
      ]}
    />
  );
  return (
    <Dialog title={words.merge} onClose={onClose} wide>
      {other === undefined ? (
        <>
          <p>{words.mergeLead}</p>
          <Search value={q} label={words.find} onSearch={setQ} />
          <Loaded query={found}>
            {({ items }) => {
              const others = items.filter(({ id }) => id !== of.id);
              return others.length === 0 ? (
                <p className={styles['soft']}>{words.noneFound}</p>
              ) : (
                <ul className={styles['timeline']}>
                  {others.map((one) => (
                    <li key={one.id} className={styles['row']}>
                      <Button onClick={() => setOther(one)}>{words.compare}</Button>
                      <Said>{[one.name, one.email, one.phone].filter(Boolean).join(' · ')}</Said>
                    </li>
                  ))}
                </ul>
              );
            }}
          </Loaded>
        </>
      ) : (
        <>
          <div className={styles['pair']}>
            <div className={styles['side']}>
              <h3>{words.stays}</h3>
              {side(of, undefined)}
            </div>
            <div className={styles['side']}>
              <h3>{words.goes}</h3>
              {side(other, undefined)}
            </div>
            <div className={`${styles['side']} ${styles['kept']}`}>
              <h3>{words.together}</h3>
              {side(of, other)}
            </div>
          </div>
          <p>{words.mergeSure}</p>
          <Failure error={act.error} />
          <div className={styles['row']}>
            <Button kind="danger" busy={act.isPending} onClick={() => act.mutate(other.id)}>
              {words.mergeNow}
            </Button>
            <Button onClick={() => setOther(undefined)}>{words.another}</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
