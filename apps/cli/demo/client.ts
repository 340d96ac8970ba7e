/** What came back of one request of the journey. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** Parsed JSON to look into. */
export interface Json {
  readonly [key: string]: Json;
}

export interface Request {
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** @throws RangeError when the answer is not what the journey needs */
export async function send({ url, body, headers }: Request): Promise<Reply> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new RangeError(`${url} answered ${answer.status}: ${text}`);
  return { status: answer.status, headers: answer.headers, body: JSON.parse(text) as Json };
}

/** One line of at most `width` characters. */
export function short(value: unknown, width = 150): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
