/** JSON-RPC 2.0 §5.1, and the codes MCP 2026-07-28 allocates. */
export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** A request that gets a JSON-RPC error. `status` is the HTTP status that carries it. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly status: number;
  readonly code: number;
  readonly data: unknown;

  constructor(status: number, code: number, message: string, data?: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
  }
}

/** The JSON of an error message; `id` is JSON already. */
export const errorMessage = (id: string, { code, message, data }: ProtocolError): string =>
  `{"jsonrpc":"2.0","error":${JSON.stringify({ code, message, data })},"id":${id}}`;
