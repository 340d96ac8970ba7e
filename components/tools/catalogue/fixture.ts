import type { Question } from './question.ts';
import type { Call } from './tool.ts';

/**
 * A tool that answers MCP content of its own making. Only for the protocol's conformance suites, whose tools are not
 * Steward's: no shipped process registers one.
 */
export interface FixtureTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object' } & Readonly<Record<string, unknown>>;
  run(call: Call, args: Readonly<Record<string, unknown>>): FixtureResult | Question;
}

export interface FixtureResult {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly isError?: boolean;
}
