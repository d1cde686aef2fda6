/** The API reference is complete, and loads nothing from other hosts. */
import { describe, expect, it } from 'vitest'
import { listDocsAssets } from './docs-page.ts'

const assets = listDocsAssets({ openapiUrl: 'openapi.json' })
const [page, scalar, start] = assets as [(typeof assets)[0], (typeof assets)[0], (typeof assets)[0]]
const html = String(await page.read())

describe('the API reference', () => {
  it('serves exactly the files that the page refers to', async () => {
    const named = [...html.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(match => `/${match[1]}`)
    expect(named).toEqual([scalar.path, start.path])
    expect(String(await scalar.read())).toContain('createApiReference')
    expect(String(await start.read())).toContain('Scalar.createApiReference')
  })

  it('refers to no other host in the page and its start script', async () => {
    for (const text of [html, String(await start.read())]) expect(text).not.toMatch(/["'(](?:https?:)?\/\//)
  })

  it('forbids inline scripts, eval and other hosts, and needs none of them', () => {
    const { 'content-security-policy': policy } = page.headers
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("connect-src 'self';")
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/)
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son\w+=/)
  })

  it('escapes the URL of the document', async () => {
    const [odd] = listDocsAssets({ openapiUrl: '"><script>alert(1)</script>' })
    expect(String(await odd!.read())).not.toContain('<script>alert')
  })
})
