/** The other pages of portal_e, beside feed and listings. */
import { escapeHtml } from '../html.ts'

export function renderMessagePage(title: string, content: string): Buffer {
  return Buffer.from(`<!doctype html>
<html lang="es"><head><meta charset="utf-8"><title>${escapeHtml(title)} | Portal E</title></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${content}</p></main></body></html>
`)
}

export function renderHomePage(): Buffer {
  return renderMessagePage(
    'Inmuebles en España',
    `Nuestros anuncios, en formato Kyero v3: <a href="/feeds/kyero-v3.xml.gz">kyero-v3.xml.gz</a>,
<a href="/feeds/kyero-v3.xml">kyero-v3.xml</a>.`,
  )
}
