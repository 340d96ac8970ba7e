/** A refusal by the API, with its stable code and whatever else it says. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `The server answered ${status}.`);
    this.status = status;
    this.code = problem.code ?? 'unknown';
    this.problem = problem;
  }
}

/** @returns (method, path, {tenant, body}) => the answer's JSON; throws Refused, or Error when nothing answered */
export const connect = (settings, token) =>
  async function ask(method, path, { tenant, body } = {}) {
    let response;
    try {
      response = await fetch(`${settings.portal}/api${path}`, {
        method,
        credentials: 'omit',
        redirect: 'error',
        cache: 'no-store',
        headers: {
          authorization: `Bearer ${token}`,
          ...(tenant === undefined ? {} : { 'x-tenant-id': tenant }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch {
      throw new Error('The server could not be reached. Whatever you decided may have arrived: read it again.');
    }
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Refused(response.status, answer);
    return answer;
  };
