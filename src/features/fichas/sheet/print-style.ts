/** The CSS of the printed page. The PDF of the sheet is the better print. */

export const printRules = `
@media print {
  @page { size: A4; margin: 12mm 14mm }
  body { font-size: 9.5pt; line-height: 1.45 }
  header, main, footer, .compact :is(header, main, footer) { max-width: none; padding-left: 0; padding-right: 0 }
  header { padding-top: 0; padding-bottom: 5mm }
  .warnings, .button { display: none }
  .hero, .compact .hero { height: 100mm }
  .head { padding: 7mm 0 5mm }
  .plain { padding: 14mm 10mm }
  h1 { font-size: 20pt }
  .price strong { font-size: 19pt }
  .highlights div { padding: 3mm 2mm 3mm 4mm }
  .highlights dd { font-size: 14pt }
  h2 { font-size: 13pt; break-after: avoid }
  section { margin-bottom: 6mm }
  .columns, .compact .columns { grid-template-columns: minmax(0, 1fr) 58mm; gap: 5mm 9mm; padding-top: 6mm }
  .grid > .portrait { min-height: 0 }
  .grid > *, .contact, .energy, .map, .details div, .highlights { break-inside: avoid }
  .plain, .contact, .features li::before { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
`
