import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderChallenge } from './challenge.ts';

const resourceMetadata = 'https://steward.example/.well-known/oauth-protected-resource/mcp';

describe('a challenge', () => {
  it('names no error when no token was sent', () => {
    assert.equal(
      renderChallenge({ resourceMetadata, scope: 'mcp:read mcp:write' }),
      `Bearer scope="mcp:read mcp:write", resource_metadata="${resourceMetadata}"`,
    );
  });

  it('cannot be broken by what it describes', () => {
    const description = 'say "no"\\\r\nSet-Cookie: a=b ü';
    assert.equal(
      renderChallenge({ resourceMetadata, error: 'invalid_token', description }),
      `Bearer error="invalid_token", error_description="say 'no''??Set-Cookie: a=b ?", resource_metadata="${resourceMetadata}"`,
    );
  });
});
