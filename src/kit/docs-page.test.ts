// The reference must stay whole and closed: all it names is served, and nothing outside is named or allowed.
import { describe, expect, it } from 'vitest'
import { docsAssets } from './docs-page.ts'

const assets = docsAssets({ openapiUrl: 'openapi.json' })
const [page] = assets
const html = String(page?.body)

describe('the API reference', () => {
  it('serves every file that the page names, and no more', () => {
    const named = [...html.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(match => `/${match[1]}`)
    expect(named.toSorted()).toEqual(
      assets
        .slice(1)
        .map(asset => asset.path)
        .toSorted(),
    )
    for (const asset of assets) expect(asset.body.length, asset.path).toBeGreaterThan(100)
  })

  it('names no other host in the page, the styles or the start', () => {
    const own = assets.filter(asset => !asset.path.endsWith('swagger-ui.js'))
    for (const asset of own)
      expect(String(asset.body), asset.path).not.toMatch(
        /(?:src|href)="(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\//,
      )
  })

  it('has a policy without inline code, eval or foreign hosts, and a page that needs none', () => {
    expect(page?.headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/)
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son\w+=/)
  })

  it('escapes the address of the document', () => {
    const [odd] = docsAssets({ openapiUrl: '"><script>alert(1)</script>' })
    expect(String(odd?.body)).not.toContain('<script>alert')
  })
})
