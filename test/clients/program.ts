/** Code of a client: minimal bodies, and replies with all their fields. */

import type * as hey from './hey-api/types.gen.ts'
import type { components, paths } from './openapi-typescript.ts'

type Body<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends {
  requestBody: { content: { 'application/json': infer B } }
}
  ? B
  : never

const extraction: Body<'/public/v1/extractions', 'post'> = { platform: 'portal_a', filters: {} }
const valuation: Body<'/public/v1/valuations', 'post'> = {
  latitude: 41.39,
  longitude: 2.16,
  squareMeters: 80,
  propertyType: 'homes',
  operation: 'sale',
  reportConfig: { language: 'es' },
}
const subscription: Body<'/public/v1/webhooks', 'post'> = { url: 'https://crm.example/hooks', events: ['*'] }
const lead: Body<'/public/v1/leads', 'post'> = { contact: { phone: '+34612345678' } }

const heyExtraction: hey.NewExtraction = { platform: 'portal_a', filters: {} }
const heyValuation: hey.NewValuation = valuation
const heyLead: hey.NewLead = lead

export const read = (
  { options, progress }: components['schemas']['Extraction'],
  received: hey.Extraction,
): [boolean, number, boolean] => [options.includeDetails, progress.percent, received.options.includeDetails]
export const sent = { extraction, valuation, subscription, lead, heyExtraction, heyValuation, heyLead }
