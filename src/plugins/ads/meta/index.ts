/**
 * Lead ads of Meta (Facebook and Instagram) over the Graph API. A newer version of Graph is configured as the base URL, such
 * as `https://graph.facebook.com/v25.0`.
 */
import type { AdNetwork } from '../../ads.ts'
import { listForms } from './forms.ts'
import { Credentials } from './graph.ts'
import { listLeads, readLead } from './leads.ts'
import { connectPage, disconnectPage } from './page.ts'
import { webhook } from './webhook.ts'

export const meta: AdNetwork<typeof Credentials> = {
  id: 'meta',
  label: 'Meta',
  baseUrl: 'https://graph.facebook.com/v23.0',
  credentials: Credentials,
  keptDays: 90,
  connect: connectPage,
  disconnect: disconnectPage,
  listForms,
  readLead,
  listLeads,
  webhook,
}
