/** The values of variables: read from a lead, its agent and the workspace, or sent with a message. */
import { findWords, getWords } from '../../documents/languages.ts'
import type { Tx } from '../../kit/db/index.ts'
import { toPointerPart } from '../../kit/json-pointer.ts'
import { type InputError, invalidInput, throwIfInvalid } from '../../kit/problem.ts'
import { attempt, getResult, type Result } from '../../kit/results.ts'
import { validateUser } from '../identity/service.ts'
import { readBrandingFacts } from '../identity/settings.ts'
import type { Lead } from '../leads/schemas.ts'
import { findLeads, parseFields } from '../leads/service.ts'
import { catalogueByName } from './catalogue.ts'
import type { AppointmentValues, CatalogueVariable, ValueSources } from './catalogue-variable.ts'
import { createTextFormats } from './liquid/formats.ts'
import { formatContent, type TypedValue, type VariableType } from './liquid/piece.ts'
import type { StoredVariable } from './queries.ts'
import { explainType, isInstant, toExample } from './text-variables.ts'
import { findAgents } from './users.ts'

/** The values that come with a message, by name. */
export type SentValues = Record<string, string | number>

export interface ValueRequest {
  /** Null: the text is not about a lead. */
  leadId: string | null
  /** Null: the owner of the lead. */
  agentUserId: string | null
  /** Missing: the text is not about an appointment. */
  appointment?: AppointmentValues | null
}

/** What the values of a lead are read from, for any language. */
export interface Sources extends Omit<ValueSources, 'words'> {
  timezone: string
  /** The currency of the workspace, ISO 4217. */
  currency: string
}

const leadFields = parseFields('contact,property,ownerUserId')

/** Throws 400 for an unknown lead or agent. */
export const readSources = async (tx: Tx, request: ValueRequest): Promise<Sources> =>
  getResult((await readSourcesOf(tx, [request]))[0]!)

/** The same for many texts, in their order. */
export async function readSourcesOf(tx: Tx, requests: ValueRequest[]): Promise<Result<Sources>[]> {
  if (requests.length === 0) return []
  const { branding, timezone, currency } = await readBrandingFacts(tx)
  const leads = await readLeads(tx, [...new Set(requests.flatMap(({ leadId }) => leadId ?? []))])
  const getAgentId = ({ leadId, agentUserId }: ValueRequest) =>
    (agentUserId ?? leads.get(leadId?.toLowerCase() ?? '')?.ownerUserId)?.toLowerCase() ?? null
  const agents = await findAgents(tx, [...new Set(requests.flatMap(request => getAgentId(request) ?? []))])
  const { name, phone, email, website } = branding
  return requests.map(request =>
    attempt(() => {
      const { leadId, agentUserId, appointment = null } = request
      const lead = leadId === null ? null : leads.get(leadId.toLowerCase())
      if (lead === undefined) throw invalidInput('/leadId', 'UNKNOWN_LEAD', 'There is no lead with this id.')
      throwIfInvalid(validateUser(agentUserId, new Set(agents.keys()), '/agentUserId'))
      return {
        lead,
        agent: agents.get(getAgentId(request) ?? '') ?? null,
        workspace: { name, phone, email, website },
        appointment,
        timezone: appointment?.timezone ?? timezone,
        currency,
      }
    }),
  )
}

async function readLeads(
  tx: Tx,
  leadIds: string[],
): Promise<Map<string, Pick<Lead, 'contact' | 'property' | 'ownerUserId'>>> {
  const found = await findLeads(tx, leadIds, leadFields)
  return new Map([...found].map(([id, json]) => [id, JSON.parse(json)]))
}

export interface ResolvedValue {
  /** Null: there is no value. */
  content: TypedValue | null
  source: 'sent' | 'data' | 'example' | 'fallback' | 'none'
}

/**
 * Returns the values of the variables of a text: those that were sent, then those of the sources, then the fallbacks.
 * `withExamples`: before the fallbacks, the examples.
 */
export function resolveValues(
  variables: readonly StoredVariable[],
  options: { sources: Sources; sent: SentValues; language: string; withExamples?: boolean },
): Map<string, ResolvedValue> {
  const { sources, sent, language, withExamples = false } = options
  const words = toWords(language)
  return new Map(
    variables.map(variable => {
      const { name, type, fallback } = variable
      const read = catalogueByName.get(name)?.read({ ...sources, words }) ?? null
      const candidates: ResolvedValue[] = [
        {
          content: Object.hasOwn(sent, name) ? toTypedValue(type, sent[name]!, sources) : null,
          source: 'sent',
        },
        { content: read, source: 'data' },
        { content: withExamples ? toExample(variable) : null, source: 'example' },
        { content: fallback === null ? null : { type: 'text', value: fallback }, source: 'fallback' },
      ]
      return [name, candidates.find(isFilled) ?? { content: null, source: 'none' }]
    }),
  )
}

/** The value of a variable of the catalogue as it is printed in a language; null: the sources have none. */
export function printValue(
  { read }: CatalogueVariable,
  { timezone, ...sources }: Sources,
  language: string,
): string | null {
  const content = read({ ...sources, words: toWords(language) })
  return content && isFilled({ content })
    ? formatContent(content, createTextFormats(language, timezone))
    : null
}

const toWords = (language: string) => findWords(language) ?? getWords('en')

export function toContents(values: ReadonlyMap<string, ResolvedValue>): Map<string, TypedValue | null> {
  return new Map([...values].map(([name, { content }]) => [name, content]))
}

/** Texts of spaces and empty lists are as good as none. */
function isFilled({ content }: Pick<ResolvedValue, 'content'>): boolean {
  if (content?.type === 'text') return content.value.trim() !== ''
  return content?.type === 'list' ? content.value.length > 0 : content !== null
}

/** Finds errors in the values that were sent: names that the text does not use, and wrong types. */
export function findValueErrors(variables: readonly StoredVariable[], sent: SentValues): InputError[] {
  const byName = new Map(variables.map(variable => [variable.name, variable]))
  const names = [...byName.keys()]
  return Object.entries(sent).flatMap(([name, value]) => {
    const path = `/variables/${toPointerPart(name)}`
    const variable = byName.get(name)
    if (!variable)
      return [
        {
          path,
          code: 'UNKNOWN_FIELD',
          message: `is no variable of the template; it has ${names.join(', ') || 'none'}`,
        },
      ]
    if (fitsVariable(variable.type, value)) return []
    return [{ path, code: 'WRONG_TYPE', message: explainType(variable.type) }]
  })
}

function fitsVariable(type: VariableType, value: string | number): boolean {
  if (type === 'number') return typeof value === 'number'
  return type !== 'date' || (typeof value === 'string' && isInstant(value))
}

/** Returns the value that was sent as the type of its variable. A text replaces a formatted price or list. */
function toTypedValue(type: VariableType, value: string | number, { lead, currency }: Sources): TypedValue {
  if (type === 'date') return { type, value: Temporal.Instant.from(String(value)) }
  if (typeof value === 'string' || type === 'text' || type === 'list')
    return { type: 'text', value: String(value) }
  if (type === 'number') return { type, value }
  return { type, value: { amount: value, currency: lead?.property.currency ?? currency } }
}
