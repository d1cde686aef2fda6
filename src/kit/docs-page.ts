/** The API reference at `/docs`: Scalar, served from its package. The page loads nothing from another host. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fastify from 'fastify'

/** A reply that the server sends unchanged. */
export interface DocsAsset {
  /** Below `/docs`. */
  path: string
  /** All headers but the length. */
  headers: Record<string, string>
  /** The script is read at each call: an idle server doesn't keep five megabytes. */
  read(): Promise<Buffer | string>
}

/** Scalar writes its styles into the page and its samples have images in `data:`. No inline script, no eval, no other host. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const noSniff = { 'x-content-type-options': 'nosniff' }
const immutable = { 'cache-control': 'public, max-age=31536000, immutable', ...noSniff }
const javascript = { 'content-type': 'text/javascript; charset=utf-8', ...immutable }

/**
 * Lists everything that `/docs` serves: the page first, then its scripts, under paths that change with their content.
 * `openapiUrl` is the address of the OpenAPI document, absolute or relative to the page. Addresses in the page are relative, so
 * that it works below a base path.
 */
export function listDocsAssets({ openapiUrl }: { openapiUrl: string }): DocsAsset[] {
  const manifest = readFileSync(
    new URL('../package.json', import.meta.resolve('@scalar/fastify-api-reference')),
  )
  const version = createHash('sha256').update(manifest).update(start).digest('hex').slice(0, 12)
  return [
    {
      path: '/docs',
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': contentSecurityPolicy,
        'referrer-policy': 'no-referrer',
        ...noSniff,
      },
      read: async () => toPage(`docs/${version}`, openapiUrl),
    },
    { path: `/docs/${version}/scalar.js`, headers: javascript, read: readScalar },
    { path: `/docs/${version}/start.js`, headers: javascript, read: async () => start },
  ]
}

/** The package has its script in a module for Fastify alone: a server without an address is asked for it. */
async function readScalar(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const server = fastify()
  try {
    await server.register(scalar, { routePrefix: '/docs', configuration: { content: {} } })
    const { rawPayload } = await server.inject('/docs/js/scalar.js')
    return rawPayload
  } finally {
    await server.close()
  }
}

function toPage(folder: string, openapiUrl: string): string {
  const url = openapiUrl.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Aldaba API reference</title>
<link rel="icon" href="data:,">
<script defer src="${folder}/scalar.js"></script>
<script defer src="${folder}/start.js"></script>
</head>
<body>
<div id="reference" data-openapi-url="${url}"></div>
<noscript><p>This page needs JavaScript. The <a href="${url}">OpenAPI document</a> has the same content.</p></noscript>
</body>
</html>
`
}

/**
 * Starts Scalar. Nothing leaves the host: no telemetry, no fonts of others, no proxy, no assistant. The server is the one that the
 * reader came by, which the page's policy allows alone. `x-codeSamples` of the document have the samples in TypeScript.
 */
const start = `const reference = document.getElementById('reference')
const languages = ['c', 'clojure', 'csharp', 'dart', 'fsharp', 'go', 'http', 'java', 'js', 'julia', 'kotlin', 'node', 'objc', 'ocaml', 'php', 'powershell', 'r', 'ruby', 'rust', 'swift']
const hidden = Object.fromEntries(languages.map(language => [language, true]))
Scalar.createApiReference(reference, {
  url: reference.dataset.openapiUrl,
  servers: [{ url: location.origin + location.pathname.replace(/\\/docs$/, '') }],
  authentication: { preferredSecurityScheme: 'apiKey' },
  persistAuth: false,
  hiddenClients: { ...hidden, shell: ['wget', 'httpie'], python: ['python3', 'aiohttp', 'httpx_async', 'httpx_sync'] },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  defaultOpenFirstTag: true,
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
})
`
