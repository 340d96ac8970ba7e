import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listen, tell, type Announced } from './channel.ts';

/** Where what an event is about is read. */
const places: Readonly<Record<string, readonly string[]>> = {
  portal: ['portal'],
  accounting: ['accounting'],
  commerce: ['commerce', 'accounting'],
  crm: ['commerce'],
  studio: ['studio'],
  deliveries: ['portal'],
  callbacks: ['portal'],
};

/** Events of a busy second are one refresh. Milliseconds. */
const together = 300;

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
      if (told.type === 'event' && told.tenant === tenant) heed(told.event);
    });
    navigator.locks
      .request(`steward-events-${tenant}`, { signal: ending.signal }, async () =>
        follow(tenant, ending.signal, (event) => {
          heed(event);
          tell({ type: 'event', tenant, event });
        }),
      )
      .catch((error: unknown) => {
        if (!ending.signal.aborted) throw error;
      });
    return () => {
      ending.abort();
      deaf();
    };
  }, [queries, tenant]);
}

/** Until the signal; the browser reconnects with the last id that it had. */
async function follow(tenant: string, signal: AbortSignal, heed: (event: Announced) => void): Promise<void> {
  const stream = new EventSource(`/console/events/${encodeURIComponent(tenant)}`);
  stream.addEventListener('message', ({ data }: MessageEvent<string>) => heed(JSON.parse(data) as Announced));
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  stream.close();
}

function gathering(queries: QueryClient, tenant: string): (event: Announced) => void {
  const touched = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return ({ type }) => {
    for (const place of places[type.split('.')[0] ?? ''] ?? []) touched.add(place);
    timer ??= setTimeout(() => {
      timer = undefined;
      const now = new Set(touched);
      touched.clear();
      void queries.invalidateQueries({
        predicate: ({ queryKey: [organization, place, path] }) =>
          organization === tenant &&
          (now.has(String(place)) || (typeof path === 'string' && path.startsWith('/api/audit/'))),
      });
    }, together);
  };
}
