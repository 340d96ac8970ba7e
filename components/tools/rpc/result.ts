import type { PresentedResult } from '../call/result.ts';
import type { RpcRequest, Reply } from './request.ts';

export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

export interface Results {
  /** A reply whose result has these members, given as JSON without braces. */
  complete(request: Pick<RpcRequest, 'id' | 'era'>, members: string): Reply;
  list(request: Pick<RpcRequest, 'id' | 'era'>, prebuilt: Buffer, ttlMs: number): Reply;
  tool(request: Pick<RpcRequest, 'id' | 'era'>, result: PresentedResult): Reply;
  inputRequired(id: string, inputRequests: unknown, requestState: string | undefined): Reply;
}

/** Results with what each era adds to them. Members come before the id, so that the large part is prebuilt. */
export function createResults(serverInfo: ServerInfo): Results {
  const meta = `"_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': serverInfo })}`;
  const complete = `,"resultType":"complete",${meta}`;
  const end = { legacy: '},"id":', modern: `${complete}},"id":` };
  const open = '{"jsonrpc":"2.0","result":{';
  const reply = (body: string): Reply => ({ status: 200, body });
  return {
    complete: ({ id, era }, members) => reply(`${open}${members}${end[era]}${id}}`),
    list: ({ id, era }, prebuilt, ttlMs) => {
      const hints = era === 'modern' ? `,"ttlMs":${ttlMs},"cacheScope":"private"` : '';
      return { status: 200, prebuilt, body: `${hints}${end[era]}${id}}` };
    },
    tool: ({ id, era }, { json, failed }) => {
      const body =
        `${open}"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}` +
        `${failed ? ',"isError":true' : ''}${end[era]}${id}}`;
      return isAscii(json) && isAscii(id) ? { status: 200, body, bytes: body.length } : reply(body);
    },
    inputRequired: (id, inputRequests, requestState) => {
      const state = requestState === undefined ? '' : `,"requestState":${JSON.stringify(requestState)}`;
      return reply(
        `${open}"resultType":"input_required","inputRequests":${JSON.stringify(inputRequests)}${state},${meta}},"id":${id}}`,
      );
    },
  };
}

/** Asked of the parts: of a string put together from many it costs as much as putting it together. */
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;
