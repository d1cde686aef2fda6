/** The CSS of the page, for screens from 320 px and for printing. */
import type { Palette } from '../../../documents/palette.ts'
import { readFontFaces } from './fonts.ts'
import { printRules } from './print-style.ts'

export function createSheetStyle({ brand, onBrand, accent, tint }: Palette): string {
  return `${readFontFaces()}:root{--brand:${brand};--on-brand:${onBrand};--accent:${accent};--tint:${tint};${tones}}${rules}${layouts}${screen}${printRules}`
}

const tones = '--ink:#14181f;--soft:#4a5361;--line:#e2e4e8;--pale:#f7f6f3'

const rules = `
* { box-sizing: border-box }
body {
  margin: 0; background: #fff; color: var(--ink); overflow-wrap: break-word; -webkit-text-size-adjust: 100%;
  font: 1.0625rem/1.6 'Source Sans 3', -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
}
header, main, footer, .warnings { max-width: 80rem; margin: 0 auto; padding: 0 2.5rem }
header { display: flex; flex-wrap: wrap; gap: 0.75rem 2rem; align-items: center; justify-content: space-between; padding-top: 1.5rem; padding-bottom: 1.5rem }
header img { display: block; max-width: 15rem; max-height: 3.5rem }
.agency { margin: 0; color: var(--accent); font: 400 1.625rem/1.2 'Source Serif 4', Georgia, serif }
.contacts { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin: 0; min-width: 0; color: var(--soft); font-size: 0.9375rem }
.contacts span { overflow-wrap: anywhere }
img { display: block; max-width: 100% }
.hero { display: grid; gap: 0.375rem }
.hero > * { display: block; min-width: 0; min-height: 0; overflow: hidden; background: var(--pale) }
.hero img { width: 100%; height: 100%; object-fit: cover }
.head { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 1rem 4rem; align-items: end; padding: 2.75rem 0 2.25rem }
.kicker { margin: 0 0 0.625rem; color: var(--accent); font-size: 0.9375rem; font-weight: 600; letter-spacing: 0.09em; text-transform: uppercase }
h1 { margin: 0; font: 400 clamp(1.75rem, 1.1rem + 2.2vw, 2.875rem)/1.15 'Source Serif 4', Georgia, serif; letter-spacing: -0.01em; text-wrap: balance; overflow-wrap: anywhere }
.place { margin: 0.75rem 0 0; color: var(--soft); font-size: 1.125rem }
.price { margin: 0; text-align: right }
.price strong { display: block; font: 400 clamp(1.625rem, 1.1rem + 1.8vw, 2.625rem)/1.15 'Source Serif 4', Georgia, serif; font-variant-numeric: lining-nums; white-space: nowrap }
.price span { display: block; margin-top: 0.5rem; color: var(--soft) }
.plain { align-items: center; margin-top: 0; padding: 4.5rem 3.5rem; background: var(--brand); color: var(--on-brand) }
.plain :is(.kicker, .place, .price span) { color: inherit }
.highlights { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; margin: 0; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line) }
.highlights div { display: flex; flex-direction: column-reverse; justify-content: flex-end; padding: 1.375rem 1rem 1.375rem 1.5rem; border-left: 1px solid var(--line) }
.highlights div:first-child { padding-left: 0; border-left: 0 }
.highlights dt { color: var(--soft); font-size: 0.9375rem; line-height: 1.3 }
.highlights dd { margin: 0; font: 400 1.875rem/1.2 'Source Serif 4', Georgia, serif; white-space: nowrap }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) 22rem; gap: 2rem 5rem; padding-top: 3rem }
h2 { margin: 0 0 1rem; font: 400 1.5rem/1.25 'Source Serif 4', Georgia, serif }
section { margin: 0 0 3rem }
.story p { margin: 0 0 1em; max-width: 44rem }
.details { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 0 3rem; margin: 0 }
.details div { display: flex; justify-content: space-between; gap: 1rem; padding: 0.5rem 0; border-bottom: 1px solid var(--line) }
.details dt { color: var(--soft) }
.details dd { margin: 0; min-width: 0; font-weight: 600; text-align: right; overflow-wrap: anywhere }
.features { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: 0.5rem 2rem; margin: 0; padding: 0; list-style: none }
.features li { padding-left: 1.375rem; position: relative }
.features li::before { content: ''; position: absolute; left: 0; top: 0.72em; width: 0.625rem; height: 2px; background: var(--brand) }
.contact { padding: 1.75rem; background: var(--pale); border-top: 3px solid var(--brand) }
.contact p { margin: 0; overflow-wrap: anywhere }
.card { display: flex; gap: 1.25rem; align-items: center }
.card img { flex: none; width: 5.5rem; height: 5.5rem; border-radius: 50%; object-fit: cover }
.card > div { min-width: 0; line-height: 1.45 }
.links { margin-top: 1rem; font-size: 1rem; line-height: 1.6 }
.name { font-weight: 600; font-size: 1.125rem }
a { color: var(--accent); text-underline-offset: 0.15em }
.button { display: block; margin-top: 1.25rem; padding: 0.625rem 1rem; background: var(--brand); color: var(--on-brand); font-weight: 600; text-align: center; text-decoration: none }
.button:focus-visible, a:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
.qr { display: flex; align-items: center; gap: 1rem; margin: 1.25rem 0 0; color: var(--soft); font-size: 0.9375rem }
.qr svg { width: 6rem; height: 6rem }
.energy svg { display: block; width: 100%; max-width: 20rem; height: auto }
.energy p { margin: 0 }
.map svg { display: block; width: 100%; height: auto }
svg text { font-family: inherit }
.photos { padding-top: 0.5rem }
.grid { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); grid-auto-flow: dense; gap: 0.375rem }
.grid > * { display: block; grid-column: span 2; aspect-ratio: 3 / 2; overflow: hidden; background: var(--pale) }
.grid > .portrait { grid-row: span 2; aspect-ratio: auto }
.grid img { width: 100%; height: 100%; object-fit: cover }
.grid > .portrait img { position: absolute; inset: 0 }
.grid > .portrait { position: relative; min-height: 20rem }
footer { padding-top: 1.5rem; padding-bottom: 3rem; color: var(--soft); font-size: 0.875rem }
footer p { margin: 0 0 0.375rem; max-width: 60rem }
.warnings { margin: 1rem auto; padding: 1rem 2.5rem; background: #fff7e0; border-left: 4px solid #b7791f; font-size: 0.9375rem }
.warnings p { margin: 0 0 0.5rem; font-size: 1.125rem; font-weight: 600 }
.warnings ul { margin: 0; padding-left: 1.25rem }
.warnings cite { color: var(--soft); font-style: normal; font-size: 0.875rem }
.warnings cite::before { content: '· ' }
`

