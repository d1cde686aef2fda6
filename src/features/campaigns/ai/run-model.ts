/**
 * Asks the model for one answer: a bounded number of rounds, each outside of any transaction. What it proposes is checked; a proposal that
 * breaks a rule is refused once, and then a person answers.
 */
import { createHash } from 'node:crypto'
import { checkReply, type ReplyGrounds } from '../../../domain/ai-replies/check-reply.ts'
import { createHandOff, type HandOff } from '../../../domain/ai-replies/hand-off.ts'
import { type ModelCall, parseCall } from '../../../domain/ai-replies/parse-calls.ts'
import { buildPrompt, formatRules, listTools, type PromptFacts } from '../../../domain/ai-replies/prompt.ts'
import type { QualificationAnswers } from '../../../domain/ai-replies/qualification.ts'
import { newId } from '../../../kit/id.ts'
import { type AiCompletion, AiError, type AiMessage, type AiProvider } from '../../../plugins/ai.ts'
import type { Situation } from './read-situation.ts'
import { formatStart, runTool, type ToolContext, type ToolDependencies } from './tools.ts'

export type Outcome =
  | { kind: 'reply'; text: string; answers: QualificationAnswers }
  | { kind: 'handOff'; handOff: HandOff }
  | { kind: 'failed'; error: AiError }

/** A round as it is logged. */
interface Step {
  text: string | null
  calls: { name: string; arguments: string }[]
  results: string[]
}

export interface ModelRun {
  outcome: Outcome
  /** Null: the model was not used. */
  model: string | null
  prompt: AiMessage[]
  promptHash: string | null
  steps: Step[]
  inputTokens: number
  outputTokens: number
  appointmentId: string | null
}

export interface ModelEndpoint {
  provider: AiProvider
  model: string
}

const roundsMax = 6
const toolRunsMax = 8
const refusalsMax = 1
export const charactersMax = 800
const outputTokensMax = 700
const loggedMaxLength = 4_000

/** A run without a model. */
export const skipModel = (outcome: Outcome): ModelRun => ({
  outcome,
  model: null,
  prompt: [],
  promptHash: null,
  steps: [],
  inputTokens: 0,
  outputTokens: 0,
  appointmentId: null,
})

/** Throws the reason of the signal. */
export async function runModel(
  dependencies: ToolDependencies,
  { provider, model }: ModelEndpoint,
  context: ToolContext,
  signal: AbortSignal,
): Promise<ModelRun> {
  const facts = toFacts(context.situation)
  const prompt: AiMessage[] = buildPrompt(facts, context.situation.turns, `<<${newId()}>>`)
  const run: ModelRun = {
    ...skipModel({ kind: 'handOff', handOff: createHandOff('NOT_SURE') }),
    model,
    prompt,
    promptHash: createHash('sha256').update(JSON.stringify(prompt)).digest('hex'),
  }
  const tools = listTools(facts)
  const messages = [...prompt]
  const state: RoundState = { context, facts, refusals: 0, toolRuns: 0, results: [] }
  for (let round = 0; round < roundsMax; round += 1) {
    let completion: AiCompletion
    try {
      completion = await provider.complete({ model, messages, tools, outputTokensMax }, signal)
    } catch (error) {
      if (error instanceof AiError) return { ...run, outcome: { kind: 'failed', error } }
      throw error
    }
    run.model = completion.model ?? model
    run.inputTokens += completion.inputTokens ?? 0
    run.outputTokens += completion.outputTokens ?? 0
    const step = toStep(completion)
    run.steps.push(step)
    const outcome = await judge(dependencies, state, completion, {
      run,
      step,
      messages,
      offered: tools.map(({ name }) => name),
    })
    if (outcome) return { ...run, outcome }
  }
  return run
}

interface RoundState {
  context: ToolContext
  facts: PromptFacts
  refusals: number
  toolRuns: number
  /** What tools have returned: an answer may name it. */
  results: string[]
}

interface Round {
  run: ModelRun
  step: Step
  messages: AiMessage[]
  offered: string[]
}

