import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyOperation, type Arguments } from '../recordings/operations.ts';
import { openSetting } from '../recordings/setting.ts';
import { inTurn } from '../recordings/wire.ts';
import type { Shape } from '../stall/hostile.ts';

/** Words of the validator, by which programmers find a fault, and those of ours that say nothing of how to mend one. */
const foreign =
  /Invalid [a-z]|[Ee]xpected (?:one of|a?n? ?[a-z]+[,.])|Too (?:small|big)|Unrecognized key|must match pattern|code\\?":\\?"custom\\?"|of the form|this one is not accepted/;

/** A word of several in one, as verbs name what tools take by names with underscores: in `summary` and `detail`. */
const ofVerbs = /\\?"(?:summary|detail)\\?":\\?"[^"]*?\b([a-z]+[A-Z][A-Za-z]*)/;

/** Of the shape, with one value wherever it wants a single one. */
function everywhere(shape: Shape, value: unknown): unknown {
  if (shape.properties !== undefined)
    return Object.fromEntries(Object.entries(shape.properties).map(([name, one]) => [name, everywhere(one, value)]));
  return shape.items === undefined ? value : [everywhere(shape.items, value)];
}

const outermost = ({ properties = {} }: Shape, value: unknown): unknown =>
  Object.fromEntries(Object.keys(properties).map((name) => [name, value]));

const values = [null, true, -1, 1.5, 1e15, '', ' ', 'misfit', 'x'.repeat(30_000), [], [[]], {}, { x: 1 }];

test('every route, tool and field tells what is wrong with its arguments in words that say how to mend it', async () => {
  await using setting = await openSetting();
  const operations = (await everyOperation(setting)).filter(({ door }) => door !== 'page');
  // Of a flat shape both ways to fill it are one, and of an empty one all values.
  const asked = operations.flatMap((operation) => {
    const each = values.flatMap((value) =>
      [everywhere, outermost].map((fill) =>
        JSON.stringify({ ...operation.least, ...(fill(operation.shape, value) as Arguments) }),
      ),
    );
    return [...new Set(each)].map((args) => ({ operation, args: JSON.parse(args) as Arguments }));
  });
  const heard = await inTurn(asked, async ({ operation, args }) => {
    const by = operation.door === 'tool' ? setting.agent : setting.approver;
    const { headers, text } = await setting.wire.send(operation.sent(args, by));
    const found = String(headers['content-type']).includes('json')
      ? (foreign.exec(text) ?? (operation.door === 'tool' ? ofVerbs.exec(text) : null))
      : null;
    return found === null ? [] : [`${operation.name}: ${text.slice(Math.max(0, found.index - 120), found.index + 80)}`];
  });
  assert.ok(asked.length > 5000, 'they were found');
  assert.deepEqual(heard.flat(), []);
});