const layouts = `
.hero { height: min(42rem, 56vw) }
.hero.n1.tall { height: min(52rem, 80vw) }
.hero.n1.tall img { object-fit: contain }
.hero.n2 { grid-template-columns: 1fr 1fr }
.hero.n2.tall { grid-template-columns: 2fr 3fr }
.gallery .hero.n3 { grid-template-columns: 2fr 1fr; grid-template-rows: 1fr 1fr }
.gallery .hero.n4 { grid-template-columns: 3fr 1fr; grid-template-rows: repeat(3, minmax(0, 1fr)) }
.gallery .hero.n5 { grid-template-columns: 2fr 1fr 1fr; grid-template-rows: 1fr 1fr }
.gallery .hero:is(.n3, .n5) > :first-child { grid-row: span 2 }
.gallery .hero.n4 > :first-child { grid-row: span 3 }
.gallery main { display: flex; flex-direction: column }
.gallery .photos { order: 1; padding-top: 3rem }
.gallery .columns { order: 2 }
.gallery main:has(.photos) .columns { padding-top: 0 }
.compact :is(header, main, footer) { max-width: 64rem }
.compact .hero { height: min(26rem, 44vw) }
.compact .hero.n3 { grid-template-columns: 2fr 1fr; grid-template-rows: 1fr 1fr }
.compact .hero.n3 > :first-child { grid-row: span 2 }
.compact .head { padding: 1.75rem 0 1.5rem }
.compact h1 { font-size: clamp(1.5rem, 1.1rem + 1.4vw, 2.125rem) }
.compact .columns { grid-template-columns: minmax(0, 1fr) 19rem; gap: 1.5rem 3rem; padding-top: 2rem }
.compact section { margin-bottom: 2rem }
.compact .grid > .portrait { min-height: 0 }
`

const screen = `
@media screen {
  .grid.even > :is(:nth-last-child(2):nth-child(3n + 1), :last-child:nth-child(3n + 2)) { grid-column: span 3 }
  .grid.even > :last-child:nth-child(3n + 1) { grid-column: 1 / -1; aspect-ratio: 2 }
}
@media screen and (max-width: 60rem) {
  .columns, .compact .columns { grid-template-columns: minmax(0, 1fr) }
}
@media screen and (max-width: 48rem) {
  header, main, footer, .warnings { padding-left: 1.25rem; padding-right: 1.25rem }
  .hero, .compact .hero { height: 66vw; margin: 0 -1.25rem }
  .head { grid-template-columns: minmax(0, 1fr); padding: 1.75rem 0 1.5rem }
  .price { text-align: left }
  .plain { margin: 0 -1.25rem; padding: 2.5rem 1.25rem }
  .highlights { grid-auto-flow: row; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)) }
  .highlights div, .highlights div:first-child { padding: 1rem 0; border-left: 0 }
  .highlights dd { font-size: 1.5rem }
  .grid > *, .grid.even > :nth-child(n) { grid-column: span 3; aspect-ratio: 3 / 2 }
  .grid.even > :last-child:nth-child(odd) { grid-column: 1 / -1 }
  .grid > .portrait { min-height: 0 }
}
@media screen and (max-width: 36rem) {
  .gallery .hero.n3, .compact .hero.n3 { height: 100vw }
  .gallery .hero:is(.n4, .n5) { height: 133vw }
  .gallery .hero:is(.n3, .n4, .n5), .compact .hero.n3 { grid-template-columns: 1fr 1fr; grid-template-rows: 2fr 1fr }
  .gallery .hero:is(.n4, .n5) { grid-template-rows: 2fr 1fr 1fr }
  .gallery .hero:is(.n3, .n4, .n5) > *, .compact .hero.n3 > * { grid-row: auto }
  .gallery .hero:is(.n3, .n4, .n5) > :first-child, .compact .hero.n3 > :first-child { grid-column: span 2; grid-row: auto }
  .gallery .hero.n4 > :last-child { grid-column: span 2 }
}
`
