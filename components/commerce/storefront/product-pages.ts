import { etagOf, readPublished } from '@steward/catalogue';
import { createFreshCache, createWriteMarks, newId } from '@steward/kernel';
import type { Tenancy } from '@steward/sql';
import { buyable } from '@steward/stock';
import type { SiteKey } from '@steward/studio';
import type { CommercePorts } from '../ports.ts';
import { visitorOf } from './visitor.ts';

/** An answer as it is sent, in JSON. */
export interface Page {
  readonly text: string;
  readonly etag: string;
}

/** What a process remembers of product pages. */
export interface ProductPages {
  /** Undefined: the brand of the key's site sells no product of this handle. */
  get(key: SiteKey, handle: string): Page | undefined | Promise<Page | undefined>;
  /** What is known at once; asks nobody. */
  peek(key: SiteKey, handle: string): Page | undefined;
}

const freshFor = 1_000;
const pageBytes = 16 * 1024 * 1024;
const entryBytes = 512;

/**
 * Pages of products, kept for a second at most, until a price list begins or ends, and until this process writes for the tenant: whoever changes
 * a product or buys it here sees it at once, and visitors of one product ask the database together.
 */
export function createProductPages(
  {
    tenancy,
    addresses,
  }: { readonly tenancy: Tenancy; readonly addresses: Pick<CommercePorts['addresses'], 'commerce'> },
  now: () => number = () => performance.now(),
): ProductPages {
  const pages = createFreshCache<Page>({
    milliseconds: freshFor,
    capacity: pageBytes,
    missing: 1_000,
    weigh: ({ text }) => text.length + entryBytes,
    now,
  });
  const marks = createWriteMarks(tenancy.onWrite, now);
  /** With the number of the write: nothing that is older than it is found. */
  const placeOf = ({ tenant, brandId, mode }: SiteKey, handle: string): string =>
    `${marks.of(tenant)} ${brandId} ${mode} ${handle}`;
  return {
    peek: (key, handle) => pages.peek(placeOf(key, handle)),
    get: (key, handle) =>
      pages.get(placeOf(key, handle), async () => {
        const found = await readPublished(tenancy.systemContext(visitorOf(key, newId())), key.brandId, handle, {
          mediaAt: addresses.commerce,
          buyable: (variantId) => buyable(variantId, key.mode),
        });
        if (found === undefined) return { value: undefined };
        const text = JSON.stringify(found.product);
        return { value: { text, etag: etagOf(text) }, lives: found.lasts };
      }),
  };
}
