import { readConfig, type Environment, type ProcessConfig, type Settings } from '@steward/kernel';
import type { Component, Part } from './component.ts';

/** A component whose ports and interface are known. */
type Makeable = Component & { create(ports: never): object };
type Ports<C> = C extends { create(ports: infer P): object } ? P : never;
type Api<C> = C extends { create(ports: never): infer F } ? F : never;
type Read<C> = C extends { readonly settings: Settings<infer S> } ? S : object;

/** With what is configured of a component. */
type Configured<Given, C> = Given & { readonly config: Read<C> };
/** Of what a component needs: what is not there under its name. */
type Lacking<P, Given> = {
  [K in keyof P as K extends keyof Given ? (Given[K] extends P[K] ? never : K) : K]: P[K];
};
type Wire<P, Given> =
  object extends Lacking<P, Given>
    ? [wire?: (given: Given) => Lacking<P, Given> & Partial<P>]
    : [wire: (given: Given) => Lacking<P, Given> & Partial<P>];

/**
 * Components in the order in which they are made. Each is given what the process has, the components before it by their names, and
 * whatever else it needs by a function beside it; what is missing does not compile.
 */
export interface List<Process, Given, Config> {
  readonly components: readonly Component[];
  with<C extends Makeable>(
    component: C,
    ...wire: Wire<Ports<C>, Configured<Given, C>>
  ): List<Process, Configured<Given, C> & Readonly<Record<C['name'], Api<C>>>, Config & Read<C>>;
  /** Of the process and of every component. @throws ConfigError */
  readConfig(env: Environment): Config;
  /** @param made is called with each at once, so that it can be disposed of if a later one fails */
  make(process: Process & { readonly config: Config }, made: (component: Component, part: Part) => void): Given;
}

interface Entry {
  readonly component: Component & { create(ports: unknown): object };
  readonly wire: ((given: unknown) => object) | undefined;
}

export const list = <Process extends object>(): List<Process, Process, ProcessConfig> => listed([]);

function listed<Process extends object, Given, Config>(entries: readonly Entry[]): List<Process, Given, Config> {
  const components = entries.map(({ component }) => component);
  return {
    components,
    with: (component, ...[wire]) => listed([...entries, { component, wire } as unknown as Entry]),
    readConfig: (env) => readConfig(env, components) as Config,
    make: (process, made) => {
      const given = { ...process } as Record<string, unknown>;
      for (const { component, wire } of entries) {
        const part = component.create({ ...given, ...wire?.(given) });
        made(component, part);
        given[component.name] = part;
      }
      return given as Given;
    },
  };
}
