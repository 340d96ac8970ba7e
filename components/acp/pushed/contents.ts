import { hash } from 'node:crypto';
import type { PublishedProduct } from '@steward/catalogue';
import { showProduct } from '../feed/show.ts';

/** What is known of a product that a platform has, or may have. */
export interface Known {
  /** Null: the platform may have anything of it. */
  readonly digest: Buffer | null;
  readonly title: string;
  readonly variantIds: readonly string[];
  /** The platform did not take it, as it was. */
  readonly refused: boolean;
  readonly mark: string | null;
}

/** What a platform is to be told of a product. */
export interface Contents {
  readonly productId: string;
  /** Of `products`; undefined: the platform knows nothing of it and shall not. */
  readonly json: string | undefined;
  readonly digest: Buffer | undefined;
  /** The platform has it so, refused it so, or shall know nothing of it. */
  readonly same: boolean;
  /** Of what is sold now. */
  readonly title: string;
  readonly variantIds: readonly string[];
  readonly mark: string | null;
}

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly variants: readonly { readonly id: string }[];
}

const gone = (title: string, ids: readonly string[]) =>
  ids.map((id) => ({ id, title, availability: { available: false, status: 'discontinued' } }));

/**
 * What a platform is to have of a product: what is sold, whole, and what it may know of it beside that as unavailable, because nothing takes a product or a variant back.
 * @param sold undefined: the brand does not sell it
 */
export function contentsOf(
  productId: string,
  sold: PublishedProduct | undefined,
  known: Known | undefined,
  currency: string,
): Contents {
  const shown = sold === undefined ? undefined : (showProduct(sold, currency) as Shown | undefined);
  const variantIds = shown?.variants.map(({ id }) => id) ?? [];
  const now = new Set(variantIds);
  const before = known?.variantIds.filter((id) => !now.has(id)) ?? [];
  const mark = known?.mark ?? null;
  const title = shown?.title ?? known?.title ?? '';
  if (shown === undefined && before.length === 0)
    return { productId, json: undefined, digest: undefined, same: true, title, variantIds, mark };
  const whole = {
    ...(shown ?? { id: productId, title }),
    variants: [...(shown?.variants ?? []), ...gone(title, before)],
  };
  const digest = hash('sha256', JSON.stringify(shown ?? whole), 'buffer');
  const same = known?.digest?.equals(digest) === true && (before.length === 0 || known.refused);
  return { productId, json: JSON.stringify(whole), digest, same, title, variantIds, mark };
}
