import type { Shape } from '../stall/hostile.ts';
import { Blocks } from './blocks.ts';
import { normalised } from './normalised.ts';
import { everyOperation, type Arguments, type Operation } from './operations.ts';
import { rowOf, type Sample } from './sample.ts';
import type { Caller, Setting } from './setting.ts';
import { formatted, type Table } from './table.ts';
import { inTurn, type Heard } from './wire.ts';

/** One way to ask wrongly. */
interface Wrong {
  readonly name: string;
  readonly by: Caller;
  readonly args: Arguments;
}

/** What each operation answers to whoever asks wrongly: a line for each way, and the answers by their hash. */
export async function errorBodies(
  setting: Setting,
  sample: Sample,
  recorded: { readonly table: Table; readonly answers: string },
): Promise<Record<string, string>> {
  const answers = new Blocks(recorded.answers);
  const operations = (await everyOperation(setting)).filter(({ name }) => name !== 'GET /metrics');
  // One after the other for each operation: what the least does is there for whoever asks at the same time.
  const rows = await inTurn(operations, async (operation) => {
    const row = rowOf(operation.name);
    const told: string[][] = [];
    for (const [column, wrong] of waysToErr(setting, operation).entries()) {
      const name = `${operation.name}: ${wrong.name}`;
      const kept = sample(row, column) ? undefined : recorded.table.cell(name, 'answer');
      if (kept !== undefined) {
        answers.keep(kept);
        told.push([name, recorded.table.cell(name, 'code') ?? '', kept]);
        continue;
      }
      const heard = await setting.wire.send(operation.sent(wrong.args, wrong.by));
      const { code } = operation.told(heard);
      told.push([name, code, answers.keyOf(written(heard, code, setting))]);
    }
    return told;
  });
  return {
    'errors/asked.txt': formatted(['', 'code', 'answer'], rows.flat()),
    'errors/answers.txt': String(answers),
  };
}

const headers = ['content-type', 'www-authenticate', 'allow'];

/** What went well is no matter here, but that it did. */
function written({ status, headers: heard, text }: Heard, code: string, { origin, world }: Setting): string {
  const told = headers.flatMap((name) => (heard[name] === undefined ? [] : [`${name}: ${String(heard[name])}`]));
  const well = status < 400 && /^(?:\d{3}|ok|pending_approval)$/.test(code);
  const lines = [String(status), ...told, ...(well || text === '' ? [] : [text.replaceAll('\n', String.raw`\n`)])];
  return normalised(lines.join('\n'), [origin, world.server.internalUrl]);
}

function waysToErr({ callers, agent, approver }: Setting, operation: Operation): Wrong[] {
  const { door, shape, least } = operation;
  const named = (name: string): Caller => {
    const found = Object.values(callers)
      .flat()
      .find((one) => one.name === name);
    if (found === undefined) throw new Error(`nobody is called ${name}`);
    return found;
  };
  const by = door === 'tool' ? agent : approver;
  const members = Object.entries(shape.properties ?? {});
  return [
    { name: 'no credential', by: named('nobody'), args: least },
    { name: 'wrong credential', by: named('wrong-token'), args: least },
    { name: 'no tenant', by: named('no-tenant'), args: least },
    { name: 'wrong tenant', by: named('other-tenant'), args: least },
    { name: 'no scope', by: named('agent+none'), args: least },
    ...(door === 'page'
      ? []
      : [
          { name: 'nothing', by, args: inPathOf(operation) },
          { name: 'something unknown', by, args: { ...least, no_such_argument: 1 } },
          ...members.map(([name, one]) => ({ name: `bad ${name}`, by, args: { ...least, [name]: misfit(one) } })),
          { name: 'everything bad', by, args: { ...least, ...(deeplyWrong(shape) as Arguments) } },
          ...('cursor' in (shape.properties ?? {})
            ? [{ name: 'wrong cursor', by, args: { ...least, cursor: 'x' } }]
            : []),
        ]),
    { name: 'the least', by, args: least },
  ];
}

/** Without its path nothing would be asked for. */
const inPathOf = ({ name, least }: Operation): Arguments =>
  Object.fromEntries(Object.entries(least).filter(([key]) => name.includes(`{${key}}`)));

const typeOf = ({ type, anyOf, oneOf }: Shape): string | undefined => {
  const [first] = (anyOf ?? oneOf ?? []).filter((one) => one.type !== 'null');
  if (first !== undefined) return typeOf(first);
  return typeof type === 'object' ? type[0] : (type as string | undefined);
};

/** A value of another type. */
const misfit = (shape: Shape): unknown => (typeOf(shape) === 'string' || shape.enum !== undefined ? 7 : 'misfit');

/** Of the shape, and each leaf of another type. */
function deeplyWrong(shape: Shape): unknown {
  if (shape.properties !== undefined)
    return Object.fromEntries(Object.entries(shape.properties).map(([name, one]) => [name, deeplyWrong(one)]));
  if (shape.items !== undefined) return [deeplyWrong(shape.items)];
  return misfit(shape);
}
