/** A site of an agency that embeds the widget, and what a visitor does there. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import type { Tab } from './chromium.ts'

interface Page {
  html: string
  headers?: Record<string, string>
}

/** A site that serves the page under test. */
export async function startSite() {
  const site = { origin: '', page: { html: '' } as Page, stop: () => {} }
  const server = createServer((_request, reply) => {
    reply.setHeader('Content-Type', 'text/html; charset=utf-8')
    for (const [name, value] of Object.entries(site.page.headers ?? {})) reply.setHeader(name, value)
    reply.end(`<!doctype html>${site.page.html}`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  site.stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return site
}

export type Site = Awaited<ReturnType<typeof startSite>>

/** As on a site whose CSS would spoil a form that is not isolated. */
export const surroundings = `<title>Agency</title><style>html { font-size: 10px } body { margin: 16px; font-family: Georgia, serif } * { letter-spacing: .2em } input, button, label { display: none !important; color: red !important }</style>
<h1>Agency</h1>`

export const root = `document.querySelector('[data-aldaba-widget], div').shadowRoot`
export const find = (selector: string) => `${root}.querySelector(${JSON.stringify(selector)})`
export const isShown = (selector: string) => `Boolean(${root} && ${find(selector)})`

export async function waitFor(tab: Tab, expression: string): Promise<void> {
  await expect.poll(() => tab.evaluate(expression)).toBe(true)
}

export const fill = (tab: Tab, values: Record<string, string>) =>
  tab.evaluate(
    `for (const [name, value] of Object.entries(${JSON.stringify(values)})) ${root}.querySelector('[name="' + name + '"]').value = value`,
  )
export const click = (tab: Tab, selector: string) => tab.evaluate(`${find(selector)}.click()`)
export const readText = (tab: Tab, selector: string) => tab.evaluate<string>(`${find(selector)}.textContent`)

/** Measures what moves on the page. */
export const toMeasuredPage = (
  snippet: string,
) => `<html lang="en"><title>Agency</title><meta name="viewport" content="width=device-width">
<style>body { margin: 16px; font-family: sans-serif; color-scheme: light dark }</style>
<script>self.moved = 0; new PerformanceObserver(list => { for (const { value } of list.getEntries()) moved += value }).observe({ type: 'layout-shift', buffered: true })</script>
<main><h1>Agency</h1>${snippet}<p>Below</p></main>`
export async function readMoved(tab: Tab): Promise<number> {
  await waitFor(tab, isShown('form'))
  await tab.evaluate('new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 100)))')
  return tab.evaluate<number>('moved')
}
