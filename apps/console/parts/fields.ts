import { createContext, use } from 'react';
import type { FieldFault } from '../data/problem.ts';

export interface Called {
  readonly label: string;
  /** What to do where it was left empty and must not be. */
  readonly give: string | undefined;
  readonly name: string;
}

export type Typed = Readonly<Record<string, string>>;

interface Shown {
  readonly faults: readonly FieldFault[];
  /** The fields that there are, by their pointers. */
  readonly fields: Map<string, Called>;
  /** What was typed before this page was left for a login. */
  readonly typed: Typed | undefined;
}

export const Faults = createContext<Shown>({ faults: [], fields: new Map(), typed: undefined });

/** The field at a pointer, or the one around it. */
export function fieldAt(fields: ReadonlyMap<string, Called>, pointer: string): Called | undefined {
  for (let at = pointer; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const field = fields.get(at);
    if (field !== undefined) return field;
  }
  return undefined;
}

/**
 * What the field is called in which the argument of a tool is typed: `/arguments/party_id` is `/input/partyId` or `/partyId` to a form.
 * It is asked of a form around, while it is shown.
 */
export function useArgumentLabel(): (pointer: string) => string | undefined {
  const { fields } = use(Faults);
  return (pointer) => {
    const own = pointer.replace(/^\/arguments/, '').replaceAll(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase());
    return (fieldAt(fields, own) ?? fieldAt(fields, `/input${own}`))?.label;
  };
}
