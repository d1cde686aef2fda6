/** docs/reference/errors.md lists every code of the program. `listStaleFiles` (test/openapi.test.ts) compares the page itself. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as codes from '../scripts/error-codes/index.ts'
import { listProblems, toErrorsDocument } from '../scripts/errors-document.ts'
import { describeFeatures } from '../src/app.ts'

const root = new URL('../', import.meta.url).pathname
const listed = new Set([
  ...listProblems(describeFeatures()).map(({ code }) => code),
  ...Object.values(codes).flatMap(Object.keys),
])

/** Texts in capitals that are not error codes. */
const others = new Set(
  [
    'GET HEAD POST PUT PATCH DELETE OPTIONS COMMIT SELECT UNLISTEN SIGTERM SIGINT SIGKILL SIGQUIT NFKC NFKD NULL FAIL',
    'QUEUED RUNNING COMPLETED FAILED CANCELLED UNDOING UNDONE PG_VERSION DATABASE_URL IMAGE HOURS DAYS NAME',
    'CONNECTED DEGRADED LOGGED_OUT RESTRICTED BANNED DISCONNECTED TIER_250 NEVER_WROTE STOP AUTHORIZING',
    'FAILING REQUEST CANCEL PUBLISH TENTATIVE CONFIRMED PROPFIND REPORT CONFLICT REJECTED',
    'INVALID_REPLY',
    'CSV_QUOTE_NOT_CLOSED CSV_MAX_RECORD_SIZE IHDR PLTE IDAT IEND',
  ].flatMap(line => line.split(' ')),
)
/** Codes of Node, Fastify and undici. */
const foreign = /^(E[A-Z]+|ERR_\w+|FST_\w+|UND_ERR_\w+|HPE_\w+)$/

/** Words of providers and of iCalendar. Their failures have codes of `chatFailureCodes`, `calendarErrorCodes` and `adErrorCodes`. */
const foreignWords = [
  'src/plugins/chat/**',
  'src/plugins/ads/**',
  'src/plugins/check-ads*',
  'src/plugins/calendar/**',
  'src/plugins/check-calendar*',
  'src/domain/icalendar/**',
]

test('every code in the source is on the page', () => {
  const missing = new Set<string>()
  const files = globSync('src/{crawl,domain,features,kit,plugins}/**/*.ts', {
    cwd: root,
    exclude: ['**/*.test.ts', ...foreignWords],
  })
  for (const file of files) {
    for (const [, text] of readFileSync(root + file, 'utf8').matchAll(
      /['"]([A-Z]{4,}(?:_[A-Z0-9]+)*|[A-Z]{2,3}(?:_[A-Z0-9]+)+)['"]/g,
    ))
      if (!listed.has(text!) && !others.has(text!) && !foreign.test(text!)) missing.add(`${file}: ${text}`)
  }
  expect([...missing]).toEqual([])
})

test('every code on the page is in the source', () => {
  const source = globSync('src/**/*.ts', { cwd: root })
    .filter(file => !file.endsWith('.test.ts'))
    .map(file => readFileSync(root + file, 'utf8'))
    .join('\n')
  expect([...listed].filter(code => !new RegExp(`\\b${code}\\b`).test(source))).toEqual([])
})

test('every row has a meaning and an action', () => {
  const rows = toErrorsDocument(describeFeatures())
    .split('\n')
    .filter(line => line.startsWith('| `'))
  expect(rows.length).toBeGreaterThan(150)
  expect(rows.filter(row => row.split(' | ').some(cell => cell.trim() === ''))).toEqual([])
})
