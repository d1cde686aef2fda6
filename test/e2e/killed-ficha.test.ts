/** Workers that are killed while they make a sheet: another worker makes it, and nothing is there twice. */
import { expect, onTestFinished, test } from 'vitest'
import type { Ficha } from '../../src/features/fichas/schemas.ts'
import { startSimulator } from '../../src/simulator/index.ts'
import { eventually, startTestApp } from '../harness.ts'
import { waitUntilIdle } from '../jobs.ts'
import { makeTenant } from '../tenant.ts'
import { createWorkers } from './worker.ts'

test('kill -9 while a sheet is made, twice: one sheet, one use of the quota, one event, and no photo twice', async () => {
  const simulator = await startSimulator()
  onTestFinished(() => simulator.close())
  const portal = `portal_a=${simulator.portalUrl('portal_a')}`
  const app = await startTestApp({ env: { ROLE: 'api', PORTAL_URLS: portal } })
  onTestFinished(() => app.stop())
  const workers = createWorkers(app)
  onTestFinished(() => workers.stop())
  const [listing] = simulator
    .findListings({ operation: 'sale', propertyType: 'homes', city: 'madrid' })
    .filter(({ photoCount }) => photoCount >= 6)
  simulator.faults.add({ kind: 'latency', latencyMs: 300, match: `/fotos/${listing!.id}/` })
  const tenant = await makeTenant(app, 'live')
  const propertyUrl = `${simulator.portalUrl('portal_a')}/inmueble/${listing!.id}/`
  const body = { propertyUrl, waitSeconds: 0 }
  const { body: started } = await tenant.call<Ficha>('POST', '/fichas/generate', { body })
  const countBlobs = async () =>
    (await tenant.inTenant(tx => tx.selectFrom('blobs').select('id').execute())).length

  for (let nth = 0; nth < 2; nth++) {
    const photosBefore = simulator.requests.portal_a.photo
    const killed = workers.start()
    await eventually(
      async () => simulator.requests.portal_a.photo - photosBefore,
      count => count >= 2,
    )
    await killed.end('SIGKILL')
    const { body: ficha } = await tenant.call<Ficha>('GET', `/fichas/${started.id}`)
    expect(ficha, killed.output()).toMatchObject({ status: 'generating', version: 0 })
  }

  await workers.startSurvivor()
  const { body: ficha } = await eventually(
    () => tenant.call<Ficha>('GET', `/fichas/${started.id}?waitSeconds=30`),
    ({ body }) => body.status !== 'generating',
  )
  expect(ficha).toMatchObject({ status: 'ready', version: 1 })
  expect(ficha.photos).toHaveLength(listing!.photoCount)
  await waitUntilIdle(app.database, tenant.tenantId)
  const { body: list } = await tenant.call<{ data: Ficha[] }>('GET', '/fichas')
  expect(list.data.map(({ id }) => id)).toEqual([started.id])
  const events = await tenant.inTenant(tx => tx.selectFrom('events').select('type').execute())
  expect(events).toEqual([{ type: 'ficha.created' }])
  expect(await tenant.readQuotaUsage('maxFichasPerMonth')).toBe(1)
  // The simulator's photos have one width, and each has its own content.
  expect(await countBlobs()).toBe(listing!.photoCount)
})
