import { commandsOf, type Command } from './command.ts';
import { compileFixture, compileTool, type CompiledTool } from './compile.ts';
import type { FixtureTool } from './fixture.ts';
import { referring } from './describe.ts';
import type { Tool } from './tool.ts';
import { inView, views } from './view.ts';

/** All tools that there are, which can be read before any component is made, and run once theirs is. */
export interface Catalogue {
  readonly tools: readonly Tool[];
  /** Sorted by name: a list's order depends on nothing that happened at run time. */
  readonly compiled: readonly CompiledTool[];
  /** Tools that a tenant's policy can switch off: all but those callable with no tenant. */
  readonly names: ReadonlySet<string>;
  /** Commands by name, for those who carry them out later. */
  readonly commands: ReadonlyMap<string, Command>;
  /** Says what tools run with; a component does so for its own, as it is made. */
  bind<P>(tools: readonly Tool<P>[], ports: P): void;
  /** @throws TypeError for a tool that runs with something that nobody has said */
  requireBound(): void;
}

/**
 * @param fixtures only for conformance suites
 * @throws TypeError for a tool that cannot be offered, or a name given twice
 */
export function createCatalogue(tools: readonly Tool[], fixtures: readonly FixtureTool[] = []): Catalogue {
  const bound = new Map<unknown, unknown>();
  const compiled = compile(tools, fixtures, (one) => bound.get(one));
  return {
    tools,
    compiled,
    names: new Set(compiled.filter(({ kind }) => kind !== 'bootstrap').map(({ name }) => name)),
    commands: commandsOf(compiled),
    bind: (given, ports) => given.forEach((one) => bound.set(one, ports)),
    requireBound: () => {
      const loose = tools.find((one) => one.run.length > 2 && !bound.has(one));
      if (loose !== undefined) throw new TypeError(`${loose.name}: nobody has said what it runs with`);
    },
  };
}

function compile(
  tools: readonly Tool[],
  fixtures: readonly FixtureTool[],
  portsOf: (tool: Tool) => unknown,
): readonly CompiledTool[] {
  const refer = referring(tools);
  const compiled = [...tools.map((one) => compileTool(one, refer, portsOf)), ...fixtures.map(compileFixture)];
  const twice = compiled.find(({ name }, index) => compiled.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw new TypeError(`${twice.name}: two tools have this name`);
  refuseLongLists(tools);
  return compiled.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Clients drop what is beyond their cap, the strictest at about sixty. Nobody sees more than is counted here. */
const longestList = 60;

function refuseLongLists(tools: readonly Tool[]): void {
  const shown = tools.filter(({ surfaces }) => surfaces.includes('public'));
  for (const view of views) {
    const count = shown.filter((one) => inView(one, view)).length;
    if (count > longestList) throw new TypeError(`${view} lists ${count} tools: ${longestList} at most`);
  }
}
