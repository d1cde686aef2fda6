/** AI answers recipients of a campaign, over HTTP: what it may say, and what people see of it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type AiApp,
  type AiTrial,
  converse,
  listEventData,
  readConversationAi,
  startAiApp,
  startAiTrial,
} from '../../../../test/ai-replies.ts'
import { storeBookable } from '../../../../test/appointments.ts'
import type { TestApp } from '../../../../test/harness.ts'
import { request } from '../../../../test/sequences.ts'
import { setSetting } from '../../../../test/settings.ts'
import type { AiSimulator } from '../../../simulator/ai/index.ts'
import type { Message } from '../../messaging/message-schemas.ts'
import { appointmentExample } from '../../scheduling/appointments/examples.ts'
import { aiFaq } from './settings.ts'

let own: AiApp
let ai: AiSimulator
let app: TestApp
beforeAll(async () => {
  own = await startAiApp()
  ai = own.ai
  app = own.app
})
afterAll(() => own.stop())
beforeEach(() => own.reset())

const say: AiApp['say'] = (text, more) => own.say(text, more)
const call: AiApp['call'] = (name, values) => own.call(name, values)
/** The oldest first. */
const listMessages = async ({ tenant, conversationId }: AiTrial) => {
  const path = `/conversations/${conversationId}/messages?limit=100&order=oldest`
  return (await tenant.call<{ data: Message[] }>('GET', path)).body.data
}

test('answers from the listing, says first that it is a machine, and is marked and logged', async () => {
  const trial = await startAiTrial(app)
  await converse(trial, 'Hola, ¿qué precio tiene mi piso en el anuncio?')
  const [first] = await trial.listReceived()
  expect(first).toMatch(
    /^Te responde el asistente automático de Agency .*\n\nEl precio del anuncio es de 300000 EUR/s,
  )
  await converse(trial, '¿Y qué precio ponen los demás?')
  const [, second] = await trial.listReceived()
  expect(second).toMatch(/^El precio del anuncio/)

  const [, answer] = await listMessages(trial)
  expect(answer).toMatchObject({ direction: 'out', nature: 'ai', authorUserId: null, campaignId: null })
  const [logged] = await trial.listReplies()
  expect(logged).toMatchObject({
    status: 'sent',
    mode: 'auto',
    sentMessageId: answer!.id,
    model: 'simulator',
    campaignId: trial.campaignId,
    leadId: trial.leadId,
  })
  expect(logged!.inputTokens).toBeGreaterThan(100)
  const { body } = await trial.tenant.call<{ prompt: unknown[]; promptHash: string; steps: unknown[] }>(
    'GET',
    `/ai-replies/${logged!.id}`,
  )
  expect(JSON.stringify(body.prompt)).toContain('qué precio tiene')
  expect(body.promptHash).toMatch(/^[0-9a-f]{64}$/)
  expect(body.steps).toHaveLength(1)
  expect(await readConversationAi(trial)).toMatchObject({ status: 'active', answered: 2, nextAnswerAt: null })
})

test('without a script, it answers from the FAQ, puts its questions and records the answers', async () => {
  const trial = await startAiTrial(app, {
    faq: [{ question: '¿Qué comisión cobráis?', answer: 'Cobramos el 3 % del precio de venta.' }],
    questions: [
      {
        field: 'reasonToSell',
        question: '¿Por qué vende el piso?',
        kind: 'choice',
        options: ['herencia', 'traslado'],
      },
      { field: 'keys', question: '¿Cuántas llaves tiene el piso?', kind: 'number' },
    ],
  })
  await converse(trial, '¿Qué comisión cobráis?')
  await converse(trial, 'Lo vendo por una herencia')
  await converse(trial, 'Tengo 3')
  const received = await trial.listReceived()
  expect(received[0]).toMatch(/Cobramos el 3 % del precio de venta. ¿Por qué vende el piso\?$/)
  expect(received.slice(1)).toEqual([
    'Gracias por la información sobre el piso. ¿Cuántas llaves tiene el piso?',
    'Gracias por la información sobre el piso.',
  ])
  const { body } = await trial.tenant.call<{ customFields: object }>('GET', `/leads/${trial.leadId}`)
  expect(body.customFields).toMatchObject({ reasonToSell: 'herencia', keys: 3 })
})

