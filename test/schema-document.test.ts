/**
 * docs/schema.md lists every table, under the concern that creates it. `listStaleFiles` (test/openapi.test.ts) compares
 * the file itself.
 */
import { expect, it } from 'vitest'
import { readSchema, renderDocument } from '../scripts/schema-document.ts'
import { readMigrations } from '../src/kit/db/migrate.ts'
import { makeDatabase } from './harness.ts'

it('has every table and every view, each with a comment', async () => {
  const schema = await readSchema(await makeDatabase())
  expect(schema.tables.filter(({ comment }) => !comment?.endsWith('.'))).toEqual([])
  const text = renderDocument(schema, await readMigrations())
  const listed = [...text.matchAll(/^### `(\w+)`$/gm)].map(match => match[1])
  expect(listed.toSorted()).toEqual(schema.tables.map(({ name }) => name).toSorted())
})

it('shows columns, keys and references', () => {
  const text = renderDocument(
    {
      tables: [
        { name: 'visits', comment: 'Appointments.' },
        { name: 'guests', comment: 'People.' },
      ],
      columns: [
        { ...column('visits', 'id', 'uuid'), comment: 'A | B' },
        { ...column('visits', 'guest_id', 'uuid'), required: false },
        { ...column('visits', 'at', 'timestamp with time zone'), defaultValue: 'now()' },
        column('guests', 'id', 'uuid'),
      ],
      keys: [
        key('visits', 'primary', ['id']),
        key('guests', 'primary', ['id']),
        { ...key('visits', 'foreign', ['guest_id']), to: 'guests', onDelete: 'cascade', required: false },
      ],
    },
    [
      {
        name: '0007_diary.sql',
        text: '-- When people come.\n\ncreate table visits (\n);\ncreate table guests (\n);',
        checksum: '',
      },
    ],
  )
  expect(text).toContain('## Diary\n\nWhen people come.\n')
  expect(text).toContain(
    '  guests |o--o{ visits : "guest_id"\n  visits {\n    uuid id PK\n    uuid guest_id FK\n  }',
  )
  expect(text).toContain('| `id` | uuid | required | A \\| B |\n| `guest_id` | uuid |  |  |\n')
  expect(text).toContain('| `at` | timestamptz | default `now()` |  |')
  expect(text).toContain('- `guest_id` refers to `guests`, and is deleted with it')
  expect(text).toContain('- Referred to by `visits`')
})

it('refuses a table that no migration creates', () => {
  expect(() =>
    renderDocument({ tables: [{ name: 'stray', comment: null }], columns: [], keys: [] }, []),
  ).toThrow('no migration creates stray')
})

function column(table: string, name: string, type: string) {
  return { table, name, type, required: true, defaultValue: null, comment: null }
}

function key(table: string, kind: 'primary' | 'foreign', columns: string[]) {
  return { table, kind, columns, to: null, onDelete: null, required: true }
}
