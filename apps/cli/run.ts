import { ConfigError } from '@steward/kernel';
import { isCommand, parse, UsageError, type Commands } from './command.ts';
import { commands } from './commands.ts';
import type { CommandEnvironment } from './instance.ts';
import { usageOf } from './usage.ts';

/** Runs one command; the answer is the exit code. */
export async function run(args: readonly string[], env: CommandEnvironment): Promise<number> {
  const [name = 'help'] = args;
  if (name === 'help' || args.includes('--help') || args.includes('-h')) {
    console.log(usageOf(commands, args));
    return 0;
  }
  try {
    return await call(commands, '', args, env);
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n\n${usageOf(commands, args)}`);
      return 2;
    }
    const known =
      error instanceof ConfigError || error instanceof RangeError || (error instanceof Error && 'code' in error);
    console.error(known ? error.message : error);
    return 1;
  }
}

/** @throws UsageError where there is none of that name */
async function call(
  among: Commands,
  noun: string,
  [word = '', ...args]: readonly string[],
  env: CommandEnvironment,
): Promise<number> {
  const name = `${noun} ${word}`.trim();
  const one = Object.hasOwn(among, word) ? among[word] : undefined;
  if (one === undefined) {
    const known = Object.keys(among).map((other) => `\`${`${noun} ${other}`.trim()}\``);
    throw new UsageError(`${word === '' ? '' : `There is no command \`${name}\`. `}Say one of ${known.join(', ')}.`);
  }
  return isCommand(one) ? one.run(parse(name, one, args), env) : call(one, name, args, env);
}
