import type { FieldError } from '@steward/kernel';
import type { TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { invalidLines } from '../faults.ts';
import { itemsById, trackedVariants } from '../items/item.ts';
import { type Location, locationsInUse } from '../locations/location.ts';
import type { StockPorts } from '../ports.ts';
import { mostLines } from '../words.ts';

/** What a line is about, as callers say it. */
export const about = {
  variantId: z.uuid().optional().meta({ description: 'Variant that is counted by itself, from the catalogue.' }),
  itemId: z.uuid().optional().meta({ description: 'Instead of a variant: stock item, from service_get_stock.' }),
};
export const where = {
  locationId: z
    .uuid()
    .optional()
    .meta({ description: 'From service_list_locations. Default: the only one that is in use.' }),
};

export const linesOf = <S extends z.ZodObject>(line: S) =>
  z
    .array(line)
    .min(1)
    .max(mostLines)
    .meta({ description: `Up to ${mostLines}: all are done, or none.` });

interface About {
  readonly variantId?: string | undefined;
  readonly itemId?: string | undefined;
}

export interface Placed<L> {
  readonly line: L;
  /** Of the line in the call. */
  readonly index: number;
  readonly itemId: string;
}

/**
 * The item of each line; a variant that was not tracked is tracked from now on. The faults of all lines are told together.
 * @throws Problem `invalid_request` (400) with pointers
 */
export async function placeLines<L extends About>(
  tx: TenantTransaction,
  lines: readonly L[],
  ports: StockPorts,
  more: (line: L, index: number) => FieldError | undefined = () => undefined,
): Promise<Placed<L>[]> {
  const faults: FieldError[] = [];
  const given = <T>(values: readonly (T | undefined)[]): T[] => [
    ...new Set(values.filter((one): one is T & {} => one !== undefined)),
  ];
  const items = await itemsById(tx, given(lines.map(({ itemId }) => itemId)));
  const variants = await trackedVariants(tx, given(lines.map(({ variantId }) => variantId)), ports);
  const placed = lines.flatMap((line, index): Placed<L>[] => {
    const fault = (member: string, code: string, detail: string): [] => {
      faults.push({ pointer: `/lines/${index}${member}`, code, detail });
      return [];
    };
    const other = more(line, index);
    if (other !== undefined) faults.push(other);
    const { variantId, itemId } = line;
    if ((variantId === undefined) === (itemId === undefined))
      return fault('', 'required', 'Give either variantId or itemId.');
    if (itemId !== undefined)
      return items.has(itemId)
        ? [{ line, index, itemId }]
        : fault('/itemId', 'unknown_item', 'There is no such stock item in this tenant.');
    const takes = variants.get(variantId ?? '');
    const [one, ...others] = takes ?? [];
    if (one === undefined) return fault('/variantId', 'unknown_variant', 'There is no such variant in this tenant.');
    return others.length === 0 && one.quantity === 1
      ? [{ line, index, itemId: one.itemId }]
      : fault('/variantId', 'several_items', 'The variant takes several pieces: name the item instead, by itemId.');
  });
  if (faults.length > 0) throw invalidLines(faults);
  return placed;
}

/** For lines that say how much there is in all: of two about one level, the second would win. @throws Problem `invalid_request` (400) with pointers */
export function requireOnce(
  placed: readonly Pick<Placed<unknown>, 'index' | 'itemId'>[],
  places: readonly Location[],
): void {
  const seen = new Set<string>();
  const faults = placed.flatMap(({ index, itemId }): FieldError[] => {
    const level = `${itemId} ${places[index]?.id ?? ''}`;
    const again = seen.has(level);
    seen.add(level);
    const detail = 'Another line says how much there is of the same at the same location: give one of them.';
    return again ? [{ pointer: `/lines/${index}`, code: 'duplicate', detail }] : [];
  });
  if (faults.length > 0) throw invalidLines(faults);
}

/**
 * The location that each line names, or the only one in use.
 * @throws Problem `invalid_request` (400) with pointers
 */
export async function placesOf(
  tx: TenantTransaction,
  named: readonly { readonly pointer: string; readonly locationId: string | undefined }[],
): Promise<Location[]> {
  const all = await locationsInUse(tx);
  const faults: FieldError[] = [];
  const found = named.flatMap(({ pointer, locationId }): Location[] => {
    const one = locationId === undefined ? all[0] : all.find(({ id }) => id === locationId);
    if (locationId === undefined && all.length > 1)
      faults.push({ pointer, code: 'required', detail: 'There are several locations: name one.' });
    else if (one === undefined)
      faults.push({ pointer, code: 'unknown_location', detail: 'There is no such location in use in this tenant.' });
    else return [one];
    return [];
  });
  if (faults.length > 0) throw invalidLines(faults);
  return found;
}
