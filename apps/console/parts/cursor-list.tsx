import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Paged } from '../data/queries.ts';
import { useWords } from '../words/language.ts';
import { Button } from './button.tsx';
import { Failure } from './failure.tsx';
import { Missing } from './loaded.tsx';
import styles from './cursor-list.module.css';

interface CursorListProps<T> {
  /** Of `usePages`. */
  readonly pages: UseInfiniteQueryResult<InfiniteData<Paged<T>>>;
  /** Shown where there is nothing at all. */
  readonly empty: ReactNode;
  readonly children: (items: readonly T[]) => ReactNode;
}

/** A list that pages by cursor, whatever its state: loading, refused, empty, or with more behind it. */
export function CursorList<T>({ pages, empty, children }: CursorListProps<T>): ReactNode {
  const words = useWords().parts;
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  if (data === undefined) return <Missing query={pages} lines={8} />;
  const items = data.pages.flatMap((page) => page.items);
  if (items.length === 0 && !hasNextPage) return empty;
  return (
    <div className={styles['list']}>
      {children(items)}
      {hasNextPage ? (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.more}
        </Button>
      ) : null}
      <Failure error={error} again={() => void fetchNextPage()} />
    </div>
  );
}
