import type { Tier } from '@steward/access';
import { neededFor, type Question } from '../catalogue/question.ts';
import type { Call } from '../catalogue/tool.ts';
import { codes, ProtocolError } from '../protocol/error.ts';
import { isObject, type Params } from '../protocol/message.ts';
import type { Reply, RpcRequest } from '../rpc/request.ts';
import type { Results } from '../rpc/result.ts';
import { presentFailure } from './result.ts';

const none: Call['answers'] = {};

/** @throws ProtocolError -32602 when `inputResponses` is not an object of objects */
export function answersOf(params: Params): Call['answers'] {
  const given = params['inputResponses'];
  if (given === undefined) return none;
  if (!isObject(given) || !Object.values(given).every(isObject)) {
    throw new ProtocolError(400, codes.invalidParams, 'params.inputResponses must be an object of objects.');
  }
  return given as Call['answers'];
}

/**
 * The reply that asks the client for input; a client that cannot be asked gets the capabilities that it lacks.
 * @throws ProtocolError -32021 with the capabilities that the client would have to declare
 */
export function askedOf(
  results: Results,
  request: RpcRequest,
  tier: Tier,
  question: Question,
  state: string | undefined,
): Reply {
  if (request.era === 'legacy') {
    return results.tool(
      request,
      presentFailure(
        tier,
        'input_unsupported',
        'This tool asks for more input, which needs a client of MCP 2026-07-28 or newer.',
      ),
    );
  }
  const lacking = neededFor(question).filter((capability) => !request.capabilities.has(capability));
  if (lacking.length > 0) {
    throw new ProtocolError(
      400,
      codes.missingCapability,
      `The client must declare the capabilities ${lacking.join(', ')} to call this tool.`,
      {
        requiredCapabilities: Object.fromEntries(lacking.map((capability) => [capability, {}])),
      },
    );
  }
  return results.inputRequired(request.id, question.ask, state);
}
