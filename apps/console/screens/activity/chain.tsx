import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef, useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useTenant } from '../../data/organization.ts';
import type { Paged } from '../../data/queries.ts';
import { Missing } from '../../parts/loaded.tsx';
import { Button } from '../../parts/button.tsx';
import { Happened, useHappened } from '../../parts/happened.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Go } from '../../shell/go.tsx';
import { pointAt } from '../../shell/record.ts';
import { useWords } from '../../words/language.ts';
import styles from './activity.module.css';
import { isSealed, type LogEvent } from './event.ts';
import { Sealed, Who } from './row.tsx';

/** Rows that are read at once. */
const chunk = 100;
/** Pixels of a row, and of all: a page of a browser is at most some 17 million high. */
const [desk, phone] = [44, 128];
const highest = 17_000_000;
/** Milliseconds that the scrollbar rests before what is in sight is read. */
const rest = 120;

interface ChainProps {
  /** The number of the newest event. */
  readonly last: number;
  readonly through: string | null;
}

/**
 * The log, the newest event first. Its numbers have no gaps, so the place of a row says its number: no page is read but those in
 * sight, wherever the scrollbar is put.
 */
export function Chain({ last, through }: ChainProps): ReactNode {
  const words = useWords().activity;
  const tenant = useTenant();
  const said = useHappened();
  const list = useRef<HTMLOListElement>(null);
  const [offset, setOffset] = useState(0);
  const [top, setTop] = useState(last);
  const height = window.matchMedia('(max-width: 720px)').matches ? phone : desk;
  const count = Math.min(top, Math.floor(highest / height));
  useEffect(() => setOffset((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY), []);
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan: 6,
    scrollMargin: offset,
  });
  const rows = virtualizer.getVirtualItems();
  const numbers = rows.map(({ index }) => top - index);
  const wanted = [...new Set(numbers.map((number) => Math.floor((number - 1) / chunk)))].join(' ');
  const [settled, setSettled] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), rest);
    return () => clearTimeout(timer);
  }, [wanted]);
  // What was read before is shown at once.
  const resting = new Set(settled.split(' '));
  const { events, failed } = useQueries({
    combine: known,
    queries: wanted
      .split(' ')
      .filter(Boolean)
      .map((at) => {
        const from = Number(at) * chunk + 1;
        const to = Math.min(from + chunk - 1, last);
        return {
          enabled: resting.has(at),
          queryKey: [tenant, 'rows of the log', from, to],
          queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
            const query = { sequence_from: from, sequence_to: to, limit: chunk };
            return (await api<Paged<LogEvent>>('accounting', '/api/audit/events', { tenant, query, signal })).items;
          },
          staleTime: Number.POSITIVE_INFINITY,
        };
      }),
  });
  const jump = (number: number): void => {
    if (!Number.isSafeInteger(number) || number < 1 || number > last) return;
    // Only a log longer than a page can be high begins anew elsewhere.
    if (number > top || top - number >= count) setTop(Math.min(last, number + 50));
    else virtualizer.scrollToIndex(top - number, { align: 'center' });
  };
  return (
    <>
      <Jump last={last} onJump={jump} />
      {failed === undefined ? null : <Missing query={failed} />}
      <ol
        ref={list}
        className={styles['chain']}
        aria-label={words.title}
        style={{ height: virtualizer.getTotalSize() }}
        onFocus={(event) => {
          const event0 = events.get(Number((event.target as HTMLElement).closest('li')?.dataset['number']));
          pointAt(
            event0 === undefined
              ? undefined
              : { title: said(event0), id: event0.id, place: 'accounting', path: `/api/audit/events/${event0.id}` },
          );
        }}
      >
        {rows.map(({ key, index, start }) => (
          <Row
            key={key}
            number={top - index}
            last={last}
            event={events.get(top - index)}
            through={through}
            height={height}
            top={start - offset}
          />
        ))}
      </ol>
      {top > count ? (
        <div>
          <Button onClick={() => jump(top - count)}>{words.older}</Button>
        </div>
      ) : null}
    </>
  );
}

/** By number; made anew only where another answer came, and not at each step of the scrollbar. */
const known = (reads: readonly UseQueryResult<readonly LogEvent[]>[]) => ({
  events: new Map(reads.flatMap(({ data = [] }) => data.map((event) => [event.sequence, event]))),
  failed: reads.find(({ failureReason, data }) => failureReason !== null && data === undefined),
});

interface RowProps {
  readonly number: number;
  readonly last: number;
  readonly event: LogEvent | undefined;
  readonly through: string | null;
  /** Pixels. */
  readonly height: number;
  readonly top: number;
}

/** Drawn once, however often the list is while somebody scrolls. */
const Row = memo(function Row({ number, last, event, through, height, top }: RowProps): ReactNode {
  return (
    <li
      data-number={number}
      className={styles['row']}
      aria-setsize={last}
      aria-posinset={last - number + 1}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <span className={styles['number']}>{number}</span>
      {event === undefined ? (
        <span className={styles['waiting']} />
      ) : (
        <>
          <Go to={`/activity/${event.id}`} className={styles['type']}>
            <Happened of={event} />
          </Go>
          <span className={styles['who']}>
            <Who of={event} />
          </span>
          <span className={styles['when']}>
            <Moment at={event.received_at} />
          </span>
          <span className={styles['seal']}>
            <Sealed is={isSealed(event, through)} />
          </span>
        </>
      )}
    </li>
  );
});

function Jump({ last, onJump }: { readonly last: number; readonly onJump: (number: number) => void }): ReactNode {
  const words = useWords().activity;
  return (
    <form
      className={styles['jump']}
      onSubmit={(event) => {
        event.preventDefault();
        onJump(Number(new FormData(event.currentTarget).get('number')));
      }}
    >
      <span className={styles['quiet']}>{words.count(last)}</span>
      <label className={styles['jumpTo']}>
        {words.goTo}
        <input name="number" inputMode="numeric" autoComplete="off" className={styles['numberField']} />
      </label>
      <Button type="submit">{words.go}</Button>
    </form>
  );
}
