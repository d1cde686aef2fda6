/** The CSS of the widget and of its page. It takes over nothing of the page around it but the font. */
import { minifyCss } from '../../../documents/minify-css.ts'
import { createPalette, toDarkAccent } from '../../../documents/palette.ts'

const darkCard = '#1d232b'

/** The colours of the agency, for both themes. */
export function toColors(color: string | null): string {
  const { brand, onBrand, accent } = createPalette(color)
  return `.card{--brand:${brand};--on-brand:${onBrand};--light:${accent};--dark:${toDarkAccent(brand, darkCard)}}`
}

const dark = `--card: ${darkCard}; --ink: #f1f3f6; --soft: #b4bdc9; --line: #38424f; --edge: #8a95a3; --bad: #ff9a94; --bad-tint: #3a2022; --accent: var(--dark)`

export const widgetStyle = minifyCss(`
:host { display: flex; flex-direction: column }
.card { all: initial; --card: #fff; --ink: #14181f; --soft: #525b68; --line: #d5dae1; --edge: #79828f; --bad: #b3151d; --bad-tint: #fdecec; --accent: var(--light); color-scheme: light; box-sizing: border-box; display: flex; flex-direction: column; flex: 1; width: 100%; max-width: 28em; padding: 1.5em 1.25em; border: 1px solid var(--line); border-top: 4px solid var(--brand); border-radius: .375em .375em .875em .875em; background: var(--card); box-shadow: 0 1px 3px #00000014; color: var(--ink); font-family: inherit; font-size: max(16px, 1rem); line-height: 1.5; text-align: left; overflow-wrap: anywhere }
.card[data-theme=dark] { ${dark}; color-scheme: dark }
@media (prefers-color-scheme: dark) { .card[data-theme=auto] { ${dark}; color-scheme: dark } }
:where(.card *) { box-sizing: border-box; margin: 0; font-family: inherit }
[hidden] { display: none !important }
h1, h2 { font-size: 1.375em; line-height: 1.25; font-weight: 700; letter-spacing: -.01em; text-wrap: balance }
h1:focus, h2:focus { outline: 0 }
.intro { margin: .375em 0 1.25em; color: var(--soft) }
.field { min-width: 0; margin: 0 0 1em; padding: 0; border: 0 }
.field > label, legend { display: block; margin: 0 0 .25em; padding: 0; font-weight: 600 }
small { font-size: .875em; font-weight: 400; color: var(--soft) }
button, input, textarea { font: inherit; color: inherit }
input:not([type=checkbox], [type=radio]), textarea { display: block; width: 100%; min-height: 2.875em; padding: .625em .75em; border: 1px solid var(--edge); border-radius: .5em; background: var(--card); line-height: 1.5 }
textarea { min-height: 6em; resize: vertical }
.choices { display: grid; grid-template-columns: 1fr 1fr; gap: .5em }
.choices label { position: relative; display: block }
.choices input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer }
.choices span { display: block; padding: .625em .5em; border: 1px solid var(--edge); border-radius: .5em; text-align: center; line-height: 1.5 }
.choices input:checked + span { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); color: var(--accent); font-weight: 600 }
.field > .tick { display: flex; gap: .75em; align-items: flex-start; margin: 0; color: var(--soft); font-size: .875em; font-weight: 400; cursor: pointer }
.tick input { flex: none; width: 1.5em; height: 1.5em; margin: 0; accent-color: var(--accent) }
a { color: var(--accent); text-underline-offset: .2em }
.more { margin: .25em 0 0 2.25em; font-size: .875em }
.more + .error { margin-left: 2.1em }
.error { margin: .25em 0 0; color: var(--bad); font-size: .9375em }
[aria-invalid=true]:not(fieldset), [aria-invalid=true] span { border-color: var(--bad) !important; box-shadow: inset 0 0 0 1px var(--bad) }
.alert { margin: 0 0 1em; padding: .75em 1em; border-left: 4px solid var(--bad); border-radius: .5em; background: var(--bad-tint) }
.test { margin: 0 0 1em; padding: .25em .75em; border-radius: .5em; border: 1px dashed var(--edge); color: var(--soft); font-size: .875em }
.trap { position: absolute; left: -200vw; width: 1px; height: 1px; overflow: hidden }
button { display: block; width: 100%; min-height: 3.125em; margin: .25em 0 0; padding: .75em 1.25em; border: 0; border-radius: .5em; background: var(--brand); color: var(--on-brand); font-weight: 600; line-height: 1.5; cursor: pointer }
button:hover { filter: brightness(1.08) }
[aria-busy=true] button { opacity: .7; cursor: progress }
.done { padding: 1em 0; text-align: center }
.done h2::before, .done h1::before { content: '✓'; display: grid; place-items: center; width: 2.25em; height: 2.25em; margin: 0 auto .5em; border-radius: 50%; background: var(--brand); color: var(--on-brand) }
.done p { margin: .5em 0 0; color: var(--soft) }
.reach { margin: .25em 0 0 }
.reach a { display: inline-block; padding: .125em 0 }
:focus-visible, .choices input:focus-visible + span { outline: 3px solid var(--accent); outline-offset: 2px }
@media (prefers-reduced-motion: no-preference) { button, input, textarea, .choices span { transition: box-shadow .12s, border-color .12s, opacity .12s, filter .12s } }
@media (forced-colors: active) { .choices input:checked + span { outline: 2px solid } }
`)

/** The style of the page without the script. */
export const pageStyle = minifyCss(`
html { -webkit-text-size-adjust: 100%; color-scheme: light dark }
body { display: grid; justify-items: center; gap: 1.25rem; margin: 0; padding: 2rem 1rem; background: #f3f4f6; color: #14181f; font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; overflow-wrap: anywhere }
header, main, footer { box-sizing: border-box; width: 100%; max-width: 28rem; min-width: 0 }
header { font-weight: 600; font-size: 1.125rem }
header img { display: block; height: 2.75rem; width: auto; max-width: 100%; object-fit: contain; object-position: left }
footer { font-size: .9375rem }
footer p { margin: 0 0 .5rem }
footer a { color: inherit; display: inline-block; padding: .25rem .75rem .25rem 0 }
summary { cursor: pointer }
@media (prefers-color-scheme: dark) { body { background: #12161b; color: #f1f3f6 } }
`)
