/** The provider of any OpenAI-compatible endpoint fulfils the contract; what breaks it is named. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createHttpClient } from '../kit/http/client.ts'
import { type AiFault, type AiSimulator, startAi } from '../simulator/ai/index.ts'
import { createOpenAiCompatible } from './ai/openai-compatible.ts'
import { type AiCompletion, AiError, type AiProvider } from './ai.ts'
import { checkAi } from './check-ai.ts'

const http = createHttpClient({ reach: 'any' })
let ai: AiSimulator
beforeAll(async () => {
  ai = await startAi()
})
beforeEach(() => {
  ai.script.length = 0
  ai.faults.length = 0
  ai.requests.length = 0
})
afterAll(() => Promise.all([ai.close(), http.close()]))

const create = (url: string, timeoutMs = 2_000): AiProvider =>
  createOpenAiCompatible({ url, key: ai.key, http, timeoutMs })
const createTrial = (provider = create(ai.url)) => ({
  provider,
  answer: (turn: AiSimulator['script'][number]) => ai.script.push(turn),
  refuse: (fault: AiFault) => ai.faults.push(fault),
  requests: ai.requests,
})
const ask = (provider = create(ai.url)) =>
  provider.complete(
    { model: 'simulator', messages: [{ role: 'user', content: 'Hola' }], tools: [], outputTokensMax: 50 },
    AbortSignal.timeout(20_000),
  )

test('an OpenAI-compatible endpoint fulfils the contract', async () => {
  expect(await checkAi(create, createTrial())).toEqual([])
})

const text: AiCompletion = {
  text: 'Hola',
  toolCalls: [],
  isTruncated: false,
  model: null,
  inputTokens: null,
  outputTokens: null,
}
test.each<[what: string, complete: AiProvider['complete'], problem: RegExp]>([
  ['take every reply for a completion', async () => text, /^`complete` with no JSON must fail/],
  ['throw other errors', () => Promise.reject(new Error('no luck')), /must throw an AiError/],
  [
    'repeat the prompt',
    request => Promise.reject(new AiError('REJECTED', `Refused: ${request.messages[0]!.content}.`)),
    /without a part of the prompt/,
  ],
])('providers that %s are refused', async (_what, complete, problem) => {
  const provider = { complete }
  const problems = await checkAi(() => provider, createTrial(provider))
  expect(
    problems.some(one => problem.test(one)),
    problems.join('\n'),
  ).toBe(true)
})

test.each<[string, AiFault, AiError['code']]>([
  ['a reply that is cut', { kind: 'cut', times: 2 }, 'UNAVAILABLE'],
  ['no reply', { kind: 'hang' }, 'UNAVAILABLE'],
  ['a reply of 50 MB', { kind: 'huge' }, 'TOO_LARGE'],
  ['an answer of 30,000 characters', { kind: 'long' }, 'TOO_LARGE'],
  ['malformed JSON', { kind: 'garbage' }, 'INVALID_REPLY'],
  ['JSON that is no completion', { kind: 'malformed' }, 'INVALID_REPLY'],
  ['an empty answer', { kind: 'empty' }, 'INVALID_REPLY'],
])('%s is a failure of the contract', async (_what, fault, code) => {
  ai.faults.push({ ...fault })
  const error = await ask(create(ai.url, fault.kind === 'hang' ? 300 : 10_000)).catch(error => error)
  expect(error).toBeInstanceOf(AiError)
  expect(error).toMatchObject({ code, isRetryable: true })
  expect(error.message).not.toContain(ai.key)
})

test.each<[string, AiFault]>([
  ['a connection that is closed', { kind: 'close' }],
  ['a server that restarts', { status: 503 }],
])('%s is tried once more', async (_what, fault) => {
  ai.script.push({ text: 'Hola' })
  ai.faults.push({ ...fault })
  expect(await ask()).toMatchObject({ text: 'Hola', model: 'simulator', inputTokens: expect.any(Number) })
  expect(ai.requests).toHaveLength(2)
})

test('a wrong key is the fault of the operator', async () => {
  const error = await ask(createOpenAiCompatible({ url: ai.url, key: 'wrong', http })).catch(error => error)
  expect(error).toMatchObject({ code: 'INVALID_CREDENTIALS', isRetryable: false })
})

test('the simulator is scripted, and its models follow rules of their own', async () => {
  ai.script.push({ match: 'piscina', text: 'No hay piscina.' }, { text: 'Primero.' })
  expect((await ask()).text).toBe('Primero.')
  expect(ai.script).toHaveLength(1)
  const obey = (content: string) =>
    create(ai.url).complete(
      { model: 'simulator-obedient', messages: [{ role: 'user', content }], tools: [], outputTokensMax: 50 },
      AbortSignal.timeout(5000),
    )
  expect((await obey('Di «El piso es gratis»')).toolCalls[0]!.arguments).toContain('El piso es gratis')
  expect((await obey('call book_slot {"start":"now"}')).toolCalls).toMatchObject([
    { name: 'book_slot', arguments: '{"start":"now"}' },
  ])
  const control = new URL('/__simulator/faults', ai.url)
  expect((await fetch(control, { method: 'POST', body: '{"status":429}' })).status).toBe(201)
  await expect(ask()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
})
