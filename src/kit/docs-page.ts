// The readable API reference: Swagger UI from node_modules in a shell of our own that loads nothing from outside.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** A reply the server gives as it is: `path` begins with `/docs`, `headers` hold all but the length. */
export interface DocsAsset {
  path: string
  contentType: string
  headers: Record<string, string>
  /** Read from disk at each access, so that an idle server does not hold two megabytes for nobody. */
  readonly body: Buffer | string
}

// `data:` is for the icons in Swagger UI's stylesheet. Nothing inline, no eval, no other host.
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Everything that `/docs` serves: the page first, then what it names, under a path that changes with the content.
 * `openapiUrl` is where the browser finds the document, absolute or relative to the page. Paths in the page are
 * relative, so that it also works under a prefix. Throws if `swagger-ui-dist` is not installed.
 */
export function docsAssets(options: { openapiUrl: string }): DocsAsset[] {
  const require = createRequire(import.meta.url)
  const manifest = readFileSync(require.resolve('swagger-ui-dist/package.json'))
  const fingerprint = createHash('sha256')
    .update(manifest)
    .update(theme)
    .update(start)
    .digest('hex')
    .slice(0, 12)
  const asset = (name: string, contentType: string, read: () => Buffer | string): DocsAsset => ({
    path: `/docs/${fingerprint}/${name}`,
    contentType,
    headers: {
      'content-type': contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    },
    get body() {
      return read()
    },
  })
  const css = 'text/css; charset=utf-8'
  const js = 'text/javascript; charset=utf-8'
  const html = 'text/html; charset=utf-8'
  return [
    {
      path: '/docs',
      contentType: html,
      headers: {
        'content-type': html,
        'cache-control': 'no-cache',
        'content-security-policy': contentSecurityPolicy,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      },
      body: shell(`docs/${fingerprint}`, options.openapiUrl),
    },
    asset('swagger-ui.css', css, () => readFileSync(require.resolve('swagger-ui-dist/swagger-ui.css'))),
    asset('swagger-ui.js', js, () => readFileSync(require.resolve('swagger-ui-dist/swagger-ui-bundle.js'))),
    asset('theme.css', css, () => theme),
    asset('start.js', js, () => start),
  ]
}

function shell(folder: string, openapiUrl: string): string {
  const url = openapiUrl.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}/swagger-ui.css">
<link rel="stylesheet" href="${folder}/theme.css">
<script defer src="${folder}/swagger-ui.js"></script>
<script defer src="${folder}/start.js"></script>
</head>
<body>
<nav id="contents" aria-label="Operations"></nav>
<div id="reference" data-openapi-url="${url}"></div>
<noscript><p>This page needs JavaScript. The same facts are in the <a href="${url}">OpenAPI document</a>.</p></noscript>
</body>
</html>
`
}

const start = `const reference = document.getElementById('reference')

const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()

// Of a request and a success the schema says most; of an error, the example with its code.
const showErrorsByExample = () => ({
  wrapComponents: {
    modelExample: (ModelExample, { React }) => props => {
      const path = props.specPath?.toJS() ?? []
      const isError = /^[45]/.test(path[path.indexOf('responses') + 1])
      const getConfigs = () => ({ ...props.getConfigs(), defaultModelRendering: isError ? 'example' : 'model' })
      return React.createElement(ModelExample, { ...props, getConfigs })
    },
  },
})

// Swagger UI 5.35 hides readOnly or writeOnly properties by what was opened first (its issue 11010): show all, labelled.
const showAllProperties = ({ fn }) => ({
  fn: { jsonSchema202012: { ...fn.jsonSchema202012, getProperties: schema => schema?.properties ?? {} } },
})

const open = (tag, operationId, hash) => {
  const { layoutActions, layoutSelectors } = ui
  // Each call of show makes an entry in the history, so only what is closed is opened.
  if (!layoutSelectors.isShown(['operations-tag', tag], true)) layoutActions.show(['operations-tag', tag], true)
  layoutActions.show(['operations', tag, operationId], true)
  requestAnimationFrame(() => reference.querySelector('a[href="' + hash + '"]')?.closest('.opblock').scrollIntoView())
}