test('an answer of the FAQ is given, however short', async () => {
  const faq = [{ question: '¿Qué horario tenéis?', answer: 'De 9 a 18.' }]
  const trial = await startAiTrial(app, { faq })
  await converse(trial, '¿Qué horario tenéis?')
  expect(await trial.listReceived()).toEqual([expect.stringMatching(/De 9 a 18\.$/)])
})

test('several short messages get one answer', async () => {
  const trial = await startAiTrial(app)
  await trial.write('Hola')
  await trial.write('una pregunta')
  await converse(trial, '¿qué precio tiene el piso?')
  expect(await trial.listReceived()).toHaveLength(1)
  expect(ai.requests).toHaveLength(1)
})

test('a draft is sent, or discarded, by a user, and books nothing', async () => {
  await storeBookable(app, (await startAiTrial(app)).tenant.tenantId)
  const trial = await startAiTrial(app, {
    mode: 'draft',
    questions: [{ field: 'keys', question: '¿Cuántas llaves hay?', kind: 'number', max: 9 }],
  })
  say('El precio del anuncio es de 300.000 €.', { answers: { keys: 3, status: 'won', other: 1 } })
  await converse(trial, '¿Qué precio tiene el piso? Tengo tres llaves')
  expect(ai.requests[0]).not.toContain('"book_slot"')
  expect(await trial.listReceived()).toEqual([])
  const [draft] = await trial.listReplies()
  expect(draft).toMatchObject({ status: 'draft', answers: { keys: 3 }, sentMessageId: null })
  expect(await listEventData(trial, 'ai_reply.drafted')).toMatchObject([{ replyId: draft!.id }])

  // A later message has a later draft.
  await converse(trial, '¿Y el precio?')
  const [old, current] = await trial.listReplies()
  expect([old!.status, current!.status]).toEqual(['discarded', 'draft'])
  const path = `/ai-replies/${current!.id}`
  expect((await trial.tenant.call('POST', `/ai-replies/${old!.id}/send`, { body: {} })).status).toBe(409)
  await trial.tenant.signIn()
  const sent = await trial.tenant.call<{ sentMessageId: string }>('POST', `${path}/send`, {
    body: { text: 'El precio es de 300.000 €, soy Ana.' },
  })
  expect(sent.status, sent.text).toBe(202)
  await trial.move(1)
  expect(await trial.listReceived()).toEqual(['El precio es de 300.000 €, soy Ana.'])
  const message = (await listMessages(trial)).find(({ id }) => id === sent.body.sentMessageId)
  expect(message).toMatchObject({ nature: 'ai', authorUserId: expect.any(String) })
  expect((await trial.tenant.call('DELETE', path)).status).toBe(409)

  // A message that the draft does not answer has one of its own.
  await converse(trial, '¿Qué precio ponéis?')
  await trial.write('¿Y qué precio ponen los demás?')
  const early = (await trial.listReplies()).at(-1)!
  expect((await trial.tenant.call('POST', `/ai-replies/${early.id}/send`, { body: {} })).status).toBe(409)
  await converse(trial, '¿Qué precio pedís?')
  const last = (await trial.listReplies()).at(-1)!
  expect(last.status).toBe('draft')
  expect((await trial.tenant.call('DELETE', `/ai-replies/${last.id}`)).status).toBe(204)
  expect((await trial.listReplies()).at(-1)!.status).toBe('discarded')
  expect(await trial.listReceived()).toHaveLength(1)
})

