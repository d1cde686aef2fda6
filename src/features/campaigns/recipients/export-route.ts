/** The export of recipients as a file: the evidence of why somebody was contacted. */
import { getTenantNow } from '../../../kit/clock/clock.ts'
import { downloadRoute } from '../../../kit/route.ts'
import { id, oneOf, strictObject } from '../../../kit/schema.ts'
import { getCampaign } from '../campaigns/queries.ts'
import { exportLines, exportTable } from './export.ts'
import { ExportedSend, exportExample } from './export-schemas.ts'
import { recipientFilters } from './filters.ts'

const csv = 'text/csv'
const ndjson = 'application/x-ndjson'

export const exportRoute = downloadRoute({
  path: '/campaigns/{id}/recipients/export',
  operation: 'exportCampaignRecipients',
  tag: 'Campaigns',
  summary: 'Export the recipients of a campaign, with every message and its lawful basis',
  description:
    'The evidence of why somebody was contacted: a row per step that a recipient got or that was left out, and one per recipient that got none. If the connection breaks, the file is incomplete.',
  scope: 'campaigns:read',
  alsoScope: 'leads:read',
  params: strictObject({ id: id('The campaign.') }),
  query: strictObject({
    ...recipientFilters,
    format: oneOf(['csv', 'ndjson'], {
      default: 'csv',
      description: '`csv`: a table; `ndjson`: a line of JSON per row.',
    }),
    separator: oneOf([',', ';', 'tab'], {
      default: ',',
      description:
        'The character between the columns of a table. Excel expects `;` in countries with a decimal comma.',
    }),
  }),
  types: {
    [csv]: {
      description:
        'A table for spreadsheets: UTF-8 with a byte order mark, RFC 4180. A value that a spreadsheet would run as a formula starts with an apostrophe.',
      example: `\ufeffrecipientId,leadId,name,…\r\n${exportExample.recipientId},${exportExample.leadId},${exportExample.name},…\r\n`,
    },
    [ndjson]: {
      description: 'One line of JSON per row.',
      example: `${JSON.stringify(exportExample)}\n`,
      item: ExportedSend,
    },
  },
  async download({ params, query, ...input }) {
    await input.database.readTenant(input.caller, tx => getCampaign(tx, params.id))
    const { format, separator, ...filter } = query
    const exported = { ...input, campaignId: params.id, filter }
    const day = getTenantNow(input.database, input.caller.tenantId).toISOString().slice(0, 10)
    const fileName = `recipients-${day}.${format}`
    return format === 'ndjson'
      ? { type: ndjson, fileName, pieces: exportLines(exported) }
      : { type: csv, fileName, pieces: exportTable(exported, separator === 'tab' ? '\t' : separator) }
  },
})
