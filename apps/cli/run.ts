import { ConfigError } from '@steward/kernel';
import type { CommandEnvironment } from './instance.ts';
import { oneOf } from './one-of.ts';
import { UsageError, usageOf } from './usage.ts';

const command = oneOf('', {
  token: async () => (await import('./token.ts')).tokenCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  bus: async () => (await import('./bus.ts')).busCommand,
  mail: async () => (await import('./mail.ts')).mailCommand,
  contact: async () => (await import('./contact.ts')).contactCommand,
  tenant: async () => (await import('./tenant.ts')).tenantCommand,
  demo: async () => (await import('./demo/demo.ts')).demoCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
});

/** Runs one command; the answer is the exit code. */
export async function run(args: readonly string[], env: CommandEnvironment): Promise<number> {
  const [name = 'help'] = args;
  if (name === 'help' || args.includes('--help') || args.includes('-h')) {
    console.log(usageOf(args));
    return 0;
  }
  try {
    return await command([...args], env);
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
