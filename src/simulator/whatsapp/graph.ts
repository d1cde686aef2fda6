/** The operations of the simulated Graph API. */
import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Callbacks } from '../graph-api/callbacks.ts'
import { GraphError, invalid } from '../graph-api/graph-error.ts'
import type { GraphReply } from '../graph-api/send.ts'
import type { MessageBody } from './message-values.ts'
import { assertMessage } from './messages.ts'
import { assertExamples, type SimulatedTemplate } from './template-message.ts'
import { createUploads } from './uploads.ts'

export interface GraphState {
  credentials: { phoneNumberId: string; businessAccountId: string; accessToken: string; appSecret: string }
  templates: SimulatedTemplate[]
}

export interface AcceptedMessage {
  id: string
  body: MessageBody
  at: number
}

interface Media {
  bytes: Buffer
  mediaType: string
}

export interface Graph {
  answer(request: IncomingMessage, url: URL, body: Buffer<ArrayBuffer>): Promise<GraphReply>
  accepted: AcceptedMessage[]
  number: Record<string, unknown>
  /** The address that was verified; null: none. */
  readonly callbackUrl: string | null
  /** The app receives the events of the business account, at that address or at its own. */
  readonly isSubscribed: boolean
  templates: SimulatedTemplate[]
  setAccessToken(token: string): void
  /** Keeps a file that a person sent, and returns its id. */
  addMedia(bytes: Buffer, mediaType: string): string
  createId(): string
  onAccepted(listener: (message: AcceptedMessage) => void): void
}

const acceptedMax = 200_000

