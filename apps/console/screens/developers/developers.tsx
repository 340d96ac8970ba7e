import { useState, type ReactNode } from 'react';
import { useTenant } from '../../data/organization.ts';
import { useSession } from '../../data/session.ts';
import { Snippet } from '../../parts/copy.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Choice } from '../../parts/tabs.tsx';
import { useWords } from '../../words/language.ts';
import { DevelopersTabs } from './tabs.tsx';

type Words = ReturnType<typeof useWords>['developers'];

/** How agents get here, and where programs find the API. */
export default function Developers(): ReactNode {
  const { developers: words, shell } = useWords();
  const tenant = useTenant();
  const { addresses } = useSession();
  const address = `${addresses.mcp}/t/${tenant}`;
  const clients = clientsOf(address, words);
  const [chosen, setChosen] = useState<string>('Claude');
  const client = clients.find(({ name }) => name === chosen) ?? clients[0];
  return (
    <Page title={shell.developers} part={words.connect} lead={words.lead} bar={<DevelopersTabs />}>
      <Section title={words.assistant}>
        <p>{words.assistantLead}</p>
        <Choice
          label={words.assistant}
          of={clients.map(({ name }) => [name, name] as const)}
          names
          value={chosen}
          onChange={setChosen}
        />
        {client === undefined ? null : (
          <>
            <p>{client.how}</p>
            <Snippet text={client.text} label={client.name} />
          </>
        )}
      </Section>
      <Section title={words.prompts}>
        <p>{words.promptsLead}</p>
        {[words.promptBooks, words.promptBank, words.promptShop, words.promptForm].map((prompt) => (
          <Snippet key={prompt} text={prompt} label={words.prompts} />
        ))}
      </Section>
      <Section title={words.api}>
        <p>{words.apiLead}</p>
        <Facts
          of={[
            [words.organizationId, <code key="id">{tenant}</code>],
            ...(['portal', 'accounting', 'studio', 'commerce', 'storefront', 'issuer'] as const).map(
              (place) => [words[place], <code key={place}>{addresses[place]}</code>] as const,
            ),
            [
              'OpenAPI',
              <a key="openapi" href="/docs/openapi.json">
                /docs/openapi.json
              </a>,
            ],
            [
              words.errorCodes,
              <a key="errors" href="/docs/errors">
                /docs/errors
              </a>,
            ],
          ]}
        />
      </Section>
    </Page>
  );
}

/** As the start page has them, for this organization. */
function clientsOf(address: string, words: Words) {
  const settings = (value: object): string => JSON.stringify(value, null, 2);
  return [
    { name: 'Claude', how: words.howClaude, text: address },
    { name: 'ChatGPT', how: words.howChatGpt, text: address },
    { name: 'Claude Code', how: words.howTerminal, text: `claude mcp add --transport http steward ${address}` },
    {
      name: 'Cursor',
      how: words.howFile('.cursor/mcp.json'),
      text: settings({ mcpServers: { steward: { url: address } } }),
    },
    {
      name: 'VS Code',
      how: words.howFile('.vscode/mcp.json'),
      text: settings({ servers: { steward: { type: 'http', url: address } } }),
    },
    { name: 'Codex', how: words.howFile('~/.codex/config.toml'), text: `[mcp_servers.steward]\nurl = "${address}"` },
    {
      name: 'Gemini CLI',
      how: words.howFile('~/.gemini/settings.json'),
      text: settings({ mcpServers: { steward: { httpUrl: address } } }),
    },
  ];
}
