/** Hashes of passwords, two at a time. */
import { describe, expect, it } from 'vitest'
import { password } from '../../../test/users.ts'
import { hashPassword, verifyPassword } from './password.ts'

const client = { address: '203.0.113.1', disconnected: new AbortController().signal }

describe('a password', () => {
  it('is verified by its hash, which is salted and contains its parameters', async () => {
    const [one, two] = await Promise.all([hashPassword(password, client), hashPassword(password, client)])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(one).not.toBe(two)
    for (const hash of [one, two]) expect(await verifyPassword(password, hash!, client)).toBe(true)
    expect(await verifyPassword(`${password}.`, one!, client)).toBe(false)
    expect(await verifyPassword(password, null, client)).toBe(false)
  })

  it('is equal in every Unicode composition', async () => {
    const hash = await hashPassword('contraseña de Núria', client)
    expect(await verifyPassword('contraseña de Núria'.normalize('NFD'), hash, client)).toBe(true)
  })

  it('hashed elsewhere with other parameters is verified', async () => {
    // From the tests of the reference implementation (P-H-C/phc-winner-argon2, src/test.c).
    const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await verifyPassword('password', hash, client)).toBe(true)
    expect(await verifyPassword('password', hash.replace('t=2', 't=3'), client)).toBe(false)
  })

  it('is hashed two at a time, with client addresses taking turns', async () => {
    const crowd = Promise.allSettled(
      Array.from({ length: 60 }, () => verifyPassword('x', null, { ...client, address: 'crowd' })),
    )
    const startedMs = performance.now()
    await verifyPassword('x', null, { ...client, address: 'one alone' })
    const aloneMs = performance.now() - startedMs
    const results = await crowd
    expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
    expect(performance.now() - startedMs).toBeGreaterThan(3 * aloneMs)
  })
})
