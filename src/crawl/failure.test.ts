/** Messages of failures. */
import { expect, test } from 'vitest'
import { redirectFailure } from './failure.ts'

test('a message contains a short address, or the beginning of a long one', () => {
  expect(redirectFailure('/login').message).toBe(
    'The portal redirected to /login instead of showing the page.',
  )
  const long = `https://portal.example/login?next=${'%2Fventa'.repeat(200)}`
  expect(redirectFailure(long).message).toBe(
    `The portal redirected to ${long.slice(0, 200)}… instead of showing the page.`,
  )
})
