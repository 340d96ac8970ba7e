import type { Call, ClientCapability, FixtureResult, FixtureTool, InputRequest, Question } from '@steward/tools';
import { empty, plain } from './content-tools.ts';

const elicit = (message: string, property: string, type: string): InputRequest => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [property]: { type } }, required: [property] },
  },
});

const sample = (text: string): InputRequest => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 },
});

const roots: InputRequest = { method: 'roots/list', params: {} };
const name = elicit('What is your name?', 'name', 'string');
const confirm = elicit('Please confirm', 'ok', 'boolean');

/** What the client accepted to an elicitation, or undefined. */
const accepted = (call: Call, key: string): Readonly<Record<string, unknown>> | undefined => {
  const answer = call.answers[key];
  const content = answer?.['action'] === 'accept' ? answer['content'] : undefined;
  return typeof content === 'object' && content !== null ? (content as Readonly<Record<string, unknown>>) : undefined;
};

const asking = (suffix: string, description: string, run: (call: Call) => FixtureResult | Question): FixtureTool => ({
  name: `test_${suffix}`,
  description,
  inputSchema: empty,
  run,
});

const greet = (call: Call): FixtureResult | Question => {
  const given = accepted(call, 'user_name');
  return given === undefined ? { ask: { user_name: name } } : plain(`Hello, ${String(given['name'])}!`);
};

const confirmed = (call: Call): FixtureResult | Question =>
  accepted(call, 'confirm') === undefined || call.remembered !== 'round 1'
    ? { ask: { confirm }, remember: 'round 1' }
    : plain('state-ok');

const all = { user_name: name, greeting: sample('Generate a greeting'), client_roots: roots };

const allAnswered = (call: Call): boolean =>
  call.remembered === 'all' && Object.keys(all).every((key) => call.answers[key] !== undefined);

const inRounds = (call: Call): FixtureResult | Question => {
  const first = { ask: { step1: elicit('Step 1: What is your name?', 'name', 'string') }, remember: { step: 1 } };
  const { step, user } = (call.remembered ?? {}) as { step?: number; user?: string };
  const given = accepted(call, 'step1');
  if (step === 1 && given !== undefined) {
    const remember = { step: 2, user: String(given['name']) };
    return { ask: { step2: elicit('Step 2: What is your favorite color?', 'color', 'string') }, remember };
  }
  const color = accepted(call, 'step2');
  return step === 2 && color !== undefined ? plain(`${user} likes ${String(color['color'])}.`) : first;
};

const offers: Partial<Record<ClientCapability, Readonly<Record<string, InputRequest>>>> = {
  elicitation: { user_name: name },
  sampling: { greeting: sample('Generate a greeting') },
  roots: { client_roots: roots },
};

const asDeclared = (call: Call): FixtureResult | Question => {
  const ask = Object.assign({}, ...[...call.capabilities].map((capability) => offers[capability])) as Question['ask'];
  return Object.keys(ask).length === 0 ? plain('There is nobody to ask.') : { ask };
};

/** Tools that ask back (MCP 2026-07-28, multi round-trip requests), as the suite describes them. */
export const askingTools: readonly FixtureTool[] = [
  asking('missing_capability', 'Needs sampling.', () => ({
    ask: { capital_question: sample('What is the capital of France?') },
  })),
  asking('streaming_elicitation', 'Asks for a name in its answer, never beside it.', greet),
  asking('input_required_result_elicitation', 'Asks for a name.', greet),
  asking('input_required_result_sampling', 'Asks the model.', (call) =>
    call.answers['capital_question'] === undefined
      ? { ask: { capital_question: sample('What is the capital of France?') } }
      : plain(JSON.stringify(call.answers['capital_question'])),
  ),
  asking('input_required_result_list_roots', 'Asks for the roots.', (call) =>
    call.answers['client_roots'] === undefined
      ? { ask: { client_roots: roots } }
      : plain(JSON.stringify(call.answers['client_roots'])),
  ),
  asking('input_required_result_request_state', 'Remembers a round.', confirmed),
  asking('input_required_result_tampered_state', 'Remembers a round, and nothing else.', confirmed),
  asking('input_required_result_multiple_inputs', 'Asks three things at once.', (call) =>
    allAnswered(call) ? plain('All was answered.') : { ask: all, remember: 'all' },
  ),
  asking('input_required_result_multi_round', 'Asks in rounds.', inRounds),
  asking('input_required_result_capabilities', 'Asks what the client can be asked.', asDeclared),
];
