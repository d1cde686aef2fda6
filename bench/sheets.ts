/**
 * A property sheet with twelve photos as a page and as a PDF, beside headless Chromium printing the same page: cold (the
 * first one after a start) and warm. The warm Chromium opens a tab for each print, as a person does; the cold one is
 * what a server pays that keeps no browser. Chromium may be at `CHROMIUM`; without it, only the sheet is measured.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { renderSheetHtml, renderSheetPdf } from '../src/features/fichas/sheet/document.ts'
import { sheetLayouts } from '../src/features/fichas/sheet/sheet.ts'
import { chromiumPath, startChromium } from '../test/chromium.ts'
import { makeSamplePhotos, makeSampleSheet } from '../test/sample-sheet.ts'
import type { Ratios } from './guard.ts'
import { median } from './load.ts'

const client = { tenantId: 'bench', signal: new AbortController().signal }

/** Each of them ends all of its processes. */
const coldRounds = 3

export async function run(): Promise<void> {
  const { page, pdf, pdfBytes, chromium } = await measure(15)
  console.log('a sheet with 12 photos, ms')
  console.table({ page, PDF: pdf, ...(chromium && { 'Chromium, of the same page': chromium }) })
  if (chromium) {
    const toTimes = (other: number, own: number) => `${(other / own).toFixed(1)} times`
    console.log('the time of Chromium, in times of the PDF')
    console.table({
      'both warm': toTimes(chromium.warm, pdf.warm),
      'both cold': toTimes(chromium.cold, pdf.cold),
      'PDF warm, Chromium started for each print': toTimes(chromium.cold, pdf.warm),
    })
  }
  console.log('the PDF by layout, bytes')
  console.table(pdfBytes)
}

export async function short(): Promise<Ratios> {
  const { page, pdf } = await measure(5)
  return { 'sheets/s of one page render': page.warm / pdf.warm }
}

interface Figures {
  cold: number
  warm: number
}

interface Measured {
  page: Figures
  pdf: Figures
  pdfBytes: Record<string, number>
  chromium: Figures | null
}

async function measure(rounds: number): Promise<Measured> {
  const photos = await makeSamplePhotos(12, {
    width: 1600,
    height: 1067,
    widths: [480, 960, 1600],
    noise: 20,
  })
  const sheet = makeSampleSheet({ photos })
  const page = await time(rounds, async () => renderSheetHtml(sheet))
  const pdf = await time(rounds, () => renderSheetPdf(sheet, client))
  const pdfBytes: Record<string, number> = {}
  for (const layout of sheetLayouts)
    pdfBytes[layout] = (await renderSheetPdf({ ...sheet, layout }, client)).length
  const chromium = chromiumPath ? await timeChromium(chromiumPath, renderSheetHtml(sheet), rounds) : null
  return { page, pdf, pdfBytes, chromium }
}

async function timeChromium(path: string, html: string, rounds: number): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'aldaba-bench-sheets-'))
  try {
    const file = join(folder, 'sheet.html')
    await writeFile(file, html)
    const url = pathToFileURL(file).href
    const cold: number[] = []
    for (let nth = 0; nth < coldRounds; nth++) {
      const startMs = performance.now()
      const chromium = await startChromium(path, join(folder, `cold-${nth}`))
      await chromium.print(url)
      cold.push(performance.now() - startMs)
      await chromium.stop()
    }
    const chromium = await startChromium(path, join(folder, 'warm'))
    const { warm } = await time(rounds, () => chromium.print(url)).finally(() => chromium.stop())
    return { cold: round(median(cold)), warm }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const round = (ms: number) => Number(ms.toFixed(1))

async function time(rounds: number, work: () => Promise<unknown>): Promise<Figures> {
  const measured: number[] = []
  for (let nth = 0; nth <= rounds; nth++) {
    const startMs = performance.now()
    await work()
    measured.push(performance.now() - startMs)
  }
  const [cold, ...warm] = measured
  return { cold: round(cold!), warm: round(median(warm)) }
}
