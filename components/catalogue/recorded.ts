import { type DerivedRows, instantOf, madeAt, rowOf, type RecordedRows } from '@steward/verification';
import { collectionContents } from './collections/contents.ts';
import { isAsked } from './collections/rules.ts';
import { logoContents, productContents } from './contents.ts';
import { priceListContents } from './price-lists/price-list.ts';

const productId = `(e.payload ->> 'product_id')::uuid`;
const priceListId = `(e.payload ->> 'price_list_id')::uuid`;
const collectionId = `(e.payload ->> 'collection_id')::uuid`;

/** The rows that must agree with the audit log: products with their variants, prices and pictures, and where they are published. */
export const recorded: readonly (DerivedRows | RecordedRows)[] = [
  madeAt('product', 'commerce.product.created', {
    table: 'catalogue.product',
    id: 'product_id',
    column: 'created_at',
    key: productId,
  }),
  {
    what: 'product',
    types: ['commerce.product.created', 'commerce.product.updated'],
    held: `select tenant_id, product_id::text as key, concat_ws(' ', 'version', version, updated_at) as says from catalogue.product`,
    told: `select e.payload ->> 'product_id' as key, concat_ws(' ', 'version', e.payload ->> 'version', ${instantOf('updated_at')}) as says
      ${rowOf('catalogue.product', 'product_id', productId)}`,
  },
  {
    what: 'contents of product',
    types: ['commerce.product.created', 'commerce.product.updated'],
    held: `select tenant_id, key::text as key, digest as says from (${productContents}) c`,
    told: `select e.payload ->> 'product_id' as key, e.payload ->> 'content_sha256' as says`,
  },
  {
    what: 'picture',
    from: 'its sizes, and products and brands that show it',
    held: `select tenant_id, digest as key, digest as says from catalogue.picture`,
    due: `select i.tenant_id, i.digest as key, encode(sha256(convert_to(concat_ws(' ', i.tenant_id, i.width, i.height, (
          select string_agg(concat_ws(' ', s.fits, s.media_type, encode(sha256(s.content), 'hex')), ' ' order by s.fits)
          from catalogue.picture_size s where s.tenant_id = i.tenant_id and s.digest = i.digest)), 'UTF8')), 'hex') as says
      from catalogue.picture i
      where exists (select from catalogue.medium m where m.tenant_id = i.tenant_id and m.digest = i.digest)`,
  },
  {
    what: 'logo of brand',
    types: ['commerce.brand_logo.changed', 'commerce.brand_logo.removed'],
    held: `select tenant_id, key::text as key, digest as says from (${logoContents}) c`,
    told: `select e.payload ->> 'medium_id' as key, e.payload ->> 'content_sha256' as says`,
  },
  {
    what: 'size of all pictures',
    from: 'the pictures',
    held: `select tenant_id, 'bytes' as key, bytes::text as says from catalogue.pictured where bytes <> 0`,
    due: `select tenant_id, 'bytes' as key, sum(octet_length(content))::text as says from catalogue.picture_size group by tenant_id`,
  },
  {
    what: 'publication of product',
    types: ['commerce.product.published', 'commerce.product.unpublished'],
    held: `select tenant_id, concat_ws(' ', product_id, brand_id) as key, concat_ws(' ', 'published', published_at) as says from catalogue.publication`,
    told: `select concat_ws(' ', e.payload ->> 'product_id', e.payload ->> 'brand_id') as key,
      case e.type when 'commerce.product.published' then concat_ws(' ', 'published', ${instantOf('published_at')}) end as says
      ${rowOf('catalogue.publication', 'product_id', productId)} and r.brand_id = (e.payload ->> 'brand_id')::uuid`,
  },
  madeAt('collection', 'commerce.collection.created', {
    table: 'catalogue.collection',
    id: 'collection_id',
    column: 'created_at',
    key: collectionId,
  }),
  {
    what: 'collection',
    types: ['commerce.collection.created', 'commerce.collection.updated'],
    held: `select tenant_id, collection_id::text as key, concat_ws(' ', 'version', version, updated_at) as says from catalogue.collection`,
    told: `select e.payload ->> 'collection_id' as key,
      concat_ws(' ', 'version', coalesce(e.payload ->> 'version', '1'), ${instantOf('updated_at')}) as says
      ${rowOf('catalogue.collection', 'collection_id', collectionId)}`,
  },
  {
    what: 'contents of collection',
    types: ['commerce.collection.created', 'commerce.collection.updated'],
    held: `select tenant_id, key::text as key, digest as says from (${collectionContents}) c`,
    told: `select e.payload ->> 'collection_id' as key, e.payload ->> 'content_sha256' as says`,
  },
  {
    what: 'standing of collection',
    types: ['commerce.collection.created', 'commerce.collection.archived'],
    held: `select tenant_id, collection_id::text as key, coalesce('archived ' || archived_at, 'in use') as says from catalogue.collection`,
    told: `select e.payload ->> 'collection_id' as key,
      case e.type when 'commerce.collection.archived' then 'archived ' || (${instantOf('archived_at')}) else 'in use' end as says
      ${rowOf('catalogue.collection', 'collection_id', collectionId)}`,
  },
  madeAt('price list', 'commerce.price_list.created', {
    table: 'catalogue.price_list',
    id: 'price_list_id',
    column: 'created_at',
    key: priceListId,
  }),
  {
    what: 'price list',
    types: ['commerce.price_list.created', 'commerce.price_list.updated'],
    held: `select tenant_id, price_list_id::text as key, concat_ws(' ', 'version', version, updated_at) as says from catalogue.price_list`,
    told: `select e.payload ->> 'price_list_id' as key,
      concat_ws(' ', 'version', coalesce(e.payload ->> 'version', '1'), ${instantOf('updated_at')}) as says
      ${rowOf('catalogue.price_list', 'price_list_id', priceListId)}`,
  },
  {
    what: 'contents of price list',
    types: ['commerce.price_list.created', 'commerce.price_list.updated'],
    held: `select tenant_id, key::text as key, digest as says from (${priceListContents}) c`,
    told: `select e.payload ->> 'price_list_id' as key, e.payload ->> 'content_sha256' as says`,
  },
  {
    what: 'product of collection',
    from: 'its rules',
    held: `select m.tenant_id, concat_ws(' ', m.collection_id, m.product_id) as key, 'place ' || m.position as says
      from catalogue.collection_product m join catalogue.collection k on k.tenant_id = m.tenant_id and k.collection_id = m.collection_id
      where k.rules is not null`,
    due: `select k.tenant_id, concat_ws(' ', k.collection_id, p.product_id) as key, 'place 0' as says
      from catalogue.collection k join catalogue.product p on p.tenant_id = k.tenant_id
      where k.rules is not null and k.archived_at is null and ${isAsked}`,
  },
];
