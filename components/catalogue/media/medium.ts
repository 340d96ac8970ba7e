import { type Fixed, line } from '@steward/contract';
import { z } from 'zod';

/** Of one product. */
export const mostMedia = 50;

export const imageShape = z.object({
  /** The largest size. With `?w=640`: the smallest that is at least so wide. */
  url: z.string(),
  alt: z.string(),
  width: z.int(),
  height: z.int(),
});

export const mediumShape = z.object({
  id: z.uuid(),
  status: z.enum(['ready', 'pending', 'failed']),
  /** Null until it is ready. With `?w=640`: the smallest size that is at least so wide. */
  url: z.string().nullable(),
  alt: z.string(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** The variants that it shows; none: the product as such. */
  variantIds: z.array(z.uuid()),
  /** The address that it was fetched from, if it was not uploaded. */
  source: z.string().nullable(),
  /** Why it could not be fetched. */
  failure: z.string().nullable(),
});
export type Medium = Fixed<z.output<typeof mediumShape>>;
export type Image = Fixed<z.output<typeof imageShape>>;

/** The picture that lists show of a product `p`: the first of them. */
export const imageOf = `(select json_build_object('url', '/media/' || m.digest, 'alt', m.alt, 'width', i.width, 'height', i.height)
  from catalogue.medium m join catalogue.picture i on i.tenant_id = m.tenant_id and i.digest = m.digest
  where m.tenant_id = p.tenant_id and m.product_id = p.product_id order by m.position, m.medium_id limit 1)`;

/** The picture of a variant `v`: the first that shows it, else the first of its product. */
export const imageOfVariant = `(select json_build_object('url', '/media/' || m.digest, 'alt', m.alt, 'width', i.width, 'height', i.height)
  from catalogue.medium m join catalogue.picture i on i.tenant_id = m.tenant_id and i.digest = m.digest
  where m.tenant_id = v.tenant_id and m.product_id = v.product_id
  order by v.variant_id = any (m.variant_ids) desc, m.position, m.medium_id limit 1)`;

export const mediaOf = `(select json_agg(json_build_object('id', m.medium_id,
    'status', case when m.digest is not null then 'ready' when m.failure is not null then 'failed' else 'pending' end,
    'url', '/media/' || m.digest, 'alt', m.alt, 'width', i.width, 'height', i.height,
    'variantIds', array(select v.variant_id from catalogue.variant v where v.tenant_id = m.tenant_id and v.product_id = m.product_id
      and v.variant_id = any (m.variant_ids) and v.removed_at is null order by v.position),
    'source', m.source, 'failure', m.failure) order by m.position, m.medium_id)
  from catalogue.medium m left join catalogue.picture i on i.tenant_id = m.tenant_id and i.digest = m.digest
  where m.tenant_id = p.tenant_id and m.product_id = p.product_id)`;

/** Addresses of pictures are kept without where this server is reached. @param at the address that pages read products at */
export function located<T extends { readonly image: Image | null; readonly media?: readonly Medium[] }>(
  one: T,
  at: string,
): T {
  const { image, media } = one;
  if (image === null && (media === undefined || media.length === 0)) return one;
  return {
    ...one,
    image: image === null ? null : { ...image, url: at + image.url },
    ...(media === undefined
      ? {}
      : { media: media.map((each) => ({ ...each, url: each.url === null ? null : at + each.url })) }),
  };
}

const alt = z
  .union([z.literal(''), line(512)])
  .optional()
  .meta({ description: 'What the picture shows, for those who cannot see it.' });
const position = z
  .int()
  .min(1)
  .max(mostMedia)
  .optional()
  .meta({ description: 'Place among the pictures of the product. Lists show the first. Default: the last.' });
const variantIds = z
  .array(z.uuid())
  .max(100)
  .optional()
  .meta({ description: 'The variants that it shows. The whole list; none: the product as such.' });
export const mediumMembers = { alt, position, variantIds } as const;
