/** Compares searches of random conversations with a search that reads every message. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { storeAccount, storeConversation, storeMessage } from '../../../../test/inbox.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'

/** Some words are in most messages, some in one of twenty, some in hardly any. */
const vocabulary = [
  'piso',
  'pisos',
  'precio',
  'terraza',
  'ático',
  'atril',
  'hipoteca',
  'Embarcadero',
  'llave',
]
const statuses = ['open', 'pending', 'closed']

interface Written {
  id: string
  status: string
  texts: string[]
}

let app: TestApp
let tenant: TestTenant
/** The newest first. */
const written: Written[] = []
let seed = 7
const random = (below: number) => {
  seed = (seed * 48271) % 2147483647
  return seed % below
}
const pickWord = () => vocabulary[Math.floor(vocabulary.length * (random(1000) / 1000) ** 3)]!
const pickText = () => Array.from({ length: 1 + random(5) }, pickWord).join(' ')

beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
  await tenant.inTenant(async tx => {
    const accountId = await storeAccount(tx)
    for (let n = 0; n < 30; n++) {
      const phone = `+3461300${String(n).padStart(4, '0')}`
      const id = await storeConversation(tx, { accountId, phone })
      const texts = Array.from({ length: 1 + random(3) }, pickText)
      for (const text of texts) await storeMessage(tx, id, { text })
      const status = statuses[random(3)]!
      const at = new Date(Date.UTC(2026, 0, 1, n))
      await tx
        .updateTable('conversations')
        .set({ status, last_message_at: at })
        .where('tenant_id', '=', tenant.tenantId)
        .where('id', '=', id)
        .execute()
      written.unshift({ id, status, texts })
    }
  })
})
afterAll(() => app.stop())

const normalize = (text: string) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').split(' ')

function matches(text: string, q: string): boolean {
  const words = normalize(text)
  const searched = normalize(q)
  return searched.every((word, index) =>
    words.some(each => (index === searched.length - 1 ? each.startsWith(word) : each === word)),
  )
}

interface Page {
  data: { id: string; text: string }[]
  nextCursor: string | null
}

async function findAll(path: string, query: Record<string, string>): Promise<Page['data']> {
  const found: Page['data'] = []
  let cursor: string | null = null
  do {
    const search = new URLSearchParams({ ...query, ...(cursor ? { cursor } : {}) })
    const { status, body } = await tenant.call<Page>('GET', `${path}?${search}`)
    expect(status).toBe(200)
    found.push(...body.data)
    cursor = body.nextCursor
  } while (cursor)
  return found
}

it('finds what a search of every message finds', async () => {
  for (let n = 0; n < 25; n++) {
    const words = Array.from({ length: 1 + random(3) }, pickWord).join(' ')
    const q = random(2) ? words : words.slice(0, -1)
    const status = random(2) ? statuses[random(3)]! : null
    const expected = written.filter(
      each => (!status || each.status === status) && each.texts.some(text => matches(text, q)),
    )
    const query = { q, limit: String(3 + random(12)), ...(status ? { status } : {}) }
    const found = await findAll('/conversations', query)
    expect({ query, ids: found.map(({ id }) => id) }).toEqual({ query, ids: expected.map(({ id }) => id) })
    const { id, texts } = written[random(written.length)]!
    const messages = await findAll(`/conversations/${id}/messages`, { q, order: 'oldest' })
    expect(messages.map(({ text }) => text)).toEqual(texts.filter(text => matches(text, q)))
  }
})
