/** The operations of the simulated Graph API that lead ads need. */
import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { GraphError } from '../graph-api/graph-error.ts'
import type { GraphReply } from '../graph-api/send.ts'
import type { AdsState, SimulatedForm, SimulatedLead } from './state.ts'

export interface AdsCredentials {
  pageId: string
  accessToken: string
  appSecret: string
}

export interface AdsGraph {
  answer(request: IncomingMessage, url: URL): GraphReply
  /** What the app receives of the page. */
  readonly subscribedFields: string[]
  /** Other tokens are refused with code 190. */
  setAccessToken(token: string): void
}

const appId = '900000000000001'
const otherApp = { id: '900000000000002', name: 'Another app', subscribed_fields: ['leadgen', 'feed'] }
const ok = (body: object): GraphReply => ({ status: 200, body })
const unknownObject = () =>
  new GraphError(400, 100, 'Unsupported get request. Object does not exist', undefined, 33)

export function createAdsGraph({
  state,
  credentials,
}: {
  state: AdsState
  credentials: AdsCredentials
}): AdsGraph {
  let { accessToken } = credentials
  // An app that is in use already: its other fields must stay.
  let fields = ['feed']

  function authorize(request: IncomingMessage, url: URL): void {
    if (request.headers.authorization !== `Bearer ${accessToken}`)
      throw new GraphError(401, 190, 'Error validating access token: Session has expired')
    const expected = createHmac('sha256', credentials.appSecret).update(accessToken).digest('hex')
    if (url.searchParams.get('appsecret_proof') !== expected)
      throw new GraphError(400, 100, 'Invalid appsecret_proof provided in the API argument')
  }

  function answerSubscriptions(method: string, url: URL): GraphReply {
    if (method === 'GET')
      return ok({
        data: [
          otherApp,
          ...(fields.length > 0 ? [{ id: appId, name: 'Agencia', subscribed_fields: fields }] : []),
        ],
      })
    fields = method === 'DELETE' ? [] : (url.searchParams.get('subscribed_fields') ?? '').split(',')
    return ok({ success: true })
  }

  function answerGet(path: string, url: URL): GraphReply {
    const [id = '', edge] = path.split('/')
    if (id === 'app') return ok({ id: appId })
    if (id === state.pageId)
      return edge === undefined
        ? ok({ id, name: 'Agencia Simulada' })
        : edge === 'leadgen_forms'
          ? toPage(state.forms.map(toForm), url)
          : refuse()
    if (edge === 'leads' && state.forms.some(form => form.id === id))
      return toPage(listLeads(state, id, url), url)
    const lead = edge === undefined ? state.leads.find(known => known.id === id) : undefined
    return lead ? ok(toLead(lead)) : refuse()
  }

  return {
    answer(request, url) {
      authorize(request, url)
      const { method = 'GET' } = request
      const path = url.pathname.split('/').slice(2).join('/')
      if (path === `${state.pageId}/subscribed_apps`) return answerSubscriptions(method, url)
      if (method !== 'GET') throw new GraphError(400, 100, 'Unsupported post request')
      return answerGet(path, url)
    },
    get subscribedFields() {
      return fields
    },
    setAccessToken(token) {
      accessToken = token
    },
  }
}

function refuse(): never {
  throw unknownObject()
}

/** The newest come first. */
function listLeads(state: AdsState, formId: string, url: URL): object[] {
  const [filter] = JSON.parse(url.searchParams.get('filtering') ?? '[]') as {
    field: string
    operator: string
    value: number
  }[]
  if (filter && (filter.field !== 'time_created' || filter.operator !== 'GREATER_THAN'))
    throw new GraphError(400, 100, 'Invalid filter')
  const after = filter ? filter.value * 1000 : -Infinity
  return state.leads
    .filter(lead => lead.formId === formId && Math.floor(lead.submittedAt / 1000) * 1000 > after)
    .toReversed()
    .map(toLead)
}

function toPage(items: object[], url: URL): GraphReply {
  const limit = Number(url.searchParams.get('limit') ?? '25')
  const start = Number(url.searchParams.get('after') ?? '0')
  const end = Math.min(start + limit, items.length)
  const cursors = { before: String(start), after: String(end) }
  const next = end < items.length ? { next: `${url.origin}${url.pathname}?after=${end}` } : {}
  return ok({ data: items.slice(start, end), paging: { cursors, ...next } })
}

const toForm = ({ id, name, status, locale, questions, disclaimer }: SimulatedForm) => ({
  id,
  name,
  status,
  locale,
  questions,
  ...(disclaimer && {
    legal_content: {
      id: `${id}9`,
      custom_disclaimer: {
        title: disclaimer.title,
        body: { text: disclaimer.text, url_entities: [] },
        checkboxes: disclaimer.boxes.map(box => ({
          key: box.key,
          text: box.text,
          is_required: box.isRequired,
          is_checked_by_default: box.isTickedBefore,
        })),
      },
    },
  }),
})

const toLead = ({ id, formId, submittedAt, answers, boxes }: SimulatedLead) => ({
  id,
  form_id: formId,
  created_time: new Date(submittedAt).toISOString().replace(/\.\d+Z$/, '+0000'),
  ad_id: '120330000000001',
  ad_name: 'Anuncio con formulario',
  campaign_id: '120330000000002',
  campaign_name: 'Captación Valencia',
  field_data: Object.entries(answers).map(([name, value]) => ({ name, values: [value] })),
  custom_disclaimer_responses: Object.entries(boxes).map(([key, isTicked]) => ({
    checkbox_key: key,
    is_checked: isTicked ? '1' : '',
  })),
})