const listContents = () => {
  const contents = document.getElementById('contents')
  for (const [tag, { operations }] of Object.entries(ui.specSelectors.taggedOperations().toJS())) {
    const heading = contents.appendChild(document.createElement('h2'))
    heading.textContent = tag
    for (const { method, operation } of operations) {
      const link = contents.appendChild(document.createElement('a'))
      link.href = '#/' + encodeURIComponent(tag) + '/' + encodeURIComponent(operation.operationId)
      link.dataset.method = method
      link.textContent = operation.summary
      link.addEventListener('click', () => open(tag, operation.operationId, link.hash))
    }
  }
}

const ui = SwaggerUIBundle({
  domNode: reference,
  url: reference.dataset.openapiUrl,
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  defaultModelExpandDepth: 6,
  defaultModelsExpandDepth: 0,
  showCommonExtensions: true,
  // The badge would send the document's address to validator.swagger.io.
  validatorUrl: null,
  // The reader may have come by another name of this host, which the policy and CORS keep apart from the server's own.
  requestInterceptor: request => {
    const { pathname, search } = new URL(request.url, location.href)
    request.url = location.origin + pathname + search
    return request
  },
  plugins: [showErrorsByExample, showAllProperties],
  onComplete: listContents,
})
`

const theme = `:root {
  --ground: #fff; --raised: #f6f7f9; --line: #dfe3e8; --ink: #1d2530; --soft: #5b6675;
  --get: #0b5cad; --post: #19713f; --patch: #8a5300; --delete: #b3261e;
  --sans: -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
}
.dark-mode {
  --ground: #14181d; --raised: #1c2229; --line: #353f4a; --ink: #e5eaf0; --soft: #a3afbc;
  --get: #79b8ff; --post: #6fd39a; --patch: #f0b65c; --delete: #ff8d85;
}
html:root body {
  margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr);
  background: var(--ground); color: var(--ink); font-family: var(--sans);
}
noscript { padding: 1.5rem }
/* Room for the last operation to scroll to the top. */
#reference { padding-bottom: 75vh }
nav {
  position: sticky; top: 0; height: 100vh; box-sizing: border-box; overflow-y: auto; padding: 1.5rem 1rem 3rem;
  border-right: 1px solid var(--line); background: var(--raised); font-size: 0.875rem;
  h2 { margin: 1.25rem 0 0.25rem; padding: 0 0.375rem; font-size: 0.9375rem }
  h2:first-child { margin-top: 0.5rem }
  a { display: flex; gap: 0.5rem; align-items: baseline; padding: 0.25rem 0.375rem; border-radius: 4px; color: var(--ink); line-height: 1.35; text-decoration: none }
  a:hover { background: var(--line) }
  a::before { content: attr(data-method); flex: none; width: 2.75rem; font: 700 0.6875rem var(--mono); text-transform: uppercase }
  [data-method='get']::before { color: var(--get) }
  [data-method='post']::before { color: var(--post) }
  :is([data-method='patch'], [data-method='put'])::before { color: var(--patch) }
  [data-method='delete']::before { color: var(--delete) }
}

