import { isCommand, isForm, spell, type Command, type Commands, type Option } from './command.ts';

/** Where the help of a command or an option begins. */
const column = 37;
const widest = 110;

/** The usage of the command that was called; of all commands if none was named. */
export function usageOf(commands: Commands, [word = '', ...words]: readonly string[]): string {
  const meant = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (meant === undefined)
    return `Usage: steward <command>\n\n${linesOf('', commands).join('\n')}\n
The instance is found by DATA_DIR (default .data); a token is the last line of the output.`;
  const [next = ''] = words;
  const exact = !isCommand(meant) && Object.hasOwn(meant, next) ? meant[next] : undefined;
  const lines = exact === undefined ? linesOf(word, meant) : linesOf(`${word} ${next}`, exact);
  return `Usage: steward <command>\n\n${lines.join('\n')}`;
}

function linesOf(name: string, one: Command | Commands): string[] {
  if (isCommand(one)) return blockOf(name, one);
  return Object.entries(one).flatMap(([word, inner]) => linesOf(`${name} ${word}`.trim(), inner));
}

/** Options without help share lines, the first ones with the command. */
function blockOf(name: string, { help, options, anyOf, word }: Command): string[] {
  const all = Object.entries(options);
  const forms = all.filter(([, option]) => isForm(option));
  const within = new Set(forms.flatMap(([, { needs = [], takes = [] }]) => [...needs, ...takes]));
  const show = ([option, one]: readonly [string, Option]): string => {
    const spelled = spell(option, one);
    return one.required === true || anyOf.includes(option) ? spelled : `[${spelled}]`;
  };
  const plain = all.filter(([, option]) => !isForm(option));
  const bare = plain
    .filter(([option, one]) => one.help === undefined && (one.required === true || !within.has(option)))
    .map(show);
  const start = [`  ${name}`, ...(word === undefined ? [] : [word])].join(' ');
  let first = start;
  for (let [next] = bare; next !== undefined; [next] = bare) {
    const longer = `${first} ${next}`;
    if (longer.length > column - 2 && (first !== start || next.startsWith('['))) break;
    first = longer;
    bare.shift();
  }
  const indent = ' '.repeat(name.length + 3);
  const helped = plain.flatMap(([option, one]) =>
    one.help === undefined ? [] : beside(indent + show([option, one]), one.help),
  );
  const formed = forms.map(([option, one]) => {
    const { needs = [], takes = [] } = one;
    const others = [
      ...needs.map((other) => spell(other, options[other] ?? {})),
      ...takes.map((other) => `[${spell(other, options[other] ?? {})}]`),
    ];
    return beside(indent + [spell(option, one), ...others].join(' '), one.help ?? '');
  });
  return [beside(first, help), ...packed(bare, indent), ...helped, ...formed];
}

const beside = (left: string, help: string): string => `${left.padEnd(column - 2)}  ${help}`;

function packed(words: readonly string[], indent: string): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && longer.length <= widest) lines[lines.length - 1] = longer;
    else lines.push(indent + word);
  }
  return lines;
}
