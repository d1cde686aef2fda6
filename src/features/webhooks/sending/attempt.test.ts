/** The limits of an attempt to deliver a message. */
import { expect, test } from 'vitest'
import type { HttpClient } from '../../../kit/http/client.ts'
import { attempt } from './attempt.ts'
import { newSecret } from './signature.ts'

test('the timeout is 15 s, and 4 KB of the reply are kept', async () => {
  const requests: unknown[] = []
  const http = {
    fetch: async (_url: string, request: object) => {
      requests.push(request)
      return { status: 204, headers: new Headers(), body: Buffer.alloc(0) }
    },
  } as unknown as HttpClient
  const receiver = { url: 'https://crm.example/', secrets: [newSecret()], headers: {} }
  const { signal } = new AbortController()
  const made = await attempt(http, receiver, { id: 'msg_1', body: '{}' }, { signal })
  expect(made).toMatchObject({ responseStatus: 204, error: null })
  expect(requests).toMatchObject([{ timeoutMs: 15_000, bodyMaxBytes: 4096, truncateBody: true }])
})
