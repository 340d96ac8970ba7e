import type { ReactNode } from 'react';
import { useApi } from '../../data/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { useWords } from '../../words/language.ts';
import styles from './commerce.module.css';
import type { Letter } from './types.ts';

const tones = {
  waiting: 'waits',
  sent: 'held',
  returned: 'error',
  given_up: 'error',
  left_out: 'plain',
  settled: 'plain',
} as const;

/** What the buyer was told by email, when, and whether it got there. */
export function Letters({ orderId }: { readonly orderId: string }): ReactNode {
  const words = useWords().commerce;
  const letters = useApi<{ readonly letters: readonly Letter[] }>('commerce', `/api/orders/${orderId}/letters`);
  return (
    <Section title={words.letters}>
      <Loaded query={letters}>
        {({ letters: all }) =>
          all.length === 0 ? (
            <p className={styles['soft']}>{words.noLetters}</p>
          ) : (
            <ul className={styles['items']}>
              {all.map((one) => (
                <li key={`${one.kind} ${one.toldAt}`} className={styles['item']}>
                  <div className={styles['spread']}>
                    <span>
                      {words.letterKind[one.kind]} <Badge tone={tones[one.state]}>{words.letterState[one.state]}</Badge>
                    </span>
                    <Moment at={one.settledAt ?? one.toldAt} />
                  </div>
                  {one.reason === null ? null : <Said>{one.reason}</Said>}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
