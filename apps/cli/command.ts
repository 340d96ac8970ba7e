import { parseArgs } from 'node:util';
import type { CommandEnvironment } from './instance.ts';

/** The command line was not understood: exit code 2 and the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Option {
  /** An example of its value, or a placeholder; an option without either is a switch. */
  readonly value?: string;
  readonly help?: string;
  /** The command is nothing without it. */
  readonly required?: true;
  readonly repeatable?: true;
  /** It makes another command of this one, for which nothing else is required but these options. */
  readonly needs?: readonly string[];
  /** What goes with it then. */
  readonly takes?: readonly string[];
}

export type Options = Readonly<Record<string, Option>>;

type ValueOf<O extends Option> = O extends { readonly value: string }
  ? O extends { readonly repeatable: true }
    ? readonly string[] | undefined
    : O extends { readonly required: true }
      ? string
      : string | undefined
  : boolean;

interface Declaration<O extends Options> {
  /** What it does. */
  readonly help: string;
  readonly options?: O;
  /** Options of which at least one is given. */
  readonly anyOf?: readonly (keyof O & string)[];
  /** The placeholder of the one word that follows the command, which is then the first argument of `run`. */
  readonly word?: string;
  /** Loads what the command needs, which takes longer than most commands. The answer is the exit code. */
  readonly run: (
    values: { readonly [K in keyof O]: ValueOf<O[K]> },
    env: CommandEnvironment,
    word: string,
  ) => Promise<number>;
}

/** What a command is called with is declared once: parsing, its checks and the usage follow from it. */
export interface Command extends Pick<Declaration<Options>, 'help' | 'word'> {
  readonly options: Options;
  readonly anyOf: readonly string[];
  readonly run: (given: Given, env: CommandEnvironment) => Promise<number>;
}

/** Commands by their words. */
export interface Commands {
  readonly [word: string]: Command | Commands;
}

export interface Given {
  readonly values: Readonly<Record<string, unknown>>;
  readonly word: string;
}

export function command<const O extends Options>({ options, anyOf = [], run, ...rest }: Declaration<O>): Command {
  type Values = Parameters<typeof run>[0];
  return {
    ...rest,
    options: options ?? {},
    anyOf,
    run: async ({ values, word }, env) => run(values as Values, env, word),
  };
}

export const isCommand = (one: Command | Commands): one is Command => typeof one.run === 'function';

export const isForm = ({ needs, takes }: Option): boolean => needs !== undefined || takes !== undefined;

/**
 * @param name the words of the command
 * @throws UsageError in one sentence
 */
export function parse(name: string, { options, anyOf, word }: Command, args: readonly string[]): Given {
  const { values, tokens, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([option, { value, repeatable = false }]) => [
        option,
        { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: repeatable },
      ]),
    ),
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) throw new UsageError(`\`${name}\` has no option ${token.rawName}.`);
    // A dash alone is a value: what comes from stdin.
    const missing = token.value === undefined || (!token.inlineValue && /^-./.test(token.value));
    if (option.value !== undefined && missing)
      throw new UsageError(`--${token.name} needs a value: ${spell(token.name, option)}.`);
    if (option.value === undefined && token.value !== undefined)
      throw new UsageError(`--${token.name} takes no value.`);
  }
  const [first = '', ...others] = positionals;
  if (word === undefined && first !== '') throw new UsageError(`\`${name}\` takes options only, and no \`${first}\`.`);
  if (word !== undefined && (first === '' || others.length > 0)) throw new UsageError(`\`${name}\` takes one ${word}.`);
  requireAll(name, options, anyOf, values);
  const switches = Object.entries(options).filter(([, { value }]) => value === undefined);
  return { values: { ...Object.fromEntries(switches.map(([option]) => [option, false])), ...values }, word: first };
}

const either = new Intl.ListFormat('en', { type: 'disjunction' });

function requireAll(name: string, options: Options, anyOf: readonly string[], values: Given['values']): void {
  const form = Object.entries(options).find(([option, one]) => isForm(one) && values[option] !== undefined);
  const wanted = form?.[1].needs ?? (form === undefined ? requiredOf(options) : []);
  const missing = wanted.filter((option) => values[option] === undefined);
  const spelled = (names: readonly string[]): string[] => names.map((option) => spell(option, options[option] ?? {}));
  if (missing.length > 0)
    throw new UsageError(
      `\`${name}${form === undefined ? '' : ` --${form[0]}`}\` needs ${spelled(missing).join(' and ')}.`,
    );
  if (form === undefined && anyOf.length > 0 && anyOf.every((option) => values[option] === undefined))
    throw new UsageError(`\`${name}\` needs ${either.format(anyOf.map((option) => `--${option}`))}.`);
}

const requiredOf = (options: Options): string[] =>
  Object.entries(options).flatMap(([option, { required }]) => (required === true ? option : []));

/** As it is written on a command line. */
export const spell = (name: string, { value }: Option): string => `--${name}${value === undefined ? '' : ` ${value}`}`;
