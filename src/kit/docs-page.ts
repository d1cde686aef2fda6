/** The API reference at `/docs`: Scalar, served from its package. The page loads nothing from another host. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fastify from 'fastify'

/** A reply that the server sends unchanged. */
export interface DocsAsset {
  /** `/docs` or a path below it. */
  path: string
  /** All headers except Content-Length. */
  headers: Record<string, string>
  /** Reads the content at each call, so that an idle server does not keep the script of five megabytes in memory. */
  read(): Promise<Buffer | string>
}

/** Scalar needs inline styles and `data:` images. Inline scripts, eval and other hosts are forbidden. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const noSniff = { 'x-content-type-options': 'nosniff' }
const immutable = { 'cache-control': 'public, max-age=31536000, immutable', ...noSniff }
const javascript = { 'content-type': 'text/javascript; charset=utf-8', ...immutable }

/**
 * Lists the files of `/docs`: first the page, then its scripts, whose paths change with their content. `openapiUrl`:
 * the URL of the OpenAPI document, absolute or relative to the page. URLs in the page are relative, so that it works
 * below a base path.
 */
export function listDocsAssets({ openapiUrl }: { openapiUrl: string }): DocsAsset[] {
  const manifest = readFileSync(
    new URL('../package.json', import.meta.resolve('@scalar/fastify-api-reference')),
  )
  const version = createHash('sha256').update(manifest).update(startScript).digest('hex').slice(0, 12)
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
    { path: `/docs/${version}/start.js`, headers: javascript, read: async () => startScript },
  ]
}

/**
 * The package offers its script only through a Fastify plug-in, so inject a request into a server that does not listen.
 */
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
 * Starts Scalar without telemetry, external fonts, proxy or assistant, so that nothing leaves the host. Requests go to
 * the server of the page, the only one that its policy allows. TypeScript samples come from `x-codeSamples`.
 */
const startScript = `const reference = document.getElementById('reference')
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
