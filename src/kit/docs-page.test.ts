/** The API reference must stay whole and closed: all it names is served, and nothing outside is named or allowed. */
import { describe, expect, it } from 'vitest'
import { listDocsAssets } from './docs-page.ts'

const assets = listDocsAssets({ openapiUrl: 'openapi.json' })
const [page, scalar, start] = assets as [(typeof assets)[0], (typeof assets)[0], (typeof assets)[0]]
const html = String(await page.read())

describe('the API reference', () => {
  it('serves every file that the page names, and no more', async () => {
    const named = [...html.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(match => `/${match[1]}`)
    expect(named).toEqual([scalar.path, start.path])
    expect(String(await scalar.read())).toContain('createApiReference')
    expect(String(await start.read())).toContain('Scalar.createApiReference')
  })

  it('names no other host in the page and in its start', async () => {
    for (const text of [html, String(await start.read())]) expect(text).not.toMatch(/["'(](?:https?:)?\/\//)
  })

  it('has a policy without inline scripts, eval or foreign hosts, and a page that needs none', () => {
    const { 'content-security-policy': policy } = page.headers
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("connect-src 'self';")
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/)
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son\w+=/)
  })

  it('escapes the address of the document', async () => {
    const [odd] = listDocsAssets({ openapiUrl: '"><script>alert(1)</script>' })
    expect(String(await odd!.read())).not.toContain('<script>alert')
  })
})
