import type { Found } from './facts.ts';
import { leaves } from './named.ts';

const uuid7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Whether a string came to be while a tool was rehearsed: nobody could be bound to it. */
export type IsMade = (text: string) => boolean;

/** When something began, by two clocks. In milliseconds since the epoch. */
export interface Begun {
  /** By the earlier of them. */
  readonly since: number;
  /** By how much the database's is ahead of the process's; zero where it is behind. */
  readonly ahead: number;
}

/**
 * Ids of things that there are in the rehearsal only, or that nobody knows and that are UUIDv7 of after a moment; and times from then to now. A later
 * one was asked for, or counts from now, and such a column is in the list of what is given. What stands in the arguments was not made, whatever it looks like.
 */
export function madeSince({ since, ahead }: Begun, args: unknown, before?: Found, after?: Found): IsMade {
  const ids = (found: Found | undefined): ReadonlySet<string> =>
    new Set([...(found?.things.values() ?? [])].map(({ id }) => id));
  const [there, then] = [ids(before), ids(after)];
  const asked = new Set([...leaves(args)].map(plain));
  const until = Date.now() + ahead + 1_000;
  return (text) => {
    if (there.has(text) || asked.has(plain(text))) return false;
    if (then.has(text)) return true;
    const [, high, low] = uuid7.exec(text) ?? [];
    if (high !== undefined) {
      const at = Number.parseInt(`${high}${low}`, 16);
      return at >= since && at <= until;
    }
    if (!instant.test(text)) return false;
    const at = Date.parse(text);
    return at >= since && at <= until;
  };
}

/** As a tool may store what it was given. */
const plain = (text: string): string => text.trim().toLowerCase();

/**
 * JSON with what was made named by the order it appears in. What was there before stays as it is. Moments have one name for all: whether two
 * things came to be within one millisecond says nothing.
 */
export function withoutMade(value: unknown, isMade: IsMade): unknown {
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const known = names.get(text) ?? `made ${names.size + 1}`;
    names.set(text, known);
    return known;
  };
  const settle = (one: unknown): unknown => {
    if (typeof one === 'string') return !isMade(one) ? one : instant.test(one) ? 'made then' : nameOf(one);
    if (Array.isArray(one)) return one.map(settle);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, part]) => [name, settle(part)]));
  };
  return settle(value);
}
