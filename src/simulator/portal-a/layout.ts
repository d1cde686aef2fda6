/** The frame of portal_a's pages: styles, navigation, footer and scripts, as large as those of a real portal. */

import { escapeHtml } from '../html.ts'
import { operations, propertyTypes } from '../listing.ts'
import { spanishCities } from '../places.ts'
import { operationWords, propertyWords, toSearchPath } from './words.ts'

const componentStyles = `
:root{--ink:#22303a;--quiet:#5d6b75;--line:#dde3e7;--accent:#0b7a6b;--paper:#fff;--ground:#f4f6f7}
*{box-sizing:border-box}body{margin:0;font:16px/1.5 "Helvetica Neue",Arial,sans-serif;color:var(--ink);background:var(--ground)}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}img{max-width:100%;height:auto;display:block}
.icon{width:1em;height:1em;fill:currentColor;vertical-align:-2px}figure{margin:0}figcaption,.item-photos,.item-date{font-size:12px;color:var(--quiet)}button{font:inherit;border:1px solid var(--line);border-radius:4px;background:var(--paper);color:var(--accent)}
.site-header{background:var(--paper);border-bottom:1px solid var(--line)}.site-header .inner,.site-footer .inner,main{max-width:1180px;margin:0 auto;padding:16px}
.logo{font-weight:700;font-size:22px;letter-spacing:-.5px}.menu{display:flex;flex-wrap:wrap;gap:16px;list-style:none;margin:8px 0 0;padding:0}
.breadcrumb{font-size:13px;color:var(--quiet);list-style:none;display:flex;gap:6px;padding:0}.breadcrumb li+li::before{content:"›";margin-right:6px}
.item{display:grid;grid-template-columns:260px 1fr;gap:16px;background:var(--paper);border:1px solid var(--line);border-radius:6px;margin:0 0 16px;overflow:hidden}
.item-info{padding:12px 16px}.item-link{font-weight:600;font-size:18px}.item-price{font-size:22px;font-weight:700}.item-detail{margin-right:12px;color:var(--quiet)}
.item-description{color:var(--quiet);font-size:14px}.item-advertiser{font-size:13px;padding:2px 8px;border-radius:10px;background:var(--ground)}
.pagination{display:flex;flex-wrap:wrap;gap:8px;list-style:none;padding:0}.pagination a,.pagination span{padding:6px 12px;border:1px solid var(--line);border-radius:4px;background:var(--paper)}
.gallery{display:grid;grid-template-columns:repeat(4,1fr);gap:6px;margin:0 0 16px}.info-data{font-size:26px;font-weight:700}
.details-property{columns:2;padding-left:18px}.contact{background:var(--paper);border:1px solid var(--line);padding:16px;border-radius:6px}
.energy{display:inline-block;padding:0 8px;color:#fff;border-radius:3px}.energy-a,.energy-b{background:#2c9b4f}.energy-c,.energy-d{background:#c9b400}.energy-e,.energy-f,.energy-g{background:#c9452b}
.related{display:grid;grid-template-columns:repeat(3,1fr);gap:12px}.site-footer{background:#22303a;color:#cfd8dd;font-size:13px}.site-footer a{color:#cfd8dd}
.footer-links{display:grid;grid-template-columns:repeat(4,1fr);gap:16px}.footer-links ul{list-style:none;padding:0}
@media(max-width:720px){.item{grid-template-columns:1fr}.gallery,.footer-links,.related{grid-template-columns:1fr 1fr}.details-property{columns:1}}
`

const icons = {
  casa: 'M10 20v-6h4v6h5v-8h3L12 3 2 12h3v8z',
  corazon:
    'M12 21.35l-1.45-1.32C5.4 15.36 2 12.28 2 8.5 2 5.42 4.42 3 7.5 3c1.74 0 3.41.81 4.5 2.09C13.09 3.81 14.76 3 16.5 3 19.58 3 22 5.42 22 8.5c0 3.78-3.4 6.86-8.55 11.54z',
}

