export { badCursor, defineErrors, fail, Problem, type ErrorTable, type Fail, type FieldError } from './errors.ts';
export { explainErrorsAt, presentProblem, problemOf, type ProblemDocument } from './problem.ts';
export { isShallow } from './json/outline.ts';
export { parseJson } from './json/parse.ts';
export { idsAround, isId, newId, newIdAt, timeOfId } from './ids.ts';
export { fetchJson } from './fetch-json.ts';
export { AddressRefused, createGuardedFetch, type GuardedFetch, lookupFor } from './guarded-fetch.ts';
export { createGuardedPost, type GuardedPost, NoAnswer, type Posted } from './guarded-post.ts';
export {
  createProviderClient,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderClient,
  type ProviderMethod,
} from './outside/provider-client.ts';
export { ProviderRefused, ProviderUnavailable } from './outside/provider-errors.ts';
export { jsonPointer } from './pointer.ts';
export { BoundedMap } from './bounded-map.ts';
export { createWriteMarks, type WriteMarks } from './write-marks.ts';
export { createFreshCache, type FreshCache, type Loaded } from './fresh-cache.ts';
export { deferred, type Deferred } from './deferred.ts';
export { dictionary } from './dictionary.ts';
export { formHeaders, pageHeaders, navigation, pageText, picturedHeaders, unseen } from './page.ts';
export { countryCodes, isCountryCode } from './country.ts';
export { counted } from './counted.ts';
export { mentioning } from './mentioning.ts';
export { normalized } from './normalized.ts';
export { trimEnd, trimStart } from './trim.ts';
export { caseFolded, searchTerms, searchWords } from './search-words.ts';
export { openBytes, sealBytes } from './sealing.ts';
export { createPace, type Pace } from './pace.ts';
export { systemClock, timestamp, type Clock } from './clock.ts';
export { allocate, formatAmount, money, parseAmount, type Money } from './money/amount.ts';
export { howWritten } from './money/how-written.ts';
export { exponentOf, isCurrency } from './money/currency.ts';
export type { PrincipalRef, PrincipalType } from './principal.ts';
export type { Effect } from './effect.ts';
export { defineEvents, payload, type Payload, type Payloads } from './events/define.ts';
export { undeclared, type PublishedEvent, type RecordedEvent } from './events/event.ts';
export { readConfig } from './config/config.ts';
export { isLoopback } from './config/loopback.ts';
export { componentNames, type ComponentName, type ProcessConfig } from './config/process.ts';
export { keepSecret, readSecret, writeSecret } from './config/secret-file.ts';
export { keptSecretKey, secretKey } from './config/secret-key.ts';
export { ConfigError, hexDigest, integer, list, oneOf, text, type Source } from './config/read.ts';
export { settings, type Settings } from './config/settings.ts';
export type { Addresses } from './config/addresses.ts';
export { processVariables, type Environment, type Variables } from './config/variables.ts';
export { html, Html } from './html.ts';
export { createLog, logFailure, type Log } from './log.ts';
export { Counter, createMetrics, Gauge, Histogram, Latency, type LatencySeries, type Metrics } from './metrics.ts';
export { listen, type Door, type Listener, type RequestHandler } from './host/listener.ts';
export {
  isVisit,
  answerProblem,
  bodyLimit,
  createRouter,
  requestProblem,
  sendProblem,
  takeFiles,
  type Mount,
  type Reply,
  type Request,
  type Scope,
} from './host/router.ts';
export { arrivalOf, leadOn, publicUrlOf } from './host/arrival.ts';
export { requestIdOf } from './host/request-id.ts';
export { clientAddressReader, limitBucket, type ClientAddress } from './host/client-address.ts';
