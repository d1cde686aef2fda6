/** Logs of webhooks contain no paths, queries or headers of receivers, because these may hold secrets. */
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runCommand } from '../../../test/command.ts'
import { eventually, startTestAppForTest, type TestApp } from '../../../test/harness.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import { startReceiver, startReceiverForTest } from '../../../test/receiver.ts'
import { openDatabase } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { createLog } from '../../kit/log.ts'
import { createApp } from '../../server.ts'
import { leadsImported } from '../leads/events.ts'

/** A logger of all levels that collects its lines. */
function captureLog() {
  const log = createLog('trace')
  const lines: string[] = []
  const stream = (log as unknown as Record<symbol, { write(line: string): void }>)[pino.symbols.streamSym]!
  const write = vi.spyOn(stream, 'write').mockImplementation(line => void lines.push(line))
  onTestFinished(() => write.mockRestore())
  return { log, lines }
}

test('a receiver is logged by its subscription and host, never with its path, query, headers or secret', async () => {
  const { config, deployment, workspace } = await startTestAppForTest({ env: { ROLE: 'api' } })
  const { log, lines } = captureLog()
  const resolve = async () => {
    throw new Error('getaddrinfo ENOTFOUND nowhere.example')
  }
  const database = openDatabase(config.databaseUrl!, { onError: () => {} })
  const app = createApp({ ...config, role: 'all' }, { ...deployment, database }, log, { resolve })
  const address = await app.start()
  onTestFinished(async () => {
    await app.stop()
    await database.close()
  })
  const call = async <T>(method: string, path: string, body: object): Promise<T> => {
    const reply = await fetch(`${address}/public/v1${path}`, {
      method,
      headers: { 'x-api-key': workspace.testKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await reply.json()) as T
  }
  const hidden = (url: string) => ({
    url: `${url}/hidden-path?token=hidden-query`,
    headers: { authorization: 'Bearer hidden-header' },
  })
  const [failing, gone, working] = [
    await startReceiverForTest(() => ({ status: 500, body: 'hidden-reply' })),
    await startReceiver(),
    await startReceiverForTest(),
  ]
  await gone.stop()
  // Failures whose messages come from libraries: no HTTP, no TLS, a redirect, an unknown host.
  const oddReceivers = await Promise.all([
    startReceiverForTest((_delivery, { socket }) => {
      socket!.end('hidden-words\r\n\r\n')
      return null
    }),
    startReceiverForTest(() => ({ status: 302, headers: { location: 'http://crm.example/hidden-place' } })),
  ])
  const oddUrls = [
    ...oddReceivers.map(({ url }) => url),
    working.url.replace('http:', 'https:'),
    'https://nowhere.example/hooks',
  ]
  const made: { id: string; secret: string }[] = []
  for (const { url } of [failing, gone, working]) made.push(await call('POST', '/webhooks', hidden(url)))
  for (const url of oddUrls) made.push(await call('POST', '/webhooks', hidden(url)))
  await call('PATCH', `/webhooks/${made[2]!.id}`, hidden(working.url))
  await call('POST', `/webhooks/${made[2]!.id}/rotate-secret`, {})
  await call('POST', `/webhooks/${made[0]!.id}/test`, {})
  await call('POST', '/webhooks', hidden('http://10.0.0.1'))
  await call('POST', '/webhooks', { ...hidden(working.url), headers: { host: 'hidden-header' } })
  const { testTenantId: tenantId } = workspace
  await database.withTenant({ tenantId }, tx => emit(tx, leadsImported, leadsImported.example))
  await waitUntilIdle(database, tenantId)
  const warnings = await eventually(
    async () => lines.filter(line => line.includes('webhooks were not delivered')),
    some =>
      [failing.url, gone.url, ...oddUrls].every(url =>
        some.some(line => line.includes(`"host":"${new URL(url).host}"`)),
      ),
  )
  for (const { id } of made.slice(0, 2)) expect(warnings.join()).toContain(id)
  const { rows: jobs } = await database.ownerPool.query('select * from graphile_worker._private_jobs')
  const doctor = await runCommand({ url: address, config } as TestApp, ['doctor'])
  expect(doctor.stdout).toContain('encryption key')
  const all = [...lines, JSON.stringify(jobs), doctor.stdout, doctor.stderr].join()
  expect(all).toContain('"route":"/public/v1/webhooks"')
  for (const text of ['hidden-', ...made.map(({ secret }) => secret)]) expect(all).not.toContain(text)
})
