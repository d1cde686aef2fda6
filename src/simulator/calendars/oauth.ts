/** The OAuth server of a simulated provider: a page with a button, and tokens that end and are revoked on request. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from '../read-body.ts'

export interface SimulatedOAuth {
  client: { id: string; secret: string }
  /** Tokens as the provider gives them after a person has agreed. */
  grant(): { accessToken: string; refreshToken: string }
  isValid(authorization: string | undefined): boolean
  /** The access tokens end now. */
  expireAccess(): void
  /** The person takes back their consent. */
  revoke(): void
  /** Answers requests to the two addresses. False: the request is for another one. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

const bodyMaxBytes = 50_000
const lifetimeS = 3600

export function createOAuth({
  label,
  authorizePath,
  tokenPath,
  rotates,
}: {
  label: string
  authorizePath: string
  tokenPath: string
  /** Each renewal replaces the refresh token. */
  rotates: boolean
}): SimulatedOAuth {
  const client = { id: 'aldaba-simulated-client', secret: 'simulated-secret' }
  const codes = new Map<string, string>()
  const access = new Set<string>()
  const refresh = new Set<string>()
  const create = (tokens: Set<string>) => {
    const token = randomBytes(18).toString('base64url')
    tokens.add(token)
    return token
  }
  const toTokens = (refreshToken?: string) => ({
    access_token: create(access),
    expires_in: lifetimeS,
    token_type: 'Bearer',
    ...(refreshToken ? { refresh_token: refreshToken } : {}),
  })

  const exchange = (form: URLSearchParams): [status: number, body: object] => {
    if (form.get('client_id') !== client.id || form.get('client_secret') !== client.secret)
      return [401, { error: 'invalid_client', error_description: 'The OAuth client was not found.' }]
    const refused = { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }
    if (form.get('grant_type') === 'authorization_code') {
      const code = form.get('code') ?? ''
      const redirectUrl = codes.get(code)
      codes.delete(code)
      if (redirectUrl === undefined || redirectUrl !== form.get('redirect_uri')) return [400, refused]
      return [200, toTokens(create(refresh))]
    }
    const token = form.get('refresh_token') ?? ''
    if (form.get('grant_type') !== 'refresh_token' || !refresh.has(token)) return [400, refused]
    if (!rotates) return [200, toTokens()]
    refresh.delete(token)
    return [200, toTokens(create(refresh))]
  }

  const agree = (form: URLSearchParams): string => {
    const redirect = new URL(form.get('redirect_uri') ?? '')
    if (form.has('deny')) redirect.searchParams.set('error', 'access_denied')
    else {
      const code = randomBytes(18).toString('base64url')
      codes.set(code, form.get('redirect_uri')!)
      redirect.searchParams.set('code', code)
    }
    redirect.searchParams.set('state', form.get('state') ?? '')
    return redirect.href
  }

  return {
    client,
    grant: () => ({ accessToken: create(access), refreshToken: create(refresh) }),
    isValid: authorization => access.has(authorization?.replace(/^Bearer /, '') ?? ''),
    expireAccess: () => access.clear(),
    revoke() {
      access.clear()
      refresh.clear()
    },
    async answer(request, response) {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      if (pathname === tokenPath && request.method === 'POST') {
        const [status, body] = exchange(await readForm(request))
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        return true
      }
      if (pathname !== authorizePath) return false
      if (request.method === 'POST')
        response.writeHead(302, { location: agree(await readForm(request)) }).end()
      else if (
        searchParams.get('client_id') === client.id &&
        URL.canParse(searchParams.get('redirect_uri') ?? '')
      )
        response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
          .end(formatPage(label, searchParams))
      else response.writeHead(400, { 'content-type': 'text/plain' }).end('Error 401: invalid_client')
      return true
    },
  }
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams((await readBody(request, bodyMaxBytes)).toString())
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)

function formatPage(label: string, fields: URLSearchParams): string {
  const hidden = ['redirect_uri', 'state'].map(
    name => `<input type="hidden" name="${name}" value="${escapeHtml(fields.get(name) ?? '')}">`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${label} (simulated)</title>
<meta name="viewport" content="width=device-width"></head>
<body><main><h1>${label} (simulated)</h1>
<p>Aldaba wants to see and change the calendars of ana@agency.example.</p>
<form method="post">${hidden.join('')}
<button>Allow</button> <button name="deny" value="1">Deny</button></form></main></body></html>
`
}
