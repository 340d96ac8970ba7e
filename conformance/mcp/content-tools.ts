import { readFileSync } from 'node:fs';
import type { FixtureResult, FixtureTool } from '@steward/tools';

/** A red pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A WAV file without samples. */
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (value: string): Readonly<Record<string, unknown>> => ({ type: 'text', text: value });

export const plain = (value: string): FixtureResult => ({ content: [text(value)] });

export const empty = { type: 'object', properties: {}, additionalProperties: false } as const;

const answering = (name: string, description: string, result: FixtureResult): FixtureTool => ({
  name,
  description,
  inputSchema: empty,
  run: () => result,
});

const resource = (uri: string, mimeType: string, content: string): Readonly<Record<string, unknown>> => ({
  type: 'resource',
  resource: { uri, mimeType, text: content },
});

/** Tools that answer one kind of MCP content each, as the suite describes them. */
export const contentTools: readonly FixtureTool[] = [
  answering('test_simple_text', 'Answers text.', plain('This is a simple text response for testing.')),
  answering('test_image_content', 'Answers an image.', {
    content: [{ type: 'image', data: png, mimeType: 'image/png' }],
  }),
  answering('test_audio_content', 'Answers audio.', { content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  answering('test_embedded_resource', 'Answers a resource.', {
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  answering('test_multiple_content_types', 'Answers three kinds of content.', {
    content: [
      text('Multiple content types test:'),
      { type: 'image', data: png, mimeType: 'image/png' },
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  answering('test_error_handling', 'Always fails.', {
    ...plain('This tool intentionally returns an error for testing'),
    isError: true,
  }),
  answering('test_logging_tool', 'Would log, if this endpoint had logs to send.', plain('Nothing was logged.')),
  {
    name: 'test_x_mcp_header',
    description: 'Mirrors an argument in a header.',
    inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    run: (_call, args) => plain(`region ${String(args['region'])}`),
  },
  {
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: JSON.parse(
      readFileSync(new URL('2020-12-schema.json', import.meta.url), 'utf8'),
    ) as FixtureTool['inputSchema'],
    run: () => plain('Nothing is done with the arguments.'),
  },
];
