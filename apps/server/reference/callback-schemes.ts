import { allAdapters } from '@steward/callbacks';

const coverages = {
  body: 'The whole body is signed.',
  fields:
    'Only some members are signed: nothing else of the body is read, and what changes a state is asked of the provider again.',
  none: 'Nothing of the body can be trusted: it only says what to ask the provider for.',
} as const;

type Scheme = ReturnType<typeof allAdapters>[number];

/** How each provider signs, and how it is verified: the rules that the adapters carry. */
export function callbackSchemesPage(): string {
  const adapters = allAdapters(async () => undefined).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return [
    '# Schemes of callbacks',
    '',
    'How each provider signs what it sends, and how Steward verifies it. Made from the adapters of `components/callbacks/adapters`; run',
    '`npm run docs` after a change. [The guide](../guides/callbacks.md) says how an account is connected.',
    ...adapters.flatMap((adapter) => ['', `## ${adapter.name}`, '', ...lines(adapter)]),
    '',
  ].join('\n');
}

function lines({ coverage, rules, secret, settings, handshakeByGet }: Scheme): string[] {
  const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
  const { headers, signed, window, dedupe, source, unsure } = rules;
  return [
    ...(headers.length === 0 ? [] : [`- **Headers**: ${listed(headers)}`]),
    `- **Signed**: ${signed}.`,
    `- **Coverage**: \`${coverage}\`. ${coverages[coverage]}`,
    `- **Time**: ${window === null ? 'none is signed; a repeated delivery is known by its id.' : `at most ${window} s old, and ${Math.min(window, 300)} s ahead.`}`,
    `- **One delivery**: ${dedupe}.`,
    ...(secret === undefined ? [] : [`- **Secret**: ${secret}.`]),
    ...Object.entries(settings ?? {}).map(([name, says]) => `- **Setting** \`${name}\`: ${says}.`),
    ...(handshakeByGet === true
      ? ['- **Before it sends**: it asks by GET, which is answered without any effect.']
      : []),
    ...(unsure === undefined ? [] : [`- **Left open by the provider**: ${unsure}`]),
    `- **Source**: <${source}>`,
  ];
}
