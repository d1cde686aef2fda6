/** The frame of portal_b's pages: thousands of styles, advertising tags, and site settings. */

import { escapeHtml } from '../html.ts'
import { operations, propertyTypes } from '../listing.ts'
import { spanishCities } from '../places.ts'
import { operationWords, propertyWords } from './words.ts'

const spacings = ['none', 'sm', 'md', 'mdp', 'lg', 'xl', 'xxl', '2xl', '3xl']
const boxSides = { '': '', t: '-top', r: '-right', b: '-bottom', l: '-left' }

const bootstrapScript = `
(function(){var state=window.__INITIAL_PROPS__||{};window.__APP_READY__=typeof state==='object';
function on(name,run){document.addEventListener(name,run,{once:true})}
on('DOMContentLoaded',function(){var nodes=document.querySelectorAll('[data-panot-component=toggle]');
for(var i=0;i<nodes.length;i++)nodes[i].addEventListener('click',function(event){event.preventDefault();
var pressed=this.getAttribute('aria-pressed')==='true';this.setAttribute('aria-pressed',String(!pressed))})});
var pending=[];window.__TAGS__={push:function(tag){pending.push(tag)},"flush":function(){return pending.splice(0)}};
try{if(/"theme"\\s*:\\s*"dark"/.test(localStorage.getItem('settings')||''))document.documentElement.className+=' dark'}catch(e){}
})();`

const tags = ['analytics', 'consent', 'measurement', 'retargeting', 'experiments', 'audience']
  .map(
    name => `<script async src="https://tags.example/${name}/v4/loader.min.js"></script>
<script>!function(w,d,n){w[n]=w[n]||[];w[n].push({event:"start",ts:+new Date,page:{type:"real-estate",site:"portal_b"}});var s=d.getElementsByTagName("script")[0];s&&s.setAttribute("data-${name}","1")}(window,document,"_${name}");</script>`,
  )
  .join('\n')

/** From the doctype to the end of the styles. */
const pageHead = Buffer.from(`<!DOCTYPE html>
<html lang="es-ES" class="panot">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="theme-color" content="#ffffff">
<style>${renderUtilityStyles()}</style>
${tags}
<script>${bootstrapScript}</script>
`)

const pageHeader = Buffer.from(`<body class="sui-portal">
<div id="app"><header class="sui-TopbarHeader border-b-sm border-outline bg-surface"><a class="sui-Logo" href="/es/" aria-label="Portal B">Portal B</a>
<nav class="sui-Nav" aria-label="Principal"><ul class="flex gap-lg">
${operations
  .flatMap(operation =>
    propertyTypes.map(
      type =>
        `<li><a class="sui-LinkBasic text-body-2" href="/es/${operationWords[operation].slug}/${propertyWords[type].slug}/madrid/todas-las-zonas/l">${propertyWords[type].label} en ${operationWords[operation].label}</a></li>`,
    ),
  )
  .join('\n')}
<li><a class="sui-LinkBasic" rel="nofollow" href="/acceso/">Acceder</a></li></ul></nav></header>
`)

const pageFooter = Buffer.from(`
<footer class="re-SharedFooter bg-background px-lg py-2xl"><div class="sui-Tabs">
${operations
  .map(
    operation =>
      `<ul class="re-SharedFooter-list">${spanishCities
        .map(
          ({ slug, name }) =>
            `<li class="re-SharedFooter-item"><a class="sui-LinkBasic" href="/es/${operationWords[operation].slug}/viviendas/${slug}/todas-las-zonas/l">Viviendas en ${operationWords[operation].label} en ${name}</a></li>`,
        )
        .join('')}</ul>`,
  )
  .join('\n')}
</div><p class="text-caption">Portal B es un portal simulado: sus anuncios no existen.</p></footer></div>
`)

const pageEnd = Buffer.from(`<script src="/_sui/runtime~main.js" defer></script>
</body>
</html>
`)

/** A whole page: `head` comes between styles and body, `content` between menu and footer, `state` at the end. */
export function renderPage(head: string, content: string, state = ''): Buffer {
  return Buffer.concat([
    pageHead,
    Buffer.from(`${head}</head>\n`),
    pageHeader,
    Buffer.from(content),
    pageFooter,
    Buffer.from(state),
    pageEnd,
  ])
}

/** A page with a single message. */
export function renderMessagePage(title: string, text: string, state = ''): Buffer {
  return renderPage(
    `<title>${escapeHtml(title)} | Portal B</title><meta name="robots" content="noindex">`,
    `<main class="re-Message"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>`,
    state,
  )
}

/** A script statement that sets a variable to this value, as JSON in a string. */
export function renderAssignment(name: string, value: unknown): string {
  const literal = JSON.stringify(JSON.stringify(value)).replaceAll('<', '\\u003c')
  return `            window.${name} = JSON.parse(${literal});\n`
}

/** Initial data of the site's scripts: settings and texts in the language of the page. */
export const siteState = {
  browser: { deviceType: 'desktop', isDesktop: true, isMobile: false, isTablet: false },
  config: {
    siteCode: 'portal_b',
    languages: ['es', 'ca', 'en', 'de'],
    counters: { realEstates: 0 },
    maps: { tiles: 'https://tiles.example/{z}/{x}/{y}.png', attribution: '<a href="/es/mapa">Mapa</a>' },
  },
  literals: Object.fromEntries(
    ['SEARCH', 'DETAIL', 'CONTACT', 'FILTERS', 'FEATURES', 'MORTGAGE', 'FOOTER', 'ALERTS'].flatMap(area =>
      Array.from({ length: 40 }, (_, index) => [
        `${area}.LITERAL_${index}`,
        `Texto ${index + 1} de la sección «${area.toLowerCase()}» con "comillas" y <b>marcas</b>`,
      ]),
    ),
  ),
}

function renderUtilityStyles(): string {
  const rules = ['', 'sm\\:', 'md\\:', 'lg\\:', '\\@xs\\:'].flatMap(prefix =>
    spacings.flatMap((name, step) =>
      Object.entries(boxSides).flatMap(([letter, side]) => [
        `.${prefix}m${letter}-${name}{margin${side}:${step * 4}px}`,
        `.${prefix}p${letter}-${name}{padding${side}:${step * 4}px}`,
      ]),
    ),
  )
  return rules.join('')
}
