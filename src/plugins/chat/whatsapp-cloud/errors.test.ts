/** The error codes of WhatsApp have a meaning of ours. */
import { describe, expect, test } from 'vitest'
import { hasShared, readShared, sharedMissing } from '../../../../test/shared.ts'
import { chatFailureCodes } from '../../chat.ts'
import { knownErrorCodes } from './error-codes.ts'
import { toFailure, toReplyFailure } from './errors.ts'

const toReply = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})

test.each<[number, string, string, boolean]>([
  [0, 'INVALID_CREDENTIALS', 'account', false],
  [190, 'INVALID_CREDENTIALS', 'account', false],
  [10, 'PERMISSION_MISSING', 'account', false],
  [200, 'PERMISSION_MISSING', 'account', false],
  [299, 'PERMISSION_MISSING', 'account', false],
  [4, 'RATE_LIMITED', 'account', true],
  [80_007, 'RATE_LIMITED', 'account', true],
  [130_429, 'RATE_LIMITED', 'account', true],
  [131_056, 'RECIPIENT_LIMIT', 'recipient', true],
  [131_026, 'RECIPIENT_UNREACHABLE', 'recipient', false],
  [131_047, 'WINDOW_CLOSED', 'recipient', false],
  [131_048, 'ACCOUNT_LIMIT', 'account', false],
  [131_049, 'RECIPIENT_LIMIT', 'recipient', false],
  [131_050, 'RECIPIENT_OPTED_OUT', 'recipient', false],
  [131_051, 'UNSUPPORTED', 'message', false],
  [131_053, 'MEDIA_REJECTED', 'message', false],
  [131_031, 'ACCOUNT_RESTRICTED', 'account', false],
  [368, 'ACCOUNT_RESTRICTED', 'account', false],
  [131_042, 'PAYMENT_REQUIRED', 'account', false],
  [132_001, 'TEMPLATE_NOT_FOUND', 'template', false],
  [132_015, 'TEMPLATE_PAUSED', 'template', false],
  [132_999, 'TEMPLATE_MISMATCH', 'template', false],
  [133_010, 'INVALID_CREDENTIALS', 'account', false],
  [999_999, 'MESSAGE_REJECTED', 'message', false],
])('%d is %s of the %s, retryable: %s', (code, ours, scope, retryable) => {
  const { failure } = toFailure({ code })
  expect(failure).toMatchObject({ code: ours, scope, retryable, providerCode: String(code) })
})

test('every known code has a sentence, and only retryable ones a wait', () => {
  for (const code of knownErrorCodes) {
    const { failure } = toFailure({ code })
    expect(failure.message).toMatch(/^\p{Lu}.*\.$/u)
    expect(failure.retryAfterMs > 0).toBe(failure.retryable)
  }
})

describe('a reply', () => {
  const outcome = (reply: ReturnType<typeof toReply>) => {
    const { failure, isCertain } = toReplyFailure(reply)
    return [failure.code, failure.retryable, isCertain]
  }
  test.each<[string, ReturnType<typeof toReply>, unknown[]]>([
    [
      '500 with a temporary error',
      toReply(500, { error: { code: 2 } }),
      ['PROVIDER_UNAVAILABLE', true, true],
    ],
    [
      '500 with an unknown error',
      toReply(500, { error: { code: 131_000 } }),
      ['PROVIDER_UNAVAILABLE', false, false],
    ],
    ['500 with a new code', toReply(500, { error: { code: 777 } }), ['PROVIDER_UNAVAILABLE', false, false]],
    ['400 with a new code', toReply(400, { error: { code: 777 } }), ['MESSAGE_REJECTED', false, true]],
    ['503 with a page', toReply(503, '<html>'), ['PROVIDER_UNAVAILABLE', true, true]],
    ['502 with a page', toReply(502, '<html>'), ['PROVIDER_UNAVAILABLE', false, false]],
    ['504 with a page', toReply(504, ''), ['PROVIDER_UNAVAILABLE', false, false]],
    ['401 without an error', toReply(401, '{}'), ['INVALID_CREDENTIALS', false, true]],
    ['429 without an error', toReply(429, ''), ['RATE_LIMITED', true, true]],
    ['404 without an error', toReply(404, 'x'), ['MESSAGE_REJECTED', false, true]],
    [
      'an object that does not exist',
      toReply(400, { error: { code: 100, error_subcode: 33 } }),
      ['INVALID_CREDENTIALS', false, true],
    ],
  ])('%s', (_what, reply, expected) => expect(outcome(reply)).toEqual(expected))

  test('names the wait in a header', () => {
    const error = { error: { code: 80_007 } }
    const usage = '{"1":[{"type":"whatsapp","estimated_time_to_regain_access":19}]}'
    const wait = (headers: Record<string, string>) =>
      toReplyFailure(toReply(429, error, headers)).failure.retryAfterMs
    expect(wait({})).toBe(60_000)
    expect(wait({ 'retry-after': '120' })).toBe(120_000)
    expect(wait({ 'x-business-use-case-usage': usage })).toBe(19 * 60_000)
    expect(wait({ 'x-business-use-case-usage': 'no json' })).toBe(60_000)
    expect(wait({ 'retry-after': '1e300' })).toBe(86_400_000)
  })

  test('is quoted in part', () => {
    const error = { code: 131_009, error_data: { details: 'x'.repeat(1000) } }
    expect(toFailure(error).failure.message.length).toBeLessThan(400)
  })
})

describe.skipIf(!hasShared)(`the errors of the fixtures${hasShared ? '' : `: ${sharedMissing}`}`, () => {
  interface Example {
    status: number
    value: { error: { code: number; message: string; is_transient?: boolean } }
  }
  const examples: Example[] = hasShared ? JSON.parse(readShared('fixtures/whatsapp/api-errors.json')) : []
  const expected: Record<number, string> = {
    2: 'PROVIDER_UNAVAILABLE',
    4: 'RATE_LIMITED',
    10: 'PERMISSION_MISSING',
    104: 'INVALID_CREDENTIALS',
    190: 'INVALID_CREDENTIALS',
    200: 'PERMISSION_MISSING',
    400: 'MESSAGE_REJECTED',
    803: 'INVALID_CREDENTIALS',
    80007: 'RATE_LIMITED',
  }

  test.each(examples.map(example => [example.status, example.value.error.message, example] as const))(
    '%d %s',
    (status, _message, { value }) => {
      const { failure, isCertain } = toReplyFailure(toReply(status, value))
      const isMissing = 'error_subcode' in value.error && value.error.error_subcode === 33
      const code = isMissing ? 'INVALID_CREDENTIALS' : (expected[value.error.code] ?? 'MESSAGE_REJECTED')
      expect(failure.code).toBe(code)
      expect(chatFailureCodes).toContain(failure.code)
      expect(failure.retryable).toBe(value.error.is_transient === true || value.error.code === 4)
      expect(isCertain).toBe(true)
    },
  )
})
