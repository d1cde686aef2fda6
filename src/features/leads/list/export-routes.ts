/** Leads as a file over HTTP. */
import { downloadRoute, type Route } from '../../../kit/route.ts'
import { closed, oneOf } from '../../../kit/schema.ts'
import { Lead, LeadFilter, leadExample } from '../schemas.ts'
import { exportLines, exportTable } from './export.ts'

const { sort: _sort, limit: _limit, cursor: _cursor, count: _count, ...filters } = LeadFilter.properties

const ExportQuery = closed({
  ...filters,
  format: oneOf(['csv', 'ndjson'], { default: 'csv', description: 'A table, or a line of JSON per lead.' }),
  separator: oneOf([',', ';', 'tab'], {
    default: ',',
    description: 'Of a table: between its columns. Excel expects `;` where numbers have a decimal comma.',
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
      'All leads that the filters of the list let through, newest first, however many. A connection that breaks off before its end has not brought all of them.',
    scope: 'leads:read',
    query: ExportQuery,
    types: {
      [csv]: {
        description:
          'A table for spreadsheets and for the import: UTF-8 with a byte order mark, RFC 4180. Each value of the record has a column that is headed with its path, `contact.phone`, and each custom field one of its own. Lists are joined with ` | `, or JSON where an item holds a separator; numbers have a decimal comma where `;` parts the columns. Imported again it changes nothing, and elsewhere it makes the same leads: columns that no file can change, `contactability.…` among them, are passed over. The last column, `customFields`, has as JSON those custom fields that are no text, or have no column of their own. What a spreadsheet would run as a formula begins with an apostrophe.',
        example: `\ufeffid,status,contact.name,…\r\n${leadExample.id},${leadExample.status},${leadExample.contact.name},…\r\n`,
      },
      [ndjson]: {
        description: 'A line of JSON per lead, as `GET /leads/{id}` has it.',
        example: `${JSON.stringify(leadExample)}\n`,
        item: Lead,
      },
    },
    download({ query, ...input }) {
      const { format, separator, ...filter } = query
      const exported = { ...input, filter }
      const fileName = `leads-${new Date().toISOString().slice(0, 10)}.${format}`
      return format === 'ndjson'
        ? { type: ndjson, fileName, pieces: exportLines(exported) }
        : { type: csv, fileName, pieces: exportTable(exported, separator === 'tab' ? '\t' : separator) }
    },
  }),
]
