/** Connections with ad networks for tests. */
import { randomInt } from 'node:crypto'
import { storeConnection } from '../src/features/ads/connect.ts'
import { newConnectionExample } from '../src/features/ads/examples.ts'
import { upsertForms } from '../src/features/ads/forms.ts'
import { createAds } from '../src/features/ads/service.ts'
import type { TestApp } from './harness.ts'

/** Stores a connection with another page each time, without a call of the network. Returns its id. */
export function storeAdConnection(app: TestApp, tenantId: string): Promise<string> {
  const { cipher } = app.deployment
  const ads = createAds({
    networks: [],
    simulateNetwork: network => network,
    cipher,
    http: null as never,
    urls: {},
    baseUrl: '',
  })
  const page = { id: String(randomInt(1e9, 1e12)), name: 'Valencia' }
  const credentials = { ...newConnectionExample.credentials, pageId: page.id }
  const body = { ...newConnectionExample, credentials }
  return app.database.withTenant({ tenantId }, tx => storeConnection(tx, ads, body, page))
}

/** Stores the form `1`, which has the question and the box of the example. */
export const storeLeadForm = (app: TestApp, tenantId: string, connectionId: string): Promise<void> =>
  app.database.withTenant({ tenantId }, tx =>
    upsertForms(tx, connectionId, [
      {
        id: '1',
        name: 'Valora tu piso',
        isActive: true,
        locale: null,
        questions: [{ key: 'cuando', label: '¿Cuándo?', field: null }],
        consent: {
          title: null,
          text: null,
          boxes: [{ key: 'contacto', text: 'Acepto', isRequired: true, isTickedBefore: false }],
        },
      },
    ]),
  )
