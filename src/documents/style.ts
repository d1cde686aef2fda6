/** The CSS of HTML documents, for screens from 360 px and for printing. */
import type { Palette } from './palette.ts'

export function createStyle({ brand, onBrand, accent, tint }: Palette): string {
  return `:root { --brand: ${brand}; --on-brand: ${onBrand}; --accent: ${accent}; --tint: ${tint}; ${tones} }${rules}`
}

const tones = '--ink: #14181f; --soft: #4a5361; --line: #d5dae1; --pale: #f6f8fa'

const rules = `
* { box-sizing: border-box }
body {
  margin: 0; background: #fff; color: var(--ink); overflow-wrap: break-word;
  font: 1rem/1.5 'Source Sans 3', -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
}
header, main, footer { max-width: 84rem; margin: 0 auto; padding: 0 2rem }
header { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: center; justify-content: space-between; padding-top: 1.5rem; padding-bottom: 1rem; border-bottom: 4px solid var(--brand) }
header img { display: block; max-width: 14rem; max-height: 4rem }
.agency { margin: 0; color: var(--accent); font-size: 1.25rem; font-weight: 600 }
.contacts { margin: 0; min-width: 0; overflow-wrap: anywhere; color: var(--soft); font-size: 0.875rem; text-align: right }
.contacts span { display: block }
h1 { margin: 2rem 0 0; font-size: 2rem; line-height: 1.2; font-weight: 600 }
.subtitle { margin: 0.25rem 0 0; color: var(--soft) }
section { margin: 2.5rem 0 }
h2 { margin: 0 0 0.75rem; color: var(--accent); font-size: 1.375rem; line-height: 1.25; font-weight: 600 }
h3 { margin: 1.5rem 0 0.5rem; font-size: 1.0625rem; font-weight: 600 }
p { margin: 0 0 0.75rem; max-width: 46rem }
.headline + p { margin-top: 1rem }
.headline { padding: 1.5rem; border-radius: 6px; background: var(--brand); color: var(--on-brand) }
.headline p { margin: 0; max-width: none }
.headline .value { font-size: 2.75rem; line-height: 1.15; font-weight: 600 }
.headline dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 1rem 2rem; margin: 1.25rem 0 0; padding-top: 1.25rem; border-top: 1px solid currentcolor }
.headline dd { margin: 0; font-size: 1.25rem; font-weight: 600 }
figure { margin: 1.25rem 0 }
figure svg { display: block; width: 100%; max-width: 40rem; height: auto }
svg text { font-family: inherit }
figcaption { margin-top: 0.5rem; max-width: 40rem; color: var(--soft); font-size: 0.875rem }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); gap: 0 2rem; margin: 0 }
.facts div { display: flex; justify-content: space-between; gap: 1rem; padding: 0.375rem 0; border-bottom: 1px solid var(--line) }
.facts dt { flex: none; max-width: 55%; color: var(--soft) }
.facts dd { margin: 0; min-width: 0; text-align: right; font-weight: 600; overflow-wrap: anywhere }
.table { overflow-x: auto }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; line-height: 1.35; font-variant-numeric: tabular-nums; overflow-wrap: normal }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
th, td { padding: 0.4375rem 0.375rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; font-weight: 400 }
.text { text-align: left }
.index { width: 2rem; color: var(--accent); text-align: left; font-weight: 600 }
thead th { border-bottom: 2px solid var(--accent); vertical-align: bottom; font-weight: 600; hyphens: auto }
th[colspan] { text-align: left; font-weight: 600 }
.highlighted { background: var(--tint) }
.total { background: var(--pale); font-weight: 600 }
.total:last-child :is(th, td) { border-bottom: 2px solid var(--accent) }
.total td { font-weight: 600 }
td.value { white-space: nowrap }
.nothing { color: var(--soft) }
.wide table { min-width: 62rem; table-layout: fixed; font-size: 0.75rem }
.wide :is(th, td) { padding-left: 0.1875rem; padding-right: 0.1875rem }
.wide small { min-width: 0; font-size: 0.6875rem; overflow-wrap: anywhere }
.broad { width: 14% }
small { display: block; min-width: 4rem; color: var(--soft); font-size: 0.75rem; white-space: normal; hyphens: auto }
footer { padding-top: 1rem; padding-bottom: 2rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 0.875rem }

@media screen and (max-width: 48rem) {
  header, main, footer { padding-left: 1rem; padding-right: 1rem }
  h1 { margin-top: 1.25rem; font-size: 1.5rem }
  .contacts { text-align: left }
  .headline { padding: 1rem }
  .headline .value { font-size: 2rem }
  .wide table { min-width: 0; font-size: 0.875rem }
  .wide small { font-size: 0.75rem }
  table, tbody, tr, th, td { display: block }
  thead { display: none }
  tr { margin-bottom: 0.75rem; padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 6px }
  tbody :is(th, td) { display: flex; justify-content: space-between; gap: 1rem; width: auto; padding: 0.25rem 0; border: 0; white-space: normal }
  .total:last-child :is(th, td) { border: 0 }
  :is(th, td):empty, tbody td.nothing { display: none }
  [data-label]::before { content: attr(data-label); flex: none; max-width: 50%; color: var(--soft); font-weight: 400; text-align: left }
  td.text { text-align: right }
  tbody th { font-size: 1rem }
}

@media screen and (min-width: 76rem) {
  main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); grid-auto-flow: dense; column-gap: 4rem }
  main > * { grid-column: 1 / -1; min-width: 0 }
  main > section:not(:has(.table, .headline)) { grid-column: span 1 }
  section:has(.headline):has(figure) { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); column-gap: 4rem; align-items: start }
  section:has(.headline):has(figure) > * { grid-column: 1 / -1 }
  section:has(.headline) > figure { grid-column: 1; grid-row: span 2 }
  section:has(.headline) > figure ~ :is(h3, dl) { grid-column: 2 }
  section:has(.headline) > figure ~ dl { grid-template-columns: minmax(0, 1fr) }
}

@media print {
  @page { size: A4; margin: 14mm }
  @page wide { size: A4 landscape }
  .wide { page: wide }
  body { font-size: 9.5pt }
  header, main, footer { max-width: none; padding-left: 0; padding-right: 0 }
  table, .wide table { min-width: 0; font-size: 7pt }
  small, .wide small { min-width: 0; font-size: 6pt }
  th, td { padding: 2pt }
  .headline, .highlighted, .total { print-color-adjust: exact; -webkit-print-color-adjust: exact }
  .headline, figure, tr, .facts div { break-inside: avoid }
  h2, h3, thead, p:has(+ .table) { break-after: avoid }
  figure svg { max-width: 32rem }
  .highlighted { break-before: avoid; break-after: avoid }
  .total { break-before: avoid }
  .table { overflow: visible }
}
`
