/** The export of leads as a file over HTTP. */
import { getTenantNow } from '../../../kit/clock/clock.ts'
import { downloadRoute, type Route } from '../../../kit/route.ts'
import { oneOf, strictObject } from '../../../kit/schema.ts'
import { Lead, LeadFilter, leadExample } from '../schemas.ts'
import { exportLines, exportTable } from './export.ts'

const { sort: _sort, limit: _limit, cursor: _cursor, count: _count, ...filters } = LeadFilter.properties

const ExportQuery = strictObject({
  ...filters,
  format: oneOf(['csv', 'ndjson'], {
    default: 'csv',
    description: '`csv`: a table; `ndjson`: a line of JSON per lead.',
  }),
  separator: oneOf([',', ';', 'tab'], {
    default: ',',
    description:
      'The character between the columns of a table. Excel expects `;` in countries with a decimal comma.',
  }),
})

const csv = 'text/csv'
const ndjson = 'application/x-ndjson'

export const exportRoutes: Route[] = [
  downloadRoute({
    path: '/leads/export',
    operation: 'exportLeads',
    tag: 'Leads',
    summary: 'Export leads',
    description:
      'Exports all leads that match the filters, newest first, without a limit. If the connection breaks, the file is incomplete.',
    scope: 'leads:read',
    query: ExportQuery,
    types: {
      [csv]: {
        description:
          'A table for spreadsheets and for the import: UTF-8 with a byte order mark, RFC 4180. Each field has a column with its path as the heading, such as `contact.phone`; each custom field has a column too. The items of a list are joined with ` | `, or are JSON if an item contains a separator. Numbers have a decimal comma if `;` separates the columns. Importing the file again changes nothing; importing it into another workspace creates the same leads. The import ignores columns that it can not change, such as `contactability.…`. The last column, `customFields`, contains the other custom fields as JSON. A value that a spreadsheet would run as a formula starts with an apostrophe.',
        example: `\ufeffid,status,contact.name,…\r\n${leadExample.id},${leadExample.status},${leadExample.contact.name},…\r\n`,
      },
      [ndjson]: {
        description: 'One line of JSON per lead, as `GET /leads/{id}` returns it.',
        example: `${JSON.stringify(leadExample)}\n`,
        item: Lead,
      },
    },
    download({ query, ...input }) {
      const { format, separator, ...filter } = query
      const exported = { ...input, filter }
      const fileName = `leads-${getTenantNow(input.database, input.caller.tenantId).toISOString().slice(0, 10)}.${format}`
      return format === 'ndjson'
        ? { type: ndjson, fileName, pieces: exportLines(exported) }
        : { type: csv, fileName, pieces: exportTable(exported, separator === 'tab' ? '\t' : separator) }
    },
  }),
]
