import { type ProcessConfig, readProcess } from './process.ts';
import type { Settings } from './settings.ts';
import { processVariables, type Environment } from './variables.ts';

interface Configured {
  readonly settings?: Settings;
}
type SettingsOf<C> = C extends { readonly settings: Settings<infer S> } ? S : object;
type All<C extends readonly unknown[]> = C extends readonly [infer First, ...infer Rest]
  ? SettingsOf<First> & All<Rest>
  : object;

/**
 * Environment → configuration of the process and of components, in their order.
 * @throws ConfigError with one sentence that says which variable to mend and how
 */
export function readConfig<const C extends readonly Configured[]>(
  env: Environment,
  components: C,
): ProcessConfig & All<C> {
  let config: object = readProcess({ env, variables: processVariables });
  for (const { settings } of components) config = { ...config, ...settings?.read(env, config as never) };
  return config as ProcessConfig & All<C>;
}
