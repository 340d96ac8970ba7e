import type { TenantTransaction } from '@steward/sql';
import { insertMedia, type NewMedium } from '../media/add.ts';
import { mostMedia } from '../media/medium.ts';
import { readProducts } from '../products/product.ts';
import type { Skipped } from './picture-in.ts';
import type { FileProduct } from './read.ts';

/** Pictures of one file: they are fetched one after the other, beside those of other tenants. */
const mostPictures = 2_000;
/** Lines that an answer names. */
const mostSkipped = 100;
/** Products that are read at once. */
const portion = 200;

/**
 * Adds the pictures that products do not have yet: by the address that they were fetched from, or that they are served at. They are fetched once the
 * import is there. Who calls it holds pictures.
 * @returns how many were added, and which lines were left out
 */
export async function addPictures(
  tx: TenantTransaction,
  products: readonly { readonly id: string; readonly wanted: FileProduct }[],
  mediaAt: string,
): Promise<{ readonly added: number; readonly skipped: Skipped[] }> {
  const skipped: Skipped[] = [];
  let added = 0;
  const pictured = products.filter(({ wanted }) => wanted.pictures.length > 0);
  for (let at = 0; at < pictured.length; at += portion) {
    const some = pictured.slice(at, at + portion);
    const present = await readProducts(
      tx,
      some.map(({ id }) => id),
    );
    const fresh: NewMedium[] = [];
    for (const { id, wanted } of some) {
      const media = present.get(id)?.media ?? [];
      const known = new Set(media.flatMap(({ source, url }) => [source, url === null ? null : mediaAt + url]));
      let room = mostMedia - media.length;
      for (const { line, url, alt, position } of wanted.pictures) {
        if (known.has(url)) continue;
        const full = added + fresh.length >= mostPictures;
        if (full || room === 0) {
          const most = full
            ? `The file has more than ${mostPictures} new pictures`
            : `A product has at most ${mostMedia}`;
          skipped.push({ line, detail: `Image Src: ${most}: import the line again later, or remove others.` });
          continue;
        }
        known.add(url);
        room -= 1;
        fresh.push({ productId: id, source: url, alt, position });
      }
    }
    if (fresh.length > 0) await insertMedia(tx, fresh, (index) => `/media/${index}`);
    added += fresh.length;
  }
  return { added, skipped };
}

export const named = (skipped: readonly Skipped[]): Skipped[] =>
  skipped.toSorted((a, b) => a.line - b.line).slice(0, mostSkipped);
