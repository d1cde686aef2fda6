/** Checks the calls of an ad network with servers that answer badly: bounded, and failed with errors of the contract. */
import { createHttpClient, type HttpClient } from '../kit/http/client.ts'
import { type AdContext, AdError, type AdNetwork, adErrorCodes } from './ads.ts'
import { buildExample } from './check-credentials.ts'
import { hostileAnswers, serveHostile } from './hostile-server.ts'

const deadlineMs = 20_000
const dayMs = 86_400_000
const since = Temporal.Instant.from('2026-11-26T10:00:00Z')

/** One sentence per problem. */
export async function checkAdsCalls(network: AdNetwork): Promise<string[]> {
  const http = createHttpClient({ reach: 'any' })
  try {
    const problems = await checkServer('a refused connection', network, http, 'http://127.0.0.1:1')
    for (const [name, listener] of Object.entries(hostileAnswers)) {
      const server = await serveHostile(listener)
      problems.push(...(await checkServer(name, network, http, server.url)))
      await server.close()
    }
    return problems
  } finally {
    await http.close()
  }
}

type Call = [name: string, run: (context: AdContext) => Promise<unknown>]

function listCalls(network: AdNetwork): Call[] {
  const credentials = buildExample(network.credentials)
  const formId = '172036835026334'
  const lead = { leadId: '233370042045345', content: null }
  return [
    ['connect', context => network.connect(credentials, context)],
    ['disconnect', context => network.disconnect(credentials, context)],
    ['listForms', context => network.listForms(credentials, context)],
    ['readLead', context => network.readLead(credentials, lead, context)],
    ['listLeads', context => network.listLeads(credentials, { formId, since, cursor: null }, context)],
    [
      'listLeads with a cursor',
      context => network.listLeads(credentials, { formId, since, cursor: 'a' }, context),
    ],
    [
      'listLeads of a form that is no id',
      context => network.listLeads(credentials, { formId: '../me?', since, cursor: null }, context),
    ],
  ]
}

async function checkServer(name: string, network: AdNetwork, http: HttpClient, baseUrl: string) {
  const outcomes = listCalls(network).map(async ([call, run]) => {
    const signal = AbortSignal.timeout(2 * deadlineMs)
    const problem = await findCallProblem(run({ http, baseUrl, signal }))
    return problem ? [`\`${call}\` with ${name} ${problem}`] : []
  })
  const stopped = { http, baseUrl, signal: AbortSignal.abort(new Error('stopped')) }
  const aborted = await settle(listCalls(network)[3]![1](stopped))
  return [
    ...(await Promise.all(outcomes)).flat(),
    ...(aborted.kind === 'thrown' ? [] : ['`readLead` must fail when the signal is aborted']),
  ]
}

type Outcome = { kind: 'returned' } | { kind: 'thrown'; error: unknown } | { kind: 'late' }

async function settle(call: Promise<unknown>): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Outcome>(resolve => {
    timer = setTimeout(() => resolve({ kind: 'late' }), deadlineMs)
  })
  const settled = call.then(
    (): Outcome => ({ kind: 'returned' }),
    (error: unknown): Outcome => ({ kind: 'thrown', error }),
  )
  const outcome = await Promise.race([settled, late])
  clearTimeout(timer)
  return outcome
}

/** No bad reply is a page, an empty list or a lead. */
async function findCallProblem(call: Promise<unknown>): Promise<string | null> {
  const outcome = await settle(call)
  if (outcome.kind === 'late') return 'must end: limit its time and the size of the reply'
  return outcome.kind === 'thrown'
    ? findAdErrorProblem(outcome.error)
    : 'must fail, and not take the reply for an empty one'
}

/** Null: the error is one of the contract. */
export function findAdErrorProblem(error: unknown): string | null {
  if (!(error instanceof AdError)) return `must throw an AdError, if it throws: ${error}`
  const { code, message, retryAfterMs } = error
  const isValid =
    adErrorCodes.includes(code) &&
    /^\p{Lu}.*[.?!]$/su.test(message) &&
    message.length < 1000 &&
    retryAfterMs >= 0 &&
    retryAfterMs <= dayMs
  return isValid ? null : 'must fail with a code, a sentence and a wait of at most a day'
}
