// What every page of portal_b has around its content: styles by the thousand, tags of advertisers, and the site's own settings.
import { OPERATIONS, PROPERTY_TYPES } from '../advert.ts'
import { escapeHtml } from '../html.ts'
import { CITIES } from '../places.ts'
import { OPERATION_WORDS, PROPERTY_WORDS } from './words.ts'

const SPACINGS = ['none', 'sm', 'md', 'mdp', 'lg', 'xl', 'xxl', '2xl', '3xl']
const BOX_SIDES = { '': '', t: '-top', r: '-right', b: '-bottom', l: '-left' }

const BOOTSTRAP = `
(function(){var state=window.__INITIAL_PROPS__||{};window.__APP_READY__=typeof state==='object';
function on(name,run){document.addEventListener(name,run,{once:true})}
on('DOMContentLoaded',function(){var nodes=document.querySelectorAll('[data-panot-component=toggle]');
for(var i=0;i<nodes.length;i++)nodes[i].addEventListener('click',function(event){event.preventDefault();
var pressed=this.getAttribute('aria-pressed')==='true';this.setAttribute('aria-pressed',String(!pressed))})});
var pending=[];window.__TAGS__={push:function(tag){pending.push(tag)},"flush":function(){return pending.splice(0)}};
try{if(/"theme"\\s*:\\s*"dark"/.test(localStorage.getItem('settings')||''))document.documentElement.className+=' dark'}catch(e){}
})();`

const TAGS = ['analytics', 'consent', 'measurement', 'retargeting', 'experiments', 'audience']
  .map(
    name => `<script async src="https://tags.example/${name}/v4/loader.min.js"></script>
<script>!function(w,d,n){w[n]=w[n]||[];w[n].push({event:"start",ts:+new Date,page:{type:"real-estate",site:"portal_b"}});var s=d.getElementsByTagName("script")[0];s&&s.setAttribute("data-${name}","1")}(window,document,"_${name}");</script>`,
  )
  .join('\n')

/** Everything from the doctype to the end of the styles. */
const HEAD = Buffer.from(`<!DOCTYPE html>
<html lang="es-ES" class="panot">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="theme-color" content="#ffffff">
<style>${utilityStyles()}</style>
${TAGS}
<script>${BOOTSTRAP}</script>
`)

const HEADER = Buffer.from(`<body class="sui-portal">
<div id="app"><header class="sui-TopbarHeader border-b-sm border-outline bg-surface"><a class="sui-Logo" href="/es/" aria-label="Portal B">Portal B</a>
<nav class="sui-Nav" aria-label="Principal"><ul class="flex gap-lg">
${OPERATIONS.flatMap(operation =>
  PROPERTY_TYPES.map(
    type =>
      `<li><a class="sui-LinkBasic text-body-2" href="/es/${OPERATION_WORDS[operation].slug}/${PROPERTY_WORDS[type].slug}/madrid/todas-las-zonas/l">${PROPERTY_WORDS[type].label} en ${OPERATION_WORDS[operation].label}</a></li>`,
  ),
).join('\n')}
<li><a class="sui-LinkBasic" rel="nofollow" href="/acceso/">Acceder</a></li></ul></nav></header>
`)

const FOOTER = Buffer.from(`
<footer class="re-SharedFooter bg-background px-lg py-2xl"><div class="sui-Tabs">
${OPERATIONS.map(
  operation =>
    `<ul class="re-SharedFooter-list">${CITIES.map(
      ({ slug, name }) =>
        `<li class="re-SharedFooter-item"><a class="sui-LinkBasic" href="/es/${OPERATION_WORDS[operation].slug}/viviendas/${slug}/todas-las-zonas/l">Viviendas en ${OPERATION_WORDS[operation].label} en ${name}</a></li>`,
    ).join('')}</ul>`,
).join('\n')}
</div><p class="text-caption">Portal B es un portal simulado: sus anuncios no existen.</p></footer></div>
`)

const END = Buffer.from(`<script src="/_sui/runtime~main.js" defer></script>
</body>
</html>
`)

/** A whole page: `head` comes between styles and body, `content` between menu and footer, `state` at the end. */
export function page(head: string, content: string, state = ''): Buffer {
  return Buffer.concat([
    HEAD,
    Buffer.from(`${head}</head>\n`),
    HEADER,
    Buffer.from(content),
    FOOTER,
    Buffer.from(state),
    END,
  ])
}

/** A page that says one thing, such as that there is nothing to see. */
export function messagePage(title: string, text: string, state = ''): Buffer {
  return page(
    `<title>${escapeHtml(title)} | Portal B</title><meta name="robots" content="noindex">`,
    `<main class="re-Message"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>`,
    state,
  )
}

/** A statement that gives a variable this value, in JSON inside a string inside a script. */
export function assignment(name: string, value: unknown): string {
  const literal = JSON.stringify(JSON.stringify(value)).replaceAll('<', '\\u003c')
  return `            window.${name} = JSON.parse(${literal});\n`
}

/** What the scripts of the site start from on every page: settings, and texts in the language of the page. */
export const SITE_STATE = {
  browser: { deviceType: 'desktop', isDesktop: true, isMobile: false, isTablet: false },
  config: {
    siteCode: 'portal_b',
    languages: ['es', 'ca', 'en', 'de'],
    counters: { realEstates: 0 },
    maps: { tiles: 'https://tiles.example/{z}/{x}/{y}.png', attribution: '<a href="/es/mapa">Mapa</a>' },
  },
  literals: Object.fromEntries(
    ['SEARCH', 'DETAIL', 'CONTACT', 'FILTERS', 'FEATURES', 'MORTGAGE', 'FOOTER', 'ALERTS'].flatMap(area =>
      Array.from({ length: 40 }, (_, at) => [
        `${area}.LITERAL_${at}`,
        `Texto ${at + 1} de la sección «${area.toLowerCase()}» con "comillas" y <b>marcas</b>`,
      ]),
    ),
  ),
}

function utilityStyles(): string {
  const rules = ['', 'sm\\:', 'md\\:', 'lg\\:', '\\@xs\\:'].flatMap(prefix =>
    SPACINGS.flatMap((name, step) =>
      Object.entries(BOX_SIDES).flatMap(([letter, side]) => [
        `.${prefix}m${letter}-${name}{margin${side}:${step * 4}px}`,
        `.${prefix}p${letter}-${name}{padding${side}:${step * 4}px}`,
      ]),
    ),
  )
  return rules.join('')
}