test('lists slots, books one for this lead, and never a second one', async () => {
  const trial = await startAiTrial(app, { eventTypeId: appointmentExample.eventTypeId })
  await storeBookable(app, trial.tenant.tenantId)
  await converse(trial, 'Buenos días, quiero concertar una visita al piso')
  const [offer] = await trial.listReceived()
  expect(offer).toMatch(/Puedo ofrecerte esta visita: \S+, \d+ de \S+, \d\d:\d\d/)

  const { body: slots } = await trial.tenant.call<{ data: Record<string, { start: string }[]> }>(
    'GET',
    `/scheduling/event-types/${appointmentExample.eventTypeId}/slots?from=2030-01-01&to=2030-01-02`,
  )
  expect(slots.data).toEqual({})
  // A slot that was not listed in this run is refused.
  call('book_slot', { start: '2026-12-01T10:00:00.000Z' })
  call('hand_off', { reason: 'not_known' })
  await converse(trial, 'Sí, me va bien')
  expect((await trial.tenant.call<{ data: object[] }>('GET', '/scheduling/appointments')).body.data).toEqual(
    [],
  )
  expect(await readConversationAi(trial)).toMatchObject({
    status: 'handed_off',
    handOff: { code: 'NOT_SURE' },
  })

  await trial.tenant.call('PATCH', `/conversations/${trial.conversationId}/ai`, {
    body: { status: 'active' },
  })
  const bookFirst = async () => {
    await trial.write('Perfecto, reserva la primera visita')
    ai.script.length = 0
    call('list_slots', {})
    await trial.move(1)
  }
  // The second round is written when the slots are known.
  const respond = ai.requests.length
  await bookFirst()
  expect(ai.requests.length).toBeGreaterThan(respond)
  // The first one passes while the clock is moved, at some times of the day.
  const listed = [...ai.requests.at(-1)!.matchAll(/\\"start\\":\\"([^\\]+)\\"/g)].at(-1)![1]!
  call('list_slots', {})
  call('book_slot', { start: listed })
  call('book_slot', { start: listed })
  say('Hecho: la visita está reservada.', { about: 'appointment' })
  await converse(trial, 'Esa, por favor, la primera')
  const { body } = await trial.tenant.call<{
    data: { leadId: string; start: string; visitor: { name: string } }[]
  }>('GET', '/scheduling/appointments')
  expect(body.data).toHaveLength(1)
  expect(body.data[0]).toMatchObject({ leadId: trial.leadId, start: listed, visitor: { name: 'Marta Ruiz' } })
  expect((await trial.listReplies()).at(-1)).toMatchObject({
    status: 'sent',
    appointmentId: expect.any(String),
  })
  expect(ai.requests.at(-1)).toContain('has an appointment already')
})

test('without a script, it offers a visit, another one on the day named, and books the one that the person accepts', async () => {
  const trial = await startAiTrial(app, { eventTypeId: appointmentExample.eventTypeId })
  await storeBookable(app, trial.tenant.tenantId)
  const readLast = async () => (await trial.listReceived()).at(-1)!
  const listStarts = async () => {
    const path = '/scheduling/appointments'
    return (await trial.tenant.call<{ data: { start: string }[] }>('GET', path)).body.data
  }
  await converse(trial, 'Quiero una visita')
  const [, offered] = /esta visita: (.+)\. ¿Te viene bien\?$/.exec(await readLast())!
  const weekdays = ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo']
  const named = weekdays[(weekdays.indexOf(offered!.split(',')[0]!) + 3) % 7]!
  await converse(trial, `No, mejor el ${named} a las 8`)
  const [, other] = /esta visita: (.+)\. ¿Te viene bien\?$/.exec(await readLast())!
  expect(other).toMatch(new RegExp(`^${named}, .*, 08:00$`))
  expect(await listStarts()).toEqual([])
  const listed = [...ai.requests.at(-1)!.matchAll(/\\"start\\":\\"([^\\]+)\\",\\"label\\":\\"([^\\]+)\\"/g)]
  const [, at] = listed.find(([, , label]) => label === other)!
  // Others take slots of the day, so others are listed besides.
  for (const minutes of [-240, -180])
    await request(trial.tenant, 'POST', '/scheduling/appointments', {
      eventTypeId: appointmentExample.eventTypeId,
      start: new Date(Date.parse(at!) + minutes * 60_000).toISOString(),
      timezone: 'UTC',
      visitor: { name: 'Eva' },
    })
  await converse(trial, 'Sí, me viene bien')
  expect(await trial.listReceived()).toContain(`Hecho: tu visita está reservada para el ${other}.`)
  expect((await listStarts()).map(({ start }) => start)).toContain(at)
  await converse(trial, '¿Cuándo es la visita?')
  expect(await readLast()).toBe(`Ya tienes una cita: ${other}.`)
  await converse(trial, 'Cancela la visita')
  expect(await readConversationAi(trial)).toMatchObject({ handOff: { code: 'WANTS_PERSON' } })
  expect(await listStarts()).toHaveLength(3)
})

