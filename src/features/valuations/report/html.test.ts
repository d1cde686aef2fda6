/** The page satisfies its content security policy, shows the configured sections and escapes all text. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { naughtyStrings } from '../../../../test/naughty-strings.ts'
import { makeSampleReport } from '../../../../test/sample-report.ts'
import { createContentSecurityPolicy } from '../../../documents/html.ts'
import type { Streets } from '../../../documents/map/streets.ts'
import { escapeMarkup, toPrintable } from '../../../documents/markup.ts'
import { computeContrast, createPalette } from '../../../documents/palette.ts'
import { renderReportHtml } from './document.ts'
import type { ValuationReport } from './report.ts'
import type { ReportSection } from './schemas.ts'
import { findMapView } from './sections/comparables.ts'

const sample = makeSampleReport({ set: 'es-valencia-sale', language: 'es' })
const hostile = [
  ...naughtyStrings,
  '</style><script>alert(1)</script>',
  '" onload="alert(1)',
  "' style='x",
  '\u0000\ud800',
]

/** The sample with the same text in every field that users can write. */
const withText = (text: string): ValuationReport => ({
  ...sample,
  name: text,
  address: text,
  subject: { ...sample.subject, subtype: text },
  estimate: { ...sample.estimate, modelVersion: text },
  branding: { ...sample.branding, name: text, color: text, phone: text, email: text, website: text },
})

describe('user text', () => {
  test('has no unescaped markup, in text and in attributes', () => {
    expect(escapeMarkup(`<a b="c" d='e'>&amp;`)).toBe('&lt;a b=&#34;c&#34; d=&#39;e&#39;&gt;&amp;amp;')
  })

  test('is shown unchanged, and does not change the page around it', () => {
    // Charts and sums contain no user text, and take most of the time.
    const config = { ...sample.config, sections: ['summary', 'comparables', 'method'] as ReportSection[] }
    const page = renderReportHtml({ ...withText('PLACEHOLDER'), config })
    for (const text of hostile.filter(text => toPrintable(text) !== ''))
      expect(renderReportHtml({ ...withText(text), config })).toBe(
        page.replaceAll('PLACEHOLDER', () => escapeMarkup(toPrintable(text))),
      )
  })

  test('loses characters that change the text direction, and keeps its spelling', () => {
    expect(toPrintable('\u202eabc\u2066d\u2069\u200f\u061c\ufeff\u00ad\u{e0041}e')).toBe('abcde')
    // The joiners of Persian and of emoji belong to the spelling, as does the sign before an Arabic year.
    for (const text of ['می\u200cخواهم', '👩\u200d👧', '\u0601 2026']) expect(toPrintable(text)).toBe(text)
    const page = renderReportHtml(withText('Cal \u202etxet\u202c'))
    expect(page).toContain('<title>Cal txet · Cal txet</title>')
    expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  })

  test('is omitted if nothing in it is visible', () => {
    const page = renderReportHtml(withText(' \u0000\n\u202e\u200d'))
    expect(page).not.toContain('<header>')
    expect(page).toContain('<h1>Valoración orientativa del precio</h1>')
  })

  test('a hidden address is nowhere in the page', () => {
    const config = { ...sample.config, showAddress: false }
    expect(renderReportHtml({ ...sample, config })).not.toContain(sample.address)
    expect(renderReportHtml(sample)).toContain(sample.address)
  })
})

describe('the policy', () => {
  test('allows the style of the page in any colour, and the page needs nothing else', () => {
    for (const color of [null, '#ffee00', '#000000', 'red; } body { display: none']) {
      const report = { ...sample, branding: { ...sample.branding, color } }
      const page = renderReportHtml(report)
      const [, style] = page.match(/<style>(.*?)<\/style>/s)!
      const hash = createHash('sha256').update(style!).digest('base64')
      expect(createContentSecurityPolicy(report.branding)).toContain(`style-src 'sha256-${hash}'`)
      expect(page.match(/<style/g)).toHaveLength(1)
      expect(page).not.toMatch(
        /<script|<link|<iframe|\sstyle=|\son\w+=|javascript:|@import|url\((?!#map-frame)/,
      )
      expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:/)
    }
  })
})

test('no two elements of the page share an id', () => {
  const ids = [...renderReportHtml(sample).matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

describe('the branding', () => {
  test('is readable in any colour', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), number => {
        const { brand, onBrand, accent, tint } = createPalette(`#${number.toString(16).padStart(6, '0')}`)
        expect(computeContrast(brand, onBrand)).toBeGreaterThanOrEqual(4.5)
        expect(computeContrast(accent, '#ffffff')).toBeGreaterThanOrEqual(4.5)
        expect(computeContrast(tint, '#14181f')).toBeGreaterThanOrEqual(4.5)
      }),
    )
    expect(computeContrast('#000000', '#ffffff')).toBe(21)
  })

  test('puts the logo in the page, with the name of the agency as alternative text', () => {
    const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>'
    const report = { ...sample, branding: { ...sample.branding, logo: Buffer.from(logo) } }
    const src = `data:image/svg+xml;base64,${Buffer.from(logo).toString('base64')}`
    expect(renderReportHtml(report)).toContain(`<img src="${src}" alt="Finques Aldaba">`)
  })
})

test('the page has the configured sections, in their order', () => {
  const config = { ...sample.config, sections: ['method', 'summary', 'trend'] } as ValuationReport['config']
  const page = renderReportHtml({ ...sample, config })
  expect([...page.matchAll(/<section id="(\w+)"/g)].map(([, id]) => id)).toEqual(config.sections)
})

test('a rent is shown per month, in its currency', () => {
  const page = renderReportHtml(makeSampleReport({ set: 'pl-cities-rent', language: 'es' }))
  expect(page).toMatch(/<p class="value">[\d.]+\szł\/mes<\/p>/)
})

describe('the streets of the map', () => {
  test('are around all pins, and not shown if the address is hidden', () => {
    const view = findMapView(sample)!
    expect(view.centre).toMatchObject({ latitude: sample.subject.latitude })
    expect(view.halfWidthMeters / view.halfHeightMeters).toBeCloseTo(1 / 0.65, 5)
    expect(findMapView({ ...sample, config: { ...sample.config, showAddress: false } })).toBeNull()
    expect(findMapView({ ...sample, config: { ...sample.config, sections: ['summary'] } })).toBeNull()
  })

  test('are drawn with the name of their source', () => {
    const line = { kind: 'minor' as const, isTunnel: false, name: 'Main <Street>', isDrawn: true }
    const streets: Streets = {
      areas: {} as Streets['areas'],
      lines: [{ ...line, points: Float32Array.from([-1_200, 720, 1_200, 720]) }],
      places: [],
      attribution: '© OpenStreetMap',
    }
    const page = renderReportHtml({ ...sample, streets })
    expect(page).toContain('© OpenStreetMap')
    expect(page).toContain('Main &lt;Street&gt;')
    expect(renderReportHtml(sample)).not.toContain('OpenStreetMap')
  })
})
