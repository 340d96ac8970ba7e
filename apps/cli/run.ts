import { ConfigError } from '@steward/kernel';
import { auditCommand } from './audit.ts';
import { busCommand } from './bus.ts';
import { contactCommand } from './contact.ts';
import { demoCommand } from './demo/demo.ts';
import type { CommandEnvironment } from './instance.ts';
import { mailCommand } from './mail.ts';
import { UsageError, usageOf } from './usage.ts';
import { migrateCommand } from './migrate.ts';
import { tokenCommand } from './token.ts';

const commands: Readonly<Record<string, (args: string[], env: CommandEnvironment) => Promise<number>>> = {
  token: tokenCommand,
  audit: auditCommand,
  bus: busCommand,
  mail: mailCommand,
  contact: contactCommand,
  demo: demoCommand,
  migrate: migrateCommand,
};

/** Runs one command; the answer is the exit code. */
export async function run(args: readonly string[], env: CommandEnvironment): Promise<number> {
  const [name = 'help', ...rest] = args;
  if (['help', '--help', '-h'].includes(name) || rest.includes('--help') || rest.includes('-h')) {
    console.log(usageOf(args));
    return 0;
  }
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) throw new UsageError(`There is no command ${JSON.stringify(name)}.`);
    return await command(rest, env);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS')) {
      console.error(`${(error as Error).message}\n\n${usageOf(args)}`);
      return 2;
    }
    const known = error instanceof ConfigError || error instanceof RangeError || code !== '';
    console.error(known ? (error as Error).message : error);
    return 1;
  }
}
