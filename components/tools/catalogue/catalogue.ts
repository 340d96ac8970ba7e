import { compileFixture, compileTool, type CompiledTool } from './compile.ts';
import type { FixtureTool } from './fixture.ts';
import { pillars, type Tool } from './tool.ts';

/**
 * All tools of this house, sorted by name: a list's order depends on nothing that happened at run time.
 * @throws TypeError for a tool that cannot be offered, or a name given twice
 */
export function compileCatalogue(tools: readonly Tool[], fixtures: readonly FixtureTool[]): readonly CompiledTool[] {
  const compiled = [...tools.map(compileTool), ...fixtures.map(compileFixture)];
  const twice = compiled.find(({ name }, index) => compiled.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw new TypeError(`${twice.name}: two tools have this name`);
  refuseLongLists(tools);
  return compiled.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Clients drop what is beyond their cap, the strictest at about sixty. Nobody sees more than is counted here. */
const longestList = 60;

function refuseLongLists(tools: readonly Tool[]): void {
  const shown = tools.filter(({ surfaces }) => surfaces.includes('public'));
  const core = shown.filter((one) => one.core || one.kind === 'bootstrap').length;
  if (core > longestList)
    throw new TypeError(`${core} tools are core: ${longestList} at most, the others under /p/{pillar}`);
  for (const pillar of pillars) {
    const count = shown.filter((one) => one.pillar === pillar || one.everywhere === true).length;
    if (count > longestList) throw new TypeError(`${pillar} has ${count} tools: ${longestList} at most`);
  }
}
