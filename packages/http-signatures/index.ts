export { contentDigest, digestFits } from './digest.ts';
export {
  type Algorithm,
  type JsonWebKey,
  type KeySet,
  keySetOf,
  mostKeys,
  publicJwk,
  thumbprint,
  type UsableKey,
} from './keys.ts';
export type { RequestMessage, ResponseMessage } from './message.ts';
export { type Refusal, requiredOf, requiredOfAnswer, type Verified, type VerifyOptions, verify } from './verify.ts';
export { sign, type SignOptions } from './sign.ts';
