import { id, moment, type Of, shape, text } from '@steward/contract';
import { afterAllIds, page, type Page, type PageRequest, type TenantContext } from '@steward/sql';
import { serveCatalogue } from '../permissions.ts';
import { selectCollections } from './collection.ts';

/** What visitors see of a collection. */
export const publishedCollection = shape('k', {
  id: id('k.collection_id'),
  handle: text(),
  title: text(),
  /** Markdown: HTML in it is text. */
  description: text(),
  updatedAt: moment(),
});
export type PublishedCollection = Of<typeof publishedCollection>;

/** `$2` is the brand. */
const shown = 'k.archived_at is null and $2::uuid = any (k.brand_ids)';

/** A page of the collections that pages of the brand show, newest first. */
export async function listPublishedCollections(
  context: TenantContext,
  brandId: string,
  { limit, cursor = afterAllIds }: PageRequest,
): Promise<Page<PublishedCollection>> {
  const rows = await context
    .require(serveCatalogue)
    .read(
      selectCollections(
        publishedCollection.columns,
        `${shown} and k.collection_id < $3::uuid order by k.collection_id desc limit $4::int`,
        context.tenant,
        brandId,
        cursor,
        limit + 1,
      ),
    );
  return page(rows, limit, publishedCollection.read, ({ id: last }) => last);
}

/** By its handle. Undefined where there is none, of another brand too. */
export async function readPublishedCollection(
  context: TenantContext,
  brandId: string,
  handle: string,
): Promise<PublishedCollection | undefined> {
  const [row] = await context
    .require(serveCatalogue)
    .read(
      selectCollections(publishedCollection.columns, `${shown} and k.handle = $3`, context.tenant, brandId, handle),
    );
  return row === undefined ? undefined : publishedCollection.read(row);
}
