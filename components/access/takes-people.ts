import type { Problem } from '@steward/kernel';
import { errors } from './errors.ts';

const refusals = new WeakSet<object>();

/**
 * The refusal of a call that awaits people for what it would do, though its tool awaits none: the tool endpoint proposes it.
 * @param tool what the door does by its own word
 */
export function takesPeople(why: string, tool: string | undefined): Problem {
  const how = tool === undefined ? 'the tool that does the same' : `the tool ${tool}`;
  const refusal = errors('approval_required', `${why} Propose it with ${how}, or have a person do it.`, {
    members: tool === undefined ? {} : { tool },
  });
  refusals.add(refusal);
  return refusal;
}

/** Whether a call was refused so. */
export const isTakesPeople = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && refusals.has(error);
