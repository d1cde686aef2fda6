/** The paper says what the page says, and takes nobody's text for markup. */
import { describe, expect, test } from 'vitest'
import { pdfPages, pdfText } from '../../../../test/pdf-text.ts'
import { sampleReport } from '../../../../test/sample-report.ts'
import { createFormats } from '../../../documents/formats.ts'
import { documentLanguages } from '../../../documents/languages.ts'
import { typstPool } from '../../../documents/typst-pool.ts'
import { amenities, toAmenitySet } from '../../../domain/valuation/property.ts'
import { renderReportPdf as render, renderReportHtml } from './document.ts'
import { getReportWords } from './languages.ts'
import type { ValuationReport } from './report.ts'
import { type ReportSection, reportSections } from './schemas.ts'

const sample = sampleReport({ set: 'es-barcelona-sale', language: 'es' })

const reader = { tenantId: 'reader', signal: new AbortController().signal }
const renderReportPdf = (report: ValuationReport) => render(report, reader)

describe('the PDF', () => {
  test.each(documentLanguages)(
    'says the estimate, its basis and that it is no appraisal: %s',
    async language => {
      const report = { ...sample, config: { ...sample.config, language } }
      const text = pdfText(await renderReportPdf(report))
      const words = getReportWords(language)
      const toSentence = [words.basis.asking.sale, words.disclaimer, ...Object.values(words.section)]
      for (const some of toSentence) expect(text).toContain(stripBlanks(some))
      expect(text).toContain(stripBlanks(new Intl.NumberFormat(words.locale).format(report.estimate.value)))
    },
  )

  test.each(documentLanguages)(
    'says on every page what the prices are, whatever is on it: %s',
    async language => {
      const section = reportSections[documentLanguages.indexOf(language) % reportSections.length]!
      const { disclaimer, basis } = getReportWords(language)
      const report = { ...sample, config: { ...sample.config, language, sections: [section] } }
      for (const page of pdfPages(await renderReportPdf(report)))
        expect(page).toContain(stripBlanks(`${disclaimer} ${basis.asking.sale}`))
    },
  )

  test('has its title and language, and its pages numbered', async () => {
    const pdf = await renderReportPdf(sample)
    const bytes = Buffer.from(pdf).toString()
    expect(bytes).toContain(`>${sample.address}</rdf:li>`)
    expect(bytes).toMatch(/\/Lang ?\(es\)/)
    expect(pdfText(pdf)).toMatch(/1\/(\d)/)
  })

  test('prints what would be markup as it is', async () => {
    const name = '#import "x": * $a^2$ *b* _c_ <d> @e `f` = g // h \\ #panic() [i]'
    const report = { ...sample, name, address: name, branding: { ...sample.branding, name } }
    const text = pdfText(await renderReportPdf(report))
    expect(text.split(stripBlanks(name)).length).toBeGreaterThan(2)
  })

  test('leaves out the pictures that its fonts do not hold', async () => {
    const name = 'Casa 🏡 gran, 👩🏽\u200d👧 1\ufe0f\u20e3 🇪🇸 ❤\ufe0f ™ ✨'
    const subject = { ...sample.subject, subtype: '🏰 torre' }
    const report = { ...sample, name, subject, address: '🏠', otherAmenities: ['wine 🍷 cellar', '🍇'] }
    const text = pdfText(await renderReportPdf(report))
    for (const said of ['Casagran,1❤™', 'torre', 'winecellar']) expect(text).toContain(said)
    // What a font does not hold is a box, which says this.
    expect(text).not.toContain('\uffff')
    expect(text).not.toContain(stripBlanks(getReportWords('es').facts.address))
    expect(renderReportHtml(report)).toContain(name)
    const nameless = pdfText(await renderReportPdf({ ...report, name: '🏡✨' }))
    expect(nameless).toContain(stripBlanks(getReportWords('es').title.sale))
  })

  test('shows the sections that are asked for', async () => {
    const config = { ...sample.config, sections: ['summary' as const] }
    const text = pdfText(await renderReportPdf({ ...sample, config }))
    const { section } = getReportWords('es')
    expect(text).toContain(stripBlanks(section.summary))
    expect(text).not.toContain(stripBlanks(section.method))
  })

  /** Of factors that few tables hold, so that it goes on an upright page among others. */
  const upright = (used: number, sections: ReportSection[]): ValuationReport => {
    const report = sampleReport({ set: 'es-barcelona-sale', language: 'es', used })
    const compared = report.estimate.compared.map(one => ({
      ...one,
      adjustments: one.adjustments.filter(({ factor }) => factor === 'size' || factor === 'unexplained'),
    }))
    return { ...report, estimate: { ...report.estimate, compared }, config: { ...report.config, sections } }
  }

  test.each([6, 9, 14, 18, 22, 25])('leaves no sum alone on a page: of %i comparables', async used => {
    const words = getReportWords('es')
    for (const before of [
      [],
      ['summary'],
      ['distribution', 'trend'],
      ['method', 'summary'],
    ] as ReportSection[][]) {
      const report = upright(used, [...before, 'adjustments'])
      const prices = report.estimate.compared.slice(used - 2, used).map(({ adjustedPrice }) => adjustedPrice!)
      const pages = pdfPages(await renderReportPdf(report))
      const last = pages.filter(page => page.includes(stripBlanks(words.rounded)))
      expect(last).toHaveLength(1)
      for (const text of [
        words.sum,
        words.column.weight,
        ...prices.map(createFormats(words, 'EUR', 'UTC').amount),
      ])
        expect(last[0]).toContain(stripBlanks(text))
      // The heading has the first rows below it.
      const headed = pages.find(page => page.includes(stripBlanks(words.section.adjustments)))
      expect(headed).toContain(stripBlanks(words.thisProperty))
      expect(headed).toContain(
        stripBlanks(createFormats(words, 'EUR', 'UTC').amount(report.estimate.compared[1]!.adjustedPrice!)),
      )
    }
  })

  /** With a logo, all facts, and a plot that is as high as so many prices that are the same. */
  const full = (samePriceCount: number, otherAmenities: string[] = []): ValuationReport => {
    const { estimate, subject, config, branding } = sampleReport({
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

  /** The plot is smaller before a page is broken for it. */
  test.each([
    ...[10, 14, 16, 18].map(samePriceCount => ({ samePriceCount, tags: 0, pages: 1 })),
    ...[0, 30, 50].map(tags => ({ samePriceCount: 20, tags, pages: 2 })),
  ])('keeps the facts together: $tags more below $alike alike', async ({ samePriceCount, tags, pages }) => {
    const { facts, amenity } = getReportWords('de')
    const others = Array.from({ length: tags }, (_, index) => `something of which there is number ${index}`)
    const printed = pdfPages(await renderReportPdf(full(samePriceCount, others)))
    const [page] = printed.filter(page => page.includes(stripBlanks(facts.heading)))
    const labels = [facts.operation, facts.area, facts.yearBuilt, facts.amenities]
    for (const text of [...labels, amenity.renovated, ...others]) expect(page).toContain(stripBlanks(text))
    expect(printed).toHaveLength(pages)
  })

  test('leaves nothing out where there are many facts', async () => {
    const tags = Array.from({ length: 50 }, (_, index) => `${'W'.repeat(46)}${index + 1000}`)
    const text = pdfText(await renderReportPdf(full(20, tags)))
    for (const tag of tags) expect(text).toContain(tag)
  })

  test('has the whole sum of twenty comparables on one page', async () => {
    for (const set of ['es-barcelona-sale', 'us-kingcounty-sale', 'pl-cities-rent'] as const) {
      const report = sampleReport({ set, language: 'de', used: 20 })
      const config = { ...report.config, sections: ['summary', 'adjustments'] satisfies ReportSection[] }
      expect(pdfPages(await renderReportPdf({ ...report, config }))).toHaveLength(2)
    }
  })

  test('has no page without a section where a wide one comes first', async () => {
    const config = { ...sample.config, sections: ['adjustments', 'method'] satisfies ReportSection[] }
    const [first] = pdfPages(await renderReportPdf({ ...sample, config }))
    expect(first).toContain(stripBlanks(getReportWords('es').section.adjustments))
  })

  test('has the name of the agency where its logo is no picture after all', async () => {
    const logo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g></svg>')
    const text = pdfText(await renderReportPdf({ ...sample, branding: { ...sample.branding, logo } }))
    expect(text).toContain('FinquesAldaba')
  })

  test('is made after a paper that Typst refuses', async () => {
    const refused = typstPool.render(reader, () => ({ json: 'no JSON', logo: null }))
    await expect(refused).rejects.toThrow('Typst refused a paper')
    expect(pdfText(await renderReportPdf(sample))).toContain('FinquesAldaba')
  })

  test('is made for many at once', async () => {
    const reports = Array.from({ length: 8 }, (_, index) => ({ ...sample, name: `Report ${index}` }))
    const texts = (await Promise.all(reports.map(renderReportPdf))).map(pdfText)
    for (const [index, text] of texts.entries()) expect(text).toContain(`Report${index}`)
  })
})

/** Without blanks: where lines break is not the text's affair. */
function stripBlanks(text: string): string {
  return text.replace(/\s/g, '')
}
