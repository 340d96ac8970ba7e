import type { Component, Part } from './component.ts';

/** A component whose ports and face are known. */
type Makeable = Component & { create(ports: never): object };
type Ports<C> = C extends { create(ports: infer P): object } ? P : never;
type Face<C> = C extends { create(ports: never): infer F } ? F : never;

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
export interface List<Process, Given> {
  readonly components: readonly Component[];
  with<C extends Makeable>(
    component: C,
    ...wire: Wire<Ports<C>, Given>
  ): List<Process, Given & Readonly<Record<C['name'], Face<C>>>>;
  /** @param made is told of each at once, so that it can be disposed of where a later one fails */
  make(process: Process, made: (component: Component, part: Part) => void): Given;
}

interface Entry {
  readonly component: Component & { create(ports: unknown): object };
  readonly wire: ((given: unknown) => object) | undefined;
}

export const list = <Process extends object>(): List<Process, Process> => listed([]);

function listed<Process extends object, Given>(entries: readonly Entry[]): List<Process, Given> {
  return {
    components: entries.map(({ component }) => component),
    with: (component, ...[wire]) => listed([...entries, { component, wire } as unknown as Entry]),
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
