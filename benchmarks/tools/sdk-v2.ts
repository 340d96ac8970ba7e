import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { answer, description, input, names, output } from './catalogue.ts';
import { contend } from './contestant.ts';

/** The official SDK, version 2, behind the least that turns a node:http request into a Request and back. */
contend(() => {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'bench', version: '1.0.0' });
    for (const name of names) {
      const config = { title: 'List rows', description, inputSchema: input, outputSchema: output };
      server.registerTool(name, config, async () => {
        const data = answer();
        return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
      });
    }
    return server;
  });
  const serve = async (request: IncomingMessage, response: ServerResponse, body: string): Promise<void> => {
    const url = `http://127.0.0.1${request.url ?? '/'}`;
    const headers = request.headers as Record<string, string>;
    const answered = await handler.fetch(new Request(url, { method: 'POST', headers, body }));
    const text = await answered.text();
    response.writeHead(answered.status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  };
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void serve(request, response, Buffer.concat(chunks).toString()));
  });
});
