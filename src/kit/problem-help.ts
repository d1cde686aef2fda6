/** The meaning of each common error code, and the action for the caller, for docs/reference/errors.md. */
import type { ProblemCode, ProblemHelp } from './problem.ts'

export const problemHelp: Record<ProblemCode, ProblemHelp> = {
  INVALID_INPUT: {
    meaning: 'Values of the request are not valid. `errors` lists each with its path, a code and a sentence.',
    action: 'Correct every listed value and send the request again.',
  },
  MALFORMED_JSON: {
    meaning: 'The body is not valid JSON.',
    action: 'Send valid JSON, encoded as UTF-8.',
  },
  INVALID_CURSOR: {
    meaning: 'The `cursor` or `after` is not from this list, or its item is gone.',
    action: 'Read the list again from the start, without the cursor.',
  },
  UNAUTHENTICATED: {
    meaning: 'The API key is missing, unknown, revoked or expired, or the session has ended.',
    action: 'Send a valid key in `X-Api-Key`, or sign in again.',
  },
  INSUFFICIENT_SCOPE: {
    meaning: 'The key lacks the scope of the route, or the role of the user does not allow the call.',
    action: 'Use a key with the scope that the message names.',
  },
  ORIGIN_NOT_ALLOWED: {
    meaning: 'A browser sent the request from a page of another origin.',
    action: 'Call from an allowed origin; the dashboard calls from its own pages.',
  },
  NOT_FOUND: {
    meaning: 'No object of this environment has the id, or the address does not exist.',
    action:
      'Check the id, and that the key belongs to the environment of the object. `mergedIntoLeadId` names the lead that replaced a merged one.',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The address does not support the method.',
    action: 'Use one of the methods in the header `Allow`.',
  },
  REQUEST_TIMEOUT: {
    meaning: 'The request, or the uploaded file, arrived too slowly.',
    action: 'Send it again over a faster connection.',
  },
  IDEMPOTENCY_IN_FLIGHT: {
    meaning: 'A request with the same `Idempotency-Key` is still running.',
    action: 'Wait a moment, then send the same request again.',
  },
  INVALID_TRANSITION: {
    meaning: 'The status of the object does not allow the action, such as cancelling what has ended.',
    action: 'Read the object, and decide by its status.',
  },
  PRECONDITION_FAILED: {
    meaning: 'The object has changed since its `ETag` was read, or does not exist.',
    action: 'Read the object again, apply the change to it, and send the new `ETag` in `If-Match`.',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body or the file is larger than the route accepts.',
    action: 'Divide it into several requests.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The `Content-Type` is not one that the route reads.',
    action: 'Send the content type that the message names.',
  },
  IDEMPOTENCY_MISMATCH: {
    meaning: 'The `Idempotency-Key` was used with another payload.',
    action: 'Use a new key for a new request.',
  },
  RATE_LIMITED: {
    meaning: 'The key, link or client address has sent too many requests.',
    action: 'Wait as long as `Retry-After` says, then try again.',
  },
  TOO_MANY_CONCURRENT_REQUESTS: {
    meaning: 'Too many requests of the key or the environment are running or waiting in this process.',
    action: 'Send fewer requests at once, and try again after `Retry-After`.',
  },
  QUOTA_EXCEEDED: {
    meaning: 'A monthly quota of the workspace is used up.',
    action:
      'Wait until the quota is renewed (`Retry-After`), or let the operator raise it with `npx aldaba quotas set`.',
  },
  INTERNAL: {
    meaning: 'The server failed unexpectedly. The cause is in its log.',
    action: 'Try again later; if it persists, report the `requestId` to the operator.',
  },
  UNAVAILABLE: {
    meaning: 'The server is busy or restarting, or a service that it needs is unavailable.',
    action: 'Try again after `Retry-After`, or in a moment.',
  },
}
