import { Blocks } from './blocks.ts';
import { listed, toolAddresses } from './operations.ts';
import type { Sample } from './sample.ts';
import type { Setting } from './setting.ts';
import { formatted, type Table } from './table.ts';
import { inTurn } from './wire.ts';

interface List {
  readonly result: { readonly tools: readonly { readonly name: string }[]; readonly [member: string]: unknown };
}

/** What `tools/list` answers: each tool as it is listed, each list as names, and which list whom is shown where. */
export async function toolLists(
  setting: Setting,
  sample: Sample,
  recorded: { readonly table: Table; readonly lists: string },
): Promise<Record<string, string>> {
  const callers = Object.values(setting.callers).flat();
  const { mcp } = setting.world.server.addresses;
  const views = [
    ...(await toolAddresses(setting)).map((path) => [path === '' ? '/mcp' : path, mcp + path] as const),
    ['/internal/mcp', `${setting.world.server.internalUrl}/internal/mcp`] as const,
  ];
  const definitions = new Map<string, string>();
  const lists = new Blocks(recorded.lists);
  const rows = await inTurn([...callers.entries()], async ([row, by]) => {
    const cells: string[] = [];
    for (const [column, [view, url]] of views.entries()) {
      // These two see between them every tool that there is.
      const asked = by === setting.agent || by.name === 'service-token' || sample(row, column);
      const kept = asked ? undefined : recorded.table.cell(by.name, view);
      if (kept !== undefined) {
        lists.keep(kept.split(':')[1] ?? '');
        cells.push(kept);
        continue;
      }
      const heard = await listed(setting, url, by);
      if (heard.status !== 200) {
        cells.push(String(heard.status));
        continue;
      }
      const { result } = JSON.parse(heard.text.replaceAll(setting.origin, 'http://steward.example')) as List;
      const { tools, ...frame } = result;
      const names = [JSON.stringify(frame), ...tools.map(({ name }) => name)];
      cells.push(`${tools.length}:${lists.keyOf(names.join('\n'))}`);
      for (const tool of tools) {
        const text = JSON.stringify(tool, null, 1);
        if ((definitions.get(tool.name) ?? text) !== text) throw new Error(`${tool.name} is described in two ways`);
        definitions.set(tool.name, text);
      }
    }
    return [by.name, ...cells];
  });
  return {
    'tools/lists.txt': formatted(['', ...views.map(([view]) => view)], rows),
    'tools/names.txt': String(lists),
    'tools/definitions.txt': `[\n${[...definitions]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, text]) => text)
      .join(',\n')}\n]\n`,
  };
}
