/** The reply of a portal under each fault. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Fault, FaultKind } from './faults.ts'
import type { Reply } from './portal.ts'
import { sendReply } from './send.ts'

const htmlType = 'text/html; charset=utf-8'
const hugeBytes = 50_000_000
const fillerText = Buffer.from(`<div class="banner"><p>${'Publicidad '.repeat(740)}</p></div>\n`)

interface FaultedReply {
  fault: Fault
  /** The normal reply; for `empty`, `layout` and `loop` the portal has already altered it. */
  reply: Reply
  request: IncomingMessage
  response: ServerResponse
}

const faultBehaviours: Record<FaultKind, (faulted: FaultedReply) => void> = {
  hang: () => {},
  status: sendError,
  challenge: ({ fault, response }) => {
    sendPage(response, fault.status ?? 403, challengePage(), { 'cache-control': 'no-store' })
  },
  redirectToLogin: ({ reply, request, response }) => {
    if (request.url?.startsWith('/acceso/')) return sendReply(reply, request, response)
    const location = `/acceso/?siguiente=${encodeURIComponent(request.url ?? '/')}`
    sendPage(response, 302, '', { location, 'cache-control': 'no-store' })
  },
  drip: sendSlowly,
  close: sendPartially,
  huge: sendHuge,
  // A faulty page must not have the entity tag of the normal one.
  empty: ({ reply, response }) => sendPage(response, reply.status, reply.render(), reply.headers),
  layout: ({ reply, response }) => sendPage(response, reply.status, reply.render(), reply.headers),
  loop: ({ reply, response }) => sendPage(response, reply.status, reply.render(), reply.headers),
  length: ({ reply, response }) => {
    const body = reply.render()
    response.writeHead(reply.status, { ...reply.headers, 'content-length': body.length * 2 })
    response.end(body, () => response.socket?.end())
  },
  latency: ({ reply, request, response }) => sendReply(reply, request, response),
}

/** Answers a request with the fault. */
export function applyFault(faulted: FaultedReply): void {
  faultBehaviours[faulted.fault.kind](faulted)
}

function sendPage(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': htmlType,
    ...headers,
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

function sendError({ fault: { status = 500, retryAfterSeconds }, response }: FaultedReply): void {
  const text = `<!doctype html><html lang="es"><title>Error ${status}</title><h1>Error ${status}</h1>
<p>No podemos atender tu petición en este momento. Vuelve a intentarlo más tarde.</p></html>\n`
  const retry = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  sendPage(response, status, text, retry)
}

function sendSlowly({ fault: { intervalMs = 20 }, reply, response }: FaultedReply): void {
  const body = reply.render()
  response.writeHead(reply.status, { ...reply.headers, 'content-length': body.length })
  let sent = 0
  const timer = setInterval(() => {
    if (sent < body.length) response.write(body.subarray(sent, ++sent))
    else response.end()
  }, intervalMs)
  response.once('close', () => clearInterval(timer))
}

function sendPartially({ reply, response }: FaultedReply): void {
  const body = reply.render()
  response.writeHead(reply.status, { ...reply.headers, 'content-length': body.length })
  response.write(body.subarray(0, body.length >> 1), () => response.destroy())
}

async function sendHuge({ fault: { bytes = hugeBytes }, response }: FaultedReply): Promise<void> {
  response.writeHead(200, { 'content-type': htmlType })
  const start = Buffer.from('<!doctype html><html lang="es"><title>Anuncios</title><body>\n')
  const chunks = function* () {
    yield start.subarray(0, bytes)
    for (let left = bytes - start.length; left > 0; left -= fillerText.length)
      yield fillerText.subarray(0, left)
  }
  // A client that closes the connection is the expected outcome, not an error.
  await pipeline(Readable.from(chunks()), response).catch(() => {})
}

function challengePage(): string {
  return `<!doctype html>
<html lang="es"><head><meta charset="utf-8"><title>Verificación de seguridad</title>
<meta name="robots" content="noindex,nofollow"></head>
<body><main id="challenge-container" class="challenge">
<h1>Parece que estamos recibiendo muchas peticiones desde tu red</h1>
<p>Para continuar, confirma que eres una persona y no un robot.</p>
<form method="post" action="/verificacion/"><div class="captcha" data-sitekey="5f2c1e"></div>
<label><input type="checkbox" name="humano"> No soy un robot</label><button>Continuar</button></form>
<noscript>Activa JavaScript y las cookies para continuar.</noscript>
</main><script>document.cookie='_verificacion=pendiente;path=/'</script></body></html>
`
}
