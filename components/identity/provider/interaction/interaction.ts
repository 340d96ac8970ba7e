import type { IncomingMessage, ServerResponse } from 'node:http';
import { SessionNotFound } from 'oidc-provider/lib/helpers/errors.js';
import { readForm } from '../form.ts';
import { errorMain } from '../pages/error.ts';
import { sendPage } from '../pages/page.ts';
import { consent } from './consent.ts';
import { login } from './login.ts';
import type { InteractionParts, Step } from './step.ts';

/** Shows the login or consent page, and takes what is submitted there. */
export function createInteraction(
  parts: InteractionParts,
): (request: IncomingMessage, response: ServerResponse, uid: string) => Promise<void> {
  const { unsafePublic } = parts.setting;
  return async (request, response, uid) => {
    const refuse = (status: number, code: string, text: string): void =>
      sendPage(response, status, { title: 'Error', main: errorMain(code, text), unsafePublic });
    if (request.method !== 'GET' && request.method !== 'HEAD' && request.method !== 'POST') {
      response.setHeader('allow', 'GET, POST');
      return refuse(405, 'method_not_allowed', 'Open this address in a browser.');
    }
    const form = request.method === 'POST' ? await readForm(request) : undefined;
    if (request.method === 'POST' && form === undefined) {
      return refuse(400, 'invalid_request', 'The server cannot read the form: go back and send it again.');
    }
    try {
      const details = await parts.provider.interactionDetails(request, response);
      if (details.uid !== uid) throw new SessionNotFound('interaction session not found');
      const step: Step = { ...parts, request, response, details, form };
      if (form?.get('action') === 'cancel') {
        const result = { error: 'access_denied', error_description: 'The request was denied.' };
        return await parts.provider.interactionFinished(request, response, result);
      }
      return await (details.prompt.name === 'login' ? login(step) : consent(step));
    } catch (error) {
      if (!(error instanceof SessionNotFound)) throw error;
      return refuse(400, 'session_not_found', 'This page has expired, or was opened in another browser.');
    }
  };
}