/** What ends the run; null: the model goes on, with the results of its calls. */
async function judge(
  dependencies: ToolDependencies,
  state: RoundState,
  { text, toolCalls, isTruncated }: AiCompletion,
  { run, step, messages, offered }: Round,
): Promise<Outcome | null> {
  const { context, facts } = state
  messages.push({ role: 'assistant', content: text, toolCalls })
  if (toolCalls.length === 0) {
    state.refusals += 1
    messages.push({ role: 'user', content: 'Finish with a call of the tool reply or hand_off.' })
    return state.refusals > refusalsMax ? { kind: 'handOff', handOff: createHandOff('NOT_SURE') } : null
  }
  const calls = toolCalls.map(toolCall => ({
    toolCall,
    call: parseCall(toolCall, offered, facts.questions),
  }))
  // The call that hands over counts before all others.
  const handsOver = calls.filter(({ call }) => call?.tool === 'hand_off')
  for (const { toolCall, call } of handsOver.length > 0 ? handsOver : calls) {
    const answer = (result: object) => {
      const content = JSON.stringify(result)
      messages.push({ role: 'tool', callId: toolCall.id, content })
      step.results.push(content.slice(0, loggedMaxLength))
      return content
    }
    const refusal = isTruncated ? ['TRUNCATED'] : call === null ? ['WRONG_CALL'] : findProblems(call, state)
    if (refusal.length > 0) {
      state.refusals += 1
      answer({ refused: refusal })
      if (state.refusals > refusalsMax) return { kind: 'handOff', handOff: toRefusal(refusal) }
    } else if (call!.tool === 'reply') return toOutcome(call!)
    else if (call!.tool === 'hand_off') return { kind: 'handOff', handOff: createHandOff(call!.code) }
    else if (++state.toolRuns > toolRunsMax)
      answer({ error: 'No more tools can be called. Finish with reply or hand_off.' })
    else {
      const { result, appointmentId } = await runTool(dependencies, context, call!)
      run.appointmentId = appointmentId ?? run.appointmentId
      state.results.push(answer(result))
    }
  }
  return null
}

const toRefusal = (problems: readonly string[]): HandOff =>
  createHandOff('REFUSED_ANSWER', `Rules: ${problems.join(', ')}.`)

/** What the model does not want to be sent needs no check. */
function findProblems(call: ModelCall, { context, results, facts }: RoundState): string[] {
  return call.tool === 'reply' && call.isSure && call.about !== 'other'
    ? checkReply(call.text, toGrounds(context, facts, results))
    : []
}

function toOutcome({ text, about, isSure, answers }: ModelCall & { tool: 'reply' }): Outcome {
  if (about === 'other') return { kind: 'handOff', handOff: createHandOff('OFF_TOPIC') }
  if (!isSure) return { kind: 'handOff', handOff: createHandOff('NOT_SURE') }
  return { kind: 'reply', text, answers }
}

function toFacts(situation: Situation): PromptFacts {
  const { settings, lead, now, timezone, appointment } = situation
  return {
    agency: situation.agency,
    language: situation.language,
    now: `${formatStart(now, { language: 'en', timezone })}, ${now.toTemporalInstant().toZonedDateTimeISO(timezone).toPlainDate()}`,
    listing: lead.listing,
    faq: situation.faq,
    instructions: settings.instructions,
    questions: settings.questions,
    known: lead.customFields,
    appointment: appointment && formatStart(appointment.start, situation),
    listsSlots: settings.eventTypeId !== null,
    // What a draft promises, nobody has sent yet.
    booksSlots: settings.mode === 'auto',
    charactersMax,
  }
}

/** The title and the description of the listing are the words of the person. The instructions of the agency are for the model only. */
function toGrounds(
  { situation, listed }: ToolContext,
  facts: PromptFacts,
  results: readonly string[],
): ReplyGrounds {
  const { title: _title, description: _description, ...listing } = facts.listing
  const written = situation.turns.filter(({ from }) => from === 'agency').map(({ text }) => text ?? '')
  const host = situation.lead.url === null ? undefined : URL.parse(situation.lead.url)?.hostname
  return {
    texts: [
      JSON.stringify(listing),
      ...situation.faq.flatMap(({ question, answer }) => [question, answer]),
      ...facts.questions.map(({ question }) => question),
      ...written,
      ...listed.values(),
      ...results,
      facts.appointment ?? '',
      facts.agency,
    ],
    heard: situation.turns.filter(({ from }) => from === 'person').map(({ text }) => text ?? ''),
    secrets: [formatRules(facts), facts.instructions],
    hosts: host === undefined ? [] : [host],
    language: situation.language,
    charactersMax,
  }
}

const toStep = ({ text, toolCalls }: AiCompletion): Step => ({
  text: text?.slice(0, loggedMaxLength) ?? null,
  calls: toolCalls.map(({ name, arguments: given }) => ({
    name,
    arguments: given.slice(0, loggedMaxLength),
  })),
  results: [],
})
