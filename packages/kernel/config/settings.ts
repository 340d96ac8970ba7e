import type { ProcessConfig } from './process.ts';
import type { Source } from './read.ts';
import type { Environment, Variables } from './variables.ts';

/** What a component, or the process, has people configure. `S`: what it is read into; `B`: what it needs of what was read before. */
export interface Settings<S = object, B = never> {
  readonly variables: Variables;
  /** @throws ConfigError with one sentence that says which variable to mend and how */
  read(env: Environment, before: B): S;
}

export const settings = <const V extends Variables, S, B = ProcessConfig>(
  variables: V,
  read: (source: Source<keyof V & string>, before: B) => S,
): Settings<S, B> => ({ variables, read: (env, before) => read({ env, variables }, before) });
