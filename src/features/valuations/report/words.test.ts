/** Every language has all texts. */
import { describe, expect, test } from 'vitest'
import { makeSampleReport } from '../../../../test/sample-report.ts'
import { documentLanguages } from '../../../documents/languages.ts'
import { renderReportHtml } from './document.ts'
import { getReportWords } from './languages.ts'
import { reportSections } from './schemas.ts'

/** Lists every text of a language by path; calls functions with sample parameters. */
function listTexts(words: unknown, path = ''): [path: string, text: string][] {
  if (typeof words === 'string') return [[path, words]]
  if (typeof words === 'function') return [[path, String(words(...Array(words.length).fill(3)))]]
  return Object.entries(words as object).flatMap(([key, value]) => listTexts(value, `${path}.${key}`))
}

describe.each(documentLanguages)('%s', language => {
  const words = getReportWords(language)
  const sale = makeSampleReport({ set: 'es-barcelona-sale', language })
  const reports = [
    sale,
    makeSampleReport({ set: 'pl-cities-rent', language }),
    makeSampleReport({ set: 'us-kingcounty-sale', language }),
    { ...sale, operation: 'rent', priceBasis: 'closed' } as const,
  ]

  test('the report has every section in the language, without gaps', () => {
    for (const report of reports) {
      const html = renderReportHtml(report)
      expect(html).toContain(`<html lang="${words.locale}">`)
      expect([...html.matchAll(/<section id="(\w+)"/g)].map(([, id]) => id)).toEqual([...reportSections])
      for (const section of reportSections)
        expect(html).toContain(`>${words.section[section].replaceAll("'", '&#39;')}</h2>`)
      expect(html).not.toMatch(/undefined|NaN|null|Invalid|Infinity|\[object/)
    }
  })

  test.each(['flat', 'duplex', 'studio', 'penthouse', 'house'] as const)(
    'a home of the type %s is translated',
    subtype => {
      const html = renderReportHtml({ ...sale, subject: { ...sale.subject, subtype } })
      expect(html).toContain(`>${words.subtype[subtype].replaceAll("'", '&#39;')}<`)
    },
  )

  test('no text is empty, a placeholder, or has spaces at its ends', () => {
    for (const [path, text] of listTexts(words)) {
      expect(text, path).toBe(text.trim())
      expect(text, path).toMatch(/\p{L}/u)
      expect(text, path).not.toMatch(/undefined|NaN|TODO|\$\{|['"]/)
    }
  })

  test('a report says if its prices are asking prices or closed prices', () => {
    const [askingText, , closedText] = reports.map(report => renderReportHtml(report))
    const { basis } = words
    expect(askingText).toContain(basis.asking.sale.replaceAll("'", '&#39;'))
    expect(askingText).not.toContain(basis.closed.sale)
    expect(closedText).toContain(basis.closed.sale)
    expect(closedText).not.toContain(basis.asking.sale)
  })

  test('every section alone comes with the kind of prices and the disclaimer', () => {
    for (const report of reports)
      for (const section of reportSections) {
        const page = renderReportHtml({ ...report, config: { ...report.config, sections: [section] } })
        const [, footNote] = page.match(/<footer>(.*)<\/footer>/)!
        const basis = words.basis[report.priceBasis][report.operation]
        expect(footNote).toBe(`${words.disclaimer} ${basis}`)
      }
  })

  test('no title suggests a sale price or a legal appraisal', () => {
    expect(`${words.title.sale} ${words.title.rent}`).not.toMatch(
      /sale|selling|vent[ae]|venda|verk(auf|oop)|vendita|sprzeda|valu(e|ation)|val(or|eur|ore)\b|valutazione|wert|waarde|wycen/i,
    )
  })
})

test('two languages share few texts', () => {
  const all = documentLanguages.map(
    language => new Set(listTexts(getReportWords(language)).map(([path, text]) => `${path}: ${text}`)),
  )
  for (const [index, one] of all.entries())
    for (const other of all.slice(index + 1))
      expect([...one].filter(text => other.has(text)).length / one.size).toBeLessThan(0.25)
})
