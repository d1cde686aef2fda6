/** The CSS of the public pages of scheduling: one column on a phone, three beside each other on a wide screen. */
import { minifyCss } from '../../../documents/minify-css.ts'
import { createPalette, toDarkAccent } from '../../../documents/palette.ts'

/** The colours of the agency, for both colour schemes. */
export function toColors(color: string | null): string {
  const { brand, onBrand, accent, tint } = createPalette(color)
  return (
    `:root{--brand:${brand};--on-brand:${onBrand};--accent:${accent};--tint:${tint}}` +
    `@media(prefers-color-scheme:dark){:root{--accent:${toDarkAccent(brand, '#1d232b')};--tint:#2b333e}}`
  )
}

export const pageStyle = minifyCss(`
:root { color-scheme: light dark; --page: #f3f4f6; --card: #fff; --ink: #14181f; --soft: #525b68; --line: #d5dae1; --edge: #79828f; --bad: #b3151d; --bad-tint: #fdecec; --good-tint: #e3f4e8 }
@media (prefers-color-scheme: dark) { :root { --page: #12161b; --card: #1d232b; --ink: #f1f3f6; --soft: #b4bdc9; --line: #38424f; --edge: #8a95a3; --bad: #ff9a94; --bad-tint: #3a2022; --good-tint: #1c3527 } }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; overflow-wrap: anywhere }
.top { max-width: 66rem; margin: 0 auto; padding: 1.25rem 1rem .75rem; font-weight: 600; font-size: 1.125rem }
.top img { display: block; height: 2.75rem; width: auto; max-width: 100%; object-fit: contain; object-position: left }
main { max-width: 66rem; margin: 0 auto; background: var(--card); border-top: 4px solid var(--brand) }
section, .about { padding: 1.25rem 1rem }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25 }
h2 { margin: 0 0 .75rem; font-size: 1.125rem; line-height: 1.3 }
p { margin: 0 0 .75rem }
a { color: var(--accent); text-underline-offset: .2em }
.soft, small { color: var(--soft) }
.text { white-space: pre-line }
.about { border-bottom: 1px solid var(--line) }
.about > :last-child { margin-bottom: 0 }
dl { margin: .75rem 0 }
dt { color: var(--soft); font-size: .875rem }
dd { margin: 0 0 .5rem }
.chosen { margin: 1rem 0; padding: .75rem 1rem; border-radius: .5rem; background: var(--tint); font-weight: 600 }
.zone { margin: 1rem 0 0 }
.zone label { display: block; margin-bottom: .25rem; color: var(--soft) }
.zone div { display: flex; gap: .5rem }
.zone select { flex: 1; min-width: 0 }
.month { display: flex; align-items: center; justify-content: space-between; gap: .5rem; margin-bottom: .5rem }
.month h2 { margin: 0 }
h2::first-letter, .chosen::first-letter, dd::first-letter { text-transform: uppercase }
.month nav { display: flex; gap: .25rem }
.month nav > * { display: grid; place-items: center; width: 2.75rem; height: 2.75rem; border-radius: .5rem; color: var(--ink) }
.month nav span { color: var(--soft); opacity: .5 }
.month nav a:hover { background: var(--tint) }
svg { width: 1.25rem; height: 1.25rem; fill: none; stroke: currentcolor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
table { width: 100%; border-collapse: separate; border-spacing: .1875rem; table-layout: fixed }
th { padding: .375rem 0; color: var(--soft); font-size: .8125rem; font-weight: 600; text-align: center }
td { padding: 0; text-align: center }
td > * { display: grid; place-items: center; height: 2.75rem; border-radius: .5rem }
td span { color: var(--soft) }
td a { background: var(--tint); color: var(--ink); font-weight: 600; text-decoration: none }
td a:hover { box-shadow: inset 0 0 0 2px var(--accent) }
td a[aria-current] { background: var(--brand); color: var(--on-brand); box-shadow: inset 0 0 0 2px var(--on-brand), 0 0 0 1px var(--accent) }
.slots { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.5rem, 1fr)); gap: .5rem; margin: 0; padding: 0; list-style: none }
.slots button, .slots label { width: 100%; padding: .5rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--card); color: var(--ink); font-weight: 600 }
.slots button:hover { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent) }
.parts { display: flex; flex-wrap: wrap; gap: .5rem; margin-bottom: 1rem }
.parts a { padding: .5rem .75rem; border-radius: .5rem; color: var(--ink); text-decoration: none }
.parts a:hover, .parts a[aria-current] { background: var(--tint) }
.parts a[aria-current] { font-weight: 600 }
.slots small { display: block; font-weight: 400 }
.near { grid-template-columns: 1fr; margin: 0 0 1rem }
.near label { display: flex; gap: .75rem; align-items: center; font-weight: 400; cursor: pointer }
button, select, input, textarea { min-height: 2.75rem; font: inherit; color: inherit }
button { cursor: pointer }
input:not([type=checkbox], [type=radio]), select, textarea { width: 100%; padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--card) }
textarea { min-height: 6rem; resize: vertical }
[type=checkbox], [type=radio] { flex: none; width: 1.375rem; height: 1.375rem; min-height: 0; margin: 0; accent-color: var(--accent) }
.plain { padding: .5rem 1rem; border: 1px solid var(--edge); border-radius: .5rem; background: none }
.main, .second { display: inline-block; min-height: 2.75rem; padding: .5625rem 1.25rem; border: 1px solid var(--brand); border-radius: .5rem; background: var(--brand); color: var(--on-brand); font-weight: 600; text-decoration: none }
.second { border-color: var(--edge); background: none; color: var(--ink) }
.main:hover { filter: brightness(1.1) }
.second:hover, .plain:hover { border-color: var(--accent) }
.acts { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin-top: 1.25rem }
.field { margin-bottom: 1rem }
.field > label, legend { display: block; margin-bottom: .25rem; font-weight: 600 }
.field > label small { font-weight: 400 }
.field .tick { display: flex; gap: .75rem; align-items: flex-start; font-weight: 400 }
.error { margin: .25rem 0 0; color: var(--bad) }
[aria-invalid=true] { border-color: var(--bad) !important; box-shadow: inset 0 0 0 1px var(--bad) }
.alert, .note { margin: 0 0 1rem; padding: .875rem 1rem; border-radius: .5rem; border-left: 4px solid var(--bad); background: var(--bad-tint) }
.alert h2 { margin: 0 0 .25rem; font-size: 1rem }
.alert > :last-child, .note > :last-child { margin-bottom: 0 }
.alert ul { margin: 0; padding-left: 1.25rem }
.alert a { color: inherit }
.note { border-color: var(--accent); background: var(--good-tint) }
.trap { position: absolute; left: -100vw; width: 1px; height: 1px; overflow: hidden }
fieldset, legend { margin: 0; padding: 0 }
fieldset { border: 0; min-width: 0 }
footer { max-width: 66rem; margin: 0 auto; padding: 1rem; color: var(--soft); font-size: .9375rem }
footer p { margin: 0 0 .5rem }
footer a { display: inline-block; min-height: 1.5rem; margin-right: .75rem }
summary { width: fit-content; padding: .25rem 0; cursor: pointer }
details ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; padding: .25rem 0; list-style: none }
details li a { margin: 0; padding: .5rem 0 }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
[aria-busy=true] .main { opacity: .6 }
.embed { background: none }
.embed main { border: 1px solid var(--line); border-top: 4px solid var(--brand) }
@media (scripting: enabled) { .zone button { display: none } }
@media (max-width: 55.99rem) { .about dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .25rem .75rem } .about dd { margin: 0 } .about dt { line-height: 1.5rem } }
@media (min-width: 40rem) {
  main { border-radius: .25rem .25rem .75rem .75rem; box-shadow: 0 1px 3px #0002 }
  section, .about { padding: 1.75rem }
  .embed main { box-shadow: none }
}
@media (min-width: 56rem) {
  .top { padding-top: 2rem }
  .columns { display: grid; grid-template-columns: 17rem minmax(0, 1fr) }
  .columns.last { grid-template-columns: minmax(0, 1fr) 19rem }
  .last .about { border-right: 0; border-left: 1px solid var(--line) }
  .columns.three { grid-template-columns: 17rem minmax(0, 1fr) 15.5rem }
  .about { border-bottom: 0; border-right: 1px solid var(--line) }
  .three .times { border-left: 1px solid var(--line); max-height: 34rem; overflow-y: auto }
  .three .slots { grid-template-columns: 1fr }
  .columns form.details { max-width: 34rem }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth } td a, button, .main, .second { transition: box-shadow .12s, border-color .12s } }
`)
