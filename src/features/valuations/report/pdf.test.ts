/** The PDF says what the page says, and treats no text as markup. */
import { describe, expect, test } from 'vitest'
import { extractPdfPages, extractPdfText } from '../../../../test/pdf-text.ts'
import { makeSampleReport } from '../../../../test/sample-report.ts'
import { createFormats } from '../../../documents/formats.ts'
import { documentLanguages } from '../../../documents/languages.ts'
import { typstPool } from '../../../documents/typst-pool.ts'
import { amenities, toAmenitySet } from '../../../domain/valuation/property.ts'
import { renderReportPdf as render, renderReportHtml } from './document.ts'
import { getReportWords } from './languages.ts'
import type { ValuationReport } from './report.ts'
import { roundEstimate } from './rounding.ts'
import { type ReportSection, reportSections } from './schemas.ts'

const sample = makeSampleReport({ set: 'es-barcelona-sale', language: 'es' })

const reader = { tenantId: 'reader', signal: new AbortController().signal }
const renderReportPdf = (report: ValuationReport) => render(report, reader)

describe('the PDF', () => {
  test.each(documentLanguages)('states the estimate, its basis and the disclaimer: %s', async language => {
    const report = { ...sample, config: { ...sample.config, language } }
    const text = extractPdfText(await renderReportPdf(report))
    const words = getReportWords(language)
    const expected = [words.basis.asking.sale, words.disclaimer, ...Object.values(words.section)]
    for (const each of expected) expect(text).toContain(stripBlanks(each))
    expect(text).toContain(
      stripBlanks(new Intl.NumberFormat(words.locale).format(roundEstimate(report.estimate).value)),
    )
  })

  test.each(documentLanguages)('states the kind of prices on every page: %s', async language => {
    const section = reportSections[documentLanguages.indexOf(language) % reportSections.length]!
    const { disclaimer, basis } = getReportWords(language)
    const report = { ...sample, config: { ...sample.config, language, sections: [section] } }
    for (const page of extractPdfPages(await renderReportPdf(report)))
      expect(page).toContain(stripBlanks(`${disclaimer} ${basis.asking.sale}`))
  })

  test('has a title, a language and page numbers', async () => {
    const pdf = await renderReportPdf(sample)
    const bytes = Buffer.from(pdf).toString()
    expect(bytes).toContain(`>${sample.address}</rdf:li>`)
    expect(bytes).toMatch(/\/Lang ?\(es\)/)
    expect(extractPdfText(pdf)).toMatch(/1\/(\d)/)
  })

  test('prints markup characters unchanged', async () => {
    const name = '#import "x": * $a^2$ *b* _c_ <d> @e `f` = g // h \\ #panic() [i]'
    const report = { ...sample, name, address: name, branding: { ...sample.branding, name } }
    const text = extractPdfText(await renderReportPdf(report))
    expect(text.split(stripBlanks(name)).length).toBeGreaterThan(2)
  })

  test('omits emoji that its fonts do not have', async () => {
    const name = 'Casa 🏡 gran, 👩🏽\u200d👧 1\ufe0f\u20e3 🇪🇸 ❤\ufe0f ™ ✨'
    const subject = { ...sample.subject, subtype: '🏰 torre' }
    const report = { ...sample, name, subject, address: '🏠', otherAmenities: ['wine 🍷 cellar', '🍇'] }
    const text = extractPdfText(await renderReportPdf(report))
    for (const shown of ['Casagran,1❤™', 'torre', 'winecellar']) expect(text).toContain(shown)
    // A glyph missing in the font is extracted as U+FFFF.
    expect(text).not.toContain('\uffff')
    expect(text).not.toContain(stripBlanks(getReportWords('es').facts.address))
    expect(renderReportHtml(report)).toContain(name)
    const nameless = extractPdfText(await renderReportPdf({ ...report, name: '🏡✨' }))
    expect(nameless).toContain(stripBlanks(getReportWords('es').title.sale))
  })

  test('shows the configured sections', async () => {
    const config = { ...sample.config, sections: ['summary' as const] }
    const text = extractPdfText(await renderReportPdf({ ...sample, config }))
    const { section } = getReportWords('es')
    expect(text).toContain(stripBlanks(section.summary))
    expect(text).not.toContain(stripBlanks(section.method))
  })

  /** A report with two factors only, so that the table fits on a portrait page with other sections. */
  const makePortraitReport = (used: number, sections: ReportSection[]): ValuationReport => {
    const report = makeSampleReport({ set: 'es-barcelona-sale', language: 'es', used })
    const compared = report.estimate.compared.map(one => ({
      ...one,
      adjustments: one.adjustments.filter(({ factor }) => factor === 'size' || factor === 'unexplained'),
    }))
    return { ...report, estimate: { ...report.estimate, compared }, config: { ...report.config, sections } }
  }

  test.each([6, 9, 14, 18, 22, 25])('keeps the sum with the last rows: %i comparables', async used => {
    const words = getReportWords('es')
    for (const before of [
      [],
      ['summary'],
      ['distribution', 'trend'],
      ['method', 'summary'],
    ] as ReportSection[][]) {
      const report = makePortraitReport(used, [...before, 'adjustments'])
      const prices = report.estimate.compared.slice(used - 2, used).map(({ adjustedPrice }) => adjustedPrice!)
      const pages = extractPdfPages(await renderReportPdf(report))
      const last = pages.filter(page => page.includes(stripBlanks(words.rounded)))
      expect(last).toHaveLength(1)
      for (const text of [
        words.sum,
        words.column.weight,
        ...prices.map(createFormats(words, 'EUR', 'UTC').amount),
      ])
        expect(last[0]).toContain(stripBlanks(text))
      // The heading is on one page with the first rows.
      const headed = pages.find(page => page.includes(stripBlanks(words.section.adjustments)))
      expect(headed).toContain(stripBlanks(words.thisProperty))
      expect(headed).toContain(
        stripBlanks(createFormats(words, 'EUR', 'UTC').amount(report.estimate.compared[1]!.adjustedPrice!)),
      )
    }
  })

  /** A summary with a logo, all facts, and a scale chart made higher by `samePriceCount` equal prices. */
  const makeFullReport = (samePriceCount: number, otherAmenities: string[] = []): ValuationReport => {
    const { estimate, subject, config, branding } = makeSampleReport({
      set: 'es-barcelona-sale',
      language: 'de',
      used: 20,
    })
    const compared = estimate.compared.map((one, index) => ({
      ...one,
      adjustedPrice: one.included && index < samePriceCount ? estimate.value : one.adjustedPrice,
    }))
    return {
      ...sample,
      name: 'Pis de quatre habitacions amb terrassa',
      otherAmenities,
      estimate: { ...estimate, compared },
      config: { ...config, sections: ['summary'] },
      subject: { ...subject, plotSquareMeters: 230, amenities: toAmenitySet([...amenities]) },
      branding: {
        ...branding,
        logo: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 3"><circle r="2"/></svg>'),
      },
    }
  }

  /** The chart shrinks before the page breaks. */
  test.each([
    ...[10, 14, 16, 18].map(samePriceCount => ({ samePriceCount, tags: 0, pages: 1 })),
    ...[0, 30, 50].map(tags => ({ samePriceCount: 20, tags, pages: 2 })),
  ])(
    'keeps the facts together: $tags tags, $samePriceCount equal prices',
    async ({ samePriceCount, tags, pages }) => {
      const { facts, amenity } = getReportWords('de')
      const others = Array.from({ length: tags }, (_, index) => `something of which there is number ${index}`)
      const printed = extractPdfPages(await renderReportPdf(makeFullReport(samePriceCount, others)))
      const [page] = printed.filter(page => page.includes(stripBlanks(facts.heading)))
      const labels = [facts.operation, facts.area, facts.yearBuilt, facts.amenities]
      for (const text of [...labels, amenity.renovated, ...others]) expect(page).toContain(stripBlanks(text))
      expect(printed).toHaveLength(pages)
    },
  )

  test('prints all facts even if they are many', async () => {
    const tags = Array.from({ length: 50 }, (_, index) => `${'W'.repeat(46)}${index + 1000}`)
    const text = extractPdfText(await renderReportPdf(makeFullReport(20, tags)))
    for (const tag of tags) expect(text).toContain(tag)
  })

  test('fits the calculation of twenty comparables on one page', async () => {
    for (const set of ['es-barcelona-sale', 'us-kingcounty-sale', 'pl-cities-rent'] as const) {
      const report = makeSampleReport({ set, language: 'de', used: 20 })
      const config = { ...report.config, sections: ['summary', 'adjustments'] satisfies ReportSection[] }
      expect(extractPdfPages(await renderReportPdf({ ...report, config }))).toHaveLength(2)
    }
  })

  test('has no empty page if a wide section comes first', async () => {
    const config = { ...sample.config, sections: ['adjustments', 'method'] satisfies ReportSection[] }
    const [first] = extractPdfPages(await renderReportPdf({ ...sample, config }))
    expect(first).toContain(stripBlanks(getReportWords('es').section.adjustments))
  })

  test('prints the name of the agency if the logo is not a valid image', async () => {
    const logo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g></svg>')
    const text = extractPdfText(await renderReportPdf({ ...sample, branding: { ...sample.branding, logo } }))
    expect(text).toContain('FinquesAldaba')
  })

  test('is rendered after an input that Typst refused', async () => {
    const refused = typstPool.render(reader, () => ({ template: 'document', json: 'no JSON', files: [] }))
    await expect(refused).rejects.toThrow('Typst refused the input of a PDF')
    expect(extractPdfText(await renderReportPdf(sample))).toContain('FinquesAldaba')
  })

  test('is rendered for many clients at once', async () => {
    const reports = Array.from({ length: 8 }, (_, index) => ({ ...sample, name: `Report ${index}` }))
    const texts = (await Promise.all(reports.map(renderReportPdf))).map(extractPdfText)
    for (const [index, text] of texts.entries()) expect(text).toContain(`Report${index}`)
  })
})

/** Removes spaces, because the extracted text depends on line breaks. */
function stripBlanks(text: string): string {
  return text.replace(/\s/g, '')
}