export function createGraph(options: {
  credentials: GraphState['credentials']
  now: () => number
  callbacks: Callbacks
  seed: number
}): Graph {
  const { credentials, now, callbacks, seed } = options
  const { phoneNumberId, businessAccountId } = credentials
  const media = new Map<string, Media>()
  const accepted: AcceptedMessage[] = []
  const templates: SimulatedTemplate[] = [
    {
      id: '1192339204654487',
      name: 'first_contact',
      language: 'es',
      status: 'APPROVED',
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'Hola {{1}}, ¿sigue en venta su piso de {{2}}?' }],
    },
  ]
  const number: Record<string, unknown> = {
    id: phoneNumberId,
    display_phone_number: '+34 910 00 00 00',
    verified_name: 'Agencia Simulada',
    quality_rating: 'GREEN',
    code_verification_status: 'VERIFIED',
    name_status: 'APPROVED',
    status: 'CONNECTED',
    account_mode: 'LIVE',
    messaging_limit_tier: 'TIER_1K',
    throughput: { level: 'STANDARD' },
  }
  const uploads = createUploads()
  let accessToken = credentials.accessToken
  let callbackUri: string | null = null
  let isSubscribed = false
  let count = 0
  let listener: (message: AcceptedMessage) => void = () => {}
  const createId = () => {
    count += 1
    const digest = createHash('sha256').update(`${seed} ${count}`).digest('hex').slice(0, 32).toUpperCase()
    return `wamid.HBgL${digest}`
  }
  const addMedia = (bytes: Buffer, mediaType: string) => {
    const id = String(1_000_000_000 + media.size)
    media.set(id, { bytes, mediaType })
    return id
  }

  function authorize(request: IncomingMessage, url: URL): void {
    const scheme = url.pathname.includes('/upload:') ? 'OAuth' : 'Bearer'
    if (request.headers.authorization !== `${scheme} ${accessToken}`)
      throw new GraphError(401, 190, 'Error validating access token: Session has expired')
    const proof = url.searchParams.get('appsecret_proof')
    const expected = createHmac('sha256', credentials.appSecret).update(accessToken).digest('hex')
    if (proof !== null && proof !== expected)
      throw new GraphError(400, 100, 'Invalid appsecret_proof provided in the API argument')
  }

  function acceptMessage(body: MessageBody): GraphReply {
    if (body.status === 'read') {
      if (typeof body.message_id !== 'string') throw invalid('The parameter message_id is required.')
      return { status: 200, body: { success: true } }
    }
    assertMessage(body, { templates, hasMedia: id => media.has(id) })
    const message = { id: createId(), body, at: now() }
    accepted.push(message)
    if (accepted.length > acceptedMax) accepted.shift()
    listener(message)
    const to = body.to ?? body.recipient
    const contact =
      typeof body.to === 'string'
        ? { input: to, wa_id: body.to.replace('+', '') }
        : { input: to, user_id: to }
    return {
      status: 200,
      body: { messaging_product: 'whatsapp', contacts: [contact], messages: [{ id: message.id }] },
    }
  }

  async function acceptMedia(request: IncomingMessage, body: Buffer<ArrayBuffer>): Promise<GraphReply> {
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    const form = await new Response(body, { headers }).formData().catch(() => {
      throw invalid('The body must be a form.')
    })
    const file = form.get('file')
    if (form.get('messaging_product') !== 'whatsapp' || !(file instanceof Blob))
      throw invalid('The parameter file is required.')
    return { status: 200, body: { id: addMedia(Buffer.from(await file.arrayBuffer()), file.type) } }
  }

  async function subscribe(body: MessageBody): Promise<GraphReply> {
    const { override_callback_uri: address, verify_token: token } = body
    isSubscribed = true
    if (typeof address !== 'string') {
      callbacks.setWebhook(null)
      callbackUri = null
      return { status: 200, body: { success: true } }
    }
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.challenge': '1158201444',
      'hub.verify_token': String(token),
    })
    const answer = await fetch(`${address}?${query}`, { signal: AbortSignal.timeout(5000) }).then(
      reply => reply.text(),
      () => null,
    )
    if (answer !== '1158201444') throw new GraphError(400, 2200, 'Callback verification failed')
    callbacks.setWebhook(address)
    callbackUri = address
    return { status: 200, body: { success: true } }
  }

  function addTemplate(body: MessageBody): GraphReply {
    const { name, language, category, components } = body
    if (typeof name !== 'string' || !/^[a-z0-9_]{1,512}$/.test(name)) throw invalid('Param name is invalid.')
    if (templates.some(template => template.name === name && template.language === language))
      throw new GraphError(400, 2_388_024, 'Content in This Language Already Exists')
    assertExamples((components ?? []) as SimulatedTemplate['components'], uploads.hasHandle)
    const template = {
      id: String(2_000_000_000 + templates.length),
      name,
      language: String(language),
      status: 'PENDING',
      category: String(category),
      components: (components ?? []) as SimulatedTemplate['components'],
    }
    templates.push(template)
    return { status: 200, body: { id: template.id, status: template.status, category: template.category } }
  }

  function listPage(items: readonly object[], url: URL): GraphReply {
    const limit = Math.min(100, Number(url.searchParams.get('limit') ?? 25))
    const start = Number(url.searchParams.get('after') ?? 0)
    const end = Math.min(items.length, start + limit)
    const paging = {
      cursors: { before: String(start), after: String(end) },
      ...(end < items.length && { next: `${url.origin}${url.pathname}?after=${end}` }),
    }
    return { status: 200, body: { data: items.slice(start, end), paging } }
  }

  function findMedia(id: string, url: URL): GraphReply {
    const file = media.get(id)
    if (!file)
      throw new GraphError(
        400,
        100,
        `Unsupported get request. Object with ID '${id}' does not exist`,
        undefined,
        33,
      )
    const sha256 = createHash('sha256').update(file.bytes).digest('hex')
    const address = `${url.origin}/files/${id}`
    const body = { messaging_product: 'whatsapp', url: address, mime_type: file.mediaType, sha256, id }
    return { status: 200, body: { ...body, file_size: file.bytes.length } }
  }

  return {
    accepted,
    number,
    get callbackUrl() {
      return callbackUri
    },
    get isSubscribed() {
      return isSubscribed
    },
    templates,
    addMedia,
    createId,
    onAccepted(added) {
      listener = added
    },
    setAccessToken(token) {
      accessToken = token
    },
    async answer(request, url, body) {
      authorize(request, url)
      const [, , id = '', operation] = url.pathname.split('/')
      if (url.pathname.startsWith('/files/')) {
        const file = media.get(id)
        if (!file) throw new GraphError(404, 100, 'Not found')
        return { status: 200, body: file.bytes, headers: { 'content-type': file.mediaType } }
      }
      const isPost = request.method === 'POST'
      const route = `${isPost ? 'POST' : 'GET'} ${id === phoneNumberId ? 'number' : id === businessAccountId ? 'business' : 'media'}${operation ? `/${operation}` : ''}`
      switch (route) {
        case 'GET number':
          return { status: 200, body: number }
        case 'POST number/messages':
          return acceptMessage(parseBody(body))
        case 'POST number/media':
          return acceptMedia(request, body)
        case 'GET business/phone_numbers':
          return listPage([{ id: phoneNumberId }], url)
        case 'GET business/subscribed_apps': {
          const app = { whatsapp_business_api_data: { id: '67084990', name: 'Aldaba' } }
          const override = callbackUri === null ? {} : { override_callback_uri: callbackUri }
          return { status: 200, body: { data: isSubscribed ? [{ ...app, ...override }] : [] } }
        }
        case 'POST business/subscribed_apps':
          return subscribe(parseBody(body))
        case 'GET business/message_templates':
          return listPage(templates, url)
        case 'POST business/message_templates':
          return addTemplate(parseBody(body))
        case 'POST media/uploads':
          return uploads.start(url)
        case 'POST media':
          return uploads.finish(decodeURIComponent(id), request, url, body)
        case 'GET media':
          return findMedia(id, url)
        default:
          throw new GraphError(400, 100, `Unsupported ${isPost ? 'post' : 'get'} request.`, undefined, 33)
      }
    },
  }
}

function parseBody(body: Buffer): MessageBody {
  try {
    return JSON.parse(body.toString()) as MessageBody
  } catch {
    throw invalid('The body is not JSON.')
  }
}