const pageScript = `
(function(){'use strict';
function all(selector,root){return Array.prototype.slice.call((root||document).querySelectorAll(selector))}
function stored(key,value){try{if(value===undefined)return JSON.parse(localStorage.getItem(key));localStorage.setItem(key,JSON.stringify(value))}catch(e){return null}}
function euros(value){return Math.round(value).toString().replace(/\\B(?=(\\d{3})+$)/g,'.')+' €'}
all('[data-action=favourite]').forEach(function(button){var id=button.getAttribute('data-id');var list=stored('favoritos')||[];
if(list.indexOf(id)>=0)button.classList.add('is-active');
button.addEventListener('click',function(){var now=stored('favoritos')||[];var at=now.indexOf(id);if(at<0)now.push(id);else now.splice(at,1);stored('favoritos',now);button.classList.toggle('is-active')})});
all('.gallery img').forEach(function(image,index,images){image.addEventListener('click',function(){images.forEach(function(other){other.classList.remove('is-large')});image.classList.add('is-large')})});
var form=document.querySelector('.mortgage');
if(form){var update=function(){var price=Number(form.price.value),saved=Number(form.saved.value),years=Number(form.years.value),rate=Number(form.rate.value)/1200;
var months=years*12,loan=price-saved,fee=rate?loan*rate/(1-Math.pow(1+rate,-months)):loan/months;form.querySelector('output').textContent=euros(fee)+'/mes'};
form.addEventListener('input',update);update()}
var seen=stored('vistos')||[];var main=document.querySelector('main[data-listing-id]');var listing=main&&main.getAttribute('data-listing-id');if(listing&&seen.indexOf(listing)<0){seen.unshift(listing);stored('vistos',seen.slice(0,50))}
})();
`

/** From the doctype to the end of the styles; title and metadata follow. */
const pageHead = Buffer.from(`<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>${componentStyles}${renderUtilityStyles()}</style>
`)

/** Header and menu, before the content. */
const pageHeader = Buffer.from(`<body>
${renderIconSprite()}
<header class="site-header"><div class="inner">
<a class="logo" href="/">Portal A</a>
<nav aria-label="Principal"><ul class="menu">
${operations
  .flatMap(operation =>
    propertyTypes.map(
      type =>
        `<li><a href="${toSearchPath(operation, type, 'madrid')}"><svg class="icon"><use href="#icono-casa"/></svg>${operationWords[operation].label} de ${propertyWords[type].slug}</a></li>`,
    ),
  )
  .join('\n')}
<li><a href="/acceso/">Acceder</a></li>
</ul></nav></div></header>
`)

const pageFooter = Buffer.from(`
<footer class="site-footer"><div class="inner"><div class="footer-links">
${operations.flatMap(operation => propertyTypes.map(type => renderLinkList(operation, type))).join('\n')}
</div><p>Portal A es un portal simulado: sus anuncios no existen.</p></div></footer>
<script>${pageScript}</script>
</body>
</html>
`)

/** A whole page: `head` comes between styles and body, `content` between menu and footer. */
export function renderPage(head: string, content: string): Buffer {
  return Buffer.concat([
    pageHead,
    Buffer.from(`${head}</head>\n`),
    pageHeader,
    Buffer.from(content),
    pageFooter,
  ])
}

/** A page with a single message. */
export function renderMessagePage(title: string, text: string, className = 'message'): Buffer {
  return renderPage(
    `<title>${escapeHtml(title)} | Portal A</title><meta name="robots" content="noindex">`,
    `<main class="${className}"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>`,
  )
}

function renderLinkList(
  operation: (typeof operations)[number],
  type: (typeof propertyTypes)[number],
): string {
  const what = `${propertyWords[type].label} en ${operationWords[operation].label.toLowerCase()}`
  const links = spanishCities.map(
    city => `<li><a href="${toSearchPath(operation, type, city.slug)}">${what} en ${city.name}</a></li>`,
  )
  return `<section><h3>${what}</h3><ul>${links.join('')}</ul></section>`
}

/** One class per spacing step and screen width, as CSS frameworks generate. */
function renderUtilityStyles(): string {
  const sides = ['', '-top', '-right', '-bottom', '-left']
  const properties = [...sides.map(side => `margin${side}`), ...sides.map(side => `padding${side}`), 'gap']
  const classes = (prefix: string) =>
    properties.flatMap(property =>
      Array.from(
        { length: 13 },
        (_, step) => `.${prefix}${property}-${step}{${property}:${step * 4}px!important}`,
      ),
    )
  return `${classes('').join('\n')}\n@media(min-width:720px){${classes('wide-').join('\n')}}`
}

function renderIconSprite(): string {
  const symbols = Object.entries(icons).map(
    ([name, path]) => `<symbol id="icono-${name}" viewBox="0 0 24 24"><path d="${path}"/></symbol>`,
  )
  return `<svg style="display:none" xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`
}
