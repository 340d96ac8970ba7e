import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { isCommand, isForm, parse, spell, type Command, type Commands } from './command.ts';
import { auditCommands } from './audit.ts';
import { commands } from './commands.ts';
import { run } from './run.ts';

const every = (name: string, one: Command | Commands): (readonly [string, Command])[] =>
  isCommand(one)
    ? [[name, one]]
    : Object.entries(one).flatMap(([word, inner]) => every(`${name} ${word}`.trim(), inner));
const all = every('', commands);

/** What is said, and how it ends; nothing is there that a command could be run on. */
async function steward(t: TestContext, ...args: readonly string[]) {
  const said: string[] = [];
  const say = (line: unknown): unknown => said.push(String(line));
  const mocks = [t.mock.method(console, 'log', say), t.mock.method(console, 'error', say)];
  const code = await run(args, { DATA_DIR: '/nonexistent' });
  for (const { mock } of mocks) mock.restore();
  const [sentence = '', usage = ''] = said.join('\n').split('\n\nUsage:');
  return { code, all: said.join('\n'), sentence, usage };
}

/** What satisfies everything that a command requires. */
function required({ options, anyOf, word }: Command): string[] {
  const wanted = Object.entries(options).filter(([name, option]) => option.required === true || name === anyOf[0]);
  return [
    ...(word === undefined ? [] : ['x']),
    ...wanted.flatMap(([name, { value }]) => (value === undefined ? [`--${name}`] : [`--${name}`, 'x'])),
  ];
}

describe('the usage', () => {
  test('names every command with its help and all its options, by itself and among all', async (t) => {
    assert.ok(all.length > 20, `only ${all.length} commands were found`);
    const whole = await steward(t, 'help');
    for (const [name, command] of all) {
      const own = await steward(t, ...name.split(' '), '--help');
      assert.equal(own.code, 0);
      assert.ok(own.all.startsWith(`Usage: steward <command>\n\n  ${name}`), own.all);
      for (const word of [command.help, ...Object.entries(command.options).map(([option, one]) => spell(option, one))])
        for (const text of [own.all, whole.all]) assert.ok(text.includes(word), `${word} in ${text}`);
    }
    const { all: audit } = await steward(t, 'audit', '--help');
    assert.ok(audit.includes('audit seal') && !audit.includes('bus status'), audit);
  });

  test('follows one sentence that says what is wrong, for every command and option', async (t) => {
    for (const [name, command] of all) {
      const refused = async (args: readonly string[], about: string): Promise<void> => {
        const { code, sentence, usage } = await steward(t, ...name.split(' '), ...args);
        assert.equal(code, 2, `${name} ${args.join(' ')}: ${sentence}`);
        assert.ok(sentence.includes(about) && !sentence.includes('\n'), sentence);
        assert.ok(usage.includes(`  ${name}`), usage);
      };
      const needed = required(command);
      await refused([...needed, '--nonsense'], `\`${name}\` has no option --nonsense.`);
      await refused([...needed, 'one', 'two'], command.word ?? 'takes options only, and no `one`');
      if (needed.length > 0) await refused([], command.word ?? 'needs');
      for (const [option, one] of Object.entries(command.options)) {
        if (one.value === undefined) await refused([...needed, `--${option}=x`], `--${option} takes no value.`);
        else {
          await refused([...needed, `--${option}`], `--${option} needs a value: ${spell(option, one)}.`);
          await refused([`--${option}`, '--nonsense'], `--${option} needs a value`);
        }
        if (isForm(one) && one.needs !== undefined)
          await refused(one.value === undefined ? [`--${option}`] : [`--${option}`, 'x'], `--${option}\` needs --`);
      }
    }
    const { code, sentence } = await steward(t, 'audit', 'nonsense');
    assert.equal(code, 2);
    assert.match(sentence, /^There is no command `audit nonsense`\. Say one of `audit verify`, /);
  });

  test('takes a dash alone and what follows an equals sign for values', () => {
    const value = (...args: readonly string[]): unknown =>
      parse('audit receipt', auditCommands.receipt, args).values['file'];
    assert.deepEqual([value('--file', '-'), value('--file=-x')], ['-', '-x']);
  });

  test('asks for what is missing of what a command requires', async (t) => {
    for (const [args, wanted] of [
      [['audit', 'export'], '`audit export` needs --tenant <id> and --out FOLDER.'],
      [['audit', 'verify', '--offline', '--key', 'k'], '`audit verify --offline` needs --archive ADDRESS.'],
      [['bus', 'replay', '--consumer', 'x'], '`bus replay` needs --from-time, --from-event, or --from-beginning.'],
      [['mail', 'bounced'], '`mail bounced` takes one <Message-ID>.'],
    ] as const)
      assert.deepEqual([(await steward(t, ...args)).sentence], [wanted]);
  });
});
