/** The words that a lead is found by: those of its texts, and of a search the same ones. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { oddStrings } from '../../../../test/odd-strings.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { storable } from '../../../kit/storable.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

/** By text: its words as a document has them, long ones cut, and as a search has them. */
async function read(texts: string[]): Promise<{ text: string; document: string[]; search: string[] }[]> {
  const { rows } = await app.database.ownerPool.query(
    `select text, array(select distinct left(word, 60) from unnest(tsvector_to_array(aldaba.search_document(text, null, null))) word order by 1) as document,
       array(select distinct word from unnest(aldaba.search_words(text)) word order by 1) as search
     from unnest($1::text[]) text`,
    [texts.map(storable)],
  )
  return rows as Awaited<ReturnType<typeof read>>
}

async function expectSameWords(texts: string[]): Promise<void> {
  for (const { text, document, search } of await read(texts)) expect(document, text).toEqual(search)
}

it('are the same in a document and in a search, for any text', async () => {
  await expectSameWords(oddStrings)
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(...` '\\:,"\u1680\u0085\u3000\u00a0aé`), fc.string({ unit: 'binary' })),
  })
  await fc.assert(fc.asyncProperty(fc.array(text, { minLength: 20, maxLength: 20 }), expectSameWords), {
    numRuns: 50,
  })
})

it('are those of long texts and of long words', async () => {
  const words = Array.from({ length: 3000 }, (_, at) => `word${at}`)
  await expectSameWords([words.join(' '), 'é'.repeat(5000), `${'x'.repeat(61)} ${'x'.repeat(62)}`])
  const [read1] = await read([`${"It's".repeat(3)} C:\\Program 'Files' ${'y'.repeat(3000)}`])
  expect(read1!.document).toEqual(expect.arrayContaining(['c', 'files', 'program', 'y'.repeat(60)]))
})

it('find a lead by a long word, by a phone without its prefix and by the beginning of a word', async () => {
  const long = 'z'.repeat(1500)
  const { status, text } = await tenant.call('POST', '/leads', {
    body: {
      contact: { name: "D'Ávila", phone: '+34 600 11 22 33' },
      property: { title: `Ático ${'q'.repeat(80)}`, description: `${long} ${'w'.repeat(2500)}` },
    },
  })
  expect(status, text).toBe(201)
  for (const q of [
    'z'.repeat(200),
    'w'.repeat(200),
    'w'.repeat(61),
    'q'.repeat(79),
    'avila',
    'atic',
    '600112233',
    "d'avila",
  ])
    expect((await tenant.listLeads({ q })).data.length, q).toBe(1)
})
