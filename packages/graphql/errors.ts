import { defineErrors } from '@steward/kernel';

/** Codes of the GraphQL door itself; what a verb throws keeps its own code. */
export const errors = defineErrors({
  invalid_document: [400, 'The GraphQL document is not valid'],
  unknown_operation: [400, 'The document does not name the operation to run'],
  invalid_variables: [400, 'The variables do not fit the operation'],
  operation_too_large: [400, 'The operation asks for too much at once'],
  not_acceptable: [406, 'The server cannot answer in an accepted media type'],
  operation_timeout: [503, 'The operation took too long'],
});
