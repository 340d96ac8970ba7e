import type { SiteKey, Storefront } from '@steward/studio';

/** Requests that wait to learn whether their form is there. */
const mostWaiting = 1_000;

export interface PublishedForms {
  /** Calls `act` where the site of the key has published the form: at once where that is remembered. What cannot be looked up is left out. */
  when(key: SiteKey, formId: string, act: () => void): void;
  /** Everything asked before is done. */
  settled(): Promise<void>;
}

/** Tells forms from ids that somebody made up, without anybody's waiting for it. */
export function publishedForms(storefront: Pick<Storefront, 'published'>): PublishedForms {
  const waiting = new Set<Promise<void>>();
  return {
    when: (key, formId, act) => {
      const found = storefront.published(key, formId);
      if (!(found instanceof Promise)) {
        if (found !== undefined) act();
        return;
      }
      if (waiting.size >= mostWaiting) return;
      const asked = actIf(found, act).finally(() => waiting.delete(asked));
      waiting.add(asked);
    },
    settled: async () => {
      await Promise.all(waiting);
    },
  };
}

async function actIf(found: Promise<unknown>, act: () => void): Promise<void> {
  const form = await found.catch(() => undefined);
  if (form !== undefined) act();
}
