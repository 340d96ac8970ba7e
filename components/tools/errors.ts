import { defineErrors } from '@steward/kernel';

/** Codes of the tool endpoint; as HTTP problems, or as `error_code` of a tool result. */
export const errors = defineErrors({
  legacy_sse_retired: [410, 'The SSE transport is retired'],
  foreign_host: [403, 'The Host header names no address of this server'],
  foreign_origin: [403, 'The Origin is not allowed'],
  internal_only: [403, 'This surface is for platform callers'],
  answer_erased: [410, 'The result of the command was erased'],
  invalid_arguments: [400, 'The arguments are not valid'],
  input_unsupported: [400, 'The client cannot answer questions for more input'],
});
