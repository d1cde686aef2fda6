/** Bodies, queries and files that are costly to check. */
import { type Answers, type Attacker, defineCase, subject, waitForBackground } from './attacker.ts'

const repeat = (text: string, count: number) => text.repeat(count)
const zerosList = (count: number) => `[${repeat('0,', count)}0]`

export const inputCases = [
  defineCase({
    name: '20 KB of wrong identifiers',
    attack: ({ flood }) =>
      flood(1, () => ['POST', '/suppressions/imports', { body: `{"identifiers":${zerosList(10_000)}}` }]),
  }),
  defineCase({
    name: '870 KB of unknown keys',
    attack: ({ flood }) => {
      const keys = Array.from({ length: 90_000 }, (_, n) => `"k${n}":0`).join(',')
      return flood(1, () => ['POST', '/leads', { body: `{${keys}}` }])
    },
  }),
  defineCase({
    name: '2,000 unknown query parameters, 20 times',
    attack: ({ flood }) => {
      const query = Array.from({ length: 2000 }, (_, n) => `k${n}=`).join('&')
      return flood(20, () => ['GET', `/leads?${query}`])
    },
  }),
  defineCase({
    name: '400,000 levels of JSON, 10 times',
    attack: ({ flood }) => {
      const body = `{"customFields":${repeat('[', 400_000)}${repeat(']', 400_000)}}`
      return flood(10, () => ['POST', '/leads', { body }])
    },
  }),
  defineCase({
    name: '150,000 objects in objects, 5 times',
    attack: ({ flood }) => {
      const body = `${repeat('{"a":', 150_000)}0${repeat('}', 150_000)}`
      return flood(5, () => ['POST', '/leads', { body }])
    },
  }),
  defineCase({
    name: '1 MB of custom fields, 20 times',
    attack: ({ flood }) => {
      const fields = Array.from({ length: 200 }, (_, n) => [`f${n}`, repeat('x', 5000)])
      return flood(20, () => ['POST', '/leads', { body: { customFields: Object.fromEntries(fields) } }])
    },
  }),
  defineCase({
    name: '100,000 tags, 3 times',
    attack: ({ flood }) => {
      const tags = Array.from({ length: 100_000 }, (_, n) => `t${n}`)
      return flood(3, () => ['POST', '/leads', { body: { tags } }])
    },
  }),
  defineCase({
    name: 'escapes of U+0000, 1 MB, 5 times',
    attack: ({ flood }) =>
      flood(5, () => ['POST', '/leads', { body: `{"property":{"title":"${repeat('\\u0000', 170_000)}"}}` }]),
  }),
  defineCase({
    name: 'a polygon of 500 corners, 50 times',
    attack: ({ flood }) => {
      const polygon = Array.from({ length: 500 }, (_, n) => ({
        latitude: subject.latitude + Math.sin((n * Math.PI) / 250) / 20,
        longitude: subject.longitude + Math.cos((n * Math.PI) / 250) / 20,
      }))
      const body = { ...subject, polygon }
      return flood(50, () => ['POST', '/valuations', { body }])
    },
  }),
  defineCase({
    name: 'a polygon that crosses itself, 50 times',
    attack: ({ flood }) => {
      // Only the last side crosses another.
      const polygon = Array.from({ length: 500 }, (_, n) => ({
        latitude: subject.latitude + (n === 499 ? -1 : n / 5000),
        longitude: subject.longitude + (n % 2) / 100,
      }))
      const body = { ...subject, polygon }
      return flood(50, () => ['POST', '/valuations', { body }])
    },
  }),
]

const csv = 'text/csv'
const importsMs = 5000

/** An attack of four dry runs of the file, measured for some seconds. */
function dryRunFile(makeFile: () => string): (attacker: Attacker) => Promise<Answers> {
  return async ({ flood }) => {
    const body = makeFile()
    const answers = await flood(4, () => ['POST', '/leads/imports?dryRun=true', { body, type: csv }])
    return waitForBackground(answers, importsMs)
  }
}

export const fileCases = [
  defineCase({
    name: 'CSV of 16,000 columns, 10 times',
    attack: ({ flood }) =>
      flood(10, () => ['POST', '/leads/imports?dryRun=true', { body: repeat('a,', 16_000), type: csv }]),
  }),
  defineCase({
    name: 'CSV of 8,000 repeated headings, 4 times',
    attack: ({ flood }) =>
      flood(4, () => ['POST', '/leads/imports', { body: `${repeat('a 2,', 8000)}\n1`, type: csv }]),
  }),
  defineCase({
    name: 'exclusion file of 16,000 columns, 4 times',
    attack: ({ flood }) =>
      flood(4, () => [
        'POST',
        '/suppressions/imports/file?listName=robinson',
        { body: `${repeat('phone,', 16_000)}\n${repeat('612345678,', 16_000)}`, type: csv },
      ]),
  }),
  defineCase({
    name: 'exclusion file of 200,000 numbers, twice',
    attack: ({ flood }) => {
      const lines = Array.from({ length: 200_000 }, (_, n) => 600_000_000 + n)
      return flood(2, () => [
        'POST',
        '/suppressions/imports/file?listName=robinson',
        { body: `phone\n${lines.join('\n')}`, type: csv },
      ])
    },
  }),
  defineCase({
    name: 'NDJSON of 50,000 names, 4 times',
    attack: ({ flood }) => {
      const names = Array.from({ length: 50_000 }, (_, n) => `"n${n}":1`)
      return flood(4, () => [
        'POST',
        '/leads/imports',
        { body: `{${names.join(',')}}\n`, type: 'application/x-ndjson' },
      ])
    },
  }),
  defineCase({
    name: 'exclusion file of 4,000,000 blank rows, twice',
    attack: ({ flood }) =>
      flood(2, () => [
        'POST',
        '/suppressions/imports/file?listName=robinson',
        { body: `phone;email\n612345678;\n${repeat(';\n', 4_000_000)}`, type: csv },
      ]),
  }),
  defineCase({
    name: 'rows of an import: 8 MB of quotes, 4 times',
    attack: dryRunFile(() => `Nombre;Teléfono\na;"${repeat('x" y "\n', 1_100_000)}`),
  }),
  defineCase({
    name: 'rows of an import: 8 MB separated by spaces, 4 times',
    attack: dryRunFile(() => `sep= \nNombre a b c d e f g\n${repeat('a b c d e f g h\n', 500_000)}`),
  }),
  defineCase({
    name: 'rows of an import: 4 rows of 2 MB, 4 times',
    attack: dryRunFile(() => `Nombre;Teléfono\n${repeat(`${repeat('x', 2_000_000)};612345678\n`, 4)}`),
  }),
  defineCase({
    name: 'CSV: one quoted cell of 10 MB, twice',
    attack: ({ flood }) =>
      flood(2, () => [
        'POST',
        '/leads/imports',
        { body: `name,phone\n"${repeat('x\n', 5_000_000)}`, type: csv },
      ]),
  }),
]
