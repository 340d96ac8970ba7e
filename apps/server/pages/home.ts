import { html, type Addresses, type ComponentName, type Html } from '@steward/kernel';
import type { Readiness } from '../health.ts';

export interface HomeView {
  readonly version: string;
  readonly addresses: Addresses;
  readonly components: readonly ComponentName[];
  /** Identity providers whose tokens are accepted. */
  readonly issuers: readonly string[];
  /** The development provider runs: anybody can log in there as anybody. */
  readonly development: boolean;
  /** Pages to try things in are served: at the address of GraphQL, of a form and of a shop. */
  readonly examples: boolean;
  readonly readiness: Readiness;
}

/** What runs here and how to begin, for a person who opened the address in a browser. Nothing of any tenant. */
export function homeMain(view: HomeView): Html {
  const { version, issuers, development, readiness, addresses, components } = view;
  return html`<h1>Steward</h1>
    <p>A business platform that AI agents operate and owners can trust. Version ${version}.</p>
    ${development ? developmentNote() : html``}
    <h2>Health</h2>
    <dl>
      <dt>This process</dt>
      <dd>${readiness.ready ? 'ready' : 'not ready'}</dd>
      ${readiness.checks.map(
        ({ name, ok }) =>
          html`<dt>${name}</dt>
            <dd>${ok ? 'well' : 'failing'}</dd>`,
      )}
    </dl>
    <h2>What runs here</h2>
    <dl>
      ${served(view).map(
        ([what, url, kind]) =>
          html`<dt>${what}</dt>
            <dd>${kind === 'page' ? html`<a href="${url}">${url}</a>` : html`<code>${url}</code>`}</dd>`,
      )}
      <dt>Identity</dt>
      <dd>${issuers.map((issuer) => html`<code>${issuer}</code>`)}</dd>
    </dl>
    ${components.includes('tools') ? connect(addresses) : html``}
    <h2>Documents</h2>
    <ul>
      <li><a href="/docs/errors">Error codes</a>: what each means and with which status it comes</li>
      <li><a href="/docs/openapi.json">OpenAPI</a> of every REST route of this installation</li>
      <li><a href="/healthz">Alive</a> and <a href="/readyz">ready</a>, for load balancers</li>
      <li>
        Guides for owners, agents, storefronts, accountants and operators come with the software, in
        <code>docs/guides</code>
      </li>
    </ul>`;
}

const developmentNote = (): Html =>
  html`<p class="warning">
    The development identity provider runs here. Its login asks for no password, so whoever reaches it is anyone: never
    use it with real data, and set <code>ISSUERS</code> before others can reach this address.
  </p>`;

type Served = readonly [what: string, url: string, kind: 'page' | 'endpoint'];

function served({ addresses, components, examples }: HomeView): readonly Served[] {
  const { mcp, portal, accounting, studio, commerce, storefront } = addresses;
  const all: readonly (readonly [ComponentName, ...Served])[] = [
    ['tools', 'Tools (MCP)', mcp, 'endpoint'],
    ['portal', 'Approvals', `${portal}/approvals`, 'page'],
    ['portal', 'Portal', portal, 'endpoint'],
    ['accounting', 'Accounting', accounting, 'endpoint'],
    ['accounting', 'GraphQL', `${accounting}/graphql`, examples ? 'page' : 'endpoint'],
    ['studio', 'Studio', studio, 'endpoint'],
    ['commerce', 'Commerce', commerce, 'endpoint'],
    ['commerce', 'Storefront', storefront, 'endpoint'],
    ...(examples
      ? ([
          ['commerce', 'Try a form', `${commerce}/example`, 'page'],
          ['commerce', 'Try a shop', `${commerce}/example/shop`, 'page'],
        ] as const)
      : []),
  ];
  return all.flatMap(([component, ...one]) => (components.includes(component) ? [one] : []));
}

/** For each of the usual assistants what to type or to paste. */
function connect({ mcp }: Addresses): Html {
  const settings = (value: object): string => JSON.stringify(value, null, 2);
  const clients: readonly (readonly [name: string, how: string, text: string])[] = [
    ['Claude', 'Settings, Connectors, Add custom connector: paste the address.', mcp],
    ['ChatGPT', 'Settings, Connectors, Create (in developer mode): paste the address.', mcp],
    ['Claude Code', 'In a terminal:', `claude mcp add --transport http steward ${mcp}`],
    ['Codex', 'In ~/.codex/config.toml:', `[mcp_servers.steward]\nurl = "${mcp}"`],
    ['Cursor', 'In .cursor/mcp.json:', settings({ mcpServers: { steward: { url: mcp } } })],
    ['VS Code', 'In .vscode/mcp.json:', settings({ servers: { steward: { type: 'http', url: mcp } } })],
    ['Gemini CLI', 'In ~/.gemini/settings.json:', settings({ mcpServers: { steward: { httpUrl: mcp } } })],
  ];
  return html`<h2>Connect an assistant</h2>
    <p>
      Each of these opens a page on which you sign in and say what the assistant may do. An assistant that runs
      elsewhere, such as Claude or ChatGPT, reaches public https addresses only. To bind one organization, use
      <code>${mcp}/t/{organization id}</code>; for one field of work, <code>${mcp}/p/accounting</code> and the like.
    </p>
    ${clients.map(
      ([name, how, text]) =>
        html`<h3>${name}</h3>
          <p>${how}</p>
          <pre>${text}</pre>`,
    )}`;
}
