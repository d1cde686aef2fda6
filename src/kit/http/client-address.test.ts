/** The addresses by which clients without a key are rate-limited. */
import { expect, it } from 'vitest'
import { toClientAddress } from './client-address.ts'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['nonsense', 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
])('%s counts as %s', (address, counted) => {
  expect(toClientAddress(address)).toBe(counted)
})
