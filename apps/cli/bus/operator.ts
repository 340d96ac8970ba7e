import { openOperator, type Operator } from '@steward/bus';
import { isId } from '@steward/kernel';
import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';
import { UsageError } from '../command.ts';

/** @throws ConfigError where the owner's login is kept from this machine */
export async function withOperator<T>(env: CommandEnvironment, use: (operator: Operator) => Promise<T>): Promise<T> {
  return withInstance(env, async ({ ownerUrl }) => {
    await using operator = openOperator(ownerUrl());
    return await use(operator);
  });
}

/** @throws UsageError where an option was given and is no id */
export function idOf(option: string, given: string | undefined): string | undefined {
  if (given !== undefined && !isId(given)) throw new UsageError(`--${option} is an id.`);
  return given;
}

/** A UTC day or a moment as RFC 3339. @throws UsageError where it is neither */
export function timeOf(option: string, given: string): string {
  const text = /^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T00:00:00Z` : given;
  const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const at = Date.parse(text);
  if (!rfc3339 || Number.isNaN(at)) {
    throw new UsageError(`--${option} is a day, 2026-03-01 (UTC), or a moment, 2026-03-01T12:00:00Z.`);
  }
  return new Date(at).toISOString();
}
