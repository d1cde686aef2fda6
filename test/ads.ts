/** Connections with ad networks for tests. */
import { randomInt } from 'node:crypto'
import { newConnectionExample } from '../src/features/ads/examples.ts'
import { upsertForms } from '../src/features/ads/forms.ts'
import type { TestApp } from './harness.ts'

/** Connects another page each time. Returns the id of the connection. */
export async function connectAds(app: TestApp, key: string): Promise<string> {
  const credentials = { ...newConnectionExample.credentials, pageId: String(randomInt(1e9, 1e12)) }
  const { body } = await app.call<{ id: string }>('POST', '/ads/connections', {
    key,
    body: { ...newConnectionExample, credentials },
  })
  return body.id
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
