/** What people are told when an extraction fails. */
import { expect, test } from 'vitest'
import { redirected } from './failure.ts'

test('an address is told whole, or its beginning if it is long', () => {
  expect(redirected('/login').message).toBe(
    'The portal sent us elsewhere (/login) instead of showing the page.',
  )
  const long = `https://portal.example/login?next=${'%2Fventa'.repeat(200)}`
  expect(redirected(long).message).toBe(
    `The portal sent us elsewhere (${long.slice(0, 200)}…) instead of showing the page.`,
  )
})
