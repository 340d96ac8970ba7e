import type { FieldError } from '@steward/kernel';
import { statement, type Statement } from '@steward/sql';
import type { WholeProduct } from '../products/product.ts';

/** A list with one of it at a place, counted from 1; beyond its end: the last. */
export function moved(ids: readonly string[], id: string, position: number): string[] {
  const rest = ids.filter((one) => one !== id);
  return rest.toSpliced(position - 1, 0, id);
}

/** Gives the pictures of products the places that they have in the lists. */
export const writePlaces = (tenant: string, orders: readonly (readonly string[])[]): Statement =>
  statement(
    `update catalogue.medium m set position = n.position
     from jsonb_to_recordset($2::jsonb) n (id uuid, position int)
     where m.tenant_id = $1::uuid and m.medium_id = n.id and m.position <> n.position`,
    [tenant, JSON.stringify(orders.flatMap((ids) => ids.map((id, position) => ({ id, position }))))],
  );

/** Adds a fault for each that is no variant of the product. @param pointer of the list */
export function checkVariants(
  product: WholeProduct,
  ids: readonly string[] | undefined,
  pointer: string,
  faults: FieldError[],
): void {
  const known = new Set(product.variants.map(({ id }) => id));
  ids?.forEach((id, index) => {
    if (!known.has(id))
      faults.push({
        pointer: `${pointer}/${index}`,
        code: 'unknown_variant',
        detail: 'The product has no such variant: read the product for the ids of its variants.',
      });
  });
}
