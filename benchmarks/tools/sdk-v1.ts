import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { answer, description, input, names, output } from './catalogue.ts';
import { contend } from './contestant.ts';

/** The official SDK, version 1, stateless as its documentation shows it: a server and a transport for each request. */
contend(() =>
  createServer((request, response) => {
    void serve();
    async function serve(): Promise<void> {
      const server = new McpServer({ name: 'bench', version: '1.0.0' });
      for (const name of names) {
        const config = { title: 'List rows', description, inputSchema: input.shape, outputSchema: output.shape };
        server.registerTool(name, config, async () => {
          const data = answer();
          return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
        });
      }
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      response.on('close', () => void Promise.all([transport.close(), server.close()]));
      await server.connect(transport as Parameters<typeof server.connect>[0]);
      await transport.handleRequest(request, response);
    }
  }),
);
