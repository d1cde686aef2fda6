/** The page in a real browser: on phones, on wide screens, and printed. Needs Chromium, at `CHROMIUM` or /usr/bin. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeInChromium } from '../../../../test/browser.ts'
import { makeSamplePhotos, makeSampleSheet } from '../../../../test/sample-sheet.ts'
import { createSheetPolicy, renderSheetHtml } from './document.ts'
import { type Sheet, type SheetPhoto, sheetLayouts } from './sheet.ts'

const sample = makeSampleSheet()
const { property } = sample
const embedded = await makeSamplePhotos(12, { noise: 4 })
const tall = await makeSamplePhotos(2, { width: 320, height: 480, widths: [320] })
const files = new Map(embedded.map(({ sources }, at) => [`/photos/${at}.jpg`, sources[0]!]))
const linked: SheetPhoto[] = embedded.map((photo, at) => ({
  ...photo,
  sources: [{ widthPx: 480, url: `photos/${at}.jpg` }],
}))
const portrait = 'bytes' in tall[0]!.sources[0]! ? tall[0]!.sources[0]!.bytes : null

const cases: Record<string, Partial<Sheet>> = {
  'twelve photos by URL': { photos: linked, agent: { ...sample.agent!, photo: portrait } },
  'no photo': { photos: [] },
  'portrait photos': { photos: [...tall, ...embedded.slice(0, 4)] },
  'one word of 200 characters': {
    photos: embedded.slice(0, 3),
    property: { ...property, title: 'W'.repeat(200), address: 'x'.repeat(90), description: 'y'.repeat(300) },
  },
  'Hebrew, Arabic and emoji': {
    photos: embedded.slice(0, 5),
    property: { ...property, title: '🏡 דירה ברחוב שקט' },
    agent: { ...sample.agent!, name: 'ليلى الحداد' },
  },
  warnings: {
    warnings: [{ code: 'PRICE_MISSING', severity: 'required', law: { title: 'Real Decreto 515/1989' } }],
  },
}

describeInChromium(chromium => {
  let served: Sheet = sample
  const server = createServer((request, reply) => {
    const photo = files.get(request.url!)
    if (photo && 'bytes' in photo) return reply.setHeader('content-type', 'image/jpeg').end(photo.bytes)
    if (request.url !== '/') return reply.writeHead(204).end()
    reply.setHeader('content-security-policy', createSheetPolicy(served))
    return reply.setHeader('content-type', 'text/html').end(renderSheetHtml(served, { pdfPath: 'sheet.pdf' }))
  })
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

  beforeAll(async () => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
  })

  describe.each(sheetLayouts)('%s', layout => {
    /** Opens the sheet at this width, and checks what every page must be. */
    const openSheet = async (over: Partial<Sheet>, width: number) => {
      served = { ...sample, ...over, layout }
      const tab = await chromium.open(url(), { width, height: 900 })
      const found = await tab.evaluate<Found>(inspection)
      expect(tab.logged).toEqual([])
      expect(found.scrollWidth).toBe(width)
      expect(found.headings.filter(level => level === 1)).toHaveLength(1)
      expect(found.headings[0]).toBe(1)
      expect(Math.max(...found.headings)).toBe(2)
      expect(found.images).toHaveLength(served.photos.length + (served.agent?.photo ? 1 : 0))
      expect(found.images.filter(image => !image.isLoaded || image.alt === null)).toEqual([])
      expect(found.images.filter(({ alt }) => alt === '')).toHaveLength(served.agent?.photo ? 1 : 0)
      return tab
    }

    test.each(Object.entries(cases))('fits phones: %s', async (_name, over) => {
      const tab = await openSheet(over, 390)
      await tab.close()
    })

    test.each(Object.entries(cases))(
      'fits wide screens, and prints all photos on one to three A4 pages: %s',
      async (_name, over) => {
        const tab = await openSheet(over, 1400)
        const pdf = await tab.print()
        await tab.close()
        const { sizes, photos } = parsePrint(pdf)
        expect(sizes.length).toBeGreaterThanOrEqual(1)
        expect(sizes.length).toBeLessThanOrEqual(3)
        for (const [width, height] of sizes) {
          expect(Math.abs(width! - 595)).toBeLessThan(2)
          expect(Math.abs(height! - 842)).toBeLessThan(2)
        }
        expect(photos.size).toBeGreaterThanOrEqual(served.photos.length)
      },
    )
  })
})

interface Found {
  scrollWidth: number
  headings: number[]
  images: { alt: string | null; isLoaded: boolean }[]
}

/** Loads all images, because later ones are loaded when they are scrolled to. */
const inspection = `(async () => {
  for (const image of document.images) { image.loading = 'eager'; await image.decode().catch(() => {}) }
  return {
    scrollWidth: Math.max(document.documentElement.scrollWidth, innerWidth),
    headings: [...document.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => Number(tagName[1])),
    images: [...document.images].map(image => ({ alt: image.getAttribute('alt'), isLoaded: image.naturalWidth > 0 })),
  }
})()`

/** The sizes of the pages in points, and the numbers of the images on them. */
function parsePrint(pdf: Buffer): { sizes: number[][]; photos: Set<number> } {
  const text = pdf.toString('latin1')
  const objects = new Map(
    [...text.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)endobj/g)].map(([, number, body]) => [
      Number(number),
      body!,
    ]),
  )
  const pages = [...objects.values()].filter(body => /\/Type \/Page\b(?!s)/.test(body))
  const isImage = (number: number) => /\/Subtype \/Image/.test(objects.get(number) ?? '')
  return {
    sizes: pages.map(body => /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(body)!.slice(1).map(Number)),
    photos: new Set(
      pages.flatMap(body =>
        [...body.matchAll(/\/X(\d+) \d+ 0 R/g)].map(([, number]) => Number(number)).filter(isImage),
      ),
    ),
  }
}
