import { dictionary } from '@steward/kernel/dictionary';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listen, tell, type Announced } from './channel.ts';

/** Where what an event is about is read: a place, or the start of a path there. */
const places = dictionary<readonly string[]>({
  portal: ['portal'],
  approvals: ['portal/api/pending-actions'],
  accounting: ['accounting'],
  commerce: ['commerce', 'accounting'],
  crm: ['commerce'],
  studio: ['studio'],
  deliveries: ['portal'],
  callbacks: ['portal'],
});

/** What a transaction announces is one refresh, and so are the events of a busy second. Milliseconds. */
const together = 50;
const busy = 500;
/** Milliseconds that the stream waits for what the page reads at first. */
const patience = 5_000;

/**
 * One stream a browser: HTTP/1.1 allows six connections, and each tab would take one. The tab that has the lock listens and
 * tells the others; when it is closed, the next one listens.
 */
export function useEvents(tenant: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    const ending = new AbortController();
    const heed = gathering(queries, tenant);
    const deaf = listen((told) => {
      if (told.type === 'event' && told.tenant === tenant) heed.event(told.event);
    });
    navigator.locks
      .request(`steward-events-${tenant}`, { signal: ending.signal }, async () => {
        await quiet(queries);
        if (ending.signal.aborted) return;
        await follow(tenant, ending.signal, heed.opened, (event) => {
          heed.event(event);
          tell({ type: 'event', tenant, event });
        });
      })
      .catch((error: unknown) => {
        if (!ending.signal.aborted) throw error;
      });
    return () => {
      ending.abort();
      deaf();
    };
  }, [queries, tenant]);
}

/** What is seen first comes before what only changes it: until nothing is read, and no longer than so. */
async function quiet(queries: QueryClient): Promise<void> {
  const until = Date.now() + patience;
  do await new Promise((resolve) => setTimeout(resolve, together));
  while (queries.isFetching() > 0 && Date.now() < until);
}

/** Until the signal; the browser reconnects with the last id that it had. */
async function follow(
  tenant: string,
  signal: AbortSignal,
  opened: () => void,
  heed: (event: Announced) => void,
): Promise<void> {
  const stream = new EventSource(`/console/events/${encodeURIComponent(tenant)}`);
  stream.addEventListener('open', opened, { once: true });
  stream.addEventListener('message', ({ data }: MessageEvent<string>) => heed(JSON.parse(data) as Announced));
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  stream.close();
}

function gathering(
  queries: QueryClient,
  tenant: string,
): { readonly event: (event: Announced) => void; readonly opened: () => void } {
  const touched = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  const touch = (all: readonly string[]): void => {
    for (const one of all) touched.add(one);
    timer ??= setTimeout(refresh, Date.now() - last < busy ? busy : together);
  };
  const refresh = (): void => {
    timer = undefined;
    last = Date.now();
    const now = [...touched];
    touched.clear();
    void queries.invalidateQueries({
      predicate: ({ queryKey: [organization, place, path] }) =>
        organization === tenant && now.some((one) => `${String(place)}${String(path)}`.startsWith(one)),
    });
  };
  return {
    event: ({ type }) => touch(['accounting/api/audit/', ...(places[type.split('.')[0] ?? ''] ?? [])]),
    // Whatever is shown may have changed after it was read and before the stream began.
    opened: () => touch(['']),
  };
}
