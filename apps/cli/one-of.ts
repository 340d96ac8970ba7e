import type { CommandEnvironment } from './instance.ts';
import { UsageError } from './usage.ts';

export type Command = (args: string[], env: CommandEnvironment) => Promise<number>;

/**
 * A command that is one of several, by the next word; the answer is the exit code. Each loads what it needs and not what the
 * others need, which takes longer than most of them.
 * @param noun the words before it
 * @throws UsageError where there is none of that name
 */
export const oneOf =
  (noun: string, commands: Readonly<Record<string, () => Promise<Command>>>): Command =>
  async ([name = '', ...args], env) => {
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (load === undefined) {
      const known = Object.keys(commands).map((one) => `\`${`${noun} ${one}`.trim()}\``);
      const missed = name === '' ? '' : `There is no command \`${`${noun} ${name}`.trim()}\`. `;
      throw new UsageError(`${missed}Say one of ${known.join(', ')}.`);
    }
    const command = await load();
    return command(args, env);
  };
