import { publish } from '@steward/bus';
import { components } from '@steward/server/components';
import { withInstance, type OpenInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';

/** The instance's database for a command that erases people: what it records and announces is as the server does it. */
export const withPeople = async <T>(env: CommandEnvironment, use: (instance: OpenInstance) => Promise<T>): Promise<T> =>
  withInstance(env, use, { grammars: components.flatMap(({ grammar }) => grammar ?? []), publish });
