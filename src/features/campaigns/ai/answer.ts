/** Answers a conversation: reads what the answer depends on, requests the answer outside of any transaction, and stores the outcome. */
import { findHandOff } from '../../../domain/ai-replies/decide.ts'
import { createHandOff } from '../../../domain/ai-replies/hand-off.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { type Claim, claimConversation, endClaim } from './conversations.ts'
import { readSituation, type Situation } from './read-situation.ts'
import { type ModelEndpoint, type ModelRun, runModel, skipModel } from './run-model.ts'
import { isStopped, type OutcomeDependencies, storeOutcome, toNotSendable } from './store-outcome.ts'
import type { ToolDependencies } from './tools.ts'

export interface AnswerDependencies extends ToolDependencies, OutcomeDependencies {
  /** The endpoint of an environment; null: the operator has configured none. */
  findEndpoint(environment: 'live' | 'test'): Promise<ModelEndpoint | null>
}

/** The whole run, all rounds and tools. */
const runMaxMs = 90_000
/** A run that ends in the middle is begun again so often. */
const attemptsMax = 5

export async function answerConversation(
  dependencies: AnswerDependencies,
  { database, tenantId }: { database: Database; tenantId: string },
  conversationId: string,
  signal: AbortSignal,
): Promise<void> {
  const begun = await database.withTenant({ tenantId }, tx => begin(tx, dependencies, conversationId))
  if (!begun) return
  const { claim, situation } = begun
  const context = { database, tenantId, situation, claim, listed: new Map<string, string>() }
  const run = await requestAnswer(dependencies, context, signal)
  await store(dependencies, { database, tenantId }, { claim, situation, run })
}

/** Claims the conversation. Null: nothing is to be answered. */
async function begin(
  tx: Tx,
  dependencies: AnswerDependencies,
  conversationId: string,
): Promise<{ claim: Claim; situation: Situation } | null> {
  const claim = await claimConversation(tx, conversationId)
  if (!claim) return null
  const situation = await readSituation(tx, claim)
  // Nothing of people who have opted out reaches the model.
  if (situation && !(await isStopped(tx, dependencies, { claim, situation }))) return { claim, situation }
  await endClaim(tx, conversationId, { again: null, hasAnswered: false })
  return null
}

async function requestAnswer(
  dependencies: AnswerDependencies,
  context: Parameters<typeof runModel>[2],
  signal: AbortSignal,
): Promise<ModelRun> {
  const { situation, claim } = context
  const { settings, turns, environment } = situation
  const handOff = findHandOff({
    turns,
    keywords: settings.handoffKeywords,
    answered: claim.answered,
    turnsMax: settings.maxTurns,
  })
  if (handOff) return skipModel({ kind: 'handOff', handOff })
  const endpoint = await dependencies.findEndpoint(environment)
  const isUnavailable = endpoint === null || claim.attempts > attemptsMax
  if (isUnavailable) {
    const detail = endpoint === null ? 'None is configured: set AI_URL.' : ''
    return skipModel({ kind: 'handOff', handOff: createHandOff('AI_UNAVAILABLE', detail) })
  }
  const chosen = { ...endpoint, model: settings.model ?? endpoint.model }
  const deadline = AbortSignal.timeout(runMaxMs)
  try {
    return await runModel(dependencies, chosen, context, AbortSignal.any([signal, deadline]))
  } catch (error) {
    if (!deadline.aborted) throw error
    return skipModel({ kind: 'handOff', handOff: createHandOff('AI_UNAVAILABLE', 'It took too long.') })
  }
}

type FinishedRun = Parameters<typeof storeOutcome>[2]

async function store(
  dependencies: AnswerDependencies,
  { database, tenantId }: { database: Database; tenantId: string },
  finished: FinishedRun,
): Promise<void> {
  const tryStore = (outcome: ModelRun['outcome'], saysSo: boolean) =>
    database.withTenant({ tenantId }, tx =>
      storeOutcome(tx, dependencies, { ...finished, run: { ...finished.run, outcome } }, { saysSo }),
    )
  const { outcome } = finished.run
  try {
    await tryStore(outcome, true)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await tryStore(outcome.kind === 'reply' ? toNotSendable(error) : outcome, false)
  }
}
