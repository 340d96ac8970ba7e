import type { ReactNode } from 'react';
import { addressOf } from '../data/api.ts';
import { useTenant } from '../data/organization.ts';
import { useApi, type Paged } from '../data/queries.ts';
import { Button } from '../parts/button.tsx';
import { Snippet } from '../parts/copy.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Moment } from '../parts/moment.tsx';
import { Said } from '../parts/said.tsx';
import { useSession } from '../data/session.ts';
import { useWords } from '../words/language.ts';
import styles from './inspector.module.css';
import { inspect, type Inspected } from './record.ts';

interface Event {
  readonly id: string;
  readonly type: string;
  readonly received_at: string;
  readonly principal_chain: readonly { readonly principal_type: string; readonly principal_id: string }[];
}

/** `i`: what a record is to programs, and everything that happened to it. */
export default function Inspector({ record }: { readonly record: Inspected }): ReactNode {
  const words = useWords().parts;
  const tenant = useTenant();
  const { addresses } = useSession();
  const events = useApi<Paged<Event>>('accounting', '/api/audit/events', { query: { resource: record.id, limit: 20 } });
  const { place, path } = record;
  return (
    <aside className={styles['inspector']} aria-label={words.inspector}>
      <header className={styles['head']}>
        <h2>
          <Said>{record.title}</Said>
        </h2>
        <Button onClick={() => inspect(undefined)}>{words.close}</Button>
      </header>
      <h3>{words.id}</h3>
      <Snippet text={record.id} label={words.id} />
      {place === undefined || path === undefined ? null : (
        <>
          <h3>{words.call}</h3>
          <Snippet
            text={`curl -H "Authorization: Bearer $TOKEN" -H "X-Tenant-ID: ${tenant}" \\\n  ${addresses[place]}${path}`}
            label={words.call}
          />
          <p>
            <a href={addressOf(place, path, { tenant })} target="_blank" rel="noreferrer">
              JSON
            </a>
          </p>
        </>
      )}
      <h3>{words.events}</h3>
      <Loaded query={events}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={styles['soft']}>{words.noEvents}</p>
          ) : (
            <ol className={styles['events']}>
              {items.map(({ id, type, received_at, principal_chain }) => (
                <li key={id}>
                  <code>{type}</code>
                  <span className={styles['soft']}>
                    <Said>{principal_chain.map(({ principal_id }) => principal_id).join(' → ')}</Said>
                  </span>
                  <span className={styles['soft']}>
                    <Moment at={received_at} />
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </aside>
  );
}
