import type { ReactNode } from 'react';
import type { Amount } from '../../data/money.ts';
import { Money } from '../../parts/money.tsx';
import { Shown } from '../../parts/said.tsx';
import styles from './money.module.css';

/** What it adds up to, under the lines. */
export function TotalsShown({ rows }: { readonly rows: readonly (readonly [name: string, of: Amount])[] }): ReactNode {
  return (
    <dl className={styles['totals']}>
      {rows.map(([name, of]) => (
        <div key={name}>
          <dt>
            <Shown>{name}</Shown>
          </dt>
          <dd>
            <Money of={of} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