test('questions fill custom fields of the lead, and nothing else', async () => {
  const trial = await startAiTrial(app, {
    questions: [
      { field: 'reason', question: '¿Por qué vende?', kind: 'choice', options: ['moving', 'inheritance'] },
      { field: 'isEmpty', question: '¿Está vacío?', kind: 'boolean' },
      { field: 'keys', question: '¿Llaves?', kind: 'number', min: 1, max: 9 },
    ],
  })
  say('Gracias por contarlo.', {
    answers: { reason: 'moving', isEmpty: 'yes', keys: 99, status: 'won', contact: { name: 'X' } },
  })
  await converse(trial, 'Nos mudamos a otra ciudad')
  const { body } = await trial.tenant.call<{
    customFields: object
    status: string
    contact: { name: string }
  }>('GET', `/leads/${trial.leadId}`)
  expect(body).toMatchObject({ customFields: { reason: 'moving' }, contact: { name: 'Marta Ruiz' } })
  expect(Object.keys(body.customFields)).toEqual(['reason'])
  expect(body.status).toBe('replied')
})

test('the FAQ of the workspace is a fact; the instructions of the campaign are not told', async () => {
  const trial = await startAiTrial(app, { instructions: 'Nunca por debajo de 280.000 €. Sé breve.' })
  await setSetting(app.database, trial.tenant.tenantId, aiFaq, [
    { question: '¿Qué comisión cobráis?', answer: 'El 3 % del precio de venta.' },
  ])
  say('Cobramos una comisión del 3 % del precio.')
  await converse(trial, '¿Qué comisión cobráis vosotros?')
  expect((await trial.listReceived())[0]).toContain('3 %')
  say('El mínimo es de 280.000 €.')
  say('El mínimo es de 280.000 €.')
  await converse(trial, '¿Y cuál es el mínimo?')
  expect((await trial.listReceived()).join()).not.toContain('280')
  expect(await readConversationAi(trial)).toMatchObject({
    handOff: { code: 'REFUSED_ANSWER', message: expect.stringContaining('AMOUNT') },
  })
})

test('access requests contain the log, and an erasure deletes it', async () => {
  const trial = await startAiTrial(app)
  await converse(trial, '¿Qué precio tiene el piso?')
  const data = await trial.tenant.call<{ aiReplies: object[] }>('GET', `/leads/${trial.leadId}/data`)
  expect(data.body.aiReplies).toMatchObject([{ status: 'sent', model: 'simulator' }])
  const erased = await trial.tenant.call('DELETE', `/leads/${trial.leadId}?erase=true`)
  expect(erased.status).toBe(204)
  expect(await trial.listReplies()).toEqual([])
})

test('the log is deleted after its retention', async () => {
  const trial = await startAiTrial(app)
  await converse(trial, '¿Qué precio tiene el piso?')
  await trial.move(370 * 24 * 60)
  expect(await trial.listReplies()).toEqual([])
})
