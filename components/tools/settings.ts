import { ConfigError, list, settings } from '@steward/kernel';

export interface ToolsSettings {
  /** Whose pages may call the tool endpoint from a browser. */
  readonly mcpOrigins: readonly string[];
}

const variables = {
  MCP_ALLOWED_ORIGINS: {
    default: '',
    says: 'Comma list of origins whose pages may call the tool endpoint from a browser, such as https://inspector.example.com.',
  },
} as const;

export const toolsSettings = settings(variables, (env): ToolsSettings => ({
  mcpOrigins: list(env, 'MCP_ALLOWED_ORIGINS').map(origin),
}));

function origin(given: string): string {
  if (given.includes('*'))
    throw new ConfigError(
      `MCP_ALLOWED_ORIGINS: name each origin, such as https://inspector.example.com, not ${given}.`,
    );
  const url = URL.parse(given);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.origin !== given.toLowerCase())
    throw new ConfigError(`MCP_ALLOWED_ORIGINS: ${given} is no origin, such as https://inspector.example.com.`);
  return url.origin;
}
