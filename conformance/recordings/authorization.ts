import { everyOperation, leastOfCaller, type Operation } from './operations.ts';
import { rowOf, type Sample } from './sample.ts';
import type { Caller, Setting } from './setting.ts';
import { formatted, type Table } from './table.ts';
import { inTurn } from './wire.ts';

/** Short words, so that a line fits on a screen; codes that are not here stand in full. */
const words: Readonly<Record<string, string>> = {
  unauthenticated: '401',
  insufficient_role: 'role',
  insufficient_scope: 'scope',
  not_entitled: 'tier',
  tool_denied: 'denied',
  tenant_forbidden: 'tenant',
  tenant_required: 'which',
  tenant_mismatch: 'mismatch',
  not_human: 'person',
  client_not_approver: 'client',
  approval_required: 'waits',
  pending_approval: 'proposed',
  internal_only: 'internal',
};

/** Who may do what, found by asking: a table for each group of callers, by its name. */
export async function authorization(
  setting: Setting,
  sample: Sample,
  recorded: (name: string) => Table,
): Promise<Record<string, string>> {
  const operations = await everyOperation(setting);
  const ask = async (operation: Operation, by: Caller, column: number): Promise<string> => {
    const heard = await setting.wire.send(operation.sent(leastOfCaller(operation, column), by));
    const { letIn, code } = operation.told(heard);
    return letIn ? '+' : (words[code] ?? code);
  };
  const found: Record<string, string> = {};
  for (const [group, callers] of Object.entries(setting.callers)) {
    const before = recorded(`authorization/${group}.txt`);
    const rows = await inTurn(operations, async (operation) => {
      const row = rowOf(operation.name);
      const cells: string[] = [];
      for (const [column, by] of callers.entries()) {
        const kept = sample(row, column) ? undefined : before.cell(operation.name, by.name);
        cells.push(kept ?? (await ask(operation, by, column)));
      }
      return [operation.name, ...cells];
    });
    found[`authorization/${group}.txt`] = formatted(['', ...callers.map(({ name }) => name)], rows);
  }
  return found;
}
