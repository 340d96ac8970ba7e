import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { legible } from '../data/legible.ts';
import { Go, useGo, type To } from '../shell/go.tsx';
import { useKey } from '../shell/keys.ts';
import { pointAt, type Inspected } from '../shell/record.ts';
import { useWords } from '../words/language.ts';
import { Shown } from './said.tsx';
import styles from './table.module.css';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Amounts and numbers stand at the end. */
  readonly align?: 'end';
  /** What the row is called: it bears the link, and the card on a phone begins with it. The first column unless one says so. */
  readonly first?: boolean;
  /** Left out on a phone. */
  readonly wide?: boolean;
}

interface TableProps<Row> {
  /** Says what the rows are, to those who hear it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Where a row leads. */
  readonly to?: (row: Row) => To;
  readonly record?: (row: Row) => Inspected;
  /** Below the last row: totals. */
  readonly foot?: ReactNode;
}

/** From so many rows on only those in sight are in the page. */
const many = 80;

/** Rows with keys: j and k move, Enter opens, i inspects. On a phone each row is a card. */
export function Table<Row>(props: TableProps<Row>): ReactNode {
  const { label, columns, rows, rowKey, to, record, foot } = props;
  const words = useWords().shell;
  const go = useGo();
  const body = useRef<HTMLTableSectionElement>(null);
  const [current, setCurrent] = useState<number>();
  const [offset, setOffset] = useState(0);
  const virtual = rows.length > many;
  useEffect(() => {
    const top = body.current?.getBoundingClientRect().top ?? 0;
    setOffset(top + window.scrollY);
  }, [rows.length]);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    enabled: virtual,
    estimateSize: () => 44,
    overscan: 8,
    scrollMargin: offset,
    getItemKey: (at) => rowKey(rows[at] as Row),
  });
  const move = (step: number): void => {
    const next = Math.min(rows.length - 1, Math.max(0, current === undefined ? 0 : current + step));
    setCurrent(next);
    const focus = (): void => body.current?.querySelector<HTMLElement>(`[data-at="${next}"]`)?.focus();
    if (!virtual) return focus();
    // A row that was out of sight is in the page with the next frame.
    virtualizer.scrollToIndex(next, { align: 'auto' });
    requestAnimationFrame(focus);
  };
  const keyed = rows.length > 0 && (to !== undefined || record !== undefined);
  useKey('j', words.keyDown, () => move(1), keyed, body);
  useKey('k', words.keyUp, () => move(-1), keyed, body);
  useKey(
    'Enter',
    words.keyOpen,
    () => {
      const row = current === undefined ? undefined : rows[current];
      if (row !== undefined && to !== undefined) go(to(row));
    },
    keyed && to !== undefined,
    body,
  );
  const firstAt = Math.max(
    0,
    columns.findIndex(({ first }) => first === true),
  );
  const present = virtual ? virtualizer.getVirtualItems() : [];
  const shown = virtual ? present.map(({ index }) => index) : rows.map((_, at) => at);
  const above = virtual ? (present[0]?.start ?? offset) - offset : 0;
  const below = virtual ? virtualizer.getTotalSize() - ((present.at(-1)?.end ?? offset) - offset) : 0;
  return (
    <div className={styles['frame']}>
      <table className={styles['table']} role="table" aria-label={legible(label)} aria-rowcount={rows.length + 1}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ head, align, wide }) => (
              <th key={head} scope="col" role="columnheader" className={classOf(align, wide)}>
                <Shown>{head}</Shown>
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} role="rowgroup">
          {above > 0 ? <Space height={above} /> : null}
          {shown.map((at) => {
            const row = rows[at] as Row;
            return (
              <tr
                key={rowKey(row)}
                ref={virtual ? virtualizer.measureElement : undefined}
                data-index={at}
                data-at={at}
                role="row"
                aria-rowindex={at + 2}
                tabIndex={-1}
                className={at === current ? styles['current'] : undefined}
                onFocus={() => {
                  setCurrent(at);
                  pointAt(record?.(row));
                }}
              >
                {columns.map(({ head, cell, align, wide }, place) => (
                  <td
                    key={head}
                    role="cell"
                    data-label={legible(head)}
                    className={[classOf(align, wide), place === firstAt ? styles['first'] : '']
                      .filter(Boolean)
                      .join(' ')}
                  >
                    <Cell to={place === firstAt ? to?.(row) : undefined}>{cell(row)}</Cell>
                  </td>
                ))}
              </tr>
            );
          })}
          {below > 0 ? <Space height={below} /> : null}
        </tbody>
        {foot === undefined ? null : <tfoot role="rowgroup">{foot}</tfoot>}
      </table>
    </div>
  );
}

const classOf = (align: 'end' | undefined, wide: boolean | undefined): string | undefined =>
  [align === 'end' ? styles['end'] : '', wide === true ? styles['wide'] : ''].filter(Boolean).join(' ') || undefined;

/** One child of its cell, which is a grid on a phone; none where there is nothing, so that a card leaves it out. */
function Cell({ to, children }: { readonly to: To | undefined; readonly children: ReactNode }): ReactNode {
  if (children === null || children === undefined || children === '') return null;
  return to === undefined ? (
    <div>
      <Shown>{children}</Shown>
    </div>
  ) : (
    <Go to={to} className={styles['link']}>
      <Shown>{children}</Shown>
    </Go>
  );
}

/** In place of rows that are out of sight. */
const Space = ({ height }: { readonly height: number }): ReactNode => (
  <tr aria-hidden="true" className={styles['space']}>
    <td style={{ height }} />
  </tr>
);
