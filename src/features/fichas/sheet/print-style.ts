/** The CSS of the printed page. The PDF of the sheet is the better print. */

export const printRules = `
@media print {
  @page { size: A4; margin: 11mm 14mm }
  body { font-size: 9pt; line-height: 1.4 }
  header, main, footer, .compact :is(header, main, footer) { max-width: none; padding-left: 0; padding-right: 0 }
  header { padding-top: 0; padding-bottom: 4mm }
  header img { max-height: 11mm }
  .agency { font-size: 15pt }
  .contacts, .kicker, .highlights dt { font-size: 8pt }
  .warnings, .button { display: none }
  .hero, .compact .hero { height: 88mm; break-inside: avoid }
  .head, .compact .head { padding: 5mm 0 4mm; break-inside: avoid }
  .gallery main { display: block }
  .gallery main:has(.photos) .columns { padding-top: 5mm }
  .plain { padding: 11mm 9mm }
  h1 { font-size: 19pt }
  .place { margin-top: 2mm; font-size: 10pt }
  .price strong { font-size: 18pt }
  .price span { margin-top: 1.5mm }
  .highlights div { padding: 2.5mm 2mm 2.5mm 4mm }
  .highlights dd { font-size: 14pt }
  h2 { margin-bottom: 2.5mm; font-size: 12.5pt; break-after: avoid }
  section, .compact section { margin-bottom: 5mm }
  .columns, .compact .columns, .gallery .columns { grid-template-columns: minmax(0, 1fr) 58mm; gap: 4mm 8mm; padding-top: 5mm }
  .story p { max-width: none; orphans: 2; widows: 2 }
  .details div { padding: 0.9mm 0 }
  .features { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1mm 5mm }
  .contact { padding: 4mm }
  .card { display: block; font-size: 9pt }
  .card img { width: 16mm; height: 16mm; margin-bottom: 2mm }
  .name { font-size: 10.5pt }
  .links { margin-top: 1mm; font-size: 9pt; line-height: 1.4 }
  .qr { gap: 3mm; margin-top: 2.5mm; font-size: 8pt }
  .qr svg { width: 21mm; height: 21mm }
  .energy svg { max-width: 54mm }
  .photos, .gallery .photos { padding-top: 2mm }
  .grid { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1.4mm }
  .grid > * { grid-column: span 1 }
  .grid > .portrait { min-height: 0 }
  .grid > *, .contact, .energy, .map, .details div, .features li, .highlights { break-inside: avoid }
  footer { padding-top: 2mm; padding-bottom: 0; font-size: 7.5pt; break-before: avoid; break-inside: avoid }
  footer p { max-width: none }
  .plain, .contact, .features li::before { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
`
