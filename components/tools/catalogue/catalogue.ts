import { compileFixture, compileTool, type CompiledTool } from './compile.ts';
import type { FixtureTool } from './fixture.ts';
import { referring } from './describe.ts';
import type { Tool } from './tool.ts';
import { inView, views } from './view.ts';

/**
 * All tools of this house, sorted by name: a list's order depends on nothing that happened at run time.
 * @throws TypeError for a tool that cannot be offered, or a name given twice
 */
export function compileCatalogue(tools: readonly Tool[], fixtures: readonly FixtureTool[]): readonly CompiledTool[] {
  const refer = referring(tools);
  const compiled = [...tools.map((one) => compileTool(one, refer)), ...fixtures.map(compileFixture)];
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
