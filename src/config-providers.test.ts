/** The variables that name portals and providers. */
import { describe, expect, it } from 'vitest'
import { loadConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { checkPortalIds, checkProviderIds } from './config-providers.ts'

function findProblems(env: Record<string, string>): string[] {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('PORTAL_URLS', () => {
  it('may contain each portal only once', () => {
    const portalUrls =
      'portal_a=https://a.example,portal_b=https://b.example,portal_a=https://a.example,portal_a=https://c.example'
    expect(findProblems({ PORTAL_URLS: portalUrls, PORT: 'x' })).toEqual([
      expect.stringContaining('PORT=x'),
      'PORTAL_URLS contains portal_a more than once: a portal has only one URL',
    ])
  })

  it.each(['id:hunter%zz2', 'hunter%zz2:x', 'id:100%', 'id:hunter%ff2', '%4:%31'])(
    'refuses credentials with an invalid percent sign, and explains the encoding: %s',
    credentials => {
      const portalUrls = `portal_a=https://portal.example,portal_c=https://${credentials}@portal.example`
      const problems = findProblems({ PORTAL_URLS: portalUrls, PORT: 'x' })
      expect(problems).toEqual([
        expect.stringContaining('PORT=x'),
        'PORTAL_URLS contains credentials of portal_c that are not percent-encoded: write % as %25, @ as %40, : as %3A and , as %2C',
      ])
      expect(problems.join()).not.toMatch(/hunter|100/)
    },
  )

  it('accepts percent-encoded credentials', () => {
    const portalUrls = 'portal_c=https://id%40x:100%25%2C%C3%B1@portal.example'
    expect(loadConfig({ PORTAL_URLS: portalUrls }).portalUrls).toEqual({
      portal_c: 'https://id%40x:100%25%2C%C3%B1@portal.example',
    })
  })

  it('may contain only known portals', () => {
    const config = loadConfig({
      PORTAL_URLS: 'portal_zz=https://x:hunter2@z.example,portal_a=https://a.example',
    })
    expect(checkPortalIds(config, ['portal_a', 'portal_b'])).toEqual([
      'PORTAL_URLS contains portal_zz, which is not a portal. Portals: portal_a, portal_b',
    ])
    expect(checkPortalIds(config, ['portal_a', 'portal_zz'])).toEqual([])
  })
})

describe('CHAT_URLS', () => {
  it.each([
    'telegram',
    'telegram=ftp://a.example',
    'telegram=https://id:secret@a.example',
    'a=http://x,a=http://y',
  ])('is refused as %s', chatUrls => expect(() => loadConfig({ CHAT_URLS: chatUrls })).toThrow(ConfigError))

  it('may contain only known providers', () => {
    const config = loadConfig({ CHAT_URLS: 'telegram=https://a.example' })
    const ids = Object.keys(config.chatUrls)
    expect(checkProviderIds('CHAT_URLS', ids, ['sandbox'])).toEqual([
      'CHAT_URLS contains telegram, which is not a provider. Providers: sandbox',
    ])
    expect(checkProviderIds('CHAT_URLS', ids, ['telegram'])).toEqual([])
  })
})