/* html:root outweighs the stylesheet's own html.dark-mode. */
html:root .swagger-ui {
  background: none; color: var(--ink); font-family: var(--sans);
  * { font-family: inherit }
  :is(code, code *, pre, pre *, textarea, .opblock-summary-path, td .parameter__name, .parameter__type, .parameter__in, .parameter__extension, tbody .response-col_status, .json-schema-2020-12-property .json-schema-2020-12__title, [class*='__attribute'], [class*='__constraint'], [class*='json-viewer__value']) { font-family: var(--mono) }
  .wrapper { max-width: 66rem; margin: 0; padding: 0 2rem }
  .info { margin: 2rem 0 1rem }
  .scheme-container { padding: 0 0 1rem; background: none; box-shadow: none }
  .renderedMarkdown :is(p, li) { margin: 0 0 0.375rem; font-size: 0.9375rem; line-height: 1.5 }
  .renderedMarkdown code { padding: 0.1em 0.35em; border-radius: 3px; background: var(--line); color: inherit; font-size: 0.85em; font-weight: 500 }
  .operation-filter-input { box-sizing: border-box; width: 100%; max-width: none; margin: 1rem 0 }
  .opblock-tag { padding: 0.75rem 0 }
  .opblock { margin: 0 0 0.625rem; box-shadow: none }
  .opblock-body { background: var(--ground) }
  .opblock-section-header { min-height: 2.75rem; padding: 0.25rem 1.25rem; border: solid var(--line); border-width: 1px 0; background: var(--raised); box-shadow: none }
  .opblock-description-wrapper { margin: 0; padding: 1rem 1.25rem }
  .examples-select__section-label { color: var(--ink) }
  :is(.response-control-media-type, .response-control-examples, .body-param-content-type):has(option:only-child), .response-col_links { display: none }

  :is(.parameters, .responses-table) > tbody > tr > td { padding: 0.625rem 1rem 0.625rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
  :is(.parameters, .responses-table) > tbody > tr:last-child > td { border-bottom: 0 }
  .parameters-col_description :is(input, select):disabled { display: none }
  .parameters-col_name { min-width: 11rem; max-width: none }
  .parameter__name { font-size: 0.875rem; font-weight: 600 }
  .headers td { font-family: inherit; font-weight: 400 }
  :is(.parameter__type, .parameter__in, .parameter__extension) { color: var(--soft); font-style: normal; font-weight: 400 }

  .model-box { display: block; box-sizing: border-box; padding: 0.75rem 1rem; background: var(--raised); overflow-x: auto }
  .json-schema-2020-12, .json-schema-2020-12 button { background: none }
  .json-schema-2020-12-body { border-color: var(--line) }
  .json-schema-2020-12-property { margin: 0; padding: 0.3rem 0 }
  .json-schema-2020-12-property .json-schema-2020-12__title { font-size: 0.8125rem }
  .json-schema-2020-12-keyword--description { padding-left: 1.25rem; margin: 0 }
  .json-schema-2020-12-keyword--description p { color: var(--soft); font-size: 0.8125rem }
  .json-schema-2020-12__constraint { margin-left: 0.5rem; padding: 0 0.3rem; border: 1px solid var(--line); background: none; color: var(--soft); font-size: 0.75rem; font-weight: 500 }
  .json-schema-2020-12-expand-deep-button { display: none }
  /* Values of an enum on one line instead of a numbered tree. */
  :is(.json-schema-2020-12-keyword--enum, .json-schema-2020-12-keyword--examples) {
    > .json-schema-2020-12__attribute, > button .json-schema-2020-12-accordion__icon, ul .json-schema-2020-12-json-viewer__name { display: none }
    > button { padding: 0 0.5rem 0 0 }
    ul, li, li > div { display: inline; margin: 0; padding: 0; border: 0 }
    li + li::before { content: ', '; color: var(--soft) }
    .json-schema-2020-12-json-viewer__value::before { content: none }
  }
}

@media (max-width: 60rem) {
  html:root body { display: block }
  nav { display: none }
  html:root .swagger-ui {
    .wrapper { padding: 0 1rem }
    :is(.opblock-section-header, .opblock-description-wrapper) { padding: 0.5rem 0.75rem }
    :is(.table-container, .responses-inner) { padding: 0.5rem 0.75rem }
    :is(.parameters, .responses-table) > thead { display: none }
    :is(.parameters, .responses-table), :is(.parameters, .responses-table) > tbody, :is(.parameters, .responses-table) > tbody > tr, :is(.parameters, .responses-table) > tbody > tr > td:not(.response-col_links) { display: block; width: auto; max-width: none; margin: 0; padding-left: 0 }
    :is(.parameters, .responses-table) > tbody > tr > td:first-child { padding-bottom: 0; border: 0 }
  }
}
`
