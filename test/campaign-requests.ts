/** Requests of campaigns, for tests. */
import type { Campaign } from '../src/features/campaigns/campaigns/schemas.ts'
import { newId } from '../src/kit/id.ts'
import type { TestTenant } from './tenant.ts'

export type CampaignBody = Campaign & {
  code: string
  message: string
  errors: { path: string; code: string }[]
}
export interface CampaignReply {
  status: number
  body: CampaignBody
}

export const filters = {
  operation: 'sale',
  propertyType: 'homes',
  location: { id: 'barcelona', label: 'Barcelona' },
}
export const search = { name: ' Owners ', platform: 'portal_a', segmentation: { filters } }
export const rows = { name: 'Owners', platform: 'csv_import', segmentation: { batchSize: 25 } }

export const listErrors = ({ status, body }: CampaignReply) => [
  status,
  ...(body.errors ?? []).map(error => `${error.path} ${error.code}`).sort(),
]

/** `getTenant`: the one of the running test. */
export function createCampaignRequests(getTenant: () => TestTenant) {
  const create = (fields: object = search) =>
    getTenant().call<CampaignBody>('POST', '/campaigns', { body: fields })
  const change = (id: string, fields: object, headers: Record<string, string> = {}) =>
    getTenant().call<CampaignBody>('PATCH', `/campaigns/${id}`, { body: fields, headers })
  const get = (id: string) => getTenant().call<CampaignBody>('GET', `/campaigns/${id}`)
  const connectManual = async (): Promise<string> => {
    const body = {
      provider: 'manual',
      mode: 'chat-no-api',
      displayName: 'Ana',
      credentials: { phone: '+34600000001' },
    }
    const reply = await getTenant().call<{ id: string }>('POST', '/accounts', { body })
    if (reply.status !== 201) throw new Error(reply.text)
    return reply.body.id
  }
  const makeTemplate = async (body = 'Hola {{ contact.name }}'): Promise<string> => {
    const reply = await getTenant().call<{ id: string }>('POST', '/templates', {
      body: { name: `t ${newId()}`, language: 'es', body },
    })
    if (reply.status !== 201) throw new Error(reply.text)
    return reply.body.id
  }
  return { create, change, get, connectManual, makeTemplate }
}
