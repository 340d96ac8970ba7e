import type { Environment, Variables } from './variables.ts';

/** A start refused: the message is one sentence that says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'bad_configuration';
}

/** An environment, and the variables that may be read from it. */
export interface Source<N extends string = string> {
  readonly env: Environment;
  readonly variables: Readonly<Record<N, Variables[string]>>;
}

/** The variable's value, trimmed; its default when unset or empty. */
export function text<N extends string>({ env, variables }: Source<N>, name: N): string {
  const given = env[name]?.trim();
  return given === undefined || given === '' ? variables[name].default : given;
}

export function integer<N extends string>(source: Source<N>, name: N, least: number, most: number): number {
  const given = text(source, name);
  const value = Number(given);
  if (!/^\d+$/.test(given) || value < least || value > most) {
    throw new ConfigError(`${name} must be an integer from ${least} to ${most}, not ${JSON.stringify(given)}.`);
  }
  return value;
}

export const list = <N extends string>(source: Source<N>, name: N): string[] =>
  text(source, name)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export function oneOf<const T extends string>(name: string, given: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === given);
  if (found === undefined) {
    throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not ${JSON.stringify(given)}.`);
  }
  return found;
}

export function hexDigest(name: string, given: string): string {
  if (!/^[0-9a-f]{64}$/.test(given))
    throw new ConfigError(`${name} needs SHA-256 digests of 64 lower-case hex digits.`);
  return given;
}
