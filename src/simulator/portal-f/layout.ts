/** The frame of portal_f's pages: styles, menu, footer and scripts of a modern portal. */

import { escapeHtml } from '../html.ts'
import { operations, propertyTypes } from '../listing.ts'
import { citiesByCountry } from '../places.ts'
import { operationWords, placeSlugs, typeWords } from './words.ts'

const styles = `
:root{--rosso:#e4002b;--testo:#2b2b2b;--tenue:#707070;--linea:#e3e3e3;--fondo:#f6f6f6}
*{box-sizing:border-box}body{margin:0;font:16px/1.5 "Open Sans",Helvetica,Arial,sans-serif;color:var(--testo);background:var(--fondo)}
a{color:inherit}img{max-width:100%;display:block}.nd-header{background:#fff;border-bottom:3px solid var(--rosso);padding:12px 24px;display:flex;gap:24px}
.nd-logo{font-weight:800;color:var(--rosso);text-decoration:none}.nd-nav{display:flex;gap:16px;list-style:none;margin:0;padding:0;flex-wrap:wrap}
.in-main{max-width:1080px;margin:0 auto;padding:24px;background:#fff}.im-titleBlock__title{font-size:28px;margin:0}.im-mainFeatures__price{font-size:30px;font-weight:700}
.im-features__list{display:grid;grid-template-columns:180px 1fr 180px 1fr}.im-features__title{color:var(--tenue)}.im-features__value{margin:0;font-weight:600}
.im-tags{display:flex;flex-wrap:wrap;gap:8px;list-style:none;padding:0}.im-tags li{background:var(--fondo);border:1px solid var(--linea);border-radius:16px;padding:2px 12px}
.im-gallery{display:grid;grid-template-columns:repeat(4,1fr);gap:4px}.im-lead{border:1px solid var(--linea);border-radius:8px;padding:16px;margin:24px 0}
.nd-footer{padding:24px;color:var(--tenue);font-size:13px}.nd-footer ul{columns:4;list-style:none;padding:0}
`
const pageScript = `
window.dataLayer=window.dataLayer||[];(function(w,d){'use strict';var consenso=/(^|; )consenso=1/.test(d.cookie);
function evento(n,p){w.dataLayer.push({event:n,parametri:p||{},consenso:consenso,quando:Date.now()})}
d.addEventListener('click',function(e){var a=e.target.closest&&e.target.closest('[data-evento]');if(a)evento(a.getAttribute('data-evento'))});
var foto=d.querySelectorAll('.im-gallery img');for(var i=0;i<foto.length;i++)foto[i].addEventListener('click',function(){this.classList.toggle('is-grande')});
evento('pagina',{percorso:location.pathname})})(window,document);
`

const pageHead = Buffer.from(`<!doctype html>
<html lang="it" prefix="og: https://ogp.me/ns# product: https://ogp.me/ns/product# place: https://ogp.me/ns/place#">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>${styles}${renderSpacingStyles()}</style>
`)
const pageHeader = Buffer.from(`</head>
<body>
<header class="nd-header"><a class="nd-logo" href="/">Portal F</a><nav><ul class="nd-nav">
${operations.flatMap(operation => propertyTypes.map(type => `<li><a href="/cerca/${operationWords[operation]}-${typeWords[type]}/">${typeWords[type]} in ${operationWords[operation]}</a></li>`)).join('\n')}
<li><a href="/accedi/">Accedi</a></li></ul></nav></header>
`)
const pageFooter = Buffer.from(`
<footer class="nd-footer"><ul>${citiesByCountry.IT.flatMap(city =>
  operations.flatMap(operation =>
    propertyTypes.map(
      type =>
        `<li><a href="/cerca/${operationWords[operation]}-${typeWords[type]}/${placeSlugs[city.slug]}/">${typeWords[type]} in ${operationWords[operation]} a ${city.name}</a></li>`,
    ),
  ),
).join('\n')}</ul><p>Portal F è un portale simulato: i suoi annunci non esistono.</p></footer>
<script>${pageScript}</script>
</body>
</html>
`)

/** A whole page: `head` holds title and metadata. */
export function renderPage(head: string, content: string): Buffer {
  return Buffer.concat([pageHead, Buffer.from(head), pageHeader, Buffer.from(content), pageFooter])
}

/** A page with a single message. */
export function renderMessagePage(title: string, text: string): Buffer {
  return renderPage(
    `<title>${escapeHtml(title)} | Portal F</title><meta name="robots" content="noindex">\n`,
    `<main class="in-main"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>`,
  )
}

/** One class per spacing step and screen width, as CSS frameworks generate. */
function renderSpacingStyles(): string {
  const names = ['mt', 'mr', 'mb', 'ml', 'pt', 'pr', 'pb', 'pl']
  const sides: Record<string, string> = { t: 'top', r: 'right', b: 'bottom', l: 'left' }
  const classes = (prefix: string) =>
    names.flatMap(name =>
      Array.from({ length: 33 }, (_, step) => {
        const property = `${name.startsWith('m') ? 'margin' : 'padding'}-${sides[name.slice(1)]}`
        return `.nd-${prefix}${name}-${step}{${property}:${step * 4}px!important}`
      }),
    )
  return `${classes('').join('\n')}\n@media(min-width:768px){${classes('md-').join('\n')}}`
}
