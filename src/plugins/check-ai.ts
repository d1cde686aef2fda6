/** Checks an AI provider against the contract (`ai.ts`), and lists all its problems. */
import { type AiCompletion, AiError, type AiProvider, type AiRequest, aiErrorCodes } from './ai.ts'
import { hostileAnswers, serveHostile } from './hostile-server.ts'

/** A server on which the provider is tried. What it answers next is decided by `answer` and `refuse`. */
export interface AiTrial {
  provider: AiProvider
  /** The next completion. `calls`: name and arguments as the model writes them. */
  answer(completion: {
    text?: string
    calls?: { name: string; arguments: string }[]
    isTruncated?: boolean
  }): void
  /** The next request is refused with this status. */
  refuse(fault: { status: number; retryAfterSeconds?: number; times: number }): void
  /** The bodies of the requests, the oldest first. */
  requests: readonly string[]
}

const deadlineMs = 20_000
const hourMs = 3_600_000
const secret = 'el piso de Marta'
const request: AiRequest = {
  model: 'small',
  messages: [
    { role: 'system', content: `Answer about ${secret}.` },
    { role: 'user', content: '¿Sigue libre? "\n\u0000' },
    { role: 'assistant', content: null, toolCalls: [{ id: 'call_1', name: 'list_slots', arguments: '{}' }] },
    { role: 'tool', callId: 'call_1', content: '[]' },
  ],
  tools: [
    { name: 'list_slots', description: 'Lists slots.', parameters: { type: 'object', properties: {} } },
  ],
  outputTokensMax: 100,
}

/**
 * One sentence per problem. Empty if the provider is valid. `create` makes a provider of a base URL; it is called with hostile
 * servers on loopback, which takes seconds.
 */
export async function checkAi(create: (url: string) => AiProvider, trial: AiTrial): Promise<string[]> {
  return [
    ...(await checkHostileServers(create)),
    ...(await checkErrors(trial)),
    ...(await checkReplies(trial)),
  ]
}

async function checkHostileServers(create: (url: string) => AiProvider): Promise<string[]> {
  const problems = await checkCall('a refused connection', create('http://127.0.0.1:1'))
  for (const [name, listener] of Object.entries(hostileAnswers)) {
    const server = await serveHostile(listener)
    problems.push(...(await checkCall(name, create(server.url))))
    await server.close()
  }
  const stopped = await settle(create('http://127.0.0.1:1'), AbortSignal.abort(new Error('stopped')))
  if (!(stopped instanceof Error)) problems.push('`complete` must fail when the signal is aborted')
  return problems
}

async function checkCall(name: string, provider: AiProvider): Promise<string[]> {
  const outcome = await settle(provider, AbortSignal.timeout(2 * deadlineMs))
  const problem =
    outcome === 'late' ? 'must end: limit its time and the size of the reply' : findErrorProblem(outcome)
  return problem ? [`\`complete\` with ${name} ${problem}`] : []
}

type Outcome = AiCompletion | Error | 'late'

async function settle(provider: AiProvider, signal: AbortSignal): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>(resolve => {
    timer = setTimeout(resolve, deadlineMs, 'late')
  })
  const completed = (async () => provider.complete(request, signal))().catch((error: Error) => error)
  const outcome = await Promise.race([completed, late])
  clearTimeout(timer)
  return outcome
}

/** Null: the error is one of the contract. */
function findErrorProblem(outcome: AiCompletion | Error): string | null {
  if (!(outcome instanceof Error)) return 'must fail'
  if (!(outcome instanceof AiError)) return `must throw an AiError, if it throws: ${outcome}`
  const { code, message, retryAfterMs } = outcome
  if (message.includes(secret)) return 'must fail without a part of the prompt in the message'
  const isValid =
    aiErrorCodes.includes(code) &&
    /^\p{Lu}.*[.?!]$/su.test(message) &&
    message.length < 1000 &&
    retryAfterMs >= 0 &&
    retryAfterMs <= hourMs
  return isValid ? null : 'must fail with a code, a sentence and a wait of at most an hour'
}

const meanings = [
  [400, 'REJECTED'],
  [401, 'INVALID_CREDENTIALS'],
  [404, 'REJECTED'],
  [429, 'RATE_LIMITED'],
  [500, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
] as const

async function checkErrors({ provider, refuse }: AiTrial): Promise<string[]> {
  const problems: string[] = []
  for (const [status, code] of meanings) {
    // One that is tried again is refused again.
    refuse({ status, retryAfterSeconds: 30, times: status === 503 ? 2 : 1 })
    const outcome = await settle(provider, AbortSignal.timeout(deadlineMs))
    const problem = outcome === 'late' ? 'must end' : findErrorProblem(outcome)
    const what = `\`complete\` that is refused with ${status}`
    if (problem) problems.push(`${what} ${problem}`)
    else if (outcome instanceof AiError && outcome.code !== code)
      problems.push(`${what} must fail with ${code}, not ${outcome.code}`)
    else if (outcome instanceof AiError && status === 429 && outcome.retryAfterMs !== 30_000)
      problems.push(`${what} must have the wait of Retry-After`)
  }
  return problems
}

async function checkReplies({ provider, answer, requests }: AiTrial): Promise<string[]> {
  const problems: string[] = []
  const complete = async () => {
    const outcome = await settle(provider, AbortSignal.timeout(deadlineMs))
    if (outcome !== 'late' && !(outcome instanceof Error)) return outcome
    problems.push(`\`complete\` must return what the model says: ${outcome}`)
    return null
  }
  answer({ text: 'Sí, sigue libre.' })
  const text = await complete()
  if (text && (text.text !== 'Sí, sigue libre.' || text.toolCalls.length > 0 || text.isTruncated))
    problems.push('`complete` must return the text of the model, and no tool calls')
  for (const { content } of request.messages)
    if (content !== null && !requests.at(-1)?.includes(JSON.stringify(content)))
      problems.push('`complete` must send every message unchanged')
  answer({ calls: [{ name: 'list_slots', arguments: '{"from":' }] })
  const call = await complete()
  if (call && (call.toolCalls[0]?.name !== 'list_slots' || call.toolCalls[0].arguments !== '{"from":'))
    problems.push('`complete` must return tool calls as the model wrote them')
  answer({ text: 'Sí, si', isTruncated: true })
  if ((await complete())?.isTruncated === false) problems.push('`complete` must say that the output was cut')
  return problems
}
