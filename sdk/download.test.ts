/** Downloads are streamed without a time limit, and a truncated file is never mistaken for a whole one. */
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { createClient } from './index.ts'
import { noReply, problem, reply, type ScriptedServer, startScriptedServer } from './scripted-server.ts'

let server: ScriptedServer
beforeEach(async () => {
  server = await startScriptedServer()
  return () => server.close()
})

const createTestClient = (timeoutMs = 30_000) =>
  createClient({ baseUrl: server.address, apiKey: 'svc_test_key', timeoutMs, retriesMax: 1 })

test('the bytes of a file are returned unchanged', async () => {
  server.replies = [reply(200, 'id;status\r\n')]
  const file = await createTestClient().download('exportLeads', { query: { format: 'csv', separator: ';' } })
  expect(await text(file)).toBe('id;status\r\n')
  expect(server.requests[0]).toMatchObject({
    method: 'GET',
    url: '/public/v1/leads/export?format=csv&separator=%3B',
    headers: { 'x-api-key': 'svc_test_key' },
  })
})

test('a refusal is an error, and is retried if that may help', async () => {
  server.replies = [problem(503, 'UNAVAILABLE'), problem(403, 'INSUFFICIENT_SCOPE')]
  await expect(createTestClient().download('exportLeads')).rejects.toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
    status: 403,
  })
  expect(server.requests).toHaveLength(2)
})

test('the timeout applies to the beginning of a file, not to its end', async () => {
  server.replies = [
    async response => {
      response.write('a')
      await sleep(300)
      response.end('b')
    },
  ]
  expect(await text(await createTestClient(150).download('exportLeads'))).toBe('ab')
  server.replies = [noReply]
  await expect(createTestClient(150).download('exportLeads')).rejects.toMatchObject({ code: 'TIMEOUT' })
})

test('a truncated file fails', async () => {
  server.replies = [
    async response => {
      response.write('a')
      await sleep(50)
      response.destroy()
    },
  ]
  const file = await createTestClient().download('exportLeads')
  await expect(text(file)).rejects.toThrow()
})
