import type { ReactNode } from 'react';
import type { Amount } from '../../data/money.ts';
import { Figure } from '../../parts/figure.tsx';
import { Shown } from '../../parts/said.tsx';
import type { To } from '../../shell/go.tsx';
import styles from './report-table.module.css';

export interface ReportRow {
  readonly key: string;
  readonly kind: 'head' | 'line' | 'total' | 'result';
  readonly name: ReactNode;
  readonly code?: string;
  readonly figures?: readonly (Amount | null | undefined)[];
  /** Where the figure of a column comes from. */
  readonly to?: (column: number) => To | undefined;
  /** What the figure is called to those who hear it. */
  readonly said?: string;
}

/** A report as an accountant reads it: names, then figures under each other, and each leads to what it is made of. */
export function ReportTable({
  caption,
  first,
  columns,
  rows,
}: {
  readonly caption: string;
  /** Heads the names. */
  readonly first: string;
  readonly columns: readonly string[];
  readonly rows: readonly ReportRow[];
}): ReactNode {
  return (
    <div className={styles['frame']} tabIndex={0} role="group" aria-label={caption}>
      <table className={styles['report']}>
        <caption className={styles['caption']}>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {columns.map((column) => (
              <th key={column} scope="col" className={styles['figure']}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, kind, name, code, figures = [], to, said }) =>
            kind === 'head' ? (
              <tr key={key} className={styles['head']}>
                <th scope="rowgroup" colSpan={columns.length + 1}>
                  <Shown>{name}</Shown>
                </th>
              </tr>
            ) : (
              <tr key={key} className={styles[kind]}>
                <th scope="row">
                  {code === undefined ? null : <span className={styles['code']}>{code}</span>}
                  <Shown>{name}</Shown>
                </th>
                {columns.map((column, at) => (
                  <td key={column} className={styles['figure']}>
                    <Figure
                      of={figures[at]}
                      to={to?.(at)}
                      label={said === undefined ? undefined : `${said}, ${column}`}
                    />
                  </td>
                ))}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}
